# Laws of steps that share a workload by their identity, of the time of each call, and of `think`. The kernels of a step take
# the run_ns of this step. The workload is made, compiled and sent once. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario STEPS: a scenario of these steps and a finish
scenario() {
	cat >identity.yaml <<END
meshsim: 1
name: identity
platform: n150
runtime: {mesh: {shape: [1, 1]}}
workload:
$1
  - finish
model: {noise: none}
END
}

# simulated OPTION...: the simulated time of the run in ns
simulated() {
	meshsim run identity.yaml -o identity.h5 "$@"
	[ "$code" -eq 0 ] || fail "run $*: exit code $code: $err"
	meshsim show identity.h5 --json
	echo "$out" | sed -n 's/.*"simulated": *\([0-9]*\).*/\1/p' | tail -1 | sed 's/...$//'
}

# apart WHAT MORE LESS NS: two times differ by NS, within 2 ns for whole cycles
apart() {
	seen=$(($2 - $3))
	[ "$seen" -ge $(($4 - 2)) ] && [ "$seen" -le $(($4 + 2)) ] || fail "$1: $2 - $3 = $seen ns, expected $4"
}

# more WHAT MORE LESS
more() {
	[ "$2" -gt "$3" ] || fail "$1: $2 ns, expected more than $3"
}

keys="program: p, cores: 64, processors: all, kernel_bytes: 4096, runtime_args: 12"
first="  - enqueue_workload: {identity: a, $keys, run_ns: 300000}"

# two SECOND: a first call of 300 us, and a second one
two() {
	scenario "$first
  - enqueue_workload: {$1}"
}

two "identity: a, run_ns: 300000"
same=$(simulated)
two "identity: a, run_ns: 500000"
apart "a call has its own time" "$(simulated)" "$same" 200000
two "identity: a, run_ns: 0"
apart "a call may take no time" "$same" "$(simulated)" 300000
two "identity: a"
apart "run_ns is not that of the first call" "$same" "$(simulated)" 299000
two "$keys, run_ns: 300000"
more "a workload of its own is sent again" "$(simulated)" "$same"
two "identity: a, run_ns: 500000"
for options in "--set runtime.command_cache=false" "--set model.cores=chip" "--set runtime.host.threads=pool"; do
	# shellcheck disable=SC2086 # a list of words
	long=$(simulated $options)
	sed -i 's/run_ns: 500000/run_ns: 300000/' identity.yaml
	# shellcheck disable=SC2086
	apart "a call has its own time with $options" "$long" "$(simulated $options)" 200000
	sed -i '$!s/identity: a, run_ns: 300000/identity: a, run_ns: 500000/' identity.yaml
done

# traced SECOND: a trace of two calls, replayed twice
traced() {
	scenario "  - trace: 1
    replays: 2
    do:
      - enqueue_workload: {identity: a, $keys, run_ns: 300000}
      - enqueue_workload: {identity: a, run_ns: $1}"
}
traced 300000
same=$(simulated)
traced 500000
apart "a trace keeps the time of each call" "$(simulated)" "$same" 400000

# Cores that do not end together: a launch is as long from its first start to its last end. The last core's next set-up, some
# 1.5 us, is in that time, so a chain of three is shorter by at most three of them.
chain() {
	scenario "  - trace: 1
    do:
      - enqueue_workload: {identity: a, $keys, run_ns: 300000, imbalance: $1}
      - enqueue_workload: {identity: a, run_ns: 300000, imbalance: $1}
      - enqueue_workload: {identity: a, run_ns: 300000, imbalance: $1}"
}
chain 0
together=$(simulated)
chain 0.2
seen=$((together - $(simulated)))
[ "$seen" -ge 0 ] && [ "$seen" -le 6000 ] || fail "the last core takes all of its time: $seen ns less, expected 0 to 6000"
seen=$((together - $(simulated --set model.cores=chip)))
[ "$seen" -ge 0 ] && [ "$seen" -le 6000 ] || fail "the same with cores: chip: $seen ns less, expected 0 to 6000"

# think
scenario "  - think: {for_ns: 100000}
$first"
short=$(simulated)
scenario "  - think: {for_ns: 250000}
$first"
apart "the host thinks for a time" "$(simulated)" "$short" 150000
scenario "  - think: {for_ns: 30000}
  - think: {until_ns: 100000}
$first"
apart "the host thinks until a time" "$(simulated)" "$short" 0
scenario "  - think: {for_ns: 100000}
  - think: {until_ns: 70000}
$first"
apart "a time that is over is not waited for" "$(simulated)" "$short" 0
scenario "  - repeat: 3
    do:
      - think: {until_ns: 50000}
      - think: {until_ns: 100000}
$first"
seen=$(($(simulated) - short))
[ "$seen" -ge 200000 ] && [ "$seen" -le 210000 ] || fail "times count from the beginning of an iteration: $seen ns, expected 200000"

# natively, a host that thinks takes as long
scenario "  - think: {for_ns: 30000000}
$first
  - enqueue_workload: {identity: a, run_ns: 9000}"
meshsim run identity.yaml --world native -o identity.h5
[ "$code" -eq 0 ] || fail "native run: exit code $code: $err"
finish
