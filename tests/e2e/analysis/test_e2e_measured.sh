# label: full
# The metric of real runs: with operations in flight the interval between completions, one by one the
# time from call to completion, for transfers bytes per time; per step if steps differ. No metric
# depends on how often a workload repeats. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

# look EXPRESSION: prints it; `d` is the document, `q` its first question
look() {
	printf '%s' "$out" >seen.json
	python3 -c "import json; d = json.load(open('seen.json')); q = d.get('questions', [None])[0]; print($1)"
}

# Workloads in flight, finished at the end: as fast with one initiator as with eight.
cat >flight.yaml <<'END'
meshsim: 1
name: flight
platform: tgg
runtime:
  mesh: {shape: [4, 8], offset: [0, 0]}
  forward: {path: broadcast}
  completion: table
  host: {threads: pool, count: 4}
workload:
  - repeat: 60
    do:
      - enqueue_workload: {program: matmul, cores: all, kernel_bytes: 8192, runtime_args: 32, run_ns: 20000}
  - finish
sweep: {runtime.forward.initiators: [1, 4]}
model: {cores: chip}
measure: {warmup: 10}
END
meshsim run flight.yaml -o flight.h5
exits "in flight" 0
meshsim compare flight.h5 --json
exits "compare in flight" 0
equal "in flight: steady interval, and no winner" \
	"$(look "q['outcome'], q['metric'], 'in flight' in q['reason']")" "undecided interval True"
meshsim run flight.yaml -o few.h5 --set workload.0.repeat=14
meshsim compare few.h5
contains "too few for a steady state, and how many would do" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"so few operations in flight show no steady state; about 40 would"

# One by one.
meshsim run flight.yaml -o each.h5 --set 'workload=[{repeat: 12, do: [enqueue_workload: {program: p, run_ns: 2000}, finish]}]' --set measure.warmup=2
meshsim compare each.h5 --json
equal "one by one: call to completion" "$(look "q['metric'], 'waited for before the next' in q['reason']")" \
	"completion True"
meshsim compare each.h5 --metric reach.p99 --json
equal "as asked" "$(look "q['metric'], q['reason'], d['statistic']")" "reach --metric says so p99"

# Throughput and bandwidth are of the steady state, independent of the number of repetitions.
head_of often <<'END'
workload:
  - write_buffer: {buffer: b, bytes: 1048576}
  - repeat: 400
    do:
      - enqueue_workload: {program: slow, run_ns: 20000}
  - finish
  - repeat: 20
    do:
      - enqueue_workload: {program: fast, run_ns: 0}
        as: decode
      - finish
  - read_buffer: {buffer: b, blocking: true}
model: {noise: none}
END
for times in 4 40 400; do
	meshsim run often.yaml -o "often-$times.h5" --set "workload.1.repeat=$times" --json
	look "round(d['runs'][0]['operations']['enqueue_workload/slow']['throughput'], -2)" >>rates
done
equal "throughput of 4, 40 and 400" "$(sort -u rates | wc -l)" 1
equal "a write is complete after its doorbell" \
	"$(look "(lambda w: w['reach']['p50'] > w['host']['p50'] and w['latency']['p50'] >= w['reach']['p50'])(d['runs'][0]['operations']['write_buffer'])")" True
equal "GB/s of transfers" \
	"$(look "[5e9 < d['runs'][0]['operations'][k]['bandwidth'] < 30e9 for k in ('write_buffer', 'read_buffer')]")" \
	"[True, True]"
equal "steps have rows of their own, called as they are" \
	"$(look "sorted(k for k in d['runs'][0]['operations'] if '/' in k)")" \
	"['enqueue_workload/decode', 'enqueue_workload/slow', 'finish/workload/2', 'finish/workload/3/do/1']"
meshsim show often-40.h5
contains "a table for each step" "$out" "Operation enqueue_workload/decode"
contains "GB/s in tables" "$out" "GB/s"
lacks "none for all steps together" "$out" "Operation enqueue_workload
"

# Two programs in one scenario give the same verdicts as each alone.
meshsim run often.yaml -o two.h5 --set workload.1.repeat=40 \
	--set 'sweep={runtime.host.caller_wait: [spin, park]}'
meshsim compare two.h5 --json
equal "a question for each step" \
	"$(look "[(q['subject'], q['metric']) for q in d['questions']]")" \
	"[('enqueue_workload/slow', 'interval'), ('enqueue_workload/decode', 'completion')]"
meshsim compare two.h5 --step decode --json
equal "--step" "$(look "[q['subject'] for q in d['questions']]")" "['enqueue_workload/decode']"
together=$(look "q['outcome'], q['contexts'][0]['ranking'][0]['option']")
meshsim compare two.h5 --program slow --json
equal "--program" "$(look "[q['subject'] for q in d['questions']]")" "['enqueue_workload/slow']"
meshsim compare two.h5 --step decod
exits "an unknown step" 2
contains "an unknown step" "$err" "no run has measured operations of step 'decod', did you mean 'decode'?"
meshsim run often.yaml -o alone.h5 --set 'workload=[{repeat: 20, do: [enqueue_workload: {program: fast, run_ns: 0}, finish]}]' \
	--set 'sweep={runtime.host.caller_wait: [spin, park]}'
meshsim compare alone.h5 --json
equal "alone as beside another" "$(look "q['outcome'], q['contexts'][0]['ranking'][0]['option']")" "$together"

# Bytes per time of streams, in the table and in the report.
cat >stream.yaml <<'END'
meshsim: 1
name: stream
platform: t3k
workload:
  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 2048, packets: 200, warmup: 20}
