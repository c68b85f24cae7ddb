#!/bin/sh
# label: full
# The best point of a sweep over all choices is named, one for each context of conditions. Equal points
# cannot be told apart.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >best.yaml <<END
meshsim: 1
name: best
platform: n300
runtime: {completion: table}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 4096, runtime_args: 16, run_ns: 1000}
      - finish
sweep:
  workload.0.do.0.enqueue_workload.kernel_bytes: [1024, 16384]
  runtime.command_cache: [true, false]
  runtime.kernel_cache: [true, false]
model: {noise: none}
measure: {warmup: 2}
END
meshsim run best.yaml -o best.h5
exits 'run the sweep' 0

# asked FILE EXPRESSION: a Python expression about the document j
asked() {
	"$binary" compare "$1" --json >compare.json 2>compare.err || fail "compare: $(cat compare.err)"
	/usr/bin/python3 -c "import json; j = json.load(open('compare.json')); print($2)"
}

equal 'each context has a best point' "$(asked best.h5 "[b['context'] for b in j['best']]")" \
	"['kernel_bytes=1024', 'kernel_bytes=16384']"
equal 'it has the least value of its context' "$(asked best.h5 "[b['value'] for b in j['best']]")" \
	"$(asked best.h5 "[min(p['value'] for p in j['points'] if p['keys']['workload.0.do.0.enqueue_workload.kernel_bytes'] == b) for b in ('1024', '16384')]")"
equal 'its commands are cached' "$(asked best.h5 \
	"all(p['keys']['runtime.command_cache'] == 'true' for b in j['best'] for p in j['points'] if p['run'] == b['run'])")" True
meshsim compare best.h5
contains 'the text names it' "$out" 'best: at kernel_bytes=1024: run '
# the block fits three lines of 80 columns; what has no room is in the verdict, in JSON and in --wide
lines_of() { printf '%s\n' "$out" | awk '/^best: /{on = 1; print; next} /^  /{if (on) print; next} {on = 0}'; }
equal 'each is three lines at most' "$(lines_of | awk '/^best/{n = 0} ++n > 3 || length > 80')" ''
contains 'they name the heaviest guess' "$(lines_of | tr -s ' \n' ' ')" 'rests on '
meshsim compare best.h5 --wide
equal 'the wide form has all that the JSON has' "$(asked best.h5 \
	"all(part in $(lines_of | /usr/bin/python3 -c 'import sys; print(ascii(sys.stdin.read()))') for b in j['best'] for part in b['words'].split('; '))")" True

# without traces, it does not matter how they are kept
sed 's/^  runtime.kernel_cache.*//; s/^  runtime.command_cache.*/  runtime.traces: [replicated, sharded]/' best.yaml >same.yaml
meshsim run same.yaml -o same.h5
exits 'run equal points' 0
contains 'equal points cannot be told apart' "$(asked same.h5 "j['best'][0]['words']")" ' is equal)'
equal 'and nothing is decided' "$(asked same.h5 "[b['decided'] for b in j['best']]")" '[False, False]'

