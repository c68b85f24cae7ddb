"""The scenarios of stage_constants.py, each of which charges for some of the constants that cost time."""

WORKLOAD = "enqueue_workload: {program: p, cores: 8, processors: all, kernel_bytes: 4096, " \
           "runtime_args: 8, run_ns: 5000, semaphores: 2, circular_buffers: 3"

OPENED = """
  - open_mesh: {}
  - enqueue_workload: {program: p, cores: 8, run_ns: 5000}
  - finish
"""

# name: (platform, runtime, workload)
SCENARIOS = {
    "hosts": ("tgg-2host", "{mesh: {shape: [8, 2]}, distributed: {transport: zeromq, codec: protobuf, pipeline: main}}", """
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 4096, runtime_args: 64, run_ns: 5000}
      - finish
      - write_buffer: {buffer: a, bytes: 65536, page_bytes: 2048, blocking: true}
      - read_buffer: {buffer: a, blocking: true}
"""),
    "received": ("tgg-2host", "{mesh: {shape: [8, 2]}, distributed: {transport: zeromq, "
                 "pipeline: main, receive: pinned, compile: executors}}", """
  - enqueue_workload: {program: p, cores: 8, kernel_bytes: 4096, run_ns: 5000}
  - finish
  - write_buffer: {buffer: a, bytes: 65536, page_bytes: 2048, blocking: true}
  - write_buffer: {buffer: b, bytes: 131072, page_bytes: 2048, blocking: true, stored: true}
  - write_buffer: {buffer: c, bytes: 262144, page_bytes: 2048, blocking: true}
  - write_buffer: {buffer: d, bytes: 262144, page_bytes: 2048, blocking: true, stored: true}
"""),
    "discovered": ("tgg-2host", "{mesh: {shape: [8, 2]}, distributed: {descriptor: discovered}}", OPENED),
    "checked": ("tgg-2host", "{mesh: {shape: [8, 2]}, distributed: {descriptor: cached}}", OPENED),
    "chip": ("n150", "{completion: per-device, command_cache: false}", f"""
  - repeat: 3
    do:
      - write_buffer: {{buffer: a, bytes: 65536, page_bytes: 2048, blocking: true}}
      - read_buffer: {{buffer: a, blocking: true}}
      - write_buffer: {{buffer: c, bytes: 4096, page_bytes: 32, blocking: true}}
      - read_buffer: {{buffer: c, blocking: true}}
      - {WORKLOAD}}}
      - finish
"""),
    "memory": ("n150", "{completion: per-device}", """
  - repeat: 2
    do:
      - write_buffer: {buffer: a, bytes: 4194304, page_bytes: 2048, blocking: true}
      - read_buffer: {buffer: a, blocking: true}
      - write_buffer: {buffer: b, bytes: 65536, page_bytes: 2048, blocking: true, pinned: true}
      - read_buffer: {buffer: b, blocking: true, pinned: true}
"""),
    "l1": ("n150", "{completion: per-device}", """
  - repeat: 2
    do:
      - write_buffer: {buffer: a, bytes: 32768, page_bytes: 2048, memory: l1, blocking: true}
      - read_buffer: {buffer: a, blocking: true}
"""),
    "trace": ("n150", "{completion: table, traces: replicated}", f"""
  - trace: 2
    replays: 4
    do:
      - {WORKLOAD}}}
      - {WORKLOAD.replace("program: p", "program: q")}, cores: 4}}
  - finish
""".replace("cores: 8, processors: all, kernel_bytes: 4096, runtime_args: 8, run_ns: 5000, "
            "semaphores: 2, circular_buffers: 3, cores: 4",
            "cores: 4, kernel_bytes: 4096, run_ns: 5000")),
    "wide": ("n150", "{completion: table}", """
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 1024, runtime_args: 64, run_ns: 0}
      - finish
"""),
    "kept": ("n150", "{completion: table}", """
  - repeat: 4
    do:
      - enqueue_workload: {program: p, cores: 8, processors: ncrisc, kernel_bytes: 16384, run_ns: 0,
          arguments: kept}
      - finish
"""),
    "queues": ("n150", "{completion: table, command_queues: 2}", f"""
  - repeat: 3
    do:
      - {WORKLOAD}}}
      - record_event: {{event: e, queue: 0}}
      - wait_event: {{event: e, queue: 1}}
      - {WORKLOAD.replace("program: p", "program: q")}, queue: 1}}
      - finish: {{queue: 1}}
      - finish
"""),
    "readers": ("tgg", "{mesh: {shape: [2, 4]}, completion: per-device, "
                "host: {threads: per-device}}", f"""
  - repeat: 4
    do:
      - {WORKLOAD}}}
      - finish
"""),
    "pool": ("tgg", "{mesh: {shape: [4, 4]}, completion: per-device, "
             "host: {threads: pool, count: 2, worker_wait: park, reader_wait: park, "
             "caller_wait: park}}", f"""
  - repeat: 4
    do:
      - {WORKLOAD}}}
      - finish
"""),
    "yielding": ("tgg", "{mesh: {shape: [4, 4]}, completion: table, "
                 "host: {threads: per-device, worker_wait: yield}}", f"""
  - repeat: 12
    do:
      - {WORKLOAD}}}
      - finish
"""),
    "broadcast": ("tgg", "{mesh: {shape: [2, 4]}, forward: {path: broadcast, initiators: 1}, "
                  "completion: table}", f"""
  - repeat: 4
    do:
      - {WORKLOAD.replace("kernel_bytes: 4096", "kernel_bytes: 12288")}}}
      - finish
"""),
    "gather": ("tgg", "{mesh: {shape: [2, 4]}, forward: {path: broadcast, initiators: 2}, "
               "completion: aggregator}", f"""
  - repeat: 4
    do:
      - {WORKLOAD}}}
      - finish
"""),
    "behind": ("tgg", "{mesh: {shape: [1, 2]}, completion: per-device}", """
  - repeat: 3
    do:
      - write_buffer: {buffer: a, bytes: 262144, page_bytes: 2048, blocking: true}
      - read_buffer: {buffer: a, blocking: true}
"""),
    # The answer to a short read waits for no credits, so that nothing hides its last writes.
    "short": ("tgg", "{mesh: {shape: [1, 2]}, completion: per-device}", """
  - write_buffer: {buffer: a, bytes: 4096, page_bytes: 2048, blocking: true}
  - read_buffer: {buffer: a, blocking: true}
"""),
    "ethernet": ("n300", "{dispatch_cores: ethernet, completion: table}", f"""
  - repeat: 3
    do:
      - {WORKLOAD}}}
      - finish
"""),
    "ping": ("t3k", "{fabric: {topology: mesh}}", """
  - fabric_ping: {payload_bytes: 16, samples: 8, op: fused_atomic_inc}
  - fabric_ping: {payload_bytes: 4096, samples: 8}
"""),
    "ring": ("t3k", "{fabric: {topology: ring}}", """
  - fabric_ping: {payload_bytes: 16, samples: 8}
  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 2048, packets: 164}
"""),
    "stream": ("t3k", "{fabric: {topology: mesh}}", """
  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 2048, packets: 196}
"""),
    "scatter": ("t3k", "{fabric: {topology: line}}", """
  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 1024, packets: 196,
      op: scatter_write}
"""),
    "kernels": ("n150", "{completion: table}", """
  - write_buffer: {buffer: a, bytes: 131072, page_bytes: 2048}
  - repeat: 3
    do:
      - enqueue_workload:
          cores: 1
          buffers: {from: a}
          circular_buffers: 1
          semaphores: 1
          kernels:
            - text: |
                add r10, r0, 16
                own_tile r2
                semaphore r3, 0
                again: argument r7, r0, 0
                store r1, r3, 0
                print r1, 0
                page r4, r1, from
                reserve 0, 1
                back r6, 0
                read r6, r4, 64
                wait_reads
                push 0, 1
                await 0, 1
                pop 0, 1
                add r1, r1, 1
                jump_below r1, r10, again
              arguments: [0]
      - finish
"""),
    "groups": ("n150", "{completion: table}", """
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: all, processors: all, kernel_bytes: 256,
          kernel_groups: 4, run_ns: 0}
      - finish
"""),
    "atomic": ("t3k", "{fabric: {topology: line}}", """
  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 1024, packets: 196,
      op: fused_atomic_inc}
"""),
    # Four cores of a row write to one bank each, over the link at the end of the row.
    "links": ("n150", "{completion: table}", """
  - write_buffer: {buffer: a, bytes: 8192, page_bytes: 2048}
  - finish
  - repeat: 2
    do:
      - enqueue_workload:
          cores: 4
          buffers: {pages: a}
          circular_buffers: 1
          circular_buffer_bytes: 2048
          circular_buffer_pages: 1
          kernels:
            - processor: ncrisc
              arguments: [core]
              text: |
                argument r1, 0
                page r4:5, r1, pages
                back r6, 0
                add r3, r0, 64
                again: write r6, r4, 2048
                add r2, r2, 1
                jump_below r2, r3, again
                wait_writes
      - finish
"""),
    # One core, so that no cost hides behind another core; each instruction on tiles is the
    # bottleneck of unpacking, computing or packing once.
    "product": ("n150", "{completion: table}", """
  - write_buffer: {buffer: a, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: c, bytes: 32768, page_bytes: 2048}
  - repeat: 2
    do:
      - enqueue_workload: {library: matmul, element: bf16, tiles: [4, 4, 4], cores: 1,
          buffers: {left: a, right: b, to: c}}
      - finish
"""),
    "grid": ("n150", "{completion: table}", """
  - write_buffer: {buffer: a, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: c, bytes: 32768, page_bytes: 2048}
  - repeat: 2
    do:
      - enqueue_workload: {library: matmul_grid, element: bf16, tiles: [4, 4, 4], cores: [2, 2],
          buffers: {left: a, right: b, to: c}}
      - finish
"""),
    "elements": ("n150", "{completion: table}", """
  - write_buffer: {buffer: a, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 32768, page_bytes: 2048}
  - write_buffer: {buffer: c, bytes: 32768, page_bytes: 2048}
  - repeat: 2
    do:
      - enqueue_workload: {library: add, element: bf16, cores: 1,
          buffers: {left: a, right: b, to: c}}
      - finish
      - enqueue_workload: {library: multiply, element: bf16, cores: 1,
          buffers: {left: a, right: b, to: c}}
      - finish
"""),
    "registers": ("n150", "{completion: table}", """
  - repeat: 2
    do:
      - enqueue_workload:
          cores: 1
          circular_buffers: 2
          circular_buffer_bytes: 2048
          kernels:
            - processor: trisc0
              text: |
                reserve 0, 1
                push 0, 1
                tile_unpack 0, left, r0, bf16
                tile_unpack 0, left, r0, bf16
                pop 0, 1
            - processor: trisc1
              text: |
                tile_acquire bf16
                tile_copy 0
                tile_reduce 1, rows, sum
                tile_clear 2, 0
                tile_scale 2, 0
                tile_function 2, exp
                tile_function 2, reciprocal
                tile_function 2, sqrt
                tile_function 2, gelu
                tile_function 2, silu
                tile_function 2, tanh
                tile_commit
            - processor: trisc2
              text: |
                reserve 1, 1
                tile_await
                tile_pack 1, r0, 1, bf16
                tile_release
                push 1, 1
      - finish
"""),
    "tensors": ("n150", "{completion: per-device}", """
  - repeat: 2
    do:
      - write_tensor: {tensor: w, layout: "tensor<64x96xf32, \\
          #tt.layout<(d0, d1) -> (d0, d1), zero, <1x1>, \\
          memref<2x3x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<dram>>>>"}
      - read_tensor: {tensor: w}
"""),
}
