# The commands of the README work as written: every line of its ```sh blocks that calls meshsim is
# run from a copy of the repository's root, in order. label: full  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

[ -f "$source_directory/README.md" ] || skip "there is no README.md"
few_figures
cp -r "$source_directory/scenarios" "$source_directory/platforms" .
mkdir build bench tests
ln -s "$binary" build/meshsim
for part in bench tests; do
	cp "$source_directory/$part"/*.sh $part/ 2>/dev/null
done
cp -r "$source_directory/bench/baselines" "$source_directory/bench/reference" bench/
MESHSIM_PLATFORMS=$work/platforms
export MESHSIM_PLATFORMS

awk '/^```sh/ { in_block = 1; next } /^```/ { in_block = 0 } in_block' \
	"$source_directory/README.md" | sed 's/^\$ //' | grep '^build/meshsim ' >commands
[ -s commands ] || fail "the README calls build/meshsim"
while IFS= read -r command; do
	code=0
	sh -c "$command" >out 2>err </dev/null || code=$?
	[ "$code" -eq 0 ] || {
		fail "$command"
		cat err
	}
done <commands
printf '%s commands of the README were run\n' "$(wc -l <commands)"
finish
