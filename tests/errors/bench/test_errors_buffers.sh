# Errors of buffers: how they are spread and fed, where they are freed. What uses a bad buffer is not reported, too.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/bad_scenario.sh"

scenario t3k <<'END'
workload:
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 1024, spread: sharded}
  - write_buffer: {buffer: b, spread_order: column-major}
  - write_buffer: {buffer: c, bytes: 6144, page_bytes: 2048, spread: per-column}
  - write_buffer: {buffer: d, bytes: 6142, spread: per-row}
END
refused "parts over the mesh" "bad.yaml:6:28: error: buffer 'b' was made with other keys at bad.yaml:5
  - write_buffer: {buffer: b, spread_order: column-major}
                           ^
bad.yaml:7:38: error: 1536 bytes on each device are not a multiple of page_bytes: 2048
  - write_buffer: {buffer: c, bytes: 6144, page_bytes: 2048, spread: per-column}
                                     ^
bad.yaml:8:38: error: 6142 bytes do not divide into 2 equal shards of whole words
  - write_buffer: {buffer: d, bytes: 6142, spread: per-row}
                                     ^"

scenario t3k <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 49152, spread: matrix, global_shape: [384, 32]}
  - write_buffer: {buffer: b, bytes: 49152, spread: sharded, mapper: [0]}
  - write_buffer: {buffer: c, bytes: 65536, spread: mapper, tensor_shape: [4, 4, 32, 32], mapper: [none, 1]}
  - write_buffer: {buffer: d, bytes: 49152, spread: mapper, tensor_shape: [4, 3, 32, 32], mapper: [1, 2]}
  - write_buffer: {buffer: e, bytes: 49152, spread: matrix, global_shape: [384, 32], shard_shape: [100, 0]}
  - write_buffer: {buffer: f, bytes: 49152, spread: matrix, global_shape: [384, 32], shard_shape: [24, 16]}
  - write_buffer: {buffer: g, bytes: 51200, spread: mapper, tensor_shape: [4, 3, 32, 32], mapper: [none, none]}
  - write_buffer: {buffer: h, bytes: 49152, spread: mapper, tensor_shape: [4, 3, 0, 32], mapper: [0]}
END
refused "matrices and mappers" "bad.yaml:5:53: error: spread: matrix of buffer 'a' wants shard_shape
  - write_buffer: {buffer: a, bytes: 49152, spread: matrix, global_shape: [384, 32]}
                                                    ^
bad.yaml:6:70: error: mapper of buffer 'b', which wants spread: mapper
  - write_buffer: {buffer: b, bytes: 49152, spread: sharded, mapper: [0]}
                                                                     ^
bad.yaml:7:99: error: buffer 'c': dimension 1 can be split only if all before it are 1, dimension 0 is 4: transpose first
  - write_buffer: {buffer: c, bytes: 65536, spread: mapper, tensor_shape: [4, 4, 32, 32], mapper: [none, 1]}
                                                                                                  ^
bad.yaml:8:99: error: buffer 'd': dimension 1 of 3 does not divide evenly into 2 shards
  - write_buffer: {buffer: d, bytes: 49152, spread: mapper, tensor_shape: [4, 3, 32, 32], mapper: [1, 2]}
                                                                                                  ^
bad.yaml:9:99: error: buffer 'e': shards of 100 x 32 do not divide a buffer of 384 x 32 evenly
  - write_buffer: {buffer: e, bytes: 49152, spread: matrix, global_shape: [384, 32], shard_shape: [100, 0]}
                                                                                                  ^
bad.yaml:10:99: error: buffer 'f': 16 x 2 shards do not fit on 2 x 4 devices
  - write_buffer: {buffer: f, bytes: 49152, spread: matrix, global_shape: [384, 32], shard_shape: [24, 16]}
                                                                                                  ^
bad.yaml:11:38: error: buffer 'g': 51200 B for 12288 elements; an element has 1, 2 or 4 B, which gives 12288, 24576 or 49152 B
  - write_buffer: {buffer: g, bytes: 51200, spread: mapper, tensor_shape: [4, 3, 32, 32], mapper: [none, none]}
                                     ^
bad.yaml:12:98: error: buffer 'h': dimension 2 has no elements
  - write_buffer: {buffer: h, bytes: 49152, spread: mapper, tensor_shape: [4, 3, 0, 32], mapper: [0]}
                                                                                                 ^"

scenario n300 <<'END'
runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}
workload:
  - {mesh: left, write_buffer: {buffer: a, bytes: 8192}}
  - {mesh: left, read_buffer: {buffer: a}}
  - {mesh: right, write_buffer: {buffer: b, from: a, from_mesh: left}}
  - {mesh: left, read_buffer: {buffer: a, blocking: true}}
  - {mesh: right, write_buffer: {buffer: b, bytes: 4096, from: a, from_mesh: left}}
  - {mesh: right, write_buffer: {buffer: c, pinned: true, from: a, from_mesh: lift}}
  - {mesh: right, write_buffer: {buffer: c, pinned: true, from: a, from_mesh: left}}
  - {mesh: right, read_buffer: {buffer: c, blocking: true}}
  - {mesh: right, write_buffer: {buffer: d, from: c}}
  - {mesh: right, write_buffer: {buffer: c, bytes: 8192}}
