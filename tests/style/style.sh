# Checks the style of the sources: prints each breach as "file:line: rule" and exits with 1 if there
# is one. It only matches text; rules that need a parser are not checked.
#
#     sh style.sh ROOT

root=$1
cd "$root" || exit 2
LC_ALL=C
export LC_ALL
breaches=$(mktemp) || exit 2
trap 'rm -f "$breaches"' EXIT

# sources DIR... : every C and C++ file below the folders that exist
sources()
{
	for folder in "$@"; do
		[ -d "$folder" ] && find "$folder/" -name '*.[ch]' -o -name '*.cc' -o -name '*.def' | sort
	done
}

# ban MESSAGE PATTERN FILE... : reports lines that match the extended pattern
ban()
{
	message=$1
	pattern=$2
	shift 2
	[ $# -eq 0 ] && return
	grep -nHE -- "$pattern" "$@" | sed 's|^\([^:]*:[0-9]*\):.*|\1: '"$message"'|' >>"$breaches"
}

all=$(sources runtime model bench analysis tests)
product=$(sources runtime model bench analysis)
runtime=$(sources runtime)
model=$(sources model)
# Rows of the native world may use functions that the simulated world must not.
portable=$(sources runtime | grep -vE '(^|/)native[^/]*$|^runtime/transport/|/include/world/native|/library_calls\.h$')

if [ -z "$all" ]; then
	echo "no sources in $root"
	exit 2
fi

# --- form --------------------------------------------------------------------------------------
awk '
function breach(line, rule) { print FILENAME ":" line ": " rule }
FNR == 1 {
	if (lines > 500)
		print last ":" lines ": file of " lines " lines, 500 allowed"
	inside = start = 0
	if (!/^\/\*/)
		breach(1, "a file starts with a comment that says what it is")
}
{
	lines = FNR
	last = FILENAME
}
length($0) > 12 {
	line = $0
	gsub(/[\200-\277]/, "", line)
	width = length(line)
	tabs = gsub(/\t/, "\t", line)
	if (width + 7 * tabs > 100 && tabs) {
		width = 0
		for (i = 1; i <= length(line); i++)
			width += substr(line, i, 1) == "\t" ? 8 - width % 8 : 1
	}
	if (width > 100)
		breach(FNR, "line of " width " columns, 100 allowed")
}
/[ \t]$/ { breach(FNR, "blank at the end of the line") }
/^ +[^ *\\]/ && !inside { breach(FNR, "indented with spaces, tabs are used") }
/\/\*/ && !/\*\// { inside = 1 }
/\*\// { inside = 0 }
/^\{/ { start = FNR }
/^\}/ {
	if (start && FNR - start - 1 > 60)
		breach(start, "function of " FNR - start - 1 " lines, 60 allowed")
	start = 0
}
END { if (lines > 500) print last ":" lines ": file of " lines " lines, 500 allowed" }
' $all >>"$breaches"

# --- names -------------------------------------------------------------------------------------
# Functions of up to three statements may share a name: `start` of a table of functions, say.
awk '
/^static .*\(/ {
	match($0, /[A-Za-z_0-9]+\(/)
	name = substr($0, RSTART, RLENGTH - 1)
	start = FNR
}
/;$/ && !/^\t/ { name = "" }
/^\}/ && name {
	split(FILENAME, path, "/")
	key = path[1] " " name
	if (FNR - start > 4 && key in where && where[key] !~ "^" FILENAME ":")
		print FILENAME ":" start ": " name "() is also at " where[key] \
			": a name is found once in a hall, so begin it with the name of its file"
	if (FNR - start > 4)
		where[key] = FILENAME ":" start
	name = ""
}
' $(printf '%s\n' $product | grep '\.c$') /dev/null >>"$breaches"

# --- words -------------------------------------------------------------------------------------
ban 'unfinished work is not marked, it is done' \
	'(^|[^A-Za-z_])(TODO|FIXME|XXX|HACK)([^A-Za-z_]|$)' $all
ban 'nothing here is a stand-in' \
	'(^|[^A-Za-z])([Ss]tubs?|[Pp]laceholders?|[Nn]ot (yet )?implemented|[Uu]nimplemented)([^A-Za-z]|$)' \
	$product
ban 'a struct is named with struct' '^[[:space:]]*typedef (struct|union|enum)' $all
ban 'names that end in _t belong to the C library' \
	'^(struct|union|enum) [a-z0-9_]+_t([^a-z0-9_]|$)|^[[:space:]]*typedef .*[a-z0-9]_t;' $all
ban 'use snprintf, text_printf or arena_printf' '(^|[^a-z_])(v?sprintf|strcpy|strcat|gets)\(' $product
ban 'use strcspn or a cursor of your own: strtok keeps state' '(^|[^a-z_])strtok\(' $product
ban 'use ensure: assert goes away' '(^|[^a-z_])assert\(|<assert\.h>' $product
# HDF5 follows links to other files and crashes on damaged ones, so files are read with runtime/h5.
# Writers open one of their own, and copy groups of parts that h5 has checked.
ban 'result files are read with h5/reader.h' \
	'<hdf5(_hl)?\.h>|"bench/results/hdf5_write\.h"' \
	$(printf '%s\n' $product | grep -v '^bench/results/')
ban 'result files are read with h5/reader.h' \
	'(^|[^A-Za-z0-9_])H5([A-Z][a-z_]*(read|iterate|visit|open)|Fis_|[AOD]get_(type|space|info)|Lexists)' \
	$(printf '%s\n' $product | grep -vE '^bench/results/(results_merge|hdf5_write)\.c$')
# Others may have prepared the name: a plain open would follow a link, or write another user's file.
ban 'files are made with base/file/file.h or base/output.h' \
	'O_CREAT|(^|[^A-Za-z0-9_])(creat|mkfifo|mknod|tmpnam|tempnam|mktemp)\(|(^|[^A-Za-z0-9_])fopen\(.*"([wa]|r[be]*\+)|^[[:space:]]*"([wa]|r[be]*\+)[be+]*"\);' \
	$(printf '%s\n' $product | grep -v '^runtime/base/core/file\.c$')
ban 'result files and parts are made with hdf5_create()' '(^|[^A-Za-z0-9_])H5Fcreate\(' \
	$(printf '%s\n' $product | grep -v '^bench/results/hdf5_write\.c$')
ban 'use ensure_memory: to find no memory is no bug' '(^|[^a-z_])ensure\(.*"(no|out of) memory' $product
ban 'use strtoll and look at errno' '(^|[^a-z_])ato(i|l|ll|f)\(' $product

# --- worlds ------------------------------------------------------------------------------------
ban 'runtime code does not know its world' 'is_simulated|#[[:space:]]*if.*(^|[^A-Z])SIM([^A-Z]|$)' $runtime
ban 'runtime code does not know SimGrid' '[Ss]im[Gg]rid|<xbt|(^|[^a-z])sg_[a-z]+_' $runtime
ban 'threads, sockets and clocks are in the native rows only' \
	'(^|[^A-Za-z0-9_>.])(pthread_[a-z_]+|socket|accept|clock_gettime|gettimeofday|time|nanosleep|usleep|sleep|clock)\(|<pthread\.h>|<sys/socket\.h>|<threads\.h>' \
	$portable
ban 'randomness comes from base/stream.h' \
	'(^|[^A-Za-z0-9_>.])(s?rand|s?random|[a-z]rand48|rand_r|getrandom|getentropy)\(' $runtime $model
ban 'nothing hides in a thread' '_Thread_local|__thread([^a-z_]|$)|(^|[^a-z_])thread_local' \
	$portable $model
ban 'the model has no threads' 'pthread_|<threads\.h>' $model

# --- arrows ------------------------------------------------------------------------------------
# allowed ROOM: prints the rooms whose headers it may include
allowed()
{
	case $1 in
	base) echo base ;;
	lists) echo lists ;;
	topology | h5) echo base "$1" ;;
	world) echo base lists world ;;
	command | memory | fabric | wire | transport) echo base world "$1" ;;
	layout) echo base world memory layout ;;
	compute) echo base layout compute ;;
	firmware) echo base world command memory layout compute fabric wire transport firmware ;;
	mesh) echo base world command memory layout compute fabric wire transport firmware mesh ;;
	binary)
		echo base world memory layout binary
		;;
	execution)
		echo base world memory layout binary fabric mesh programs execution
		;;
	programs)
		echo base world command memory layout compute fabric wire transport firmware mesh programs
		;;
	distributed)
		echo base world command memory layout compute fabric wire transport firmware mesh distributed
		;;
	bring_up) echo base world topology fabric wire transport bring_up ;;
	manager) echo base world topology transport manager ;;
	cause) echo base lists cause ;;
	watch) echo base cause watch ;;
	engine) echo base world cause watch engine ;;
	platform) echo base world engine platform ;;
	host) echo base world cause watch engine platform host ;;
	hostnet) echo base world cause watch engine platform host hostnet ;;
	chip) echo base world cause watch engine platform host chip ;;
	*) echo base world "$1" ;;
	esac
}

