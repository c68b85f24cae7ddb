# Bad scenarios: a message with its place, exit code 2, within a second, and nothing left behind.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/bad_scenario.sh"

# names_of KEY: allowed values of the key from `meshsim list`, separated by commas
names_of() {
	"$binary" list | awk -v key="$1" '$1 == key { on = 1; next } !NF { on = 0 }
		on && /^    [^ ]/ { names = names (names ? ", " : "") $1 } END { print names }'
}

event_paths=$(names_of runtime.completion)
contains "event paths" "$event_paths" "per-device, table"

scenario n150 <<'END'
workload: [{enqueue_workload: {as: first}}]
END
refused "a key of all steps within one" "bad.yaml:4:32: error: 'as' stands beside 'enqueue_workload', not in it
workload: [{enqueue_workload: {as: first}}]
                               ^"

scenario n150 <<'END'
runtime: {comand_queues: 1}
workload: [finish]
END
refused "unknown key" "bad.yaml:4:11: error: unknown key 'comand_queues', did you mean 'command_queues'?
runtime: {comand_queues: 1}
          ^"

scenario n150 <<'END'
runtime: {command_queues: two}
workload: [finish]
END
refused "wrong type" "bad.yaml:4:27: error: 'command_queues': expected an integer, found the string 'two'
runtime: {command_queues: two}
                          ^"

scenario tgg <<'END'
runtime: {forward: {path: broadcast, dispatcher: dedicated}}
workload: [finish]
END
refused "two dispatchers, one to keep order" "bad.yaml:4:50: error: with dispatcher 'dedicated' no dispatcher sees the commands of both prefetchers: ordering must be 'event', not 'counter'
runtime: {forward: {path: broadcast, dispatcher: dedicated}}
                                                 ^"

scenario n150 <<'END'
runtime: {sizes: {trace_region_bytes: 2048}}
workload:
  - {trace: 200, do: [enqueue_workload: {}]}
END
refused "no room in the trace region" "bad.yaml:6:5: error: the trace does not fit: trace region of a DRAM bank: 4096 B wanted, 2048 of 2048 B free in 1 blocks, the largest has 2048 B
  - {trace: 200, do: [enqueue_workload: {}]}
    ^"

scenario n150 <<'END'
runtime: {command_queues: 2}
workload:
  - {trace: 1, name: decode, do: [enqueue_workload]}
  - replay_trace: {trace: decode, queue: 2}
  - replay_trace: {trace: decode, queue: al}
END
refused "replays through queues that are not there" "bad.yaml:7:42: error: 'queue': 2 is out of range 0 to 1
  - replay_trace: {trace: decode, queue: 2}
                                         ^
bad.yaml:8:42: error: 'queue': expected an integer, found the string 'al'
  - replay_trace: {trace: decode, queue: al}
                                         ^"

scenario n150 <<'END'
runtime: {command_queues: 2}
workload:
  - {trace: 1, name: waits, queue: 1, do: [{repeat: 2, do: [record_event]}, enqueue_workload]}
  - replay_trace: {trace: waits, queue: 0}
END
refused "a trace with events through another queue" "bad.yaml:7:41: error: queue 0, but trace 'waits' has events of queue 1, which captured it (bad.yaml:6): it is replayed through that one alone
  - replay_trace: {trace: waits, queue: 0}
                                        ^"

scenario n300 <<'END'
runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}
workload:
  - {mesh: left, record_event: {event: done}}
  - {mesh: right, wait_event: {event: done}}
  - {mesh: right, record_event: {event: done2, devices: {shape: [1, 2]}}}
END
refused "an event of another mesh, a range outside" "bad.yaml:7:39: error: event 'done' belongs to mesh 'left', and no other mesh can wait for it: have the host wait (host: true, mesh: left) before it goes on with mesh 'right'
  - {mesh: right, wait_event: {event: done}}
                                      ^
bad.yaml:8:57: error: devices reach outside the mesh of 1 x 1
  - {mesh: right, record_event: {event: done2, devices: {shape: [1, 2]}}}
                                                        ^"

