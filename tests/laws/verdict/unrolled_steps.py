#!/usr/bin/env python3
"""Writes random workloads twice, with `repeat` and with some or all of its loops written out, and
expects the same verdicts to the last digit. Usage: unrolled_steps.py MESHSIM SEED COUNT"""

import json
import pathlib
import random
import subprocess
import sys

MESHSIM = sys.argv[1]
DESIGNS = [("n300", "completion: table", "runtime.command_cache: [true, false]"),
           ("n300", "", "runtime.completion: [table, per-device]"),
           ("n300", "completion: table", "runtime.host.threads: [main, per-device]"),
           ("n300", "", "runtime.kernel_cache: [true, false]"),
           ("t3k", "", "runtime.forward.path: [unicast, broadcast]")]

wrong = []


# ---- workloads: a step is a text, a loop is a pair of a number and a list ----

def program(rng, names):
    names.append(f"p{len(names)}")
    return (f"enqueue_workload: {{program: {names[-1]}, cores: {rng.choice([1, 8])}, "
            f"kernel_bytes: {rng.choice([1024, 4096, 16384])}, runtime_args: {rng.choice([1, 30])}, "
            f"run_ns: {rng.choice(['1us', '5us', '30us'])}}}")


def copies(rng, names):
    names.append(f"b{len(names)}")
    both = [f"write_buffer: {{buffer: {names[-1]}, bytes: {rng.choice([2048, 65536])}}}",
            f"read_buffer: {{buffer: {names[-1]}}}"]
    return both[:rng.choice([1, 2])]


def body(rng, names, depth):
    """The first step of a body is a program of its own, so it is clear where a loop begins."""
    steps = [program(rng, names)]
    for _ in range(rng.choice([0, 1, 1, 2])):
        kind = rng.random()
        if kind < 0.35 and depth < 2:
            steps.append((rng.randrange(2, 4), body(rng, names, depth + 1)))
        elif kind < 0.5:
            steps += copies(rng, names)
        elif kind < 0.7:
            steps.append("finish")
        else:
            steps.append(program(rng, names))
    return steps + ["finish"] * (rng.random() < 0.5)


def workload(rng):
    names, loops = [], []
    for _ in range(rng.choice([1, 1, 2])):
        loops += [(rng.randrange(3, 7), body(rng, names, 0))] + ["finish"] * (rng.random() < 0.7)
    return loops + ["finish"]


def written(steps, rng, indent="  "):
    """The lines of the steps. With `rng` loops are written out, most of them."""
    lines = []
    for step in steps:
        if isinstance(step, str):
            lines.append(f"{indent}- {step}")
        elif rng and rng.random() < 0.8:
            lines += step[0] * written(step[1], random.Random(rng.random()), indent)
        else:
            inside = written(step[1], rng, indent + "    ")
            lines += [f"{indent}- repeat: {step[0]}", f"{indent}  do:"] + inside
    return lines


def write(name, design, lines, more):
    platform, runtime, sweep = design
    head = ["meshsim: 1", f"name: {name}", f"platform: {platform}", f"runtime: {{{runtime}}}",
            "workload:"]
    pathlib.Path(f"{name}.yaml").write_text("\n".join(
        head + lines + [f"sweep: {{{sweep}}}", *more]) + "\n")


def answer(name):
    """All that compare says of the file, or the reason why it has no verdict."""
    subprocess.run([MESHSIM, "run", f"{name}.yaml", "-o", f"{name}.h5"], check=True,
                   capture_output=True)
    done = subprocess.run([MESHSIM, "compare", f"{name}.h5", "--json"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        return done.stderr.replace(name, "NAME")
    said = json.loads(done.stdout.replace(f"{name}.h5", "NAME.h5"))
    return {"questions": said["questions"], "points": said["points"]}


def differences(seen, expected, path=""):
    """The places at which two answers differ, with both values."""
    if isinstance(seen, dict) and isinstance(expected, dict):
        for key in sorted(seen.keys() | expected.keys()):
            yield from differences(seen.get(key), expected.get(key), f"{path}.{key}")
    elif isinstance(seen, list) and isinstance(expected, list) and len(seen) == len(expected):
        for i, pair in enumerate(zip(seen, expected)):
            yield from differences(*pair, f"{path}[{i}]")
    elif seen != expected:
        yield f"{path}: unrolled {seen!r}, repeated {expected!r}"


def one(seed):
    rng = random.Random(seed)
    design, steps = rng.choice(DESIGNS), workload(rng)
    more = [f"measure: {{warmup: {rng.choice([0, 0, 1, 2])}}}",
            rng.choice(["model: {noise: off}", "seed: 7"])]
    repeated = written(steps, None)
    # A loop of the outermost level at least is written out.
    unrolled = repeated
    while unrolled == repeated:
        unrolled = written(steps, random.Random(rng.random()))
    write("repeated", design, repeated, more)
    write("unrolled", design, unrolled, more)
    expected, seen = answer("repeated"), answer("unrolled")
    found = list(differences(seen, expected))
    if found:
        wrong.append(seed)
        print(f"FAILED: seed {seed}:", *found[:8], sep="\n  ")
        print(*repeated, *more, design, "unrolled:", *unrolled, sep="\n")
    return expected


def main():
    first, count = int(sys.argv[2]), int(sys.argv[3])
    outcomes = {}
    for seed in range(first, first + count):
        said = one(seed)
        for question in said["questions"] if isinstance(said, dict) else [{"outcome": "none"}]:
            outcomes[question["outcome"]] = outcomes.get(question["outcome"], 0) + 1
    print(f"{count} workloads, {len(wrong)} differ; outcomes: {outcomes}")


main()
sys.exit(len(wrong) > 0)
