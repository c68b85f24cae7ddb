#!/bin/sh
# label: full
# Steps that queue behind each other are judged by their iteration, since a host that is slow to call them makes their
# own times shorter. Steps that are waited for one by one keep their own verdicts, and a choice of the user counts.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# steps NAME PLATFORM [STEP...]: a scenario whose repeat does these steps and a finish, over two paths
steps() {
	name=$1 platform=$2
	shift 2
	{
		printf 'meshsim: 1\nname: %s\nplatform: %s\nruntime: {command_queues: 1}\nworkload:\n' "$name" "$platform"
		printf '  - repeat: 6\n    do:\n'
		for step; do printf '      - %s\n' "$step"; done
		printf '      - finish\n'
		printf 'sweep: {runtime.forward.path: [unicast, broadcast]}\nmodel: {noise: off}\nmeasure: {warmup: 1}\n'
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
}

program() {
	echo "enqueue_workload: {program: $1, cores: all, kernel_bytes: $2, runtime_args: 16, run_ns: $3}"
}

# look EXPRESSION: of the last output as JSON, d
look() {
	printf '%s' "$out" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print($1)"
}

# ratio FILE SUBJECT: time of unicast by that of broadcast
ratio() {
	meshsim compare "$1" --json
	look "round((lambda v: v['unicast'] / v['broadcast'])(
    {p['keys']['runtime.forward.path']: p['value'] for p in d['points'] if p['subject'] == '$2'}), 3)"
}

# Four programs and a finish: the last of them is nearly as soon over both paths, and the whole is not.
steps four galaxy "$(program a 4096 5us)" "$(program b 4096 5us)" "$(program c 4096 5us)" "$(program d 4096 5us)"
meshsim compare four.h5 --json
equal "one question, of the iteration" "$(look "[q['subject'] for q in d['questions']]")" "['iteration']"
equal "broadcast wins it" "$(look "d['questions'][0]['outcome'], d['questions'][0]['winner']")" "wins broadcast"
equal "the steps keep their points" "$(look "sorted(set(p['subject'][-2:] for p in d['points']))")" \
	"['/a', '/b', '/c', '/d', 'on']"
meshsim compare four.h5
contains "the steps have no verdict" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"no verdict of its own: it is in flight together with other steps"

# The same work, as a repeat in the repeat, has the same ratio.
steps inner galaxy 'repeat: 2
        do: [{'"$(program a 4096 5us)"'}, {'"$(program b 4096 5us)"'}]'
steps outer galaxy "$(program a 4096 5us)" "$(program b 4096 5us)" "$(program c 4096 5us)" "$(program e 4096 5us)"
inner=$(ratio inner.h5 iteration) outer=$(ratio outer.h5 iteration)
equal "unrolled, within 3 %" "$(python3 -c "print(abs($inner / $outer - 1) < 0.03, '' if abs($inner / $outer - 1) < 0.03 else ($inner, $outer))")" "True "

# A short program behind a long one: unicast seems sooner, because the host calls the short one later.
steps behind galaxy "$(program long 8192 40us)" "$(program short 2048 1us)"
meshsim compare behind.h5 --json
equal "no verdict on the short one" "$(look "[q['subject'] for q in d['questions']]")" "['iteration']"

# --step asks for a step, or for the iteration, and --metric leaves the iteration out.
meshsim compare behind.h5 --json --step short
equal "the step alone" "$(look "[q['subject'] for q in d['questions']]")" "['enqueue_workload/short']"
meshsim compare behind.h5 --json --step iteration
equal "the iteration alone" "$(look "[q['subject'] for q in d['questions']], d['metric']")" "['iteration'] round"
meshsim compare behind.h5 --json --metric latency
equal "each step by its latency" "$(look "len(d['questions'])")" "2"
meshsim run behind.yaml --set measure.metric=latency -o asked.h5
meshsim compare asked.h5 --json
equal "a metric of the scenario" "$(look "len(d['questions'])")" "2"

# Steps that are waited for one by one are judged, too; the iteration comes first.
steps waited n300 "$(program a 2048 5us)" finish "$(program b 2048 5us)"
meshsim compare waited.h5 --json
equal "three questions" "$(look "[q['subject'] for q in d['questions']]")" \
	"['iteration', 'enqueue_workload/a', 'enqueue_workload/b']"

