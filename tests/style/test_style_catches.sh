# label: full  timeout: 300
# Every rule of style.sh can fail: a clean tree passes, and each planted breach is reported.
style=${MESHSIM_SOURCE_DIR:?}/tests/style/style.sh
root=$(mktemp -d) || exit 2
trap 'rm -rf "$root"' EXIT
failures=0

# A tree with a source in each of the places that rules distinguish.
mkdir -p "$root/runtime/base/include/base" "$root/runtime/world" "$root/model/chip" \
	"$root/analysis" "$root/bench/run" "$root/bench/results"
clean()
{
	printf '/* A clean file. */\n#include "base/a.h"\n\nint f(void)\n{\n\treturn 0;\n}\n'
}
clean_sources()
{
	for file in runtime/base/a runtime/world/w runtime/world/native_w model/chip/c analysis/x bench/run/x \
		bench/results/x; do
		clean >"$root/$file.c"
	done
}
clean_sources
printf '/* A clean header. */\nint f(void);\n' >"$root/runtime/base/include/base/a.h"
echo 'meshsim_room(base SOURCES a.c)' >"$root/runtime/base/CMakeLists.txt"
echo 'meshsim_room(world SOURCES w.c native_w.c)' >"$root/runtime/world/CMakeLists.txt"
echo 'meshsim_room(chip SOURCES c.c)' >"$root/model/chip/CMakeLists.txt"
echo 'meshsim_room(run SOURCES x.c)' >"$root/bench/run/CMakeLists.txt"
echo 'meshsim_room(results SOURCES x.c)' >"$root/bench/results/CMakeLists.txt"
echo 'meshsim_room(analysis SOURCES x.c)' >"$root/analysis/CMakeLists.txt"
echo 'meshsim_room(bench/run SOURCES x.c)' >"$root/bench/run/CMakeLists.txt"
echo 'meshsim_room(bench/results SOURCES x.c)' >"$root/bench/results/CMakeLists.txt"

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

out=$(sh "$style" "$root") || fail "a clean tree is refused: $out"

# Breaches are put into the first tree, each on separate lines; allowed text into the second.
good=$(mktemp -d) || exit 2
kept=$(mktemp -d) || exit 2
trap 'rm -rf "$root" "$good" "$kept"' EXIT
(cd "$root" && tar cf - runtime model analysis bench) | tar xf - -C "$good"

# catch FILE TEXT MESSAGE: the lines TEXT, added to FILE, are reported with MESSAGE
catch()
{
	first=$(($(wc -l <"$root/$1") + 1))
	printf '%b\n' "$2" >>"$root/$1"
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$first" "$(wc -l <"$root/$1")" "$3" \
		"$(printf '%s' "$2" | tr '\n\t' '  ')" >>"$kept/expected"
}

# pass FILE TEXT: the same lines are allowed there
pass()
{
	printf '%b\n' "$2" >>"$good/$1"
}

long=$(printf '%0101d' 0)
catch runtime/base/a.c "// $long" 'columns, 100 allowed'
pass runtime/base/a.c "/* $(printf '%094d' 0) */"
pass runtime/base/a.c "/* $(printf 'é%.0s' 1 2 3 4 5 6 7 8 9 10)$(printf '%084d' 0) */"
catch runtime/base/a.c "$(printf '\\t%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)/* 8 */" 'line of 103 columns'
catch runtime/base/a.c 'int x; ' 'blank at the end'
catch runtime/base/a.c '    int x;' 'indented with spaces'
catch runtime/base/a.c "void g(void)\n{$(printf '\\n\\tf();%.0s' $(seq 61))\n}" 'function of 61 lines'
shared='void take(int a,\n\tint b)\n{\n\tf();\n\tf();\n}'
pass runtime/base/a.c "static $shared"
pass model/chip/c.c "static $shared"
catch runtime/world/w.c "static $shared" 'take() is also at runtime/base/a.c'
printf 'static %b\n' "$shared" >>"$root/runtime/base/a.c"
catch runtime/base/a.c '/* TODO */' 'unfinished work'
catch analysis/x.c '/* a stub */' 'stand-in'
pass analysis/x.c '/* stubborn */'
catch runtime/base/a.c 'typedef struct x x;' 'named with struct'
catch runtime/base/a.c 'struct my_t {' 'end in _t'
catch runtime/base/a.c '\tsprintf(a, b);' 'use snprintf'
pass runtime/base/a.c '\tsnprintf(a, n, b);'
catch runtime/base/a.c '\tstrtok(a, b);' 'use strcspn'
catch runtime/base/a.c '\tassert(a);' 'use ensure'
catch runtime/base/a.c '\tatoi(a);' 'use strtoll'
catch runtime/base/a.c '\tensure(a, "no memory for %u", b);' 'use ensure_memory'
catch analysis/x.c '\tfile = fopen(path, "we");' 'files are made with'
catch analysis/x.c '\tfile = fopen(path, "r+");' 'files are made with'
catch analysis/x.c '\tfile = fopen(path,\n\t\t"ab");' 'files are made with'
pass analysis/x.c '\tfile = fopen(path, "re");'
catch model/chip/c.c '\topen(path,\n\t\tO_WRONLY | O_CREAT, 0666);' 'files are made with'
pass model/chip/c.c '\topen(path, O_WRONLY);'
catch analysis/x.c '\tH5Fcreate(path, H5F_ACC_TRUNC, a, b);' 'made with hdf5_create()'
catch runtime/world/w.c '\tif (is_simulated)' 'does not know its world'
catch runtime/world/w.c '#ifdef SIM' 'does not know its world'
catch runtime/world/native_w.c '/* SimGrid */' 'does not know SimGrid'
catch runtime/world/w.c '\tpthread_create(a);' 'native rows only'
catch runtime/world/w.c '\tt = time(NULL);' 'native rows only'
pass runtime/world/w.c '\tt = world->time(a);'
pass runtime/world/w.c '\tt = link_time(a);'
pass runtime/world/native_w.c '\tpthread_create(a);'
catch runtime/world/w.c '\tx = rand();' 'base/stream.h'
catch model/chip/c.c '\tx = drand48();' 'base/stream.h'
catch runtime/world/w.c 'static _Thread_local int x;' 'hides in a thread'
catch model/chip/c.c '\tpthread_create(a);' 'the model has no threads'
catch runtime/base/a.c '#include "world/world.h"' 'base may not include world/world.h'
catch runtime/world/w.c '#include "chip/chip.h"' 'world may not include chip/chip.h'
catch model/chip/c.c '#include "mesh/mesh.h"' 'chip may not include mesh/mesh.h'
pass model/chip/c.c '#include "world/world.h"'
catch analysis/x.c '#include <hdf5.h>' 'result files are read with h5/reader.h'
catch bench/run/x.c '#include "bench/results/hdf5_write.h"' 'result files are read with h5/reader.h'
catch bench/results/x.c '	H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);' \
	'result files are read with h5/reader.h'