END
refused "data of reads" "bad.yaml:8:51: error: from: no step before this one reads all of buffer 'a' of that mesh with blocking: true, so its data are not there yet
  - {mesh: right, write_buffer: {buffer: b, from: a, from_mesh: left}}
                                                  ^
bad.yaml:10:64: error: from: buffer 'a' has 8192 bytes, and 'b' 4096
  - {mesh: right, write_buffer: {buffer: b, bytes: 4096, from: a, from_mesh: left}}
                                                               ^
bad.yaml:11:79: error: unknown mesh 'lift', did you mean 'left'?
  - {mesh: right, write_buffer: {buffer: c, pinned: true, from: a, from_mesh: lift}}
                                                                              ^
bad.yaml:12:65: error: from beside pinned: the data are where the read has put them
  - {mesh: right, write_buffer: {buffer: c, pinned: true, from: a, from_mesh: left}}
                                                                ^"

scenario n150 <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 8192}
  - write_buffer: {buffer: b, bytes: 8192}
  - {trace: 1, do: [{repeat: 2, do: [read_buffer: {buffer: b}]}]}
  - {trace: 1, name: copies, do: [enqueue_workload: {library: copy, buffers: {from: a, to: b}}]}
  - free_buffer: {buffer: a}
  - read_buffer: {buffer: a}
  - release_trace: {trace: copies}
  - free_buffer: {buffer: b}
  - write_buffer: {buffer: late, bytes: 8192}
  - {trace: 1, do: [write_buffer: {buffer: late}]}
  - write_buffer: {buffer: once, bytes: 8192}
  - {repeat: 2, do: [free_buffer: {buffer: once}]}
END
refused "freed buffers" "bad.yaml:9:27: error: buffer 'a' is used by the trace at bad.yaml:8: release the trace first, since a replay would use memory that belongs to another buffer by then
  - free_buffer: {buffer: a}
                          ^
bad.yaml:10:27: error: buffer 'a' has been freed at bad.yaml:9
  - read_buffer: {buffer: a}
                          ^
bad.yaml:12:27: error: buffer 'b' is used by the trace at bad.yaml:7: release the trace first, since a replay would use memory that belongs to another buffer by then
  - free_buffer: {buffer: b}
                          ^
bad.yaml:14:21: error: buffer 'late' is made behind a free_buffer or load_sub_devices step, but programs and traces take buffers that are made before the first step: write it before
  - {trace: 1, do: [write_buffer: {buffer: late}]}
                    ^
bad.yaml:16:44: error: buffer 'once' is freed in another repeat than the one that makes it (bad.yaml:15)
  - {repeat: 2, do: [free_buffer: {buffer: once}]}
                                           ^"

scenario t3k <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 24576, spread: matrix, global_shape: [64, 128], shard_shape: [32, 32]}
  - write_buffer: {buffer: a, bytes: 24576, spread: matrix, global_shape: [64, 64], shard_shape: [32, 32]}
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 1024, spread: mapper, tensor_shape: [64, 128], mapper: [0], values: bf16}
  - write_buffer: {buffer: c, bytes: 8192, page_bytes: 1024, spread: matrix, global_shape: [64, 128], shard_shape: [32, 32], values: bfp_bf8}
  - write_buffer: {buffer: d, bytes: 8192, page_bytes: 1024, spread: matrix, global_shape: [64, 128], shard_shape: [32, 32]}
  - write_buffer: {buffer: d, values: f32}
  - write_buffer: {buffer: e, bytes: 16384, page_bytes: 1024, spread: matrix, global_shape: [64, 128], shard_shape: [64, 32]}
  - write_buffer: {buffer: e, shard: [0, 3]}
  - read_buffer: {buffer: e, shard: [1, 0]}
  - read_buffer: {buffer: a}
  - enqueue_workload: {library: copy, buffers: {from: a, to: b}}
  - free_buffer: {buffer: c}
END
refused "widths of elements" "bad.yaml:5:38: error: buffer 'a': 24576 B for 8192 elements; an element has 1, 2 or 4 B, which gives 8192, 16384 or 32768 B
  - write_buffer: {buffer: a, bytes: 24576, spread: matrix, global_shape: [64, 128], shard_shape: [32, 32]}
                                     ^
bad.yaml:7:38: error: buffer 'b': 8192 B for 8192 elements; with these values an element has 2 B, which gives 16384 B
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 1024, spread: mapper, tensor_shape: [64, 128], mapper: [0], values: bf16}
                                     ^