# One program has a verdict of its own, and its iteration if that is asked for.
steps one n300 "$(program a 2048 5us)"
meshsim compare one.h5 --json
equal "one question" "$(look "[q['subject'] for q in d['questions']]")" "['enqueue_workload']"

# shape NAME OPTION LEAST MOST: a workload on standard input; rounds take so many us over both paths, as its kernels say
shape() {
	{
		printf 'meshsim: 1\nname: %s\nplatform: n300\nruntime: {completion: table}\n' "$1"
		printf 'sweep: {runtime.forward.path: [unicast, broadcast]}\nmodel: {noise: off}\nmeasure: {warmup: 1}\nworkload:\n'
		cat
	} >"$1.yaml"
	meshsim run "$1.yaml" -o "$1.h5"
	exits "run $1" 0
	meshsim compare "$1.h5" --json --step "$2"
	equal "$1: the rounds" "$(look "d['kind'], [p['value'] / 1e6 for p in d['points'] if not $3 < p['value'] / 1e6 < $4]")" \
		"${5:-$2} []"
}

shape burst iteration 100 125 <<END
  - repeat: 8
    do: [{repeat: 4, do: [{$(program a 2048 25us)}]}, finish]
END
shape two "iteration of b" 100 125 <<END
  - repeat: 4
    do: [{$(program a 2048 10us)}, finish]
  - repeat: 8
    do: [{$(program b 2048 50us)}, {$(program c 2048 50us)}, finish]
END
shape replays iteration 100 125 <<END
  - trace: 1
    replays: 8
    blocking: true
    do: [{repeat: 4, do: [{$(program a 2048 25us)}]}]
  - finish
END
shape stream iteration 100 110 <<END
  - repeat: 60
    do: [{$(program a 2048 100us)}]
  - finish
END
shape nested iteration 50 75 <<END
  - repeat: 3
    do: [{repeat: 2, do: [{repeat: 2, do: [{$(program a 2048 25us)}]}, finish]}]
END
shape buffers iteration 100 130 <<END
  - repeat: 8
    do: [{write_buffer: {buffer: x, bytes: 65536}}, {$(program a 2048 90us)}, finish, {read_buffer: {buffer: x}}]
END
# A repeat that is named is the one that is asked about, and one called \`iteration\` is the first subject.
shape inside core 40 70 <<END
  - repeat: 4
    do: [{$(program a 2048 10us)}, finish]
  - repeat: 8
    as: iteration
    do: [{$(program x 2048 20us)}, {repeat: 2, as: core, do: [{$(program b 2048 20us)}, {$(program c 2048 20us)}, finish]}]
END
meshsim compare inside.h5 --json
equal "the repeat that is called so" "$(look "d['kind'], [100 < p['value'] / 1e6 < 140 for p in d['points'] if p['subject'] == 'iteration']")" \
	"iteration [True, True]"
meshsim compare inside.h5 --step nothing
exits "a repeat that is not there" 2
contains "says so" "$err" "no run has measured operations of step 'nothing'"

# A repeat among other steps of a loop has only its own time, by round.
shape among core 50 75 <<END
  - repeat: 8
    do: [{repeat: 4, as: core, do: [{$(program a 2048 50us)}]}, finish, {repeat: 3, do: [{$(program b 2048 400us)}, finish]}]
END
meshsim compare among.h5
contains "the step has the interval of the whole loop" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"no verdict of its own: other steps of the iteration lie between its completions"
meshsim compare among.h5 --step core --metric latency
exits "it has rounds only" 2
contains "says so" "$err" "a repeat among other steps: it has rounds only"

# Its mechanism is all of its margin, whether its programs are in flight or not, and its host CPU all of its time.
for wait in '' ', finish'; do
	shape nest core 8 45 <<-END
		  - repeat: 6
		    do: [{$(program b 2048 400us)}, finish, {repeat: 4, as: core, do: [{$(program a 32768 5us)}$wait]}, finish]
	END
	meshsim run nest.yaml --set platform=t3k -o nest.h5
	meshsim compare nest.h5 --step core --json
	equal "the stages of a repeat among others$wait" "$(look "[abs(sum(s['difference'] for s in q['mechanism']['stages']) -
	    abs(d['points'][1]['mean'] - d['points'][0]['mean'])) < 1000 for q in d['questions']],
	    [0.95 < p['host_cpu'] / p['value'] < 1.05 for p in d['points']]")" "[True] [True, True]"
