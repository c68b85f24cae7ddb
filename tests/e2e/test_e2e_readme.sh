# The commands of README.md and of docs/ work as written: every line of their ```sh blocks that calls
# meshsim is run from a copy of the repository's root, in order, a new copy for each document. Blocks
# behind `<!-- file: NAME -->` are files that these commands read. label: slow  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

few_figures
ran=0
for document in "$source_directory"/README.md "$source_directory"/docs/*.md; do
	name=${document#"$source_directory"/}
	awk '/^```sh/ { in_block = 1; next } /^```/ { in_block = 0 } in_block' "$document" |
		sed 's/^\$ //' | grep '^build/meshsim ' >"$work/commands" || continue
	root=$work/$(echo "$name" | tr / -)
	mkdir "$root"
	cd "$root" || exit 1
	cp -r "$source_directory/scenarios" "$source_directory/platforms" .
	mkdir build bench
	ln -s "$binary" build/meshsim
	cp -r "$source_directory/bench/baselines" "$source_directory/bench/reference" bench/
	awk '/^<!-- file: / { file = $3; next }
		/^```/ { open = file != "" && !open; if (!open) file = ""; next }
		open { print >file }' "$document"
	MESHSIM_PLATFORMS=$root/platforms
	export MESHSIM_PLATFORMS
	while IFS= read -r command; do
		code=0
		sh -c "$command" >out 2>err </dev/null || code=$?
		ran=$((ran + 1))
		[ "$code" -eq 0 ] || {
			fail "$name: $command"
			cat err
		}
	done <"$work/commands"
done
[ "$ran" -ge 20 ] || fail "$ran commands of README.md and docs/ were found, at least 20 are expected"
printf '%s commands were run\n' "$ran"
finish