bad.yaml:8:134: error: values: bfp_bf8 of buffer 'c' share exponents, but spread: matrix is of elements of 1, 2 or 4 B
...es: 8192, page_bytes: 1024, spread: matrix, global_shape: [64, 128], shard_shape: [32, 32], values: bfp_bf8}
                                                                                                       ^
bad.yaml:10:39: error: buffer 'd': 8192 B for 8192 elements; with these values an element has 4 B, which gives 32768 B
  - write_buffer: {buffer: d, values: f32}
                                      ^
bad.yaml:13:37: error: shard: device 1,0 has none of the 4 shards of buffer 'e'
  - read_buffer: {buffer: e, shard: [1, 0]}
                                    ^"

scenario n300 <<'END'
runtime: {sizes: {system_memory_bytes: 65536}}
workload:
  - write_buffer: {buffer: a, bytes: 8192, page_bytes: 1024, spread: sharded}
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 1024, pages: [0, 1]}
  - write_buffer: {buffer: a, pages: [3, 2]}
  - read_buffer: {buffer: a, pages: [4, 1], shard: [0, 1]}
  - read_buffer: {buffer: a, pages: [0, 0]}
  - read_buffer: {buffer: a, pages: [0, 1], pinned: true}
  - write_buffer: {buffer: host, bytes: 8192, page_bytes: 1024, memory: system}
  - read_buffer: {buffer: host, pages: [0, 1]}
  - read_buffer: {buffer: a, pages: [0, 1], blocking: true}
  - write_buffer: {buffer: c, from: a}
END
refused "pages of buffers" "bad.yaml:7:69: error: pages in the step that makes buffer 'b': write all of it first, so that reads have something to be compared with
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 1024, pages: [0, 1]}
                                                                    ^
bad.yaml:8:38: error: pages: 2 from 3 on, but each device's part of buffer 'a' has 4
  - write_buffer: {buffer: a, pages: [3, 2]}
                                     ^
bad.yaml:9:37: error: pages: 1 from 4 on, but each device's part of buffer 'a' has 4
  - read_buffer: {buffer: a, pages: [4, 1], shard: [0, 1]}
                                    ^
bad.yaml:10:37: error: pages: [first, count] of one page or more
  - read_buffer: {buffer: a, pages: [0, 0]}
                                    ^
bad.yaml:11:37: error: pages beside pinned: pinned memory holds a whole buffer
  - read_buffer: {buffer: a, pages: [0, 1], pinned: true}
                                    ^
bad.yaml:13:40: error: pages beside memory: system, which the host copies as a whole
  - read_buffer: {buffer: host, pages: [0, 1]}
                                       ^
bad.yaml:15:37: error: from: no step before this one reads all of buffer 'a' of that mesh with blocking: true, so its data are not there yet
  - write_buffer: {buffer: c, from: a}
                                    ^"

scenario n150 <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 8192}
  - {trace: 1, name: frees, do: [write_buffer: {buffer: a}, free_buffer: {buffer: a}]}
  - free_buffer: {buffer: a}
  - replay_trace: {trace: frees}
END
refused "a trace that frees, and one that would be replayed" "bad.yaml:6:61: error: step 'free_buffer' in a trace: only enqueue_workload, write_buffer, read_buffer, collective, record_event, wait_event and repeat can be captured
  - {trace: 1, name: frees, do: [write_buffer: {buffer: a}, free_buffer: {buffer: a}]}
                                                            ^
bad.yaml:7:27: error: buffer 'a' is used by the trace at bad.yaml:6: release the trace first, since a replay would use memory that belongs to another buffer by then
  - free_buffer: {buffer: a}
                          ^"

scenario tgg <<'END'
runtime: {mesh: {shape: [8, 8, 1]}}
workload:
  - enqueue_workload: {devices: {shape: [2, 2, 2]}}
  - record_event: {event: e, devices: {shape: [2, 2, 1], offset: [0, 0, 1]}}
END
refused "ranges of several layers" "bad.yaml:6:33: error: a range of 2 layers of devices, but a mesh has one: chips that Z links join are meshes of their own (runtime.meshes)
  - enqueue_workload: {devices: {shape: [2, 2, 2]}}
                                ^
bad.yaml:7:39: error: a range of 2 layers of devices, but a mesh has one: chips that Z links join are meshes of their own (runtime.meshes)
  - record_event: {event: e, devices: {shape: [2, 2, 1], offset: [0, 0, 1]}}
                                      ^"

finish

scenario n150 <<'END'
workload:
  - write_buffer: {buffer: a, shape: [131072, 131072], element: bf16}
END
refused "a shape that is too large" "bad.yaml:5:38: error: buffer 'a': DRAM bank: 2863312896 B wanted, 1073741824 of 1073741824 B free in 1 blocks, the largest has 1073741824 B
  - write_buffer: {buffer: a, shape: [131072, 131072], element: bf16}
                                     ^"
