# Invalid traces, and parts of devices that do not exist: a message with its place, exit code 2, and nothing left
# behind.
. "$MESHSIM_SOURCE_DIR/tests/support/bad_scenario.sh"

scenario t3k <<'END'
workload:
  - write_buffer: {bytes: 8192, shard: [2, 0]}
  - read_buffer: {shard: [1, 3], pinned: true}
  - read_buffer: {shard: [1]}
END
refused "a device that is named by half" "bad.yaml:7:26: error: 'shard': expected 2 items, found 1
  - read_buffer: {shard: [1]}
                         ^"

scenario t3k <<'END'
workload:
  - write_buffer: {bytes: 8192, shard: [2, 0]}
  - read_buffer: {shard: [1, 3], pinned: true}
END
refused "parts of devices that are not there" "bad.yaml:5:40: error: shard: device 2,0 of a mesh of 2 x 4 devices
  - write_buffer: {bytes: 8192, shard: [2, 0]}
                                       ^
bad.yaml:6:42: error: pinned memory holds a whole buffer: not with shard
  - read_buffer: {shard: [1, 3], pinned: true}
                                         ^"

scenario n150 <<'END'
model: {elide_above_bytes: 4096}
workload:
  - trace: 1
    do:
      - write_buffer: {bytes: 8192, pinned: true}
      - wait_event: {host: true}
      - record_event
      - read_buffer: {blocking: true}
END
refused "what a trace cannot hold" "bad.yaml:8:9: error: a trace holds the data that it writes, but of the 8192 bytes per device of buffer 'buffer' none are simulated (model.elide_above_bytes)
      - write_buffer: {bytes: 8192, pinned: true}
        ^
bad.yaml:8:45: error: pinned memory in a trace: the commands of a trace hold their data
      - write_buffer: {bytes: 8192, pinned: true}
                                            ^
bad.yaml:9:28: error: a wait that is captured is the queue's, not the host's
      - wait_event: {host: true}
                           ^
bad.yaml:11:33: error: a step that is captured cannot block
      - read_buffer: {blocking: true}
                                ^"

scenario n300 <<'END'
runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}
workload:
  - {trace: 1, name: decode, mesh: left, do: [enqueue_workload]}
  - {trace: 1, name: decode, mesh: left, do: [enqueue_workload]}
  - {mesh: left, replay_trace: {trace: decoed}}
  - {mesh: right, replay_trace: {trace: decode}}
  - repeat: 2
    do:
      - {mesh: left, release_trace: {trace: decode}}
  - {mesh: left, replay_trace: {trace: decode}}
  - {mesh: right, trace: 1, replays: 0, do: [enqueue_workload]}
  - {mesh: right, release_trace: {trace: prefill}}
END
refused "names of traces" "bad.yaml:7:22: error: trace 'decode' has been captured at bad.yaml:6: release it first, or give this one another name
  - {trace: 1, name: decode, mesh: left, do: [enqueue_workload]}
                     ^
bad.yaml:8:40: error: no step before this one captures trace 'decoed', did you mean 'decode'?
  - {mesh: left, replay_trace: {trace: decoed}}
                                       ^
bad.yaml:9:41: error: trace 'decode' is of mesh 'left', not of 'right'
  - {mesh: right, replay_trace: {trace: decode}}
                                        ^
bad.yaml:12:45: error: trace 'decode' is released again and again, but captured only once, at bad.yaml:7
      - {mesh: left, release_trace: {trace: decode}}
                                            ^
bad.yaml:13:40: error: trace 'decode' has been released at bad.yaml:12
  - {mesh: left, replay_trace: {trace: decode}}
                                       ^
bad.yaml:14:38: error: a trace without a name is never replayed by another step: replays: 0 does nothing
  - {mesh: right, trace: 1, replays: 0, do: [enqueue_workload]}
                                     ^
bad.yaml:15:42: error: no step before this one captures trace 'prefill'
  - {mesh: right, release_trace: {trace: prefill}}
                                         ^"

scenario n150 <<'END'
workload:
  - trace: 0
    do: [enqueue_workload]
  - {trace: 2, repeats: 1, do: [enqueue_workload]}
END
refused "keys of traces" "bad.yaml:5:12: error: 'trace': 0 is out of range 1 to 16384
  - trace: 0
           ^
bad.yaml:7:16: error: unknown key 'repeats', did you mean 'replays'?
  - {trace: 2, repeats: 1, do: [enqueue_workload]}
               ^"

scenario n150 <<'END'
workload:
  - trace: 2
    do:
      - finish
      - enqueue_workload: {blocking: true}
      - enqueue_workload: {queue: 1}
      - repeat: 8193
        do: [enqueue_workload]
  - trace: 1
    queue: 1
    do: [enqueue_workload]
END
refused "traces" "bad.yaml:5:5: error: 16390 workloads in a trace, at most 16384
  - trace: 2
    ^
bad.yaml:7:9: error: step 'finish' in a trace: only enqueue_workload, write_buffer, read_buffer, collective, record_event, wait_event and repeat can be captured
      - finish
        ^
bad.yaml:8:38: error: a step that is captured cannot block
      - enqueue_workload: {blocking: true}
                                     ^
bad.yaml:9:35: error: queue 1 in a trace of queue 0
      - enqueue_workload: {queue: 1}
                                  ^
bad.yaml:13:12: error: queue 1, but runtime.command_queues is 1
    queue: 1
           ^"

finish