catch analysis/x.c '#include "chip/chip.h"' 'analysis may not include chip/chip.h'
catch analysis/x.c '#include "bench/results/results.h"' 'analysis may not include bench/results/results.h'
catch analysis/x.c '#include "cause/cause.h"' 'analysis may not include cause/cause.h'
catch analysis/x.c '#include "world/world.h"' 'analysis may not include world/world.h'
catch bench/run/x.c '#include "analysis/show.h"' 'only bench/tools may include analysis/show.h'
catch bench/run/x.c '#include "bench/tools/options/option.h"' \
	'only bench/tools may include bench/tools/options/option.h'
pass bench/results/x.c '#include "analysis/metrics/metric.h"'
pass analysis/x.c '#include "lists/mark.h"'
pass analysis/x.c '#include "lists/stage.def"'
catch runtime/base/a.c '#include "../world/w.h"' 'names a room'
catch runtime/base/a.c '#include "x.c"' 'compiled, not included'
catch runtime/base/a.c "/* /home""/someone/x */" 'a path of one machine'

out=$(sh "$style" "$good") || fail "good lines are refused: $out"
sh "$style" "$root" >"$kept/reported" && fail 'breaches pass'
while IFS='	' read -r file first last message text; do
	awk -F: -v file="$file" -v first="$first" -v last="$last" -v message="$message" '
		$1 == file && $2 >= first && $2 <= last && index($0, message) { found = 1 }
		END { exit !found }' "$kept/reported" ||
		fail "'$text' in $file is not reported with '$message'"
done <"$kept/expected"
clean_sources

printf '\n%.0s' $(seq 500) >>"$root/runtime/base/a.c"
case $(sh "$style" "$root") in
*'runtime/base/a.c:'*'lines, 500 allowed'*) ;;
*) fail 'a file of 507 lines passes' ;;
esac
clean >"$root/runtime/base/a.c"
sed 's/^.. A/int A/' "$root/runtime/base/a.c" >"$root/kept"
mv "$root/kept" "$root/runtime/base/a.c"
case $(sh "$style" "$root") in
*'runtime/base/a.c:1: a file starts with a comment'*) ;;
*) fail 'a file without a head passes' ;;
esac
clean >"$root/runtime/base/a.c"
clean >"$root/runtime/base/dead.c"
case $(sh "$style" "$root") in
*'runtime/base/dead.c:1: not compiled'*) ;;
*) fail 'a file that no list names passes' ;;
esac
rm "$root/runtime/base/dead.c"
mkdir "$root/runtime/world/inner"
for pair in 'world USES world/inner' 'world/inner USES base world'; do
	echo "meshsim_room(${pair%% *} SOURCES w.c ${pair#* })" >>"$root/runtime/world/inner/CMakeLists.txt"
done
case $(sh "$style" "$root") in
*'room world/inner stands in a circle of rooms'*) ;;
*) fail 'rooms that use each other pass' ;;
esac
rm -r "$root/runtime/world/inner"
(cd "$root" && git init -q . && for i in $(seq 21); do clean >"bench/f$i.h"; done && git add bench)
case $(sh "$style" "$root") in
*'bench:1: folder of 21 sources, 20 allowed'*) ;;
*) fail 'a folder of 21 sources passes' ;;
esac
rm -r "$root"/bench/f*.h "$root/.git"
out=$(sh "$style" "$root") || fail "the tree is not clean at the end: $out"
[ "$failures" -eq 0 ]
