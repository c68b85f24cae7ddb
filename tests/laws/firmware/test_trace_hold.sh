#!/bin/sh
# label: full
# What is broadcast behind a trace goes into the ring at once if traces have a buffer of their own, into the spill buffer
# if a depacketizer holds, and nowhere if the sender waits. Rings that also take traces need less L1.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >hold.yaml <<'END'
meshsim: 1
name: hold
platform: tgg
model: {noise: off}
runtime:
  mesh: {shape: [4, 4], offset: [0, 0]}
  forward:
    path: broadcast
    trace_hold: own-queue
workload:
  - repeat: 3
    do:
      - trace: 30
        do:
          - enqueue_workload: {program: p, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 1000}
      - write_buffer: {buffer: behind, bytes: 128KiB}
      - finish
  - read_buffer: {buffer: behind, blocking: true}
sweep: {runtime.forward.trace_hold: [own-queue, depacketizer, prefetch-h, swept]}
END

# shown EXPRESSION: of the runs by variant, r
shown() {
	"$binary" show hold.h5 --json | /usr/bin/python3 -c "
import json, sys
r = {run['keys']['runtime.forward.trace_hold']: run for run in json.load(sys.stdin)['runs']}
def behind(hold): return r[hold]['operations']['write_buffer']['completion']['p50']
print(($1) or [(hold, run['spilled_bytes'], run['dispatch_l1'], behind(hold)) for hold, run in r.items()])"
}

meshsim run hold.yaml -o hold.h5
exits "all variants" 0
lacks "all act" "$err" warning
equal "a buffer of their own: nothing is spilled" "$(shown "r['own-queue']['spilled_bytes'] == 0")" True
equal "a sender that waits: nothing is spilled" "$(shown "r['prefetch-h']['spilled_bytes'] == 0")" True
equal "a depacketizer that holds spills what comes" \
	"$(shown "r['depacketizer']['spilled_bytes'] >= 2 * 16 * 128 * 1024")" True
equal "so does one whose credits are swept" "$(shown "r['swept']['spilled_bytes'] >= 2 * 16 * 128 * 1024")" True
equal "a buffer of their own takes L1: 32 KiB less two words" \
	"$(shown "all(r['own-queue']['dispatch_l1'] - r[hold]['dispatch_l1'] == 32760 for hold in r if hold != 'own-queue')")" True
equal "with a sender that waits, the data come latest" \
	"$(shown "behind('prefetch-h') > behind('own-queue')")" True
meshsim run hold.yaml -o native.h5 --world native
exits "natively" 0

sed -e 's/trace_hold: own-queue/trace_hold: prefetch-h\n    credits: off/; /^sweep/d' hold.yaml >bad.yaml
meshsim run bad.yaml -o bad.h5
exits "a sender without credits" 2
contains "at its line" "$err" "bad.yaml:9:17: error"
contains "says why" "$err" "holding behind traces by 'prefetch-h' needs credits, which 'off' does not count"
meshsim run hold.yaml -o bad.h5 --set runtime.forward.trace_hold=swept --set platform.firmware.receive_ring_size=1KiB \
	--set platform.firmware.credit_batch_size=512B --set 'sweep={}'
exits "a ring that is too small" 2
contains "a ring that is too small" "$err" "reads traces into the broadcast prefetcher's ring, which has 1024 B, and needs 4096"
meshsim run hold.yaml -o bad.h5 --set runtime.forward.trace_hold=prefetch_h --set 'sweep={}'
exits "a variant that does not exist" 2
contains "the nearest" "$err" "prefetch-h"
meshsim run hold.yaml -o bad.h5 --set runtime.forward.trace_hold=swept --set runtime.traces=sharded --set 'sweep={}'
contains "traces that are not broadcast" "$err" "runtime.forward.trace_hold has no effect without trace steps whose commands are replicated"
meshsim run hold.yaml -o bad.h5 --set runtime.forward.trace_hold=swept --set runtime.forward.path=unicast --set 'sweep={}'
contains "no broadcasts" "$err" "runtime.forward.trace_hold has no effect with forward path 'unicast'"
finish
