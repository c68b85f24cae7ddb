# label: full
# Verdicts on real runs of designs made to mislead: the truth is planted in constants of the
# platform, or follows from how the designs work. Outcome, winner, mechanism and contradicting
# figures are known for each. Synthetic loads are in test_verdict_library.sh. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip 'no python3'

# plant NAME OPTION...: runs the rest of a scenario from standard input into NAME.h5
plant() {
	{
		printf 'meshsim: 1\nname: hostile\nplatform: n150\nruntime: {command_queues: 1, completion: table}\n'
		cat
	} >"$1.yaml"
	planted=$1.h5
	shift
	meshsim run "${planted%.h5}.yaml" -o "$planted" "$@"
	exits "run $planted" "$ends"
}
ends=0

# One workload, run and finished twenty times; the sweep follows.
waited='workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 256, run_ns: 1000}
      - finish'

# says WHAT EXPRESSION EXPECTED OPTION...: evaluates EXPRESSION on compare's output for the last planted file; `q` is
# its first question, `s` the contradicting figures, `m` the mechanism, `f` the first crossover
says() {
	what=$1 expression=$2 expected=$3
	shift 3
	"$binary" compare "$planted" --json "$@" >seen.json 2>compare.err || fail "$what: $(cat compare.err)"
	equal "$what" "$(python3 -c "
import json
d = json.load(open('seen.json'))
q = d['questions'][0]
s = ' '.join(side['words'] for side in q['sides'])
m = (q['mechanism'] or {}).get('stage')
f = (q['crossovers'] or [None])[0]
print($expression)" 2>&1)" "$expected"
}

# Ten cycles of 8,700: too few for a decision, however narrow the interval is.
plant tiny <<END
$waited
sweep: {platform.firmware.worker_start.value: [120, 160]}
measure: {warmup: 4, seeds: 4}
END
says 'a sure difference below 1 %' "q['outcome'], 'less than 1 %' in q['verdict']" 'undecided True'

# A constant that neither design uses; the noise is the same for both.
plant tie <<END
$waited
sweep: {platform.chip.ethernet_latency.value: [530, 5300]}
measure: {warmup: 4, seeds: 4}
END
says 'a tie' "q['outcome'], s, m" 'undecided  None'

# The design with the best median and mean has the worst tail. For the tail another design wins, but
# it loses to the first on throughput.
plant tail <<'END'
workload:
  - repeat: 150
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 256, run_ns: 1000}
      - finish
sweep:
  platform.host.work.api_call:
    - {cost: {value: 1}, tail: {value: 60}, tail_probability: {value: 0.02}}
    - {cost: {value: 5}}
    - {cost: {value: 7}}
measure: {warmup: 4, seeds: 4}
END
says 'best on the median, worst on p99' "q['outcome'], m, 'p99' in s" 'trade-off host call True'
says 'best on the mean, worst on p99' "q['outcome'], 'p99' in s" 'trade-off True' --metric completion.mean
says 'the tail, asked for' "q['contexts'][0]['ranking'][0]['option'], 'lower throughput' in s" \
	'cost.value=5 True' --metric completion.p99

# The host has spare time: its additional work delays nothing else.
plant cpu <<'END'
workload:
  - repeat: 60
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 256, run_ns: 50000}
  - finish
sweep: {platform.host.work.launch.cost.value: [500, 6000]}
measure: {warmup: 10, seeds: 3}
END
says 'nothing but host CPU, which waiting hides' "q['outcome'], q['metric'], s" 'undecided interval '
sed 1,4d cpu.yaml >rest
plant cpu --set runtime.host.caller_wait=park <rest
says 'nothing but host CPU' "q['outcome'], len(q['sides']), 'host CPU' in s, 'computing' in s" \
	'undecided 1 True True'

# The scenario sets the metric: spinning loses on host CPU, although it completes sooner.
plant metric <<END
$waited
sweep: {runtime.host.caller_wait: [spin, park]}
measure: {warmup: 4, seeds: 3, metric: host_cpu}
END
says 'host CPU, as the scenario says' \
	"q['metric'], q['contexts'][0]['ranking'][0]['option'], m, 'lower throughput' in s, q['rests_on']" \
	'host_cpu park spinning True []'

# Two programs with different winners: each has its own mechanism, and the iteration that of both together.
plant programs <<'END'
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: wide, cores: all, kernel_bytes: 256, runtime_args: 4, run_ns: 1000}
      - finish
      - enqueue_workload: {program: fat, cores: 1, kernel_bytes: 65536, runtime_args: 1, run_ns: 1000}
      - finish
sweep:
  platform:
    - {extends: n150, firmware: {dispatch_packed_target: {value: 200}}}
    - {extends: n150, chip: {noc_injection_rate: {value: 3}}}
measure: {warmup: 4, seeds: 3}
END
says 'two programs, two winners' \
	"[(x['subject'][17:], x['contexts'][0]['ranking'][0]['option'].split('.')[0], x['mechanism']['stage']) for x in d['questions']]" \
	"[('', 'dispatch_packed_target', 'NoC'), ('wide', 'noc_injection_rate', 'dispatch'), ('fat', 'dispatch_packed_target', 'NoC')]"
says 'one of them, asked for' "len(d['questions']), q['winner']" '1 dispatch_packed_target.value=200' \
	--program fat