# loops NAME EXPECTED STEP...: `run` and `compare` name these subjects of best points, the main one first
loops() {
	name=$1 expected=$2
	shift 2
	{
		printf 'meshsim: 1\nname: %s\nplatform: n300\nmodel: {noise: off}\nmeasure: {warmup: 2}\n' "$name"
		printf 'sweep: {runtime.completion: [table, per-device]}\nworkload:\n'
		for step; do printf '  - %s\n' "$step"; done
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
	equal "$name: run" "$(printf '%s\n' "$out" | sed -n 's/^best: for \([a-z]*\): .*/\1/p' | tr '\n' ' ')" "$expected "
	equal "$name: compare" "$(asked "$name.h5" "' '.join(b['subject'].split(' of ')[-1].split('/')[-1] for b in j['best'])")" \
		"$expected"
}

program='cores: all, kernel_bytes: 4096'
# a write before the loop is not the question, although it takes longer
loops cold hot '{as: cold, write_buffer: {buffer: a, bytes: 8MiB, spread: sharded}}' \
	'{repeat: 20, do: [{as: hot, write_buffer: {buffer: b, bytes: 64KiB, spread: sharded, blocking: true}}]}'
# the loop that takes most of the time comes first
loops two 'q p' "{repeat: 20, do: [{enqueue_workload: {program: p, $program, run_ns: 3us}}, finish]}" \
	"{repeat: 20, do: [{enqueue_workload: {program: q, $program, run_ns: 100us}}, finish]}"

# A few operations in flight show no steady state, so no size of them is printed.
cat >short.yaml <<END
meshsim: 1
name: short
platform: n300
model: {noise: off}
measure: {warmup: 2}
sweep: {runtime.completion: [table, per-device]}
workload:
  - {repeat: 8, do: [{enqueue_workload: {program: p, $program, run_ns: 30us}}]}
  - finish
END
meshsim run short.yaml -o short.h5
contains 'run says why there is no best point' "$out" 'no best: so few operations in flight show no steady state; about '
meshsim compare short.h5
equal 'the table has no size' "$(printf '%s\n' "$out" | grep -c 'p50')" 0
contains 'and says why' "$out" 'no steady state'
equal 'nor has the JSON' "$(asked short.h5 "j['best'], [set(p) & {'value', 'p50', 'p99', 'mean', 'throughput'} for p in j['points']],
	[r['value'] for q in j['questions'] for c in q['contexts'] for r in c['ranking']], [q['front'] for q in j['questions']]" | tr -d ' ')" \
	'[][set(),set()][None,None][[]]'

# Without noise all seeds have the same times, although the rounds of one run differ.
cat >exact.yaml <<END
meshsim: 1
name: exact
platform: t3k
model: {noise: off}
measure: {warmup: 2}
sweep: {runtime.completion: [table, per-device]}
workload:
  - {repeat: 20, do: [{write_buffer: {buffer: b, bytes: 1MiB, spread: sharded, blocking: true}}]}
END
meshsim run exact.yaml -o exact.h5
equal 'the intervals have no width' "$(asked exact.h5 "[r['low'] == r['margin'] == r['high'] for q in j['questions'] for c in q['contexts'] for r in c['ranking']]")" \
	'[True, True]'
meshsim compare exact.h5
contains 'the verdict says so' "$(printf '%s' "$out" | tr -s ' \n' ' ')" '(exact: no noise)'

# More seeds are not asked for where they cannot decide: 0.03 % are equal.
cat >near.yaml <<END
meshsim: 1
name: near
platform: n300
measure: {warmup: 2}
sweep: {platform.host.work.api_call.cost: [1.44, 1.6]}
workload:
  - {repeat: 20, do: [{enqueue_workload: {program: p, $program, run_ns: 1ms}}, finish]}
END
for seeds in 1 3; do
	meshsim run near.yaml --set measure.seeds=$seeds -o near.h5
	exits "run near with $seeds seeds" 0
	equal "$seeds seeds: no advice for more" "$(asked near.h5 "[a['why'] for a in j['advice'] if 'seeds' in a['why']]")" '[]'
	contains "$seeds seeds: they are equal" "$(asked near.h5 "j['best'][0]['words']")" 'is equal within 0.0'
done

# four equal steps are a loop of four rounds, too few for a steady state; the file has no repeat that could be longer
step='enqueue_workload: {program: p, cores: 8, kernel_bytes: 4096, runtime_args: 16, run_ns: 9000}'
cat >folded.yaml <<END
meshsim: 1
name: folded
platform: n300
workload: [{$step}, {$step}, {$step}, {$step}, finish]
sweep: {runtime.command_cache: [true, false]}
model: {noise: none}
END
meshsim run folded.yaml -o folded.h5
exits 'run four equal steps' 0
meshsim compare folded.h5
contains 'they show no steady state' "$out" 'no steady state'
contains 'the whole run can be asked about' "$out" 'meshsim compare folded.h5 --step=run'
meshsim compare folded.h5 --step=run
lacks 'which has a makespan' "$out" 'no steady state'

# a context whose margin only the model's error explains is said to be such
cat >doubt.yaml <<END
meshsim: 1
name: doubt
platform: galaxy
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: a, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 5us}
      - enqueue_workload: {program: b, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 2us}
      - finish
sweep:
  runtime.forward.path: [unicast, broadcast]
  runtime.mesh.shape: [[1, 4], [2, 4], [4, 4]]
model: {noise: none}
measure: {warmup: 3}
END
meshsim run doubt.yaml -o doubt.h5
exits 'run three meshes' 0
equal 'each margin above its noise is decided, or within the model'"'"'s error' "$(asked doubt.h5 "[(c['context'], q['items'])
    for q in j['questions'] for c in q['contexts']
    if c['ranking'][1]['tied'] and c['ranking'][1]['low'] > 0.02 and c['context'] != q['focus'] and
    not any(\"model's error\" in part and c['context'] in part for i in q['items'] if i['item'] == 'but' for part in i['parts'])]")" '[]'

# a program is sooner over one path, and the write before it over the other: the loop is what counts
cat >beside.yaml <<END
meshsim: 1
name: beside
platform: tgg
runtime: {mesh: {shape: [4, 4]}}
workload:
  - repeat: 15
    do:
      - write_buffer: {buffer: x, bytes: 262144, page_bytes: 2048, spread: sharded, blocking: true}
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 8us}
      - finish
sweep: {runtime.forward.path: [unicast, broadcast]}
model: {noise: none}
measure: {warmup: 3}
END
meshsim run beside.yaml -o beside.h5
exits 'run a loop of a write and a program' 0
equal 'the loop is asked about first' "$(asked beside.h5 "[q['subject'] for q in j['questions']]")" \
	"['iteration', 'enqueue_workload']"
equal 'its paths are equal, although the program is 4 % sooner over one' "$(asked beside.h5 "[abs(v[0] / v[1] - 1) < 0.01 for v in [
    [p['value'] for p in j['points'] if p['subject'] == s] for s in ('iteration', 'enqueue_workload')]]")" '[True, False]'
equal 'and so is the best point' "$(asked beside.h5 "[b['subject'] for b in j['best']], j['best'][0]['margin'] < 0.01")" \
	"['iteration'] True"

finish