done

# Each loop has its iteration and its best point; a loop may have a name.
shape loops iteration 100 225 "iteration of decode" <<END
  - repeat: 8
    as: decode
    do: [{$(program a 2048 50us)}, {$(program b 2048 50us)}, finish]
  - repeat: 8
    do: [{$(program c 2048 100us)}, {$(program d 2048 100us)}, finish]
END
meshsim compare loops.h5 --json
equal "both are asked, and have a best point" "$(look "[q['subject'] for q in d['questions']], [b['subject'] for b in d['best']]")" \
	"['iteration of decode', 'iteration of c'] ['iteration of c', 'iteration of decode']"
meshsim compare loops.h5
contains "the best of one" "$out" "best: for decode: run"
contains "the best of the other" "$out" "best: for c: run"

# A loop that is called \`iteration\` hides no other one.
shape called iteration 100 225 <<END
  - repeat: 8
    do: [{$(program a 2048 50us)}, {$(program b 2048 50us)}, finish]
  - repeat: 8
    as: iteration
    do: [{$(program c 2048 100us)}, finish]
END
meshsim compare called.h5 --json
equal "both loops" "$(look "sorted({q['subject'] for q in d['questions']})")" \
	"['enqueue_workload/c', 'iteration', 'iteration of a']"
meshsim compare called.h5 --kind nosuch
exits "a kind that is not there" 2

# A repeat in a loop may be called \`iteration\`, too: its steps have no verdicts for that, and the loop has its own name.
for finish in '' finish,; do
	shape within "iteration of long" 80 160 <<-END
		  - repeat: 8
		    do: [{$(program long 8192 60us)}, $finish {repeat: 3, as: iteration, do: [{$(program x 2048 1us)}, {$(program y 2048 1us)}]}, finish]
	END
	meshsim compare within.h5 --json
	look "[q['subject'] for q in d['questions']]"
done >subjects
equal "no step in flight is judged" "$(cat subjects)" "['iteration of long']
['iteration', 'iteration of long', 'enqueue_workload/long']"

# A few rounds of one program in flight, each waited for, have the margin of many rounds.
cat >few.yaml <<END
meshsim: 1
name: few
platform: t3k
model: {noise: off}
measure: {warmup: 2}
workload:
  - repeat: ROUNDS
    do: [{repeat: 7, do: [{$(program a 8192 1us)}]}, finish]
sweep: {runtime.completion: [table, per-device]}
END
for rounds in 8 96; do
	sed "s/ROUNDS/$rounds/" few.yaml >few$rounds.yaml
	meshsim run few$rounds.yaml -o few.h5
	exits "run $rounds rounds" 0
	meshsim compare few.h5 --json
	look "round((lambda t: t[1] / t[0] - 1)([p['value'] for p in d['points']]), 3)"
done >margins
equal "8 rounds say what 96 say" "$(uniq margins | wc -l)" 1

# Rounds in flight that are too few are followed by the command that makes enough.
for loop in '12
    do: [{SELF}]' '6
    as: outer
    do: [{repeat: 2, do: [{SELF}]}]'; do
	{
		printf 'meshsim: 1\nname: short\nplatform: n300\nmodel: {noise: off}\nmeasure: {warmup: 2}\n'
		printf 'sweep: {platform: [n300, n150], runtime.forward.path: [unicast]}\nworkload:\n  - write_buffer: {buffer: w, bytes: 64KiB}\n'
		printf '  - repeat: %s\n  - finish\n' "$loop" | sed "s/SELF/$(program a 4096 50us)/"
	} >short.yaml
	meshsim run short.yaml -o short.h5
	exits "run short" 0
	meshsim compare short.h5 --json
	command=$(look "[a['command'] for a in d['advice'] if 'rounds, since' in a['why']][0]")
	contains "it sets the rounds of the outermost loop" "$command" "--set=workload.1.repeat="
	eval "$command"
	exits "$command" 0
	meshsim compare "${command##*--output=}" --json
	equal "then there is a steady state" "$(look "[p['needed'] for p in d['points'] if p.get('needed')], d['advice'] and [
	    a['why'] for a in d['advice'] if 'rounds, since' in a['why']]")" "[] []"
	rm "${command##*--output=}"
