"""Adds a microsecond to every constant that costs time, one by one, and checks that the stage that
its row in lists/charge.def names takes most of the additional time of an operation. A constant that
no scenario here charges for fails the test. Usage: stage_constants.py MESHSIM SOURCES FOLDER."""
import collections
import os
import re
import subprocess
import sys

import h5py
import yaml

meshsim, sources, folder = sys.argv[1:4]
os.makedirs(folder, exist_ok=True)
METRIC_ROWS = open(sources + "/analysis/metrics/include/analysis/metrics/metric.def").read()
METRICS = re.findall(r'^X\(\w+, "(\w+)"', METRIC_ROWS, re.M) + ["completion", "round", "interval"]
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


def table():
    text = open(f"{sources}/runtime/lists/include/lists/charge.def").read()
    rows = re.findall(r'^X\(\w+, "([a-z][^"]*)", (\w+)\)', text, re.M)
    return [(constant.replace("codecs.*", "codecs." + CODEC).replace("*", LIBRARY), stage)
            for constant, stage in rows]


def labels():
    text = open(f"{sources}/runtime/lists/include/lists/stage.def").read()
    return dict(re.findall(r'^X\((\w+), "([^"]*)"\)', text, re.M))


def run(name, change=None):
    out = f"{folder}/{name}.h5"
    call = [meshsim, "run", f"{folder}/{name}.yaml", "-o", out, "-j", "1"]
    if change:
        call += ["--set", change]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    file = h5py.File(out)
    group = file["runs/000000"]
    ops = file["ops"][group.attrs["ops_first"]:][:group.attrs["ops_count"]]
    kinds = {o["operation"]: o["kind"].decode() for o in ops}
    names = [row["label"].decode() for row in group["stages"]]
    stages = collections.defaultdict(collections.Counter)
    for row in group["paths"][:]:
        stages[kinds[row["operation"]], METRICS[row["metric"]]][names[row["stage"]]] += \
            int(row["time"])
    counts = collections.Counter(kinds.values())
    charged = collections.defaultdict(dict)
    for row in group["charges"][:]:
        of, key = charged[row["constant"].decode()], (row["kind"].decode(), row["metric"].decode())
        count, time = of.get(key, (0, 0))  # of the steps before
        of[key] = count + int(row["count"]), time + int(row["time"])
    return stages, charged, counts, group["platform"].asstr()[()]


# Model keys of a scenario besides disabled noise.
MODEL = {"links": ", noc: links"}
# Constants that no scenario makes an operation wait for, with the reason.
UNREACHED = {
    "chip.pcie_host_read_latency": "the runtime never reads from a chip over PCIe",
    "chip.pcie_host_read_bandwidth": "the runtime never reads from a chip over PCIe",
    "chip.pcie_write_ack_latency": "nobody waits for it: what follows is slower",
    "firmware.depacketizer_spill": "beside the way: what is spilled waits anyway",
    "firmware.depacketizer_unspill": "beside the way: what is spilled waits anyway",
    "firmware.dispatch_switch": "needs two queues that one dispatcher turns between",
    "firmware.aggregator_open": "beside the way: the gate opens before the next event comes",
    "firmware.worker_idle": "needs a go that goes to workers without a program",
    "host.copy.cached.cached.bandwidth": "the runtime makes no such copy here",
    "host.copy.cached.uncached_source.bandwidth": "the runtime makes no such copy",
    "host.copy.cached.write_combining.bandwidth": "the runtime makes no such copy",
    "host.copy.uncached_source.cached.bandwidth": "the runtime makes no such copy",
    "host.copy.uncached_source.uncached_source.bandwidth": "the runtime makes no such copy",
    "host.copy.uncached_source.write_combining.bandwidth": "the runtime makes no such copy",
    "host.copy.pinned.cached.bandwidth": "the runtime makes no such copy",
    "host.copy.pinned.pinned.bandwidth": "the runtime makes no such copy",
    "host.copy.pinned.write_combining.bandwidth": "the runtime makes no such copy",
    "host.switch": "needs more threads than cores",
    "host.wake_queued": "needs more threads than cores",
    "host.spawn": "threads are started before there are operations",
    "host.write_combining_drain": "nothing is stored to write-combining memory",
    "host.memory_bandwidth": "needs dozens of copies at a time",
    "host.copy.write_combining.cached.bandwidth": "the runtime makes no such copy",
    "host.copy.write_combining.uncached_source.bandwidth": "the runtime makes no such copy",
    "host.copy.write_combining.pinned.bandwidth": "the runtime makes no such copy",
    "host.copy.write_combining.write_combining.bandwidth": "the runtime makes no such copy",
}
UNREACHED["host_network.loopback_latency"] = "no host here sends to itself"
# The library whose row stands for all libraries: the scenario of several hosts sends with it.
LIBRARY = "zeromq"
CODEC = "protobuf"  # also copies data when it decodes
# Times that bound or select, and cost nothing themselves.
BOUNDS = {"host.quantum", "host.idle_after", "host.spin"}