# One design is expensive per call, the other per byte: they cost the same where 29 us equal 0.15 ns
# a byte.
plant size <<'END'
workload:
  - repeat: 10
    do:
      - write_buffer: {buffer: b, bytes: 4096}
      - finish
sweep:
  platform.host:
    - {work: {api_call: {cost: {value: 30}}}, copy: {cached: {pinned: {bandwidth: {value: 20}}}}}
    - {work: {api_call: {cost: {value: 1}}}, copy: {cached: {pinned: {bandwidth: {value: 5}}}}}
  workload.0.do.0.write_buffer.bytes: [4096, 1048576]
measure: {warmup: 2, seeds: 2}
model: {noise: off}
END
says 'a crossover in size between two values' "q['outcome'], m, 185e3 < f['at'] < 200e3" \
	'depends host copy True'
says 'sizes that are no pages cannot run, and it is found' "f['refined'], 180e3 < f['low'] < f['high'] < 220e3" \
	'True True' --refine

# One design completes sooner, the other sustains more load: at 60,000 a second the first one's
# backlog grows without end.
plant load <<'END'
workload:
  - repeat: 100
    rate_per_s: 1000
    arrivals: poisson
    do:
      - enqueue_workload: {program: p, cores: 8, run_ns: 8000}
sweep:
  platform:
    - {extends: n150, firmware: {worker_launch: {value: 15000}}}
    - {extends: n150, chip: {pcie_post_latency: {value: 60000}}}
  workload.0.rate_per_s: [2000, 10000, 60000]
measure: {warmup: 10, seeds: 3}
END
says 'a crossover in load' \
	"q['outcome'], m, [c['ranking'][0]['option'].split('.')[0] for c in q['contexts']]" \
	"depends PCIe write ['worker_launch', 'worker_launch', 'pcie_post_latency']"
says 'who falls behind, and no figure made of that' \
	"[p['saturated'] for p in d['points']], f['saturated'], f['low'], f['high']" \
	'[False, False, True, False, False, False] worker_launch.value=15000 10000 60000'
meshsim compare load.h5
contains 'where it flips is not said' "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	'up to somewhere between rate_per_s = 10000 and 60000'
says 'but found' "f['refined'], 28000 < f['low'] < f['high'] < 44000" 'True True' --refine

# Missing runs: one design does not finish where it takes longest; there is no winner there.
ends=4
plant hole <<END
$waited
sweep:
  platform.firmware.dispatch_go.value: [60, 9060]
  workload.0.do.0.enqueue_workload.run_ns: [1000, 86000]
limits: {simulated_ms: 2}
measure: {warmup: 4, seeds: 3}
END
ends=0
says 'runs that are missing are left out' \
	"q['winner'], m, [len(c['ranking']) for c in q['contexts']], [p['status'] for p in d['points']]" \
	"60 dispatch [2, 1] ['ok', 'ok', 'ok', 'limit']"

# Each design's own constants are varied: the winner does not lose because of constants that it does
# not use.
plant robust <<END
$waited
sweep: {platform.firmware.dispatch_go.value: [60, 9060]}
measure: {warmup: 4, seeds: 2}
END
says 'a robust winner' "q['outcome'], q['winner'], q['robust']['held'] == q['robust']['tried'] > 4" \
	'wins 60 True' --robust
says 'what decides' "q['rests_on'][0]['constant']" firmware.dispatch_go

# With one seed, an interval within the run if it has many operations, and none if it has one figure.
meshsim run robust.yaml -o one.h5 --seed 4
contains 'the other seeds are not dropped in silence' "$err" 'measure.seeds has no effect beside --seed'
planted=one.h5
second="(lambda r: [r['interval'], r['low'] is None, r['high'] is None])(q['contexts'][0]['ranking'][1])"
says 'one seed, an interval within it' "$second" "['run', False, False]"
for metric in host_cpu completion.max makespan; do
	says "one seed, one $metric" "$second, q['outcome']" "['none', True, True] wins" --metric $metric
	meshsim compare one.h5 --metric $metric
	contains "$metric of one seed" "$(printf '%s' "$out" | tr -s ' \n' ' ')" '(one seed: no interval)'
	lacks "$metric of one seed" "$out" '95 %'
done
planted=robust.h5
says 'two seeds' "$second" "['seeds', False, False]" --metric host_cpu

# A margin of 10 % that depends on one guessed constant: at 30 % less of it, the margin is gone or
# reversed.
plant fragile <<END
$waited
sweep:
  platform.firmware:
    - {dispatch_go: {value: 5000}, worker_launch: {value: 310}}
    - {dispatch_go: {value: 60}, worker_launch: {value: 7500}}
measure: {warmup: 4, seeds: 2}
END
says 'a fragile winner' "q['outcome'], q['winner'], 'dispatch_go' in str(q['robust']['breaks']) or 'worker_launch' in str(q['robust']['breaks'])" \
	'fragile None True' --robust

# A single value gives nothing to compare.
meshsim run tiny.yaml -o one.h5 --set 'sweep={platform.firmware.dispatch_go.value: [60]}'
meshsim compare one.h5
exits 'one value' 2
contains 'one value' "$err" 'there is nothing to compare'

finish
