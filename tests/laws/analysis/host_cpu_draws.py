#!/usr/bin/env python3
"""Compares the host CPU of a round, as `compare` says it of a short run, with what a long run takes more than a shorter
one. Usage: host_cpu_draws.py MESHSIM FIRST COUNT

Each draw is a loop of two meshes, each with a thread of its own in some runs or in all. The threads have rounds of
different length, wait for each round or not, and spin or park. Prints the worst error, and fails if more than one of
eight is over 2 %, or if the mean is over 1.5 %."""

import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import yaml

LONG = (130, 390)  # rounds of the runs whose difference is the truth
MOST = 0.02


def program(rng, name):
    return {"enqueue_workload": {
        "program": name, "cores": rng.choice([1, 8, "all"]), "kernel_bytes": rng.choice([1024, 4096, 32768]),
        "run_ns": rng.choice([500, 5000, 20000, 60000, 150000]), "runtime_args": rng.choice([0, 16, 64])}}


def draw(seed):
    rng = random.Random(seed)
    flight = rng.random() < 0.5
    finishes = [{"mesh": mesh, "finish": {}} for mesh in ("left", "right")]
    steps = []
    for mesh, name, finish in (("left", "p", finishes[0]), ("right", "q", finishes[1])):
        steps += [{"mesh": mesh, **program(rng, f"{name}{i}")} for i in range(rng.choice([1, 1, 2]))]
        steps += [] if flight else [finish]
    if rng.random() < 0.2:
        size = rng.choice(["64KiB", "1MiB"])
        steps.append({"mesh": "right", "write_buffer": {"buffer": "b", "bytes": size, "spread": "sharded"}})
        steps += [] if flight else [finishes[1]]
    both = rng.choice([True, False])
    host = {"threads": rng.choice(["main", "main", "per-device", "pool"]), "worker_wait": rng.choice(["park", "spin"])}
    completion = rng.choice(["table", "per-device"])
    if not both:
        host["clients"] = "per-mesh"
    return {"meshsim": 1, "name": f"draw-{seed}", "platform": "t3k", "model": {"noise": "off"}, "measure": {"warmup": 2},
            "runtime": {"meshes": {"left": {"shape": [1, 4]}, "right": {"shape": [1, 4], "offset": [1, 0]}},
                        "host": host, "completion": completion},
            "sweep": {"runtime.host.clients": ["one", "per-mesh"]} if both else {"runtime.command_cache": [True, False]},
            "workload": [{"repeat": rng.choice([60, 100] if flight else [12, 20, 40]), "do": steps}] +
                        (finishes if flight else [])}


def call(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def run(meshsim, folder, scenario, rounds):
    scenario["workload"][0]["repeat"] = rounds
    (folder / "draw.yaml").write_text(yaml.safe_dump(scenario, sort_keys=False, width=1000))
    call(meshsim, "run", folder / "draw.yaml", "-o", folder / "draw.h5", "-j", "1")
    return folder / "draw.h5"


def errors(meshsim, folder, seed):
    scenario = draw(seed)
    short = scenario["workload"][0]["repeat"]
    points = json.loads(call(meshsim, "compare", run(meshsim, folder, scenario, short), "--json"))["points"]
    whole = [[entry["host_busy"] for entry in json.loads(
        call(meshsim, "show", run(meshsim, folder, scenario, rounds), "--json"))["runs"]] for rounds in LONG]
    for index, (less, more) in enumerate(zip(*whole)):
        truth = (more - less) / (LONG[1] - LONG[0])
        seen = {point["host_cpu"] for point in points if point["run"] == index and (
            point["subject"].startswith("iteration") or not any(
                p["subject"].startswith("iteration") for p in points))}
        if len(seen) != 1 or None in seen:
            print(f"draw {seed}, run {index}: host CPU is {seen} in the questions of one loop")
            yield 1
            continue
        yield seen.pop() / truth - 1


def main():
    meshsim, first, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    found = []
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, first + count):
            found += [(abs(error), seed) for error in errors(meshsim, pathlib.Path(name), seed)]
    over = [(round(100 * error, 1), f"draw {seed}") for error, seed in sorted(found, reverse=True) if error > MOST]
    mean = statistics.fmean(error for error, _ in found)
    print(f"{len(found)} values: {len(over)} over {100 * MOST:.0f} %, mean {100 * mean:.2f} %, "
          f"worst {100 * max(found)[0]:.1f} %: {over}")
    sys.exit(8 * len(over) > len(found) or mean > 0.015)


main()