UNITS = {"ns": 1e-3, "us": 1, "ps": 1e-6, "ms": 1e3, "cycles": 1e-3, "ratio": None}


def planted(constant, unit, value, count, time):
    """The value that takes a microsecond longer, for each of `count` times."""
    if unit == "ratio":
        return value * 2
    if "/" not in unit:
        return value + 1 / UNITS[unit]
    if count == 0:
        return value / 8
    return value / (1 + count * 1e6 / time)


def costs(node, path=""):
    """Paths of all constants that are times or rates, except noise, and except the shares of the
    roofline, which `meshsim model` uses before there is a run."""
    if path == "roofline":
        return
    if isinstance(node, dict) and "value" in node and "unit" in node:
        unit = node["unit"]
        if (unit in UNITS or "/" in unit) and not path.endswith((".tail", ".variation",
                ".tail_probability", ".traffic")):
            yield path
    elif isinstance(node, dict):
        for key, below in node.items():
            yield from costs(below, f"{path}.{key}" if path else key)


def value_of(platform, path):
    node = platform
    for part in path.split("."):
        node = node.get(part) if node else None
    return node


def explained(constant, label, base, name):
    """Returns the share of the additional time that the stage takes, the best of all ways, with
    that way and its largest stage."""
    stages, charged, counts, platform = base
    node = value_of(platform, constant)
    if node is None:
        return None
    ways = {key: what for key, what in charged.get(constant, {}).items() if key[1] != "all"}
    count, time = max(ways.values(), key=lambda what: what[1], default=(0, 0))
    new = planted(constant, node["unit"], node["value"], count, time)
    moved = run(name, f"platform.{constant}.value={round(new, 9):.12g}")
    if moved is None:
        return None
    best = None
    for key in ways or stages:
        if key[1] in ("skew", "interval", "all"):
            continue
        more = {stage: moved[0][key][stage] - stages[key][stage]
                for stage in set(moved[0][key]) | set(stages[key])}
        whole = sum(more.values())
        if whole < 0.3e6 * counts[key[0]]:
            continue
        largest = max(more, key=more.get)
        seen = (more.get(label, 0) / whole, key, largest)
        best = max(best, seen) if best else seen
    return best


def main():
    bases = {}
    for name, (platform, runtime, workload) in SCENARIOS.items():
        with open(f"{folder}/{name}.yaml", "w") as out:
            out.write(f"meshsim: 1\nname: {name}\nplatform: {platform}\nruntime: {runtime}\n"
                      f"workload:{workload}model: {{noise: none{MODEL.get(name, '')}}}\n"
                      "measure: {warmup: 0}\n")
        base = run(name)
        if base is None:
            sys.exit(f"{name} does not run")
        bases[name] = base[:-1] + (yaml.load(base[-1], yaml.CSafeLoader),)
        other = sum(way["other"] for way in bases[name][0].values())
        if other:
            print(f"{name}: {other} ps of ways are not explained")
    rows, bad, only = table(), [], set(sys.argv[4:])
    known = {constant for constant, _ in rows} | BOUNDS
    for path in sorted(set(costs(bases["chip"][-1])) - known):
        bad.append(path)
        print(f"{path} is a cost without a row in lists/charge.def")
    tried = rows if only or "MESHSIM_LONG" in os.environ else rows[::3]
    for constant, stage in tried:
        if (only and constant not in only) or constant in UNREACHED:
            continue
        label, seen = labels()[stage], []

        def weight(name):
            ways = bases[name][1].get(constant, {})
            return -max((w[1] for k, w in ways.items() if k[1] != "all"), default=0)

        apart = constant.startswith(("transports.", "codecs.", "host_network."))
        names = [n for n in bases if (n == "hosts") == apart]
        charged = [n for n in sorted(names, key=weight) if weight(n) < 0]
        for name in charged[:4] or names:
            result = explained(constant, label, bases[name], name)
            if result is None:
                continue
            seen.append((name,) + result)
            if result[0] >= 0.6:
                break
        else:
            bad.append(constant)
            print(f"{constant} ({label}): {'charged in ' + str(charged[:3]) if charged else 'never charged'} {seen[:4]}")
    idle = sum(constant in UNREACHED for constant, _ in tried)
    print(f"{len(tried) - idle - len(bad)} of {len(tried)} constants land on the stage "
          f"of their row; no operation waits for {idle}")
    sys.exit(bool(bad))


main()
