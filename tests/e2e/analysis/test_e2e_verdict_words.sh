# label: full
# timeout: 300
# The words of verdicts and of the advice are true and useful: more seeds only where they may decide,
# commands that repeat no option and write over no file, reasons for contexts without a winner, counts
# that are those of the table, and lines of at most 80 columns. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario NAME PLATFORM REST
scenario() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: $2
workload:
  - repeat: 12
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 8KiB, run_ns: 5us}
      - finish
$3
END
}

# compared FILE [OPTION...]: the text of compare on one line in $said
compared() {
	meshsim compare "$@"
	exits "compare $*" 0
	equal "compare $*: lines of more than 80 columns" \
		"$(printf '%s\n' "$out" | LC_ALL=C.UTF-8 awk 'length($0) > 80 { print length($0) ": " $0 }')" ""
	said=$(printf '%s' "$out" | tr -s ' \n' ' ')
}

# ---- equal designs ----
scenario equal n150 'sweep: {platform.host.cores_per_socket.value: [16, 15]}
measure: {warmup: 2, seeds: 3}'
sed -i 's/cores_per_socket.value/cores_per_socket/' equal.yaml
meshsim run equal.yaml -o equal.h5
exits 'run equal designs' 0
compared equal.h5
contains 'equal designs' "$said" ' are equal in all 3 seeds'
lacks 'more seeds change nothing' "$said" 'measure.seeds'
lacks 'nor does a command explain them' "$said" 'meshsim explain'

meshsim run equal.yaml -o exact.h5 --set model.noise=off
compared exact.h5
contains 'equal designs without noise' "$said" ' are equal (exact: no noise)'
lacks 'no seeds without noise' "$said" 'measure.seeds'

meshsim run equal.yaml -o once.h5 --set measure.seeds=1
compared once.h5
lacks 'nor do more seeds than one tell equal designs apart' "$said" 'measure.seeds='

# ---- two equal designs and a third ----
sed 's/^sweep: .*/sweep: {runtime.completion: [table, table-one-slot, aggregator]}/; s/n150/t3k/; s/seeds: 3/seeds: 2/' \
	equal.yaml >tied.yaml
meshsim run tied.yaml -o tied.h5
exits 'run two equal designs and a third' 0
compared tied.h5
contains 'two designs of three are equal' "$said" \
	'undecided: table and table-one-slot are equal in all 2 seeds; aggregator takes 1'
lacks 'more seeds do not tell equal designs apart' "$said" 'measure.seeds'

# ---- a margin that may decide ----
scenario near t3k 'sweep: {runtime.forward.path: [unicast, broadcast]}
measure: {warmup: 2, seeds: 2}'
meshsim run near.yaml -o near.h5 --set measure.seeds=3 '--set=measure.seeds=2' --set runtime.forward.initiators=1
exits 'run designs with two seeds' 0
compared near.h5
contains 'two seeds may not decide' "$said" 'more seeds may decide it: measure.seeds'
contains 'choices of a margin that may decide' "$said" ' for '
contains 'the command that explains it' "$said" 'explain meshsim explain near.h5 '
command=$(printf '%s' "$said" | sed 's/.* - 8 seeds, since 2 do not decide runtime.forward.path //; s/ - .*//')
equal 'the command repeats no seeds, but what else was set' "$command" \
	'meshsim run near.yaml --set runtime.forward.initiators=1 \ --set=measure.seeds=8 --output=near-seeds.h5'
touch near-seeds.h5
compared near.h5
contains 'a file that exists keeps its content' "$said" '--output=near-seeds-2.h5'

# ---- a front has two figures ----
contains 'what is best in time and in host CPU' "$said" ' front '
compared near.h5 --metric=host_cpu
lacks 'host CPU alone has no front' "$said" ' front '

# ---- what is compared ----
compared near.h5 --metric=completion.p99
contains 'a percentile has its name' "$said" 'near: p99 of completion of enqueue_workload: '
compared near.h5 --metric=completion
contains 'and the median is what is meant' "$said" 'near: completion of enqueue_workload: '

# ---- names that are nearly right ----
meshsim run near.yaml -o loops.h5 --set workload.0.as=inner
exits 'run a repeat with a name' 0
# refused 'ARGUMENTS' SENTENCE
refused() {
	# shellcheck disable=SC2086  (words)
	meshsim $1
	exits "$1" 2
	equal "$1" "$err" "meshsim: loops.h5: $2"
}
refused 'compare loops.h5 --metric=hostcpu' "no metric 'hostcpu', did you mean 'host_cpu'?"
refused 'compare loops.h5 --metric=complction.p99' "no metric 'complction.p99', did you mean 'completion'?"
refused 'compare loops.h5 --step=iner' "no step or repeat 'iner', did you mean 'inner'?"
refused 'compare loops.h5 --step=nothing' "no run has measured operations of step 'nothing'"
refused 'explain loops.h5 0 2 --metric=complction' "no metric 'complction', did you mean 'completion'?"
# all metrics are listed in lines of a terminal
for command in 'compare loops.h5 --metric=zzz' 'explain loops.h5 0 2 --metric=zzz'; do
	# shellcheck disable=SC2086  (words)
	meshsim $command
	exits "$command" 2
	equal "$command: lines of 80 columns" "$(printf '%s\n' "$err" | awk 'length > 80')" ''
	contains "$command: the metrics" "$err" "no metric 'zzz'; there are
  round, completion, host, reach, skew, done, latency,
    each with .p50 (default), .p90, .p99, .p99_9, .max or .mean;"
done

# ---- a median that goes one way, and means that go the other ----
cat >spin.yaml <<'END'
meshsim: 1
name: spin
platform: {extends: t3k, host: {cores_per_socket: 2, sockets: 1}}
runtime: {host: {threads: pool, count: 4}}
workload:
  - repeat: 150
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 4KiB, run_ns: 30us}
      - finish