scenario n150 <<'END'
workload:
  - write_buffer: {buffer: b, bytes: 2048, memory: trace}
END
refused "no trace region" "bad.yaml:5:38: error: buffer 'b': trace region of a DRAM bank: 2048 B wanted, and there is none (runtime.sizes.trace_region_bytes)
  - write_buffer: {buffer: b, bytes: 2048, memory: trace}
                                     ^"

scenario n150 <<'END'
runtime: {sizes: {trace_region_bytes: 4294967295}}
workload: [finish]
END
refused "a trace region of all DRAM" "bad.yaml:4:39: error: 4294967295 B for traces and binaries leave nothing of a bank of 1073741824 B
runtime: {sizes: {trace_region_bytes: 4294967295}}
                                      ^"

scenario n150 <<'END'
seed: 1
seed: 2
workload: [finish]
END
refused "duplicate key" "bad.yaml:5:1: error: key 'seed' is there twice, first in line 4
seed: 2
^"

scenario tgg <<'END'
runtime: {mesh: {shape: [9, 8]}}
workload: [finish]
END
refused "mesh larger than the platform" "bad.yaml:4:25: error: a mesh of 9 x 8 devices is larger than the 8 x 8 of platform tgg
runtime: {mesh: {shape: [9, 8]}}
                        ^"

scenario tgg <<'END'
runtime: {mesh: {shape: [8, 8], offset: [1, 0]}}
workload: [finish]
END
refused "overlapping offset" "bad.yaml:4:41: error: a mesh of 8 x 8 devices at offset 1,0 leaves the 8 x 8 of platform tgg
runtime: {mesh: {shape: [8, 8], offset: [1, 0]}}
                                        ^"

scenario n150 <<'END'
workload: [{write_buffer: {bytes: 13000000000, page_bytes: 1000}}]
END
refused "buffer larger than DRAM" "bad.yaml:4:35: error: buffer 'buffer': DRAM bank: 1109334016 B wanted, 1073741824 of 1073741824 B free in 1 blocks, the largest has 1073741824 B
workload: [{write_buffer: {bytes: 13000000000, page_bytes: 1000}}]
                                  ^"

scenario n150 <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 48MiB, memory: l1}
  - write_tensor: {tensor: t, layout: "tensor<8192x2048xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1024x256xf32, #tt.memory_space<l1>>>>"}
  - write_buffer: {buffer: b, bytes: 48MiB, memory: l1}
  - write_buffer: {buffer: c, bytes: 16MiB, memory: l1}
