# Every constant of a platform at zero and at huge values is rejected with its place, runs, or ends
# at a limit of the scenario, without a bug. The normal test tries a third of them.
# label: slow  timeout: 600  long: 1800
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/fuzz/constants.py" "$binary" >seen || fail "$(cat seen)"
finish
