# Runs every command once under valgrind: no process accesses memory that is not its own, or depends
# on an uninitialized value. label: slow  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v valgrind >/dev/null || skip "no valgrind"
case $("$binary" --version) in
*sanitizer*) skip "sanitizers and valgrind exclude each other" ;;
esac
${CC:-cc} -shared -fPIC -o every_main.so "$source_directory/tests/e2e/runs/every_main.c" -ldl ||
	fail "every_main.c does not compile"

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
{ head -1 "$source_directory/bench/reference/figures.csv"; grep -m 1 '^program_dispatch,n300' \
	"$source_directory/bench/reference/figures.csv"; } >figures.csv

# clean CODE COMMAND ARGUMENT...: it ends with CODE
clean() {
	tried="$tried $2 "
	printf '%s\n' "$@" '' >>commands
}

printf 'meshsim: 1\nname: up\nplatform: loopback\nworkload: [finish]\n' >up.yaml
tried=
clean 0 run one.yaml -o one.h5 -j 1
clean 0 show one.h5
clean 0 compare one.h5
clean 0 explain one.h5 0 1
clean 0 report one.h5 --no-errors -o one.html
clean 0 timeline one.h5 0 -o one.pftrace
clean 0 check one.h5 --baseline one.baseline.yaml --update
clean 0 history . -o history.html
clean 0 layout 'tensor<53x63xf32>' --grid 3x2 --tile 32x32 --index 52,62
clean 0 shard --shape 4x3x32x32 --dims none,0 --mesh 2x4
clean 0 list
clean 0 schema
clean 0 platform show n150
clean 0 validate --reference figures.csv
clean 0 place --mgd "$source_directory/tests/real/fixtures/mgd/ring_of_eight.textproto"
clean 0 fuzz --seeds 1 one.yaml
clean 0 import "$source_directory/scenarios/reports/layers.csv" -o imported.yaml
clean 0 import "$source_directory/scenarios/traces" -o traced.yaml
clean 0 export --chakra traced.yaml -o exported
clean 0 model "$source_directory/scenarios/models/mlp-block.yaml" -o mlp.yaml
clean 0 advise one.yaml --only completion --rounds 4 -j 1
clean 2 calibrate
clean 2 executor one.yaml --controller 127.0.0.1:9 --token figures.csv --wait 1
clean 0 bring-up up.yaml --meshes each --flow automatic
clean 2 manager status --address 127.0.0.1:9 --munge-socket none
clean 0 completion bash
clean 0 help

# The test fails if it misses a command.
meshsim help
for command in $(printf '%s\n' "$out" | awk '/^  [a-z-]+   / { print $1 }'); do
	case $tried in
	*" $command "*) ;;
	*) fail "meshsim $command was not tried" ;;
	esac
done

EVERY_MAIN_OF=$binary EVERY_MAIN=$work/commands LD_PRELOAD=$work/every_main.so valgrind -q --leak-check=no \
	--child-silent-after-fork=no --log-file="$work/valgrind.%p" "$binary" >"$work.out" 2>&1 ||
	fail "$(cat "$work.out"; tail -n 20 commands.*)"
[ "$(ls commands.* | wc -l)" = "$(printf '%s\n' $tried | wc -l)" ] || fail "some were not run: $(ls commands.*)"
for log in "$work"/valgrind.*; do
	# valgrind does not know that SimGrid's contexts are stacks.
	grep -v 'client switching stacks\|to suppress, use: --max-stackframe\|further instances of this' \
		"$log" >log.txt
	[ ! -s log.txt ] || fail "$(head -n 30 log.txt)"
done
finish