done

# A repeat that begins while the step before it runs has no time of its own.
shape late core 50 225 <<END
  - repeat: 8
    do: [{$(program a 2048 100us)}, {repeat: 2, as: core, do: [{$(program b 2048 50us)}, finish]}]
END
meshsim compare late.h5 --step core --json
equal "no verdict" "$(look "d['questions'], d['best']")" "[] []"

# A trace that is asked about by its name has a time without traces, too.
{
	printf 'meshsim: 1\nname: named\nplatform: n300\nmodel: {noise: off}\nmeasure: {warmup: 1}\nworkload:\n  - repeat: 6\n    do:\n'
	printf '      - {trace: 3, as: tr, do: [{%s}]}\n      - finish\n' "$(program a 2048 20us)"
	printf '      - %s\n      - finish\nsweep: {runtime.traces: [replicated, "off"]}\n' "$(program b 2048 20us)"
} >named.yaml
meshsim run named.yaml -o named.h5
meshsim compare named.h5 --step tr --json
equal "both runs have a time, which is that of three programs" \
	"$(look "[60 < p['value'] / 1e6 < 110 for p in d['points']]")" "[True, True]"

# Host CPU is that of the loop: a write before it and a read behind it take more of it than the loop, and add nothing. The
# caller spins, so cores are busy for as long as a round takes.
cat >cpu.yaml <<END
meshsim: 1
name: cpu
platform: t3k
model: {noise: off}
measure: {warmup: 2}
workload:
  - write_buffer: {buffer: w, bytes: 8MiB}
  - finish
  - repeat: 20
    do: [{$(program a 4096 5us)}, finish]
  - read_buffer: {buffer: w, blocking: true}
sweep: {runtime.forward.path: [unicast, broadcast]}
END
meshsim run cpu.yaml -o cpu.h5
exits "run cpu" 0
meshsim compare cpu.h5 --json
beside=$(look "[round(p['host_cpu'] / p['mean'], 3) for p in d['points']], *((q['outcome'], q['winner'], q['sides']) for q in d['questions'])")
equal "cores are busy for a round" "$beside" "[1.0, 1.0] ('wins', 'unicast', [])"
sed -i '/write_buffer/,+1d; /read_buffer/d' cpu.yaml
meshsim run cpu.yaml -o alone.h5
for file in cpu alone; do
	meshsim compare $file.h5 --json --metric host_cpu
	look "[q['mechanism'] is None for q in d['questions']]"
done >parts
equal "what it is spent on is told of a run without other work only" "$(tr '\n' ' ' <parts)" "[True] [False] "
meshsim compare alone.h5 --json
equal "alone as beside a write" "$(look "[round(p['host_cpu'] / p['mean'], 3) for p in d['points']], *((q['outcome'], q['winner'], q['sides']) for q in d['questions'])")" "$beside"

# With operations in flight it lasts until the finish behind them, and no longer.
cat >flight.yaml <<END
meshsim: 1
name: flight
platform: t3k
model: {noise: off}
measure: {warmup: 2}
workload:
  - write_buffer: {buffer: w, bytes: 8MiB}
  - finish
  - repeat: 22
    do: [{$(program a 4096 50us)}]
  - finish
  - {$(program b 4096 500us)}
  - finish
sweep: {runtime.forward.path: [unicast, broadcast]}
END
meshsim run flight.yaml -o flight.h5
meshsim compare flight.h5 --json --program a
equal "cores are busy until all is complete" "$(look "[0.95 < p['host_cpu'] / p['value'] < 1.05 for p in d['points']]")" "[True, True]"

