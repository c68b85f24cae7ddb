#!/usr/bin/env python3
"""Adds unrelated steps to random scenarios, and expects the verdict on the other step to stay. Also
compares the effect of constants on a margin, as `rests on` says it, with reruns. Usage:
apart_steps.py MESHSIM property SEED COUNT | flip | once | preload | rests"""

import json
import pathlib
import random
import subprocess
import sys

MESHSIM = sys.argv[1]
# Steps that have nothing to do with the others: the first spends its time on building and copying
# commands, the second on the chips.
FAT = "enqueue_workload: {program: fat, cores: all, kernel_bytes: 65536, runtime_args: 200, run_ns: 1us}"
LONG = "enqueue_workload: {program: long, cores: 8, kernel_bytes: 2048, runtime_args: 1, run_ns: 2ms}"
DESIGNS = [("n300", "completion: table", "runtime.command_cache: [true, false]"),
           ("n300", "", "runtime.completion: [table, per-device]"),
           ("n300", "completion: table", "runtime.host.threads: [main, per-device]"),
           ("galaxy", "", "runtime.forward.path: [unicast, broadcast]")]
# At least this part of a margin is moved by a constant that `rests on` names.
LEAST = 0.03
SETUP = "firmware.worker_launch"
SETUP_CYCLES = 601

wrong = []


def program(name, kernel_bytes, arguments, run):
    return (f"enqueue_workload: {{program: {name}, cores: 8, kernel_bytes: {kernel_bytes}, "
            f"runtime_args: {arguments}, run_ns: {run}}}")


def loop(step, waited=True):
    """Returns a repeat of the step; the host waits for each operation, or for all at the end."""
    inner = ["  - repeat: 30", "    do:", f"      - {step}"]
    return inner + (["      - finish"] if waited else ["  - finish"])


def write(name, design, loops):
    """Host CPU is of the whole run, so it is no objective here."""
    platform, runtime, sweep = design
    lines = ["meshsim: 1", f"name: {name}", f"platform: {platform}", f"runtime: {{{runtime}}}",
             "workload:"] + [line for lines in loops for line in lines]
    lines += [f"sweep: {{{sweep}}}", "model: {noise: off}",
              "measure: {warmup: 2, objective: [p99, mean, throughput, makespan]}"]
    pathlib.Path(f"{name}.yaml").write_text("\n".join(lines) + "\n")


def run(name, result, *options):
    subprocess.run([MESHSIM, "run", f"{name}.yaml", "-o", result, *options], check=True,
                   capture_output=True)


def question(result, subject):
    """Returns the question about a step, or that about all of its kind if there is no such step."""
    out = subprocess.run([MESHSIM, "compare", result, "--json"], check=True, capture_output=True)
    questions = json.loads(out.stdout)["questions"]
    return next((q for q in questions if q["subject"] == f"enqueue_workload/{subject}"),
                questions[0])


def values(asked):
    return {place["option"]: place["value"] for place in asked["contexts"][0]["ranking"]}


def verdict(asked):
    """What a verdict says: texts that stay the same, and numbers that other steps shift a little,
    since a loop starts sooner or later after the one before it."""
    best, *others = values(asked).values()
    doubt = asked["model_error"]
    sides = asked["sides"] if asked["outcome"] != "undecided" else []
    texts = (asked["outcome"], asked["winner"], sorted(side["figure"] for side in sides),
             doubt and doubt["family"])
    numbers = {"margin": others[0] / best - 1, "model error": doubt["most"] if doubt else 0}
    numbers |= {r["constant"]: r["effect"] for r in asked["rests_on"]}
    return texts, numbers


def near(numbers, others):
    """True if the numbers are about the same. Constants with little effect are not listed."""
    return all(abs(max(numbers.get(key, 0), LEAST) - max(others.get(key, 0), LEAST)) <=
               0.02 + 0.1 * numbers.get(key, 0) for key in numbers | others)


def expect(what, seen, expected):
    if seen != expected:
        wrong.append(what)
        print(f"FAILED: {what}: {seen}, not {expected}")


# ---- the verdict stays ----

def copies(rng):
    """Writes a buffer, and reads it or not."""
    size = rng.choice([2048, 65536])
    both = [f"write_buffer: {{buffer: beside{size}, bytes: {size}}}",
            f"read_buffer: {{buffer: beside{size}, blocking: true}}"]
    return both[:rng.choice([1, 2])]


def unrelated(rng, behind):
    """Returns steps that have nothing to do with the step that is asked about: a loop, a step that
    runs once, copies, or only a finish. A step before the other one is waited for."""
    step = rng.choice([FAT, LONG, program("other", 4096, 32, "5us")])
    kind = rng.choice(["loop", "loop", "once", "copies", "loop of copies", "finish"])
    if kind == "loop":
        return loop(step, rng.random() < 0.7)
    if kind == "loop of copies":
        return ["  - repeat: 10", "    do:"] + [f"      - {copy}" for copy in copies(rng)] + [
            "      - finish"]
    lines = {"once": [step], "copies": copies(rng), "finish": []}[kind]
    ends = [] if behind and rng.random() < 0.5 and lines else ["finish"]
    return [f"  - {line}" for line in lines + ends]


