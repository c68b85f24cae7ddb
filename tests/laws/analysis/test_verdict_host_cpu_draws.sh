# label: full  long: 400
# Host CPU of an iteration is what one more round of the repeat takes, no matter which thread calls it and how long the
# rounds of the other threads are.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

count=8
[ -z "${MESHSIM_LONG:-}" ] || count=96
python3 "$source_directory/tests/laws/analysis/host_cpu_draws.py" "$binary" 0 $count >seen.txt 2>&1 || fail "$(cat seen.txt)"
cat seen.txt
finish