for folder in runtime/* model/*; do
	[ -d "$folder" ] || continue
	room=${folder##*/}
	rooms=$(allowed "$room" | tr ' ' '|')
	grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"[a-z_0-9]+/' $(sources "$folder") /dev/null |
		grep -vE "\"($rooms)/" |
		sed 's/^\([^:]*:[0-9]*\):.*"\(.*\)".*/\1: '"$room"' may not include \2/' >>"$breaches"
done
# The compiler rejects includes of unused rooms; here the uses within a hall must be acyclic.
lists=$(find runtime model bench analysis -name CMakeLists.txt 2>/dev/null | sort)
uses=$(cat $lists /dev/null | tr '\n' ' ' | sed 's/meshsim_room(/\n&/g' |
	sed -n 's/^meshsim_room(\([a-z_0-9/]*\)[^)]* USES \([^)]*\)).*/\1 \2/p' |
	sed 's/ PRIVATE .*//' |
	awk '{ for (i = 2; i <= NF; i++) if ($i !~ /::/) print $1, $i }')
echo "$uses" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\)/\1/p' | grep -v ' ' |
	sed 's|.*|CMakeLists.txt:1: room & stands in a circle of rooms|' >>"$breaches"
ban 'an include names a room, not a way' '#[[:space:]]*include[[:space:]]+"\.\./' $product
ban 'sources are compiled, not included' '#[[:space:]]*include.*\.cc?[">]' $all
# Results are read from files: of runtime and model, only the lists of marks, stages and charges are known.
# The harness records them, and leaves it to its tools to show them.
analysis=$(sources analysis)
[ -n "$analysis" ] && grep -nHE '#[[:space:]]*include[[:space:]]+"[a-z_0-9]+/' $analysis |
	grep -vE '"(base|lists|h5|analysis)/' |
	sed 's/^\([^:]*:[0-9]*\):.*"\(.*\)".*/\1: analysis may not include \2/' >>"$breaches"
