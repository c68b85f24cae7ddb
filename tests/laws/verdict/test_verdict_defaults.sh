#!/bin/sh
# label: full  long: 1200
# A verdict names the unswept choices that it rests on. Threads of a pool park by default. Where wake-ups make the margin,
# the verdict says so, and --robust finds that it vanishes or turns if they spin (in the long test).
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario NAME THREADS SWEEP: launches on 64 chips, each waited for
scenario() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: tgg
runtime: {mesh: {shape: [8, 8], offset: [0, 0]}, command_queues: 2, completion: table, host: {threads: $2}}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: matmul, cores: all, kernel_bytes: 8192, runtime_args: 32, run_ns: 20000}
      - finish
sweep: {$3}
model: {noise: none}
measure: {warmup: 4}
END
	meshsim run "$1.yaml" -o "$1.h5"
	exits "run $1" 0
}

# asked FILE EXPRESSION OPTION...: a Python expression about the first question q, and its choices by name
asked() {
	file=$1 expression=$2
	shift 2
	[ $# -gt 0 ] || "$binary" compare "$file" --json >compare.json 2>compare.err || fail "compare: $(cat compare.err)"
	/usr/bin/python3 - "$expression" <<'END'
import json
import sys
q = json.load(open("compare.json"))["questions"][0]
choices = {choice["key"].split(".")[-1]: choice for choice in q["choices"]}
trials = {name: {trial["value"]: trial for trial in choice["trials"]} for name, choice in choices.items()}
print(eval(sys.argv[1]))
END
}

scenario count pool 'runtime.host.count: [2, 4]'
equal 'wake-ups decide between two pools' "$(asked count.h5 \
	"q['outcome'], q['winner'], choices['worker_wait']['value'], choices['worker_wait']['part'] >= 0.25")" \
	"('wins', '2', 'park', True)"
equal 'choices without effect are not named' "$(asked count.h5 \
	"sorted(set(choices) & {'reader_wait', 'readers', 'initiators', 'traces', 'codec', 'count'})")" '[]'
meshsim compare count.h5
contains 'the choice is named' "$out" 'worker_wait: park'

# The margin with threads that spin, by --robust and by a run.
robust() {
	"$binary" compare count.h5 --robust --json >compare.json 2>compare.err || fail "robust: $(cat compare.err)"
	equal 'with threads that spin, the margin is gone' "$(asked count.h5 \
		"q['outcome'], q['winner'], trials['worker_wait']['spin']['breaks']" --again)" "('conditional', None, True)"
	equal 'where the swept key has no effect, nothing speaks against the verdict' "$(asked count.h5 \
		"{t['breaks'] for name in trials for t in trials[name].values() if t['idle']}, trials['threads']['main']['idle']" \
		--again)" '({False}, True)'
	# a broadcast is one task, so all pools take the same time, although they have their threads
	equal 'a tie with another default speaks against it' "$(asked count.h5 \
		"[trials['path']['broadcast'][what] for what in ('margin', 'same', 'idle', 'breaks')]" --again)" \
		'[0, True, False, True]'
	contains 'the verdict names it' "$(asked count.h5 "q['verdict']" --again)" 'path: unicast (broadcast: tie)'
	contains 'the verdict says so' "$(asked count.h5 "q['verdict']" --again)" 'worker_wait: park (spin'

	# the margin that --robust reports for another value is that of the scenario with this value
	margin=$(asked count.h5 "'%.6f' % trials['worker_wait']['spin']['margin']" --again)
	meshsim run count.yaml -o spin.h5 --set runtime.host.worker_wait=spin
	exits 'run threads that spin' 0
	values=$(asked spin.h5 "{e['option']: e['value'] for e in q['contexts'][0]['ranking']}")
	equal 'a run with the other value has the same margin' \
		"$(/usr/bin/python3 -c "v = $values; print('%.6f' % (v['4'] / v['2'] - 1))")" "$margin"
}
[ -z "${MESHSIM_LONG:-}" ] || robust

# Equal as they stand: with threads that spin, two pools take the same time. If they park, 2 wins.
cat >spin.yaml <<END
meshsim: 1
name: spin
platform: t3k
runtime: {completion: table, host: {threads: pool, worker_wait: spin}}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 8192, runtime_args: 32, run_ns: 20000}
      - finish
sweep: {runtime.host.count: [2, 4]}
model: {noise: none}
measure: {warmup: 4}
END
meshsim run spin.yaml -o equal.h5
exits 'run two pools that spin' 0
equal 'their equality rests on what they spin for' "$(asked equal.h5 \
	"q['outcome'], choices['worker_wait']['value'], choices['worker_wait']['trials']")" "('undecided', 'spin', [])"
"$binary" compare equal.h5 --robust --json >compare.json 2>compare.err || fail "robust: $(cat compare.err)"
equal 'another default makes a winner' "$(asked equal.h5 \
	"q['outcome'], q['winner'], [trials['worker_wait']['park'][what] for what in ('rival', 'equal', 'breaks')]" --again)" \
	"('undecided', None, ['2', True, True])"
contains 'the verdict says so' "$(asked equal.h5 "q['verdict']" --again)" 'equal for '
contains 'it names the default and the winner' "$(asked equal.h5 "q['verdict']" --again)" 'park: 2 wins by '
margin=$(asked equal.h5 "'%.6f' % (1 / (1 + trials['worker_wait']['park']['margin']) - 1)" --again)
meshsim run spin.yaml -o park.h5 --set runtime.host.worker_wait=park
values=$(asked park.h5 "{e['option']: e['value'] for e in q['contexts'][0]['ranking']}")
equal 'a run with the other default has this margin' \
	"$(/usr/bin/python3 -c "v = $values; print('%.6f' % (v['4'] / v['2'] - 1))")" "$margin"

# Equal with every default: a kernel of a millisecond hides what the host does.
cat >near.yaml <<END
meshsim: 1
name: near
platform: n300
workload:
  - {repeat: 8, do: [{enqueue_workload: {program: p, cores: all, kernel_bytes: 4096, run_ns: 1ms}}, finish]}
sweep: {platform.host.work.api_call.cost: [1.44, 1.6]}
model: {noise: none}
measure: {warmup: 2}
END
meshsim run near.yaml -o near.h5
exits 'run near designs' 0
"$binary" compare near.h5 --robust --json >compare.json 2>compare.err || fail "robust: $(cat compare.err)"
equal 'no default tells them apart' "$(asked near.h5 \
	"q['outcome'], [t for name in trials for t in trials[name].values() if t['breaks']], 'equal for' in q['verdict']" --again)" \
	"('undecided', [], False)"
equal 'it says how many were tried' "$(asked near.h5 \
	"len([p for i in q['items'] for p in i['parts'] if p.startswith('no difference with')])" --again)" 1

# without such threads, building makes the margin
scenario create main 'runtime.command_cache: [true, false]'
equal 'a margin of building rests on no wake-up' "$(asked create.h5 \
	"q['outcome'], 'worker_wait' in choices, 'caller_wait' in choices")" "('wins', False, False)"

# a choice that some run of the sweep refuses is not named: a dedicated dispatcher takes no counters
meshsim run "$source_directory/scenarios/tgg-dispatcher.yaml" -o dispatcher.h5
exits 'run dispatchers' 0
equal 'choices of all runs' "$(asked dispatcher.h5 "'ordering' in choices, 'path' in choices")" '(False, True)'

finish
