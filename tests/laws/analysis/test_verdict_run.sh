#!/bin/sh
# label: full
# A workload without a loop is judged by its makespan, since a host that is slow to call a step makes the step's own time
# shorter. So is a stretch of steps that overlap beside a loop. `--step run`, `explain` and `--robust` know the run.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario NAME PLATFORM SWEEP: the steps of its workload are on standard input; writes and runs it
scenario() {
	{
		printf 'meshsim: 1\nname: %s\nplatform: %s\nruntime: {command_queues: 1}\n' "$1" "$2"
		printf 'sweep: {%s}\nmodel: {noise: %s}\nmeasure: {warmup: 1, seeds: %s}\nworkload:\n' "$3" "${4:-off}" "${5:-1}"
		cat
	} >"$1.yaml"
	meshsim run "$1.yaml" -o "$1.h5"
	exits "run $1" 0
}

program() {
	echo "enqueue_workload: {program: $1, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: ${2:-5us}}"
}

# look EXPRESSION: of the last output as JSON, d
look() {
	printf '%s' "$out" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print($1)"
}

# asked WHAT SUBJECTS FILE...: compare asks about these subjects
asked() {
	what=$1 subjects=$2
	shift 2
	meshsim compare "$@" --json
	equal "$what" "$(look "[q['subject'] for q in d['questions']]")" "$subjects"
}

paths='runtime.forward.path: [unicast, broadcast]'
four() {
	for name in a b c d; do printf '  - %s\n' "$(program $name)"; done
	printf '  - finish\n'
}

four | scenario four t3k "$paths"
asked "the run alone is judged" "['run']" four.h5
equal "by its makespan" "$(look "d['questions'][0]['metric'], d['statistic'], d['questions'][0]['winner'], d['best'][0]['subject']")" \
	"makespan whole broadcast run"
# all four are known to be complete at once, so the first one takes the time of the run
equal "which is exact" "$(look "(lambda t: t['run'] == t['enqueue_workload/a'] > t['enqueue_workload/b'])(
    {p['subject']: round(p['value']) for p in d['points'] if p['run'] == 0})")" "True"
equal "stages sum to it" "$(look "sum(s['difference'] for s in d['questions'][0]['mechanism']['stages'])
    == (lambda t: round(t[0] - t[1]))([p['value'] for p in d['points'] if p['subject'] == 'run'])")" "True"
equal "it rests on constants" "$(look "d['questions'][0]['rests_on'][0]['constant']")" "host.copy.cached.pinned.bandwidth"
meshsim compare four.h5
contains "the steps have no verdict" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"no verdict of its own: it is in flight together with other steps"
contains "explain knows it" "$out" 'meshsim explain four.h5 1 0 --metric=makespan'
meshsim explain four.h5 1 0 --metric=makespan --json
equal "and tells the same time" "$(look "[round(v / 1e6, 3) for v in d['conclusion']['value']], round(100 * d['conclusion']['margin'], 1)")" \
	"[127.948, 147.374] 15.2"
equal "split into stages" "$(look "[sum(s['value'][i] for s in d['paths']['asked']['stages']) for i in (0, 1)]
    == [round(v) for v in d['conclusion']['value']]")" "True"
asked "--step run" "['run']" four.h5 --step run
asked "--step of a step" "['enqueue_workload/c']" four.h5 --step c
meshsim compare four.h5 --step c
contains "says what it depends on" "$(printf '%s' "$out" | tr -s ' \n' ' ')" "--step run asks about all of them"
asked "a metric is of the steps" "['enqueue_workload/a', 'enqueue_workload/b', 'enqueue_workload/c', 'enqueue_workload/d']" four.h5 --metric latency
meshsim compare four.h5 --step run --metric latency
exits "the run has no latency" 2
contains "says so" "$err" "no metric 'latency' of the run, which has a makespan only"
meshsim compare four.h5 --step run --metric makespan --json
equal "it has a makespan" "$(look "d['questions'][0]['metric']")" "makespan"
meshsim compare four.h5 --robust
exits "robust" 0
contains "reruns measure the run" "$(printf '%s' "$out" | tr -s ' \n' ' ')" "holds in "
meshsim run four.yaml --set platform.host.work.api_call.cost.value=3 -o slow.h5
asked "two files" "['run']" four.h5 slow.h5

# Steps that are waited for have their own verdicts, too. One step has no run beside it.
printf '  - %s\n  - finish\n  - %s\n  - finish\n' "$(program a)" "$(program b)" | scenario waited n300 "$paths"
asked "the run first" "['run', 'enqueue_workload/a', 'enqueue_workload/b']" waited.h5
meshsim compare waited.h5 --json
times=$(look "[round(p['value']) for p in d['points'] if p['subject'] == 'run']")
meshsim explain waited.h5 0 1 --metric=makespan --json
equal "explain adds up both" "$(look "[round(v) for v in d['conclusion']['value']]")" "$times"
printf '  - %s\n  - finish\n' "$(program a)" | scenario single n300 "$paths"
asked "one step" "['enqueue_workload']" single.h5
asked "--step run of it" "['run']" single.h5 --step run
printf '  - {write_buffer: {buffer: w, bytes: 1MiB}}\n  - %s\n  - finish\n' "$(program a)" | scenario behind n300 "$paths"
asked "one step behind a write that nobody waited for" "['run']" behind.h5

