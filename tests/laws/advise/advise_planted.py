"""Plants workloads in which a change gains, ties or loses, and asks `meshsim advise` about it.

Usage: advise_planted.py MESHSIM. The truth is not taken from the judge: both designs are written by hand
and run with two numbers of iterations, and the time of an iteration is the difference. Prints what is
wrong, and ends with 1 then.
"""
import json
import subprocess
import sys

MESHSIM = sys.argv[1]
FEW, MANY = 6, 14

INPUT = "      - write_buffer: {buffer: input, bytes: 1024, page_bytes: 1024}\n"
OUTPUT = "      - read_buffer: {buffer: output, blocking: true}\n"
LAUNCH = "enqueue_workload: {program: work, kernel_bytes: 4096, run_ns: %d}"

# name: platform, shape of the mesh, launches of an iteration, time of each kernel in ns
WORKLOADS = {
    "many-small": ("t3k", "[2, 4]", 40, 1000),
    "many-long": ("t3k", "[2, 4]", 40, 200000),
    "one-small": ("n150", "[1, 1]", 1, 1000),
    "few-small": ("n300", "[1, 2]", 4, 2000),
}

# Model binaries. name: platform, shape of the mesh, layers of two operations, elements of each operation's matrix
MODELS = {
    "model-small": ("t3k", "[2, 4]", 20, "[32, 32]"),
    "model-long": ("t3k", "[2, 4]", 20, "[8192, 8192]"),
    "model-one": ("n150", "[1, 1]", 1, "[32, 32]"),
}

# how a change of a run_model step is written by hand: its keys
MODEL_KEYS = {
    "trace": "trace: true",
    "queues": "queues: 2",
    "ahead": "window: 2",
}

# of today's design: the least and the most share of the time for a cause, and of all idle time
IDLE = [
    ("many-small", "host", 0.6, 0.85),
    ("many-long", "host", 0, 0.01),
    ("many-long", "all", 0, 0.01),
    ("many-small", "all", 0.7, 0.8),  # of each 4.1 us, 1 us is the kernel's
    ("one-small", "all", 0.9, 0.95),  # of 12.5 us
]

# workload, change as advise calls it, how it is written by hand, outcome
PLANTED = [
    ("many-small", "trace", "trace", "gains"),
    ("many-long", "trace", "trace", "equal"),
    ("one-small", "trace", "trace", "loses"),
    ("many-small", "two queues", "queues", "loses"),
    ("many-long", "two queues", "queues", "equal"),
    ("one-small", "two queues", "queues", "loses"),
    ("many-small", "threads pool", "runtime.host.threads=pool", "loses"),
    ("many-small", "threads per-device", "runtime.host.threads=per-device", "loses"),
    ("many-long", "threads per-device", "runtime.host.threads=per-device", "equal"),
    ("few-small", "threads pool", "runtime.host.threads=pool", "loses"),
    ("many-small", "path broadcast", "runtime.forward.path=broadcast", "gains"),
    ("many-long", "path broadcast", "runtime.forward.path=broadcast", "equal"),
    ("one-small", "path broadcast", "runtime.forward.path=broadcast", "loses"),
    ("many-small", "command_cache false", "runtime.command_cache=false", "loses"),
    ("many-long", "command_cache false", "runtime.command_cache=false", "equal"),
    ("many-long", "completion per-device", "runtime.completion=per-device", "equal"),
    ("model-small", "trace", "trace", "gains"),
    ("model-long", "trace", "trace", "equal"),
    ("model-one", "trace", "trace", "equal"),
    ("model-small", "two queues", "queues", "loses"),
    ("model-long", "two queues", "queues", "equal"),
    ("model-one", "two queues", "queues", "loses"),
    ("model-small", "submit ahead", "ahead", "gains"),
    ("model-small", "threads per-device", "runtime.host.threads=per-device", "loses"),
    ("model-small", "path broadcast", "runtime.forward.path=broadcast", "gains"),
    ("model-long", "path broadcast", "runtime.forward.path=broadcast", "equal"),
    ("model-one", "path broadcast", "runtime.forward.path=broadcast", "loses"),
    ("model-small", "command_cache false", "runtime.command_cache=false", "loses"),
    ("model-small", "completion aggregator", "runtime.completion=aggregator", "loses"),
]


