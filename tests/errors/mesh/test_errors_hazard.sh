#!/bin/sh
# Choices that are wrong by design and show it: the message names the choice and what it does, the exit
# code is 4, and the run is written with its status. The right choices pass the same scenario.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# programs_and NAME NS: a scenario of broadcast programs of so many ns, then what is on standard input
programs_and() {
	printf 'meshsim: 1\nname: %s\nplatform: n300\nruntime:\n  forward: {path: broadcast}\n' "$1"
	printf 'workload:\n  - repeat: 12\n    do:\n'
	printf '      - enqueue_workload: {program: before, run_ns: %s}\n' "$2"
	cat
}

programs_and order 50000 >order.yaml <<'YAML'
  - write_buffer: {buffer: b, bytes: 65536}
  - read_buffer: {buffer: b}
  - finish
sweep:
  runtime.forward.ordering: [counter, event, none]
YAML

meshsim run order.yaml -o order.h5
exits "a hazard" 4
contains "what was wrong" "$err" \
	"verification failed: buffer 'b' reads back different from byte 0 of 65536 on"
contains "which choice it was" "$err" \
	"runtime.forward.ordering: none is a hazard by design: broadcasts and unicasts overtake each other"
lacks "no bug" "$out$err" "a bug of meshsim"
meshsim show order.h5 --json
seen=$(printf '%s' "$out" | python3 -c '
import json, sys
print([run["status"] for run in json.load(sys.stdin)["runs"]])')
equal "statuses of the runs" "$seen" "['ok', 'ok', 'hazard']"

# A reader whose next record is another's halts, as firmware does.
cat >records.yaml <<'YAML'
meshsim: 1
name: records
platform: n300
runtime: {forward: {path: broadcast, ordering: none}, completion: per-device}
workload:
  - write_buffer: {buffer: b, bytes: 19008, page_bytes: 2376, spread: sharded, blocking: true}
  - enqueue_workload: {run_ns: 2000, runtime_args: 51, pages: 4}
  - write_buffer: {buffer: b, bytes: 19008, page_bytes: 2376, spread: sharded}
  - read_buffer: {buffer: b}
  - finish
YAML
meshsim run records.yaml -o records.h5
exits "records out of turn" 4
contains "records out of turn" "$err" \
	"reader of chip 0: halted: a completion record out of turn; stalled at "
contains "which choice it was" "$err" "runtime.forward.ordering: none is a hazard by design"

programs_and credits 500000 >credits.yaml <<'YAML'
  - write_buffer: {buffer: b, bytes: 4MiB}
  - finish
sweep:
  runtime.forward.credits: [on, off]
YAML

# A receiver that is busy keeps what comes in its spill buffer, as long as that is large enough.
meshsim run credits.yaml -o credits.h5
exits "room for everything" 0
meshsim run credits.yaml -o credits.h5 --set platform.firmware.spill_size=64KiB
exits "an overrun" 4
contains "what was overrun" "$err" "halted: the landing ring was overrun (broadcast without credits?)"
contains "which choice it was" "$err" \
	"runtime.forward.credits: off is a hazard by design: a receiver that falls behind is overrun"
meshsim show credits.h5 --json
seen=$(printf '%s' "$out" | python3 -c '
import json, sys
print([run["status"] for run in json.load(sys.stdin)["runs"]])')
equal "statuses of the runs with little room" "$seen" "['ok', 'hazard']"

# An event that is believed before it has come: of one queue through the other's slot, of a slow
# device through those that run ahead.
cat >early.yaml <<'YAML'
meshsim: 1
name: early
platform: t3k
runtime: {command_queues: 2}
workload:
  - enqueue_workload: {program: long, run_ns: 100000, devices: {shape: [1, 1]}}
  - record_event: {event: a, to_host: true}
  - record_event: {event: b, to_host: true, queue: 1}
  - record_event: {event: c, to_host: true}
  - record_event: {event: d, to_host: true}
  - wait_event: {event: a, host: true}
  - finish
sweep:
  runtime.completion: [per-device, table, aggregator, table-one-slot, aggregator-naive]
YAML
meshsim run early.yaml -o early.h5
exits "events seen too early" 4
contains "one slot" "$err" \
	"the end of operation 2 (record_event of queue 0) was seen "
contains "which choice it was" "$err" \
	"runtime.completion: table-one-slot is a hazard by design: an event of one queue completes"
contains "the other choice" "$err" \
	"runtime.completion: aggregator-naive is a hazard by design: devices that run ahead complete"
meshsim show early.h5 --json
seen=$(printf '%s' "$out" | python3 -c '
import json, sys
print([run["status"] for run in json.load(sys.stdin)["runs"]])')
equal "statuses of the event paths" "$seen" "['ok', 'ok', 'ok', 'hazard', 'hazard']"

finish