# A step that has nothing to do with them changes nothing: its work is over before the others are called.
{
	printf '  - {write_buffer: {buffer: w, bytes: 8MiB, blocking: true}}\n'
	four
	printf '  - {read_buffer: {buffer: w, blocking: true}}\n'
} | scenario beside t3k "$paths"
asked "a write before and a read behind" "['run']" beside.h5
equal "with the same time" "$(look "[round(p['value'] / 1e6) for p in d['points'] if p['subject'] == 'run']")" "[147, 128]"
{
	printf '  - %s\n  - finish\n' "$(program fat 4ms)"
	four
} | scenario stretch t3k "$paths"
asked "a long program before" "['run', 'run of a', 'enqueue_workload/fat']" stretch.h5
equal "whose run decides nothing" "$(look "[(q['outcome'], q['winner']) for q in d['questions']]")" \
	"[('undecided', None), ('wins', 'broadcast'), ('undecided', None)]"

# A loop is judged first, by its rounds. Steps that overlap it are judged together with it.
four | sed '1i\  - repeat: 12\n    do:
s/^/    /; s/^      - repeat/  - repeat/; s/^    *do:/    do:/' | scenario loop t3k "$paths"
asked "the iteration of a loop" "['iteration']" loop.h5
asked "its run, if that is asked for" "['run']" loop.h5 --step run
printf '  - %s\n  - %s\n  - {repeat: 30, do: [{%s}, finish]}\n' "$(program a)" "$(program b)" "$(program c)" |
	scenario partly t3k "$paths"
asked "steps before a loop" "['run of a', 'enqueue_workload/c']" partly.h5
equal "the loop has most of the time" "$(look "[b['subject'] for b in d['best']]")" "['enqueue_workload/c', 'run of a']"
printf '  - %s\n  - {repeat: 60, do: [{%s}]}\n  - finish\n' "$(program a)" "$(program c)" | scenario over t3k "$paths"
asked "a step and a loop that it overlaps" "['run of a', 'enqueue_workload/c']" over.h5
equal "of which the loop has most of the time" "$(look "[b['subject'] for b in d['best']]")" "['enqueue_workload/c', 'run of a']"
printf '  - {repeat: 4, do: [{%s}, finish]}\n  - %s\n  - %s\n  - {repeat: 4, do: [{%s}, finish]}\n' \
	"$(program a)" "$(program b 300us)" "$(program c 300us)" "$(program d)" | scenario between t3k "$paths"
asked "steps between loops" "['run of b', 'enqueue_workload/a', 'enqueue_workload/d']" between.h5

# With noise, one run of each shows differences of at least 3 %, and several have an interval.
four | scenario noisy n300 'platform.firmware.dispatch_go.value: [60, 1060]' on
asked "one seed" "['run']" noisy.h5
equal "has no interval" "$(look "d['questions'][0]['contexts'][0]['ranking'][1]['interval'], d['questions'][0]['outcome']")" \
	"none undecided"
four | scenario seeds n300 'platform.firmware.dispatch_go.value: [60, 9060]' on 5
asked "five seeds" "['run']" seeds.h5
equal "have one" "$(look "d['questions'][0]['contexts'][0]['ranking'][1]['interval'], d['questions'][0]['outcome']")" "seeds wins"

# If the number of rounds is swept, and some runs have one round only, no rounds can be compared, but runs can. Where they
# flip is between the same numbers of rounds as in runs of these numbers, which --refine makes.
for finish in '      ' '  '; do
	printf '  - write_buffer: {buffer: x, bytes: 4MiB, spread: sharded}\n  - repeat: 2\n    do:\n      - %s\n      - %s\n%s- finish\n' \
		"$(program a)" "$(program b 1us)" "$finish" |
		scenario rounds galaxy 'runtime.host.threads: [main, pool], workload.1.repeat: [1, 2, 4, 16]'
	sed -i 's/warmup: 1/warmup: 0/; s/command_queues: 1/completion: per-device/' rounds.yaml
	meshsim run rounds.yaml -o rounds.h5
	asked "one round in some runs" "['run']" rounds.h5 --refine
	look "[(c['below'], c['above'], c['refined'], int(c['low']), int(c['high'])) for c in d['questions'][0]['crossovers']]" >flips
	between=$(python3 -c "print(*eval(open('flips').read())[0][3:])")
	meshsim run rounds.yaml --set "sweep={runtime.host.threads: [main, pool], workload.1.repeat: [$(echo $between | tr ' ' ,)]}" -o two.h5
	meshsim compare two.h5 --json --step run
	equal "it flips there" "$(cat flips) $(look "[p['keys']['runtime.host.threads'] for p in sorted(d['points'], key=lambda p: p['value'])
	    if p['keys']['workload.1.repeat'] == '${between% *}'][0], [p['keys']['runtime.host.threads'] for p in
	    sorted(d['points'], key=lambda p: p['value']) if p['keys']['workload.1.repeat'] == '${between#* }'][0]")" \
		"[('pool', 'main', True, ${between% *}, ${between#* })] pool main"
done

# One program behind a warm-up: if the host waited for the warm-up, its time is that of a round; if not, its time is no rate.
for finish in '      ' '  '; do
	printf '  - repeat: 2\n    do:\n      - %s\n%s- finish\n' "$(program a)" "$finish" |
		scenario behind t3k 'runtime.forward.path: [unicast, broadcast]'
	meshsim run behind.yaml -o behind.h5
	meshsim compare behind.h5 --json
	look "d['questions'][0]['metric'], d['questions'][0]['outcome'], 'value' in d['points'][0]"
done >behind
equal "a round, and no steady state" "$(cat behind)" "completion wins True
interval undecided False"

# The page begins with it.
meshsim report four.h5 -o four.html
exits "report" 0
contains "the page has the run" "$(cat four.html)" 'makespan'
finish