def one(number, rng):
    design = rng.choice(DESIGNS)
    step = program("asked", rng.choice([2048, 8192, 40000]), rng.choice([1, 16, 64]),
                   rng.choice(["1us", "20us", "100us"]))
    asked = loop(step, rng.random() < 0.7)
    place = rng.choice(["before", "behind", "both"])
    loops = [unrelated(rng, False)] if place != "behind" else []
    loops += [asked]
    loops += [unrelated(rng, True)] if place != "before" else []
    write("alone", design, [asked])
    write("beside", design, loops)
    run("alone", "alone.h5")
    run("beside", "beside.h5")
    alone, beside = (verdict(question(f"{name}.h5", "asked")) for name in ("alone", "beside"))
    expect(f"scenario {number}", beside[0], alone[0])
    expect(f"scenario {number}: {beside[1]} is like {alone[1]}", near(beside[1], alone[1]), True)
    if alone[0] != beside[0] or not near(beside[1], alone[1]):
        print(pathlib.Path("beside.yaml").read_text())


def check_property(seed, count):
    for number in range(count):
        one(number, random.Random(seed * 1000 + number))
    print(f"{count} scenarios, {len(wrong)} failures")


# ---- a step without figures ----

def check_once():
    """A step that runs once and is never waited for has no figures, and takes no verdict away."""
    asked = loop(program("asked", 8192, 16, "20us"))
    once = [f"  - {program('once', 4096, 16, '5us')}"]
    found = {}
    for name, loops in ("alone", [asked]), ("beside", [asked, once]):
        write(name, DESIGNS[0], loops)
        run(name, f"{name}.h5")
        found[name] = verdict(question(f"{name}.h5", "asked"))
    expect("the verdict beside a step without figures", found["beside"], found["alone"])
    run("beside", "again.h5")
    done = subprocess.run([MESHSIM, "compare", "beside.h5", "again.h5"], capture_output=True)
    expect(f"two files: {done.stderr}", done.returncode, 0)
    done = subprocess.run([MESHSIM, "compare", "beside.h5", "--step", "once"], capture_output=True)
    expect("a question about it alone", done.returncode, 2)


# ---- steps of which one alone has another verdict than with the sums of both ----

def check_flip():
    """The model's error explains the margin of the step. The time of a long step beside it makes
    this error small, if it is counted as time of the first."""
    design = DESIGNS[3]
    step = loop(program("asked", 2048, 16, "20us"))
    for name, loops in ("alone", [step]), ("beside", [step, loop(LONG)]):
        write(name, design, loops)
        run(name, f"{name}.h5")
        asked = question(f"{name}.h5", "asked")
        expect(f"{name}: the outcome", asked["outcome"], "undecided")
        expect(f"{name}: a model error", asked["model_error"] is not None, True)


# ---- the effect of constants ----

def margin(asked, first, second):
    value = values(asked)
    return value[second] / value[first] - 1


def effect(name, subject, order, nominal, constant, value):
    """By which share the margin changes if a constant does by 30 %, as reruns at 3 % say: at 30 %
    another part of the work, which overlaps with it, may decide the time."""
    most = 0
    for factor in 0.97, 1.03:
        run(name, "rerun.h5", "--set", f"platform.{constant}.value={value * factor:.9g}")
        moved = margin(question("rerun.h5", subject), *order)
        most = max(most, 10 * abs(moved - nominal) / nominal)
    return most


def check_rests():
    """The constants on which the margins of two unrelated steps rest, against reruns."""
    for design in DESIGNS[:2]:
        write("both", design, [loop(program("asked", 4096, 16, "1us")), loop(FAT)])
        run("both", "both.h5")
        rests = {}
        for subject in "asked", "fat":
            asked = question("both.h5", subject)
            rests[subject] = {r["constant"]: r for r in asked["rests_on"]}
        constants = {c: r["value"] for of in rests.values() for c, r in of.items()}
        asked = question("both.h5", "asked")
        order = list(values(asked))
        for constant, value in constants.items():
            said = rests["asked"].get(constant, {"effect": 0})["effect"]
            real = effect("both", "asked", order, margin(asked, *order), constant, value)
            good = abs(said - real) <= max(LEAST, 0.1 * real)
            expect(f"{design[2]}: {constant} moves the margin by", (said, real, good),
                   (said, real, True))


def check_preload():
    """A core sets up its launch before the go. The kernels wait for the whole set-up or for none
    of it, so the margin of two times of kernels rests on it, and that of preloading does not."""
    for sweep in ("workload.0.do.0.enqueue_workload.run_ns: [3000, 3600]",
                  "runtime.launch_preload: [true, false]"):
        write("preload", ("n300", "", sweep), [loop(program("asked", 256, 1, "20us"), False)])
        run("preload", "preload.h5", "--set", f"platform.{SETUP}.value={SETUP_CYCLES}")
        asked = question("preload.h5", "asked")
        rests = {r["constant"]: r for r in asked["rests_on"]}
        order = list(values(asked))
        said = rests.get(SETUP, {"effect": 0})["effect"]
        real = effect("preload", "asked", order, margin(asked, *order), SETUP,
                      SETUP_CYCLES)
        expect(f"{sweep}: {SETUP} moves the margin by", (said, real, abs(said - real) < 0.012),
               (said, real, True))


if sys.argv[2] == "property":
    check_property(int(sys.argv[3]), int(sys.argv[4]))
elif sys.argv[2] == "flip":
    check_flip()
elif sys.argv[2] == "once":
    check_once()
elif sys.argv[2] == "preload":
    check_preload()
else:
    check_rests()
sys.exit(len(wrong) > 0)
