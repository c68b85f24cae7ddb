# Arrows between halls run one way: nothing that a room compiles with could include a header of a hall above it. A wrong
# arrow of each kind is named. label: full
set -u
root=${MESHSIM_SOURCE_DIR:?}
python3 "$root/tests/style/arrows.py" "${MESHSIM_BUILD_DIR:?}/compile_commands.json" "$root" || exit 1

failures=0
commands=$(mktemp) || exit 2
trap 'rm -f "$commands"' EXIT
# check FOLDER INCLUDED EXPECTED : a file of FOLDER that is compiled with -I INCLUDED gives this line first
check()
{
	printf '[{"file": "/r/%s/x.c", "command": "cc -I/r/%s -c x.c"}]' "$1" "$2" >"$commands"
	printed=$(python3 "$root/tests/style/arrows.py" "$commands" /r | sed -n 1p)
	[ "$printed" = "$3" ] && return
	echo "FAILED: $1 with $2 prints '$printed', expected '$3'"
	failures=$((failures + 1))
}
# wrong FOLDER INCLUDED USER USED
wrong()
{
	check "$1" "$2" "$1 can include headers of $2: $3 may not use $4"
}
wrong runtime/mesh model/chip/api/include runtime model
wrong runtime/mesh bench/results/include runtime bench
wrong model/chip runtime/mesh/include model runtime
wrong model/cause analysis/read/include model analysis
wrong analysis/read bench/results/include analysis bench
wrong analysis/operations model/cause/include analysis model
wrong analysis/operations runtime/world/include analysis runtime
wrong bench/run analysis/include bench analysis
wrong bench/results analysis/read/include bench analysis
wrong bench/run bench/tools/options/include bench bench/tools
check runtime/wire build/bench/results/generated \
	'runtime/wire can include headers of bench/results/generated: runtime may not use bench'
for right in 'bench/tools/commands analysis/include' 'bench/tools/place bench/tools/options/include' \
	'bench/run model/host/include' 'bench/results analysis/metrics/include' 'analysis/metrics runtime/lists/include' \
	'analysis/read runtime/h5/include' 'model/host runtime/world/include' \
	'runtime/mesh runtime/world/include' 'runtime/wire build/runtime/wire/generated'; do
	check "${right% *}" "${right#* }" '1 files, 0 wrong arrows between halls'
done
[ "$failures" -eq 0 ]
