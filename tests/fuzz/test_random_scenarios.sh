# Random scenarios over all platforms: none ends with a bug or a stall, errors have a place, and
# `cores: chip` gives the figures of `cores: each` or is rejected. label: slow  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/fuzz/random_scenarios.py" "$binary" 1 40 >seen ||
	fail "$(cat seen)"
ran=$(awk '$2 == "ran" && NF == 2 { print $1 }' seen)
[ "${ran:-0}" -ge 26 ] || fail "too few of 40 scenarios ran: $(cat seen)"
finish
