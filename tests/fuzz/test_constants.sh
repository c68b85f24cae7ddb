# Every constant of a platform at nothing and at far too much: refused at its place, run, or given
# up at a bound of the scenario; never a bug. A third of them by itself.
# label: full  timeout: 600  long: 1800
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/fuzz/constants.py" "$binary" >seen || fail "$(cat seen)"
finish
