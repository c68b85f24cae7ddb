"""Checks lists/choice.def: verdict_choices.py MESHSIM FOLDER. Prints the rows that are wrong."""

import json
import re
import subprocess
import sys

BINARY, LISTS = sys.argv[1:]

# Part of the moved time that must be in the stages that a row names. The rest follows from it: other
# parts of a path come to overlap.
MOSTLY = 0.5

# Keys that are no choices of a design, or that no scenario here moves.
LEFT_OUT = {
    "runtime.preset": "it sets other choices",
    "runtime.dispatch_cores": "the platform says so, if the scenario does not",
    "runtime.coordinates": "a workload with unlike chips decides it",
    "runtime.forward.trace_hold": "time moves only where much is broadcast behind a trace",
    "runtime.forward.go": "time moves only where programs share chips",
    "runtime.forward.dispatcher": "it works with ordering: event alone",
    "runtime.forward.channels": "time moves only where packets meet",
    "runtime.forward.credits": "off is a hazard",
    "runtime.gather": "a step of its own: its paths have little in common",
    "runtime.host.clients": "an order of steps",
    "runtime.host.compile": "of new programs alone",
    "runtime.host.pin": "time moves only where threads lack cores",
    "runtime.bring_up": "no operation waits for it",
    "runtime.fabric.topology": "links of the platform",
    "runtime.distributed.allocator": "no stage of its own",
    "runtime.distributed.broadcast": "it takes links between hosts",
    "runtime.distributed.compile": "of new programs alone",
    "runtime.distributed.descriptor": "of the start alone",
    "runtime.distributed.loading": "of stored buffers alone",
    "runtime.distributed.receive": "of writes alone",
    "runtime.distributed.completion_reader": "of answers beside commands alone",
}
VALUES_LEFT_OUT = {
    "runtime.forward.initiator_place": {"named"},  # it needs the names of chips
    "runtime.forward.initiators": {"per-row", "per-column"},
    "runtime.forward.ordering": {"none"},
    "runtime.completion": {"table-one-slot", "aggregator-naive"},
    "runtime.host.pool_tasks": {"posted", "phased"},  # the one needs queues of its own, the other several programs
    "runtime.host.worker_wait": {"yield"},  # beside spin, it moves time where threads lack cores
    "runtime.host.readers": {"pool"},  # refused without a pool of host threads
    "runtime.distributed.transport": {"unix", "zeromq-router", "ucx-tcp", "ucx-shm", "grpc", "mpi", "rdma"},
    "runtime.distributed.codec": {"flatbuffers", "protobuf"},
}
NUMBERS = {"runtime.forward.initiators", "runtime.command_buffers"}
SWITCHES = {"true", "false"}

BASE = """meshsim: 1
name: choices
platform: {platform}
runtime: {{mesh: {{shape: {shape}, offset: {offset}}}, command_queues: {queues}}}
workload:
  - repeat: 8
    do:{steps}
model: {{noise: none}}
measure: {{warmup: 2}}
"""
LAUNCH = "enqueue_workload: {{program: p, cores: 8, kernel_bytes: 8192, runtime_args: 16, run_ns: 2000, queue: {}}}"
ONE = f"\n      - {LAUNCH.format(0)}\n      - finish"
TWO_QUEUES = f"\n      - {LAUNCH.format(0)}\n      - {LAUNCH.format(1)}\n      - finish"
TRACE = f"\n      - trace: 4\n        do:\n          - {LAUNCH.format(0)}\n      - finish"
TGG = {"platform": "tgg", "shape": "[4, 4]", "offset": "[0, 0]", "queues": 1, "steps": ONE}
HOSTS = {"platform": "galaxy-x2", "shape": "[2, 1]", "offset": "[3, 0]", "queues": 1, "steps": ONE}
SETS = {  # values that let the key act
    "runtime.forward.pieces": ["runtime.forward.multicast_members=4"],
    "runtime.forward.feed": ["runtime.forward.initiators=2"],
    "runtime.host.queues": ["runtime.host.count=2"],
    "runtime.host.worker_wait": ["runtime.host.count=2"],
}