sweep: {workload.0.fabric_traffic.packet_bytes: [1024, 4096]}
model: {noise: none}
END
meshsim run stream.yaml -o stream.h5
contains "the table has GB/s" "$out" "GB/s"
meshsim compare stream.h5 --json
equal "large packets move more" "$(look "q['metric'], q['winner'], d['points'][1]['bandwidth'] > 2 * d['points'][0]['bandwidth']")" \
	"transfer 4096 True"
meshsim report stream.h5 --model --no-errors -o -
equal "and the report's chart draws bytes" \
	"$(look "(lambda b: b[1] > 2 * b[0] > 0)(d['kinds'][0]['bandwidth'])")" True

# A corner of the sweep of a thousand runs: few operations each, but enough for a verdict.
meshsim run "$MESHSIM_SOURCE_DIR/bench/sweep.yaml" -o sweep.h5 \
	--set 'sweep={runtime.completion: [table, per-device], workload.0.do.0.enqueue_workload.kernel_bytes: [1024, 16384]}'
meshsim compare sweep.h5 --json
equal "few operations in many contexts decide" "$(look "q['outcome'], q['winner'], len(q['contexts'])")" \
	"wins table 2"

# Arrivals at a rate: times count from when an iteration should have begun, so a late one has
# waited; a surplus of arrivals is reported.
cat >open.yaml <<'END'
meshsim: 1
name: open
platform: n150
workload:
  - repeat: 60
    rate_per_s: 1000
    do:
      - enqueue_workload: {program: p, run_ns: 20000}
sweep: {workload.0.rate_per_s: [1000, 20000, 200000]}
model: {noise: none}
measure: {warmup: 5}
END
meshsim run open.yaml -o open.h5
exits "arrivals at a rate" 0
meshsim compare open.h5 --json
equal "what is measured of arrivals" "$(look "d['metric'], 'arrive at a rate' in d['reason']")" "latency True"
equal "saturated" "$(look "[p['saturated'] for p in d['points']]")" "[False, False, True]"
equal "no queue, no wait" "$(look "d['points'][1]['p50'] < 1.2 * d['points'][0]['p50']")" True
meshsim run open.yaml -o all.h5 --set measure.warmup=0
meshsim compare all.h5 --json
equal "what arrives when time begins arrives, too" "$(look "d['metric']")" latency
meshsim compare open.h5 --json
waited=$(look "round(d['points'][2]['p50'] / d['points'][0]['p50'])")
meshsim compare open.h5
contains "saturation is said" "$out" "saturated"
meshsim run open.yaml -o longer.h5 --set workload.0.repeat=120
meshsim compare longer.h5 --json
equal "saturated, each waits for all before" \
	"$(look "d['points'][2]['p50'] > 1.8 * $waited * d['points'][0]['p50']")" True
meshsim run open.yaml -o random.h5 --set workload.0.arrivals=poisson
meshsim compare random.h5 --json
equal "arrivals at random come in bunches" "$(look "d['points'][1]['p99'] > 1.2 * d['points'][1]['p50']")" True
meshsim run open.yaml -o again.h5 --set workload.0.arrivals=poisson --json
first=$out
meshsim run open.yaml -o again.h5 --set workload.0.arrivals=poisson --json
equal "and the same ones with the same seed" "$out" "$first"

# The backlog of a design that cannot keep up grows as long as it runs. It gets no margin, and the
# verdict is explained at points where both designs keep up. The offered rate is never a question.
meshsim run open.yaml -o behind.h5 --set \
	'sweep={platform.firmware.worker_launch.value: [300, 40300], workload.0.rate_per_s: [5000, 45000]}'
meshsim compare behind.h5 --json
equal "who keeps up wins, at each rate, and is explained where both do" \
	"$(look "q['outcome'], q['winner'], len(q['contexts']), q['contexts'][0]['keys'] and q['focus'].split('=')[-1]")" \
	"wins 300 2 5000"
equal "no question about offered rates" "$(look "len(d['questions'])")" 1
contains "no margin where one is saturated" "$(look "q['verdict']")" "(in 1 the next is saturated)"

# Transfers of several sizes are compared per byte throughout: more bytes take longer.
meshsim run often.yaml -o sizes.h5 --set 'workload=[{repeat: 8, do: [write_buffer: {buffer: b, bytes: 4096}, finish]}]' \
	--set 'sweep={workload.0.do.0.write_buffer.bytes: [4096, 1048576]}'
meshsim compare sizes.h5 --json
equal "large writes move more by time" "$(look "q['outcome'], q['winner'], q['sides']")" "wins 1048576 []"
equal "their stages are of as many bytes" \
	"$(look "sum(s['difference'] for s in q['mechanism']['stages']) > 0")" True

# The rate of a step in a loop is that of the rounds, although the warm-up ends with the work of another step.
head_of rounds <<'END'
runtime: {command_queues: 1}
workload:
  - repeat: 6
    do:
      - enqueue_workload: {program: short, cores: all, run_ns: 5us}
      - enqueue_workload: {program: long, cores: all, run_ns: 15us}
      - finish
model: {noise: off}
measure: {warmup: 1}
END
meshsim run rounds.yaml -o rounds.h5 --json
exits "rounds" 0
equal "a step completes once in a round" "$(look "[round(o['throughput'] * o['round']['p50'] * 1e-12, 3) for o in
    (d['runs'][0]['operations']['enqueue_workload/' + k] for k in ('short', 'long'))]")" "[1.0, 1.0]"

# A single value gives nothing to compare.
meshsim run often.yaml -o one.h5 --set workload.1.repeat=4 --set 'sweep={runtime.completion: [table]}'
meshsim compare one.h5
exits "one value" 2
contains "one value" "$err" "there is nothing to compare"
finish
