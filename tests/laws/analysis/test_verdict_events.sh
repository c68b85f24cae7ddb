#!/bin/sh
# label: full
# A loop whose last step is a blocking read behind an event of another queue is waited for in each round, so its round
# is judged. Without the wait for the event, or with the program behind the event, it is in flight, and its rate is judged.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# events NAME ROUNDS STEP...: a loop of these steps on two queues, over two paths
events() {
	name=$1 rounds=$2
	shift 2
	{
		printf 'meshsim: 1\nname: %s\nplatform: t3k\nruntime: {command_queues: 2}\nmodel: {noise: off}\n' "$name"
		printf 'measure: {warmup: 2}\nsweep: {runtime.completion: [table, per-device]}\nworkload:\n'
		printf '  - write_buffer: {buffer: b, bytes: 64KiB, spread: sharded, queue: 1}\n'
		printf '  - finish\n  - repeat: %s\n    do:\n' "$rounds"
		for step; do printf '      - %s\n' "$step"; done
		printf '  - finish\n'
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
	meshsim compare "$name.h5" --json ${ask:+--step "$ask"}
}

# look EXPRESSION: of the last output as JSON, d
look() {
	printf '%s' "$out" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print($1)"
}

program='enqueue_workload: {program: p, cores: all, kernel_bytes: 4096, run_ns: 200us}'
record='record_event: {event: e, queue: 0}'
wait='wait_event: {event: e, queue: 1}'
read='read_buffer: {buffer: b, queue: 1, blocking: true}'

# A few rounds show it: the host knows of the program by the read, which is over after it.
ask=p
events waits 8 "$program" "$record" "$wait" "$read"
equal "the program is waited for" "$(look "d['metric'], [200 < p['value'] / 1e6 < 330 for p in d['points']]")" "completion [True, True]"
equal "its stages are known, and are all of it" "$(look "[abs(sum(s['difference'] for s in q['mechanism']['stages']) -
    abs(d['points'][1]['mean'] - d['points'][0]['mean'])) < 1000 for q in d['questions']]")" "[True]"
ask=iteration
events rounds 8 "$program" "$record" "$wait" "$read"
equal "so its rounds are judged" "$(look "d['metric'], [200 < p['value'] / 1e6 < 330 for p in d['points']]")" "round [True, True]"

# The same if a trace replays the program and records the event.
ask=p
events traced 8 "{trace: 1, do: [{$program}, {$record}]}" "$wait" "$read"
equal "an event of a trace is followed" "$(look "d['metric'], [200 < p['value'] / 1e6 < 330 for p in d['points']]")" \
	"completion [True, True]"

# Without the wait the read is over long before the program, and eight rounds in flight have no steady state.
events apart 8 "$program" "$record" "$read"
equal "a read of the other queue alone says nothing" "$(look "d['metric'], ['no steady state' in q['verdict'] for q in d['questions']]")" \
	"interval [True]"
# A program behind the event is known by the read of the next round only, so two are in flight, and their rate is judged.
events behind 80 "$record" "$program" "$wait" "$read"
equal "work behind the event is in flight" "$(look "d['metric'], [200 < p['value'] / 1e6 < 230 for p in d['points']]")" \
	"interval [True, True]"
finish