# Also if another thread sees the completions, and other steps of the round follow the last program: two paths of events
# then take as much host CPU, by round, as the whole run does, whichever kind is asked about, and the same one is sooner.
cat >reads.yaml <<END
meshsim: 1
name: reads
platform: t3k
measure: {warmup: 5}
workload:
  - write_buffer: {buffer: b, bytes: 512KiB, spread: sharded}
  - finish
  - repeat: 60
    do: [{$(program p 4096 20us)}, {read_buffer: {buffer: b}}]
  - finish
sweep: {runtime.completion: [table, per-device]}
END
meshsim run reads.yaml -o reads.h5
for kind in enqueue_workload read_buffer; do
	meshsim compare reads.h5 --json --kind $kind >/dev/null
	look "d['metric'], d['points'][1]['makespan'] < d['points'][0]['makespan'], d['points'][1]['host_cpu'] > 1.5 * d['points'][0]['host_cpu']"
done >seen
equal "of programs and of reads" "$(cat seen)" "interval True True
interval True True"

# A replayed program returns with its trace, so its host CPU is unknown here, and that of the whole runs is compared.
cat >replay.yaml <<END
meshsim: 1
name: replay
platform: n300
workload:
  - trace: 1
    do: [{$(program a 2048 100us)}]
  - write_buffer: {buffer: w, bytes: 1MiB}
  - finish
END
for order in 'replicated, "off"' '"off", replicated'; do
	meshsim run replay.yaml -o replay.h5 --set "sweep={runtime.traces: [$order]}"
	meshsim compare replay.h5 --json --metric host_cpu
	look "sorted((p['keys']['runtime.traces'], p['value'], p['host_cpu']) for p in d['points'])"
done >orders
equal "in whatever order the runs are" "$(uniq orders | wc -l)" 1

# A program behind a write that the host did not wait for is judged by its round. By its own call, the slower host wins.
{
	printf 'meshsim: 1\nname: write\nplatform: t3k\nsweep: {runtime.host.threads: [main, pool]}\nmodel: {noise: off}\n'
	printf 'runtime: {completion: per-device}\nmeasure: {warmup: 1}\nworkload:\n  - repeat: 6\n    do:\n'
	printf '      - write_buffer: {buffer: w, bytes: 1MiB, spread: sharded}\n'
	printf '      - %s\n      - read_buffer: {buffer: w, blocking: true}\n' "$(program step 4096 5us)"
} >write.yaml
meshsim run write.yaml -o write.h5
exits "run write" 0
meshsim compare write.h5 --json
equal "the round is judged, not the call" "$(look "[q['subject'] for q in d['questions']], d['best'][0]['words'][:11]")" \
	"['iteration'] run 1, pool"
meshsim compare write.h5 --json --step step
equal "by its call the other one would win" "$(look "min(d['points'], key=lambda p: p['value'])['keys']['runtime.host.threads']")" "main"
meshsim run write.yaml --set measure.metric=completion -o asked.h5
meshsim compare asked.h5 --json --step iteration
equal "a metric of the scenario is not that of rounds" "$(look "d['metric']")" "round"

# traced NAME INDENT: three programs of 100 us in a trace, with and without traces; their repeat is on standard input
traced() {
	{
		printf 'meshsim: 1\nname: %s\nplatform: n300\nworkload:\n' "$1"
		cat
		printf '%s- trace: 1\n%s  do:\n' "$2" "$2"
		for name in a b c; do printf '%s    - %s\n' "$2" "$(program "$name" 2048 100us)"; done
		printf '%s- finish\nsweep: {runtime.traces: [replicated, "off"]}\nmeasure: {seeds: 3}\n' "$2"
	} >"$1.yaml"
	meshsim run "$1.yaml" -o "$1.h5"
	exits "run $1" 0
}

# In a trace all programs count from the call of the replay, and outside each from its own. So the last one seems sooner
# without the trace, although the trace is over first.
traced clocks '  ' </dev/null
meshsim compare clocks.h5 --json
equal "the trace is over first, and its last program later after its call" "$(look "(lambda t: (t['replicated', 'a'] < t['off', 'a'], t['replicated', 'c'] > t['off', 'c']))(
    {(p['keys']['runtime.traces'], p['subject'][-1]): p['value'] for p in d['points']})")" "(True, True)"
