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

sys.dont_write_bytecode = True  # the sources stay as they are
from stage_scenarios import SCENARIOS, WORKLOAD  # noqa: E402

meshsim, sources, folder = sys.argv[1:4]
os.makedirs(folder, exist_ok=True)
METRIC_ROWS = open(sources + "/analysis/metrics/include/analysis/metrics/metric.def").read()
METRICS = re.findall(r'^X\(\w+, "(\w+)"', METRIC_ROWS, re.M) + ["completion", "round", "interval"]


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
    "chip.pcie_write_ack_latency": "no operation waits for it, only later ones are slower",
    "firmware.depacketizer_spill": "beside the way: what is spilled waits anyway",
    "firmware.depacketizer_unspill": "beside the way: what is spilled waits anyway",
    "firmware.dispatch_switch": "needs two queues that one dispatcher turns between",
    "firmware.aggregator_open": "beside the way: the gate opens before the next event comes",
    "firmware.worker_idle": "needs a go that goes to workers without a program",
    "host.work.start_process.cost": "only of bring-up, before there are operations",
    "host.work.map_device.cost": "only of bring-up, before there are operations",
    "host.work.route_entry.cost": "only of bring-up, before there are operations",
    "host.work.table_kib.cost": "only of bring-up, before there are operations",
    "host.work.start_router.cost": "only of bring-up, before there are operations",
    "host.work.link_handshake.cost": "only of bring-up, before there are operations",
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