def read_rows():
    """Returns {key: (when, {value: set of stage labels})}."""
    labels = dict(re.findall(r'^X\((\w+), "([^"]*)"\)', open(f"{LISTS}/stage.def").read(), re.M))
    text = re.sub(r"/\*.*?\*/", "", open(f"{LISTS}/choice.def").read(), flags=re.S)
    rows, key = {}, None
    for kind, name, more in re.findall(r'^(CHOICE|VALUE)\("([^"]*)",\s*(.*?)\)$', text, re.M | re.S):
        if kind == "CHOICE":
            key = name
            rows[key] = (more.strip('"'), {})
        else:
            rows[key][1][name] = {labels[stage] for stage in re.findall(r"A\((\w+)", more)}
    return rows


def moves(key, when, values):
    """Yields the two values and the difference of each stage, for the first value and each other."""
    machine = dict(HOSTS if when == "hosts" else TGG)
    if key == "runtime.forward.packetizer":
        machine.update(queues=2, steps=TWO_QUEUES)
    if "step:trace" in when:
        machine.update(steps=TRACE)
    options = [word.split("|")[0] for word in when.split() if "=" in word] + SETS.get(key, [])
    swept = ", ".join(value if value in SWITCHES or key in NUMBERS else f'"{value}"' for value in values)
    with open("choices.yaml", "w") as file:
        file.write(BASE.format(**machine) + f"sweep: {{{key}: [{swept}]}}\n")
    command = [BINARY, "run", "choices.yaml", "-o", "choices.h5"]
    done = subprocess.run(command + [part for option in options for part in ("--set", option)],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{key}: {done.stderr}")
    for index in range(1, len(values)):
        explained = subprocess.run([BINARY, "explain", "choices.h5", "0", str(index), "--json"],
                                   capture_output=True, text=True, check=True)
        paths = json.loads(explained.stdout)["paths"]
        path = paths.get("p50") or next(iter(paths.values()))  # one of makespans, if one run alone has a trace
        yield values[0], values[index], {row["label"]: row["difference"] for row in path["stages"]}


def wrong_lists(rows):
    listed = {}
    for row in json.loads(subprocess.run([BINARY, "list", "--json"], capture_output=True, check=True).stdout):
        if row["key"].startswith("runtime.") and ".stages." not in row["key"]:
            listed.setdefault(row["key"], set()).add(row["name"])
    for key in listed.keys() - rows.keys() - LEFT_OUT.keys():
        yield f"{key} is a choice that choice.def lacks"
    for key in rows.keys() & LEFT_OUT.keys():
        yield f"{key} is in choice.def, and left out here"
    for key in rows.keys() & listed.keys():
        names = set(rows[key][1]) | VALUES_LEFT_OUT.get(key, set())
        if names - (SWITCHES | {"1"}) != listed[key]:
            yield f"{key}: choice.def has {sorted(names)}, the scenario {sorted(listed[key])}"


def wrong_rows(rows):
    for key, (when, values) in rows.items():
        moved_any = False
        for first, second, differences in moves(key, when, list(values)):
            whole = sum(abs(difference) for difference in differences.values())
            named = sum(abs(difference) for label, difference in differences.items()
                        if label in values[first] | values[second])
            moved_any |= whole > 0
            most = sorted(differences.items(), key=lambda item: -abs(item[1]))[:4]
            if named < MOSTLY * whole:
                yield f"{key}: {first} or {second} moves {whole:.0f} ps, {named:.0f} of it in its stages; most {most}"
        if not moved_any:
            yield f"{key} moves no time"


if __name__ == "__main__":
    choices = read_rows()
    found = list(wrong_lists(choices)) + list(wrong_rows(choices))
    print("\n".join(found))
    sys.exit(1 if found or len(choices) < 20 else 0)