equal "only the run is judged, with the capture" \
	"$(look "[(q['subject'], q['metric'], abs(q['contexts'][0]['ranking'][1]['margin']) < 0.01) for q in d['questions']]")" \
	"[('run', 'makespan', True)]"
meshsim compare clocks.h5
contains "says why" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"in some runs its time begins at the replay of a trace, and in others at its own call"
meshsim compare clocks.h5 --json --step c
equal "not if asked about the step" "$(look "d['questions'], d['best']")" "[] []"
meshsim compare clocks.h5 --json --metric latency
equal "but if asked for the latency" "$(look "len(d['questions'])")" "3"

# In a loop their iteration is judged first, by the same clock.
traced rounds '      ' <<-'EOF'
	  - repeat: 6
	    do:
EOF
meshsim compare rounds.h5 --json
equal "the iteration" "$(look "[q['subject'] for q in d['questions']], d['metric']")" "['iteration'] round"

# With the same clock in all runs, too, since the programs overlap.
meshsim run clocks.yaml --set runtime.traces=replicated --set 'sweep={runtime.command_cache: [true, false]}' -o like.h5
meshsim compare like.h5 --json
equal "all replayed" "$(look "[q['subject'] for q in d['questions']]")" "['run']"

# A finish waits for each of two queues, so it calls two operations. It is no loop because of that, and only a stretch with
# the write before it, as with one queue. Nobody asks about finishes by default.
for queues in 1 2; do
	cat >queues.yaml <<-EOF
		meshsim: 1
		name: queues
		platform: n150
		runtime: {command_queues: $queues}
		workload:
		  - {write_buffer: {buffer: y, bytes: 65536}}
		  - finish
		  - repeat: 8
		    do:
		      - {write_buffer: {buffer: x, bytes: 65536}}
		      - {read_buffer: {buffer: y, queue: $((queues - 1))}}
		      - finish
		sweep: {runtime.completion: [table, per-device]}
		model: {noise: off}
	EOF
	meshsim run queues.yaml -o queues.h5
	exits "run queues" 0
	for kind in finish read_buffer ''; do
		meshsim compare queues.h5 --json ${kind:+--kind "$kind"}
		look "d['kind'], [q['subject'] for q in d['questions']], [b['subject'] for b in d['best']]"
	done >subjects$queues
done
equal "only the repeat is a loop" "$(sed -n 1,2p subjects2)" \
	"iteration ['iteration', 'run of workload/1'] ['iteration', 'run of workload/1']
iteration ['iteration'] ['iteration']"
equal "not finishes by default" "$(sed -n 3p subjects2 | cut -d' ' -f1)" iteration
equal "one queue as two" "$(cat subjects1)" "$(cat subjects2)"

# One round behind the warm-up is no round from call to call. The reason says so, and the command asks for enough.
steps left n300 "$(program a 4096 20us)" "$(program b 4096 20us)"
sed -i 's/repeat: 6/repeat: 2/' left.yaml
meshsim run left.yaml -o left.h5
meshsim compare left.h5
contains "one round is left" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"until all of it is complete, since the warm-up leaves one round of its loop;"
meshsim compare left.h5 --json
command=$(look "[a['command'] for a in d['advice'] if 'leaves one of 2, and' in a['why']][0]")
contains "asks for more rounds" "$command" "--set=workload.0.repeat=5 "
eval "$command" >/dev/null
meshsim compare left-rounds.h5 --json
equal "then the iteration is judged, and no more are asked for" \
	"$(look "[q['subject'] for q in d['questions']], [p['operations'] for p in d['points'] if p['subject'] == 'iteration'], [
    a['why'] for a in d['advice'] if ' rounds, since' in a['why']]")" "['iteration'] [3, 3] []"
sed '/repeat/d; s/^    do:/  - repeat: 1\n&/; s/^measure.*//' left.yaml >once.yaml
meshsim run once.yaml -o once.h5
exits "run one round" 0
meshsim compare once.h5
contains "without a warm-up it is no loop" "$(printf '%s' "$out" | tr -s ' \n' ' ')" "since its steps are no loop;"
lacks "nor is there a command" "$out" "rounds, since"
finish
