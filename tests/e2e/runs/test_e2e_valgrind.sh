# Every command once under valgrind: no process reads or writes memory that is not its own, or depends
# on a value that nothing set. label: full  timeout: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v valgrind >/dev/null || skip "no valgrind"
case $("$binary" --version) in
*sanitizer*) skip "sanitizers and valgrind exclude each other" ;;
esac

cat >one.yaml <<'END'
meshsim: 1
name: one
platform: n150
runtime: {mesh: {shape: [1, 1]}}
workload:
  - write_buffer: {buffer: a, bytes: 4096}
  - enqueue_workload: {program: p, cores: 2, runtime_args: 2}
  - read_buffer: {buffer: a, blocking: true}
  - finish
sweep: {runtime.completion: [table, per-device]}
END
{ head -1 "$source_directory/bench/reference/figures.csv"; grep -m 1 '^program_dispatch,n150' \
	"$source_directory/bench/reference/figures.csv"; } >figures.csv

# clean COMMAND CODE ARGUMENT...: it ends with CODE, and valgrind reports nothing of any process
clean() {
	tried="$tried $1 "
	expected=$2
	name=$1
	shift 2
	code=0
	valgrind -q --leak-check=no --child-silent-after-fork=no --log-file="$work/valgrind.%p" \
		"$binary" "$name" "$@" >"$work.out" 2>"$work.err" || code=$?
	[ "$code" -eq "$expected" ] || fail "$name $*: exit code $code, expected $expected: $(cat "$work.err")"
	for log in "$work"/valgrind.*; do
		# SimGrid's contexts are stacks that valgrind is not told of.
		grep -v 'client switching stacks\|to suppress, use: --max-stackframe\|further instances of this' \
			"$log" >log.txt
		[ ! -s log.txt ] || fail "$name $*: $(head -30 log.txt)"
		rm -f "$log"
	done
}

tried=
clean run 0 one.yaml -o one.h5 -j 1
clean show 0 one.h5
clean compare 0 one.h5
clean explain 0 one.h5 0 1
clean report 0 one.h5 --no-errors -o one.html
clean timeline 0 one.h5 0 -o one.pftrace
clean check 0 one.h5 --baseline one.baseline.yaml --update
clean history 0 . -o history.html
clean layout 0 'tensor<53x63xf32>' --grid 3x2 --tile 32x32 --index 52,62
clean shard 0 --shape 4x3x32x32 --dims none,0 --mesh 2x4
clean list 0
clean schema 0
clean platform 0 show n150
clean validate 0 --reference figures.csv
clean place 0 --mgd "$source_directory/tests/real/fixtures/mgd/ring_of_eight.textproto"
clean fuzz 0 --seeds 1 one.yaml
clean calibrate 2
clean completion 0 bash
clean help 0

# A command that this test forgets makes it fail.
meshsim help
for command in $(printf '%s\n' "$out" | awk '/^  [a-z]+   / { print $1 }'); do
	case $tried in
	*" $command "*) ;;
	*) fail "meshsim $command was not tried" ;;
	esac
done
finish
