# Fixed scenarios stay within the instructions and memory of bench/budget/budget.yaml: 1 % more
# fails.
# label: slow  timeout: 900  long: 1800  needs: simgrid
# For intended changes: python3 bench/budget/budget.py build/meshsim --update, with the reason in
# the commit message.
set -eu
: "${MESHSIM_BINARY:?}" "${MESHSIM_SOURCE_DIR:?}" "${MESHSIM_BUILD_DIR:?}"
skip() {
	echo "SKIPPED: $1"
	exit 77
}
cache=$MESHSIM_BUILD_DIR/CMakeCache.txt
grep -q "^MESHSIM_OPTIMIZE_ACROSS_FILES:BOOL=ON$" "$cache" || skip "the budget is that of the build that users get"
grep -q '^MESHSIM_SANITIZE:[A-Z]*=.' "$cache" && skip 'sanitizers cost instructions of their own'
command -v valgrind >/dev/null || skip 'without valgrind instructions are not counted'
python3 -c 'import yaml' 2>/dev/null || skip 'needs python3-yaml'
set -- --check
[ -z "${MESHSIM_LONG:-}" ] || set -- --check --all
exec python3 "$MESHSIM_SOURCE_DIR/bench/budget/budget.py" "$MESHSIM_BINARY" "$@"
