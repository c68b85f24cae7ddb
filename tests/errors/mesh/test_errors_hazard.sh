#!/bin/sh
# Choices that are wrong by design, and show it: the message names the choice and its effect, the exit
# code is 4, and the run is written with its status. The correct choices pass the same scenario.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

scenarios=$source_directory/scenarios

# statuses FILE: statuses of its runs, as printed by `show`
statuses() {
	meshsim show "$1" --json
	printf '%s' "$out" | python3 -c '
import json, sys
print([run["status"] for run in json.load(sys.stdin)["runs"]])'
}

meshsim run "$scenarios/hazard-ordering.yaml" -o order.h5
exits "a hazard" 4
contains "what was wrong" "$err" \
	"verification failed: buffer 'result' reads back different from byte 0 of 65536 on"
contains "which choice it was" "$err" \
	"runtime.forward.ordering: none is a hazard by design: broadcasts and unicasts overtake each other"
lacks "no bug" "$out$err" "a bug of meshsim"
equal "statuses of the runs" "$(statuses order.h5)" "['ok', 'ok', 'hazard']"

# A reader that finds a record of another operation halts, like firmware.
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

# A busy receiver keeps arriving data in its spill buffer, as long as that is large enough.
meshsim run "$scenarios/hazard-credits.yaml" -o credits.h5
exits "an overrun" 4
contains "who is halted" "$err" "depacketizer on 2 chips (0-1), tile 94, is halted: the landing ring"
contains "what was overrun" "$err" "halted: the landing ring was overrun (broadcast without credits?)"
contains "which choice it was" "$err" \
	"runtime.forward.credits: off is a hazard by design: a receiver that falls behind is overrun"
equal "with much room, then with little" "$(statuses credits.h5)" "['ok', 'ok', 'ok', 'hazard']"

# An event is seen as complete too early: through the slot of the other queue.
meshsim run "$scenarios/hazard-event-slots.yaml" -o slots.h5
exits "an event of the other queue" 4
contains "one slot" "$err" \
	"the end of operation 2 (record_event of queue 0) was seen "
contains "which choice it was" "$err" \
	"runtime.completion: table-one-slot is a hazard by design: an event of one queue completes"
equal "a slot for each queue, and one for both" "$(statuses slots.h5)" "['ok', 'hazard']"

# An event of a slow device is completed by devices that run ahead.
meshsim run "$scenarios/hazard-aggregator.yaml" -o early.h5
exits "an event of devices that run ahead" 4
contains "which choice it was" "$err" \
	"runtime.completion: aggregator-naive is a hazard by design: devices that run ahead complete"
equal "statuses of the event paths" "$(statuses early.h5)" "['ok', 'hazard']"

finish