harness=$(printf '%s\n' $product | grep '^bench/' | grep -v '^bench/tools/')
[ -n "$harness" ] && grep -nHE '#[[:space:]]*include[[:space:]]+"(analysis|bench/tools)/' $harness |
	grep -v '"analysis/metrics/' |
	sed 's/^\([^:]*:[0-9]*\):.*"\(.*\)".*/\1: only bench\/tools may include \2/' >>"$breaches"

# --- files -------------------------------------------------------------------------------------
for file in $(sources runtime model bench analysis | grep -E '\.cc?$'); do
	folder=${file%/*}
	until [ -f "$folder/CMakeLists.txt" ] || [ "$folder" = "${folder%/*}" ]; do
		folder=${folder%/*}
	done
	grep -qE "(^|[^A-Za-z0-9_])${file##*/}([^A-Za-z0-9_]|\$)|^file\(GLOB " "$folder/CMakeLists.txt" \
		2>/dev/null ||
		echo "$file:1: not compiled: its room's CMakeLists.txt does not list it" >>"$breaches"
done
find . -path ./.git -prune -o -path './build*' -prune -o -type f -size -1024k -print |
	grep -vE '\.(h5|png)$|/style\.sh$' | sort |
	xargs grep -nHE '(^|[^A-Za-z0-9_.-])/(home|root|work)/[A-Za-z]' 2>/dev/null |
	sed 's/^\.\/\([^:]*:[0-9]*\):.*/\1: a path of one machine/' >>"$breaches"

git ls-files -- runtime model bench analysis tests 2>/dev/null |
	grep -E '\.(c|cc|h|def|js|css|html|py|sh)$' | sed 's|/[^/]*$||' | sort | uniq -c |
	awk '$1 > 20 { print $2 ":1: folder of " $1 " sources, 20 allowed" }' >>"$breaches"

sort -u "$breaches"
[ ! -s "$breaches" ]