END
refused "what fits into L1 alone, but not together" "bad.yaml:6:39: error: tensor 't': worker L1: 1048576 B wanted, 608768 of 1395200 B free in 1 blocks, the largest has 608768 B
  - write_tensor: {tensor: t, layout: \"tensor<8192x2048xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1024x256xf32, #tt.memory_space<l1>>>>\"}
                                      ^
bad.yaml:7:38: error: buffer 'b': worker L1: 786432 B wanted, 608768 of 1395200 B free in 1 blocks, the largest has 608768 B
  - write_buffer: {buffer: b, bytes: 48MiB, memory: l1}
                                     ^"

scenario n150 <<'END'
runtime: {sizes: {page_alignment_bytes: 33}}
workload: [{write_buffer: {bytes: 65536}}]
END
refused "pages aligned to no power of two" "bad.yaml:4:41: error: page_alignment_bytes: 33 is not 0 and no power of two from 16 on
runtime: {sizes: {page_alignment_bytes: 33}}
                                        ^"

scenario n150 <<'END'
workload: [{write_buffer: {bytes: 65536, contiguous_pages: 4}}]
END
refused "shards of an interleaved buffer" "bad.yaml:4:60: error: contiguous_pages: the pages of buffer 'buffer' are interleaved over DRAM banks; that wants layout: sharded
workload: [{write_buffer: {bytes: 65536, contiguous_pages: 4}}]
                                                           ^"

scenario n150 <<'END'
workload: [{write_buffer: {bytes: 65536, layout: sharded, contiguous_pages: 33}}]
END
refused "shards larger than the buffer" "bad.yaml:4:77: error: shards of 33 pages, but each device's part of buffer 'buffer' has 32
workload: [{write_buffer: {bytes: 65536, layout: sharded, contiguous_pages: 33}}]
                                                                            ^"

scenario "{extends: n150, chip: {host_window_size: {value: 32, unit: MiB, kind: assumed, source: x}}}" <<'END'
workload: [{write_buffer: {bytes: 33554432, pinned: true}}]
END
refused "pinned memory larger than the host window" "bad.yaml:4:12: error: pinned memory for buffer 'buffer': no room for 33554432 B in the host window
workload: [{write_buffer: {bytes: 33554432, pinned: true}}]
           ^"

scenario n150 <<'END'
workload:
  - write_buffer: {bytes: 65536, layout: sharded}
  - write_buffer: {layout: interleaved}
END
refused "a buffer of two layouts" "bad.yaml:6:5: error: buffer 'buffer' was made with other keys at bad.yaml:5
  - write_buffer: {layout: interleaved}
    ^"

scenario tgg <<'END'
runtime: {forward: {path: broadcast, initiators: 9}}
workload: [finish]
END
refused "initiator without PCIe" "bad.yaml:4:50: error: 9 initiators, but only 8 chips with PCIe reach the mesh of platform tgg
runtime: {forward: {path: broadcast, initiators: 9}}
                                                 ^"

scenario n150 <<'END'
runtime: {completion: telegraph}
workload: [finish]
END
refused "a row that does not exist" "bad.yaml:4:23: error: 'completion': unknown value 'telegraph' (valid: $event_paths)
runtime: {completion: telegraph}
                      ^"

scenario n150 <<'END'
workload: [{write_buffer: {buffer: weights, bytes: 4096}}, {read_buffer: {buffer: weigths}}]
END
refused "unknown buffer" "bad.yaml:4:83: error: no step before this one writes buffer 'weigths', did you mean 'weights'?
workload: [{write_buffer: {buffer: weights, bytes: 4096}}, {read_buffer: {buffer: weigths}}]
                                                                                  ^"

scenario n150 <<'END'
workload: [{enqueue_workload: {queue: 1}}]
END
refused "unknown queue" "bad.yaml:4:39: error: queue 1, but runtime.command_queues is 1
workload: [{enqueue_workload: {queue: 1}}]
                                      ^"

scenario n150 <<'END'
workload: [{repeat: 5, do: [finish]}]
measure: {warmup: 5}
END
refused "nothing but warm-up" "bad.yaml:5:19: error: warmup: 5 leaves nothing of a step that is repeated 5 times
measure: {warmup: 5}
                  ^"

scenario n150 <<'END'
seeds: x
runtime: {comand_queues: 1, completion: nothing, mesh: {shape: [1]}}
workload: [{finsh: {}}, {repeat: 3}]
sweep: {runtime.forward.initators: [1], model.noise: []}
END
refused "all errors in one pass" "bad.yaml:4:8: error: seeds must be a list of one or more integers
seeds: x
       ^
bad.yaml:5:11: error: unknown key 'comand_queues', did you mean 'command_queues'?
runtime: {comand_queues: 1, completion: nothing, mesh: {shape: [1]}}
          ^
bad.yaml:5:41: error: 'completion': unknown value 'nothing' (valid: $event_paths)
runtime: {comand_queues: 1, completion: nothing, mesh: {shape: [1]}}
                                        ^
bad.yaml:5:64: error: 'shape': expected 2 to 3 items, found 1
runtime: {comand_queues: 1, completion: nothing, mesh: {shape: [1]}}
                                                               ^
bad.yaml:6:13: error: unknown step 'finsh', did you mean 'finish'?
workload: [{finsh: {}}, {repeat: 3}]
            ^
bad.yaml:6:25: error: missing key 'do' in 'workload[1]'
workload: [{finsh: {}}, {repeat: 3}]
                        ^
bad.yaml:7:9: error: unknown key 'initators', did you mean 'initiators'?
sweep: {runtime.forward.initators: [1], model.noise: []}
        ^
bad.yaml:7:54: error: a swept key needs a list of one or more values, not an empty list
sweep: {runtime.forward.initators: [1], model.noise: []}
                                                     ^"

scenario n150 <<'END'
workload: [finish]
measure: {objective: [completion, completion.p99]}
END
refused "a percentile of a metric as a figure" "bad.yaml:5:35: error: no figure 'completion.p99', did you mean 'p99'?
measure: {objective: [completion, completion.p99]}
                                  ^"

scenario nowhere <<'END'
workload: [finish]
END
refused "unknown platform" "bad.yaml:3:11: error: unknown platform 'nowhere' (see meshsim list)
platform: nowhere
          ^"

scenario n150 <<'END'
workload: [{repeat: 1000000, do: [{repeat: 1000000, do: [finish]}]}]
END
refused "too many operations" "bad.yaml:4:11: error: more than 1000000 operations in one run
workload: [{repeat: 1000000, do: [{repeat: 1000000, do: [finish]}]}]
          ^"

scenario tgg <<'END'
runtime: {dispatch_cores: ethernet}
workload: [finish]
END
refused "dispatch on Ethernet tiles that links take" "bad.yaml:4:27: error: chip 0 of platform tgg has no tile for a dispatcher: links take all of its Ethernet tiles
runtime: {dispatch_cores: ethernet}
                          ^"

scenario t3k <<'END'
runtime: {dispatch_cores: ethernet, forward: {path: broadcast}}
workload: [finish]
END
refused "a dispatcher with two inputs on an Ethernet tile" "bad.yaml:4:27: error: chip 0 of platform t3k has no room for a dispatcher of 262144 B: its Ethernet tiles for dispatch have 245760 B each
runtime: {dispatch_cores: ethernet, forward: {path: broadcast}}
                          ^"

scenario '{extends: galaxy-x2, hosts: {count: 33}}' <<'END'
workload: [finish]
END
refused "more hosts than a device has" "bad.yaml:3:11: error: 'galaxy-x2' has 33 hosts, and a \
device is of 32 at most
platform: {extends: galaxy-x2, hosts: {count: 33}}
          ^"

# Keys of design choices that are not selected are reported to have no effect, each once.
scenario n150 <<'END'
runtime:
  forward: {initiators: 2}
  host: {count: 2, worker_wait: spin, reader_wait: spin}
workload: [finish]
END
code=0
err=$("$binary" run bad.yaml -o out.h5 2>&1 >/dev/null) || code=$?
exits "keys without effect" 0
equal "keys without effect: message" "$(echo "$err" | grep -o '[^ ]* has no effect.*')" \
	"runtime.forward.initiators has no effect with forward path 'unicast'
runtime.host.count has no effect with host threads 'main'
runtime.host.worker_wait has no effect with host threads 'main'
runtime.host.reader_wait has no effect with event path 'table'"
rm -f bad.yaml out.h5

python3 -c "print('[' * 200000)" 2>/dev/null >bad.yaml ||
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "["; print "" }' >bad.yaml
code=0
timeout "${seconds:-1}" "$binary" run bad.yaml -o out.h5 2>"$work.err" >/dev/null || code=$?
exits "200,000 unclosed brackets" 2
contains "200,000 unclosed brackets" "$(cat "$work.err")" "bad.yaml:1:65: error: nested too deep: more than 64 levels"
rm -f "$work.err"

printf 'a: &a [*a]\n' >bad.yaml
refused "alias cycle" "bad.yaml:1:8: error: alias '*a' stands inside its own anchor
a: &a [*a]
       ^"

printf '\211\000\377random\001' >bad.yaml
refused "random bytes" "bad.yaml:1:1: error: byte 0x89 is not UTF-8
???random?
^"

: >bad.yaml
refused "an empty file" "bad.yaml: error: nothing in it to read"

refused "a missing file" "bad.yaml: error: cannot read: No such file or directory"

finish