sweep: {runtime.host.worker_wait: [park, spin]}
model: {scheduler: turns}
measure: {warmup: 5}
END
meshsim run spin.yaml -o spin.h5
exits 'run threads that spin on cores of others' 0
compared spin.h5
contains 'the means of stages speak against the median' "$said" \
	'mechanism the stages go the other way: over all operations, park takes '

# ---- saturated contexts ----
cat >open.yaml <<'END'
meshsim: 1
name: open
platform: n150
workload:
  - repeat: 200
    rate_per_s: 10000
    do:
      - enqueue_workload: {program: step, cores: all, kernel_bytes: 8KiB, run_ns: 20us}
      - finish
sweep:
  runtime.completion: [table, per-device]
  workload.0.rate_per_s: [5000, 20000, 40000]
measure: {warmup: 5, seeds: 2}
END
meshsim run open.yaml -o open.h5
exits 'run an open loop' 0
compared open.h5
contains 'a context without a winner has a reason' "$said" '; in 1 both are saturated;'
equal 'the margins of all contexts that it wins are told' "$(printf '%s' "$said" |
	sed -n 's/.*depends: table wins in 2 of 3 contexts by [0-9.]* to [0-9.]* %; in 1 .*/told/p')" told
contains 'and the reason stands beside the context' "$said" 'undecided, since both are saturated, at rate_per_s=40000'
contains 'columns that have no room are told' "$said" 'not shown: makespan, count'
meshsim compare open.h5 --wide
contains 'a wide table has all columns' "$out" 'makespan'

# ---- the cases of --robust ----
scenario robust t3k 'sweep: {runtime.host.caller_wait: [spin, park]}
model: {noise: "off"}
measure: {warmup: 2}'
meshsim run robust.yaml -o robust.h5
exits 'run designs' 0
compared robust.h5 --robust
count=$(printf '%s' "$said" | sed -n 's/.* holds in [0-9]* of \([0-9]*\) cases .*/\1/p')
equal 'the cases are the rows of the table' "$count" \
	"$(printf '%s\n' "$out" | sed -n '/^  with .*margin/,/^$/p' | grep -c '[0-9]$\|[0-9]  [a-z]')"
lacks "a margin rests on no model's error" "$said" 'rests on below'

# a verdict that holds in all cases, although the model's error is larger than its margin
scenario 'all cases' n300 'sweep: {runtime.completion: [table, per-device]}
model: {noise: "off"}
measure: {warmup: 2}'
sed -i 's/^name: .*/name: all-cases/' 'all cases.yaml'
meshsim run 'all cases.yaml' -o 'all cases.h5'
exits 'run completions' 0
compared 'all cases.h5' --robust
printf '%s\n' "$said" | grep -qE " holds in ([0-9]+) of \\1 cases \([^)]*\), but [0-9.]+ % is less than the model's error of " ||
	fail "one sentence says both: $said"
equal 'no second sentence' "$(printf '%s\n' "$out" | grep -c '^  model ')" 0
contains 'a name with a blank' "$said" "meshsim explain 'all cases.h5' 0 1 --metric=completion"

# ---- shapes ----
cat >shapes.yaml <<'END'
meshsim: 1
name: shapes
platform: t3k
runtime: {forward: {initiators: per-gateway}}
workload:
  - repeat: 30
    do:
      - enqueue_workload: {program: step, cores: all, kernel_bytes: 1KiB, runtime_args: 24, run_ns: 5us}
      - finish
sweep:
  runtime.forward.path: [unicast, broadcast]
  runtime.mesh.shape: [[1, 2], [2, 2], [2, 4]]
  workload.0.do.0.enqueue_workload.kernel_bytes: [256, 8KiB, 32KiB, 60KiB]
measure: {warmup: 5, seeds: 2}
END
meshsim run shapes.yaml -o shapes.h5 --set model.noise=off --set measure.seeds=1
exits 'run two shapes' 0
compared shapes.h5
contains 'the product of a shape is that of chips' "$said" ' chips, then broadcast (interpolated between 4 and 8)'

# ---- arrivals, and figures that are no times ----
cat >arrivals.yaml <<'END'
meshsim: 1
name: arrivals
platform: n150
workload:
  - repeat: 60
    rate_per_s: 1000
    arrivals: poisson
    do:
      - enqueue_workload: {program: p, run_ns: 20us}
sweep: {workload.0.rate_per_s: [1000, 200000], runtime.host.caller_wait: [spin, park]}
model: {noise: "off"}
measure: {warmup: 5}
END
meshsim run arrivals.yaml -o arrivals.h5
exits 'run arrivals' 0
compared arrivals.h5
contains 'equal runs' "$said" 'spin: 67 us (run 1 is equal)'
contains 'where none is best' "$said" 'no best at rate_per_s=200000: all runs there are saturated or failed'
lacks 'arrivals that are drawn are not exact' "$said" '(exact: no noise)'
meshsim compare arrivals.h5 --metric bandwidth
exits 'no bandwidth' 2
contains 'no bandwidth' "$err" 'operations of kind enqueue_workload move no data, so they have no bandwidth'
meshsim run arrivals.yaml -o waits.h5 --set 'sweep={platform.firmware.dispatch_go.value: [60, 2060, 9060]}' \
	--set 'workload=[{repeat: 30, do: [enqueue_workload: {program: p, run_ns: 20us}, finish]}]'
meshsim compare waits.h5 --metric host_cpu --json
contains 'host CPU is no time that passes' "$out" '% more host CPU'
lacks 'host CPU is no time that passes' "$out" 'longer'
finish
