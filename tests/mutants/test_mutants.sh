# Every bug of mutants.yaml that is not too slow is found by the test that it names: one in five here, all
# in the long test. label: slow  timeout: 900  long: 1800  needs: simgrid
# How to try all of them, and about survivors: HACKING.md.
set -u
: "${MESHSIM_BUILD_DIR:?}" "${MESHSIM_SOURCE_DIR:?}"
grep -q '^MESHSIM_SANITIZE:[A-Z]*=.' "$MESHSIM_BUILD_DIR/CMakeCache.txt" && {
	echo 'SKIPPED: tests with sanitizers are too slow to plant bugs in'
	exit 77
}
python3 -c 'import yaml' 2>/dev/null || {
	echo 'SKIPPED: needs python3-yaml'
	exit 77
}
[ -n "${MESHSIM_LONG:-}" ] || set -- --every 5
unset MESHSIM_LONG # tests run as in CI, with the same times and the same coverage
exec python3 "$MESHSIM_SOURCE_DIR/tests/mutants/plant.py" "$MESHSIM_BUILD_DIR" "$@"
