# `meshsim place` accepts any advice that it prints: for our fixtures, cases and random problems, and for the files of
# $MESHSIM_REAL_FILES if that names a folder. label: full  timeout: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

follow() {
	seen=$(sh "$source_directory/tests/real/advice.sh" "$1" "$binary" "$2") || fail "an advice of $1 is refused"
	printf '%s\n' "$seen"
}

follow "$source_directory/tests/real/fixtures" 24
for kind in boards channels groupings hosts meshes pins policy several shape; do
	contains "advice of every kind" "$seen" "$kind "
done
[ ! -d "${MESHSIM_REAL_FILES:-}" ] || follow "$MESHSIM_REAL_FILES" 0
finish