def scenario(name, rounds, form=""):
    """The text of a workload, as a trace or with two queues if `form` says so."""
    platform, shape, launches, run_ns = WORKLOADS[name]
    programs = "      - %s: %d\n        do:\n          - %s\n" % (
        "trace" if form == "trace" else "repeat", launches, LAUNCH % run_ns)
    queues = before = ""
    text = INPUT + programs + OUTPUT
    if form == "queues":
        queues = ", command_queues: 2"
        before = "  - record_event: {event: free}\n"
        text = ("      - wait_event: {event: free, queue: 1}\n" + INPUT.replace("}", ", queue: 1}") +
                "      - record_event: {event: there, queue: 1}\n      - wait_event: {event: there}\n" + programs +
                "      - record_event: {event: free}\n" + OUTPUT)
    return ("meshsim: 1\nname: planted\nplatform: %s\nmodel: {noise: none}\nruntime: {mesh: {shape: %s}%s}\n"
            "workload:\n  - write_buffer: {buffer: output, bytes: 128, page_bytes: 128}\n%s  - repeat: %d\n    do:\n%s"
            % (platform, shape, queues, before, rounds, text))


def model(name):
    """Builds the binary of a model."""
    platform, shape, layers, matrix = MODELS[name]
    operation = "  - elementwise: {name: %s, shape: %s, functions: [add], inputs: 2}\n"
    with open("model.yaml", "w") as out:
        out.write("meshsim_model: 1\nname: planted\ndescription: planted\nsource: none\nplatform: %s\n"
                  "placement: {tensor: %s}\nlayer:\n%s%slayers: %d\ninput: 1024\noutput: 128\n"
                  % (platform, shape, operation % ("a", matrix), operation % ("b", matrix), layers))
    run("model", "build", "model.yaml", "-o", name + ".bin")


def model_scenario(name, rounds, how=""):
    platform, shape, _, _ = MODELS[name]
    keys = ", " + MODEL_KEYS[how] if how else ""
    return ("meshsim: 1\nname: planted\nplatform: %s\nmodel: {noise: none}\n"
            "runtime: {mesh: {shape: %s}%s}\nworkload: [{run_model: {binary: %s.bin, times: %d%s}}]\n"
            % (platform, shape, ", command_queues: 2" if how == "queues" else "", name, rounds, keys))


def run(*arguments):
    done = subprocess.run([MESHSIM, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return done.stdout


def whole_time(name, rounds, how):
    is_key = "=" in how
    with open("run.yaml", "w") as out:
        form = "" if is_key else how
        out.write(model_scenario(name, rounds, form) if name in MODELS else scenario(name, rounds, form))
    shown = json.loads(run("run", "run.yaml", "-o", "run.h5", "--json", *(["--set", how] if is_key else [])))
    return shown["runs"][0]["simulated"]


def iteration(name, how, known={}):
    key = (name, how)
    if key not in known:
        known[key] = (whole_time(name, MANY, how) - whole_time(name, FEW, how)) / (MANY - FEW)
    return known[key]


def advise(name):
    with open("asked.yaml", "w") as out:
        out.write(model_scenario(name, 3) if name in MODELS else scenario(name, 3))
    return json.loads(run("advise", "asked.yaml", "--json"))


def main():
    wrong = 0
    for name in MODELS:
        model(name)
    answers = {name: advise(name) for name in [*WORKLOADS, *MODELS]}
    asked = {name: {change["change"]: change for change in answer["changes"]} for name, answer in answers.items()}
    for name, cause, least, most in IDLE:
        idle = answers[name]["idle"]
        seen = sum(idle[c] for c in ("host", "dispatch", "wait", "transfer")) if cause == "all" else idle[cause]
        print("%s: idle, %s: %.3f" % (name, cause, seen))
        if not least <= seen <= most:
            print("  WRONG: expected from %g to %g" % (least, most))
            wrong += 1
    # pairs are tried unless the devices are busy for more than 99 % of the time
    for name, is_tried in (("many-small", True), ("many-long", False)):
        print("%s: pair %s" % (name, answers[name]["pair"] and answers[name]["pair"]["change"]))
        if (answers[name]["pair"] is not None) != is_tried:
            print("  WRONG: expected %s" % ("one" if is_tried else "none"))
            wrong += 1
    for name, change, how, outcome in PLANTED:
        seen = asked[name].get(change)
        if not seen or seen["refused"]:
            print("%s, %s: not tried: %s" % (name, change, seen))
            wrong += 1
            continue
        verdict = seen["verdict"]
        truth = iteration(name, "") / iteration(name, how) - 1
        print("%s, %s: %s, gain %.4f, by hand %.4f" % (name, change, verdict["outcome"], verdict["gain"], truth))
        if verdict["outcome"] != outcome or abs(verdict["gain"] - truth) > 0.005 + 0.03 * abs(truth):
            print("  WRONG: planted to be '%s'" % outcome)
            wrong += 1
    return 1 if wrong else 0


sys.exit(main())
