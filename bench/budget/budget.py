"""The budget of instructions and memory: what fixed scenarios may cost, and what they cost now.

    python3 bench/budget/budget.py MESHSIM                  prints what they cost beside the budget
    python3 bench/budget/budget.py MESHSIM --check          ends with 1 if any costs 1 % more, or 5 % less
    python3 bench/budget/budget.py MESHSIM --update         writes the budget; the commit says why
    python3 bench/budget/budget.py MESHSIM --only NAME...   these alone; --all: also the long ones

The budget is budget.yaml beside this file. valgrind counts, and the C library is asked to choose its functions
as on a plain x86-64: so the same program gives the same count on any machine, whatever else runs there. A case
counts all processes of a command; one with two lengths counts what one more step of its loop takes. Memory is
the peak of the largest process, of a run without valgrind.
"""

import argparse
import concurrent.futures
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import yaml

BUDGET = pathlib.Path(__file__).with_name("budget.yaml")
MORE, LESS = 0.01, 0.05  # of instructions
MORE_MEMORY, LESS_MEMORY = 0.03, 0.10
# glibc copies and compares by the CPU's features and caches. With `rep movsb` (ERMS) valgrind counts an
# instruction for each byte: 2.5 % of a case, on some machines only.
PLAIN_CPU = ("glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-BMI2,-ERMS,-FMA,-FMA4,-FSRM,-LZCNT,-MOVBE,-RTM:"
             "glibc.cpu.x86_non_temporal_threshold=0xc0000")

BROADCAST = "forward: {path: broadcast, initiators: 4}, completion: table, command_queues: 1"
WORKLOAD = "enqueue_workload: {program: p, cores: all, kernel_bytes: 8192, runtime_args: 32, run_ns: 20000}"


class Case(NamedTuple):
    """A scenario whose %d is the length of a loop or of a sweep; without a text a command."""

    text: str = ""
    lengths: tuple = ()  # none: the whole command is counted
    words: tuple = ()
    long: bool = False


def workloads(platform, runtime, model="cores: each", body=None, lengths=(2, 6), before="", long=False):
    """Workloads one after the other, with a finish each."""
    body = body or [WORKLOAD, "finish"]
    return Case(
        "meshsim: 1\nname: budget\nplatform: %s\nseed: 1\nruntime: {%s}\nworkload:\n%s  - repeat: %%d\n    do:\n%s"
        "model: {%s}\nmeasure: {warmup: 0}\n"
        % (platform, runtime, before, "".join("      - %s\n" % step for step in body), model), lengths, (), long)


SWEEP = """meshsim: 1
name: budget
platform: n300
runtime: {command_queues: 1}
workload:
  - enqueue_workload: {program: p, cores: all, run_ns: 1000}
  - finish
seeds: %d
"""
BUFFER = "  - write_buffer: {buffer: %s, bytes: 32768, page_bytes: 2048}\n"

CASES = {
    "each": workloads("tgg", BROADCAST),
    "chip": workloads("tgg", BROADCAST, "cores: chip", lengths=(4, 12)),
    "unicast": workloads("tgg", "forward: {path: unicast}, completion: table", long=True),
    "per-device": workloads("tgg", "forward: {path: broadcast, initiators: 4}, completion: per-device", long=True),
    "traced": workloads("tgg", BROADCAST, body=["trace: 4\n        do: [{%s}]" % WORKLOAD, "finish"], lengths=(1, 3),
                        long=True),
    "hosts": workloads("galaxy-x2", "distributed: {transport: tcp, codec: packed}", lengths=(4, 12)),
    "values": workloads(
        "n150", "completion: table", body=[
            "enqueue_workload: {library: matmul_grid, element: bf16, tiles: [4, 4, 4], cores: [2, 2],\n"
            "          buffers: {left: a, right: b, to: c}}", "finish"],
        before="".join(BUFFER % name for name in "abc"), lengths=(2, 6)),
    "thousand": workloads("mesh-32x32", BROADCAST, lengths=(1, 3), long=True),
    "start": Case(words=("--version",)),
    "start-each": workloads("tgg", BROADCAST, lengths=(1,)),
    "start-chip": workloads("tgg", BROADCAST, "cores: chip", lengths=(1,), long=True),
    "point": Case(SWEEP, (2, 6)),
}


def filled(case, length):
    """The text of a scenario of this length; that of a sweep says its seeds."""
    if "seeds: %d" in case.text:
        return case.text.replace("%d", str(list(range(1, length + 1))))
    return case.text % length


def command(meshsim, case, length, folder):
    """The words of a case's command; its scenario is in the folder."""
    if not case.text:
        return [meshsim, *case.words]
    path = os.path.join(folder, "budget.yaml")
    pathlib.Path(path).write_text(filled(case, length), encoding="utf-8")
    return [meshsim, "run", path, "-o", os.path.join(folder, "budget.h5"), "-j", "1"]


def ran(words, folder):
    """Runs a command; its failure ends this program."""
    environment = dict(os.environ, GLIBC_TUNABLES=PLAIN_CPU)
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("%s\nended with %d: %s%s" % (" ".join(words), done.returncode, done.stdout, done.stderr))


def counted(meshsim, case, length):
    """Instructions of all processes of a command. A child inherits its parent's count: it is emptied
    before each fork."""
    with tempfile.TemporaryDirectory(prefix="meshsim-budget-") as folder:
        ran(["valgrind", "--tool=callgrind", "--trace-children=yes", "--dump-before=__run_prefork_handlers",
             "--callgrind-out-file=%s/count.%%p" % folder, *command(meshsim, case, length, folder)], folder)
        return sum(int(re.search(r"^totals: (\d+)", pathlib.Path(path).read_text(errors="replace"), re.M)[1])
                   for path in glob.glob(folder + "/count.*"))


def instructions(meshsim, case):
    """Of the whole command, or of one more step of its loop."""
    if len(case.lengths) < 2:
        return counted(meshsim, case, *(case.lengths or (0,)))
    few, many = case.lengths
    return (counted(meshsim, case, many) - counted(meshsim, case, few)) // (many - few)


def memory(meshsim, case):
    """Peak of the largest process, KiB."""
    with tempfile.TemporaryDirectory(prefix="meshsim-budget-") as folder:
        words = command(meshsim, case, max(case.lengths or (0,)), folder)
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit("%s\nended with status %d" % (" ".join(words), status))
        return usage.ru_maxrss


def measured(meshsim, name):
    case = CASES[name]
    now = {"instructions": instructions(meshsim, case)}
    if case.text:  # what the interpreter has before it starts a command is more than --version takes
        now["peak_kib"] = memory(meshsim, case)
    return now


def judged(budget, now):
    """What is wrong with a case; nothing if it is as the budget says."""
    for key, more, less in (("instructions", MORE, LESS), ("peak_kib", MORE_MEMORY, LESS_MEMORY)):
        if key not in now:
            continue
        change = now[key] / budget[key] - 1
        if change > more:
            return "%s: %+.1f %%: too dear" % (key, 100 * change)
        if change < -less:
            return "%s: %+.1f %%: cheaper; take the new figure" % (key, 100 * change)
    return ""


def written(figures):
    """The budget as a file."""
    lines = ["# What fixed scenarios may cost: instructions of one more step of their loop, or of the whole command",
             "# (start*), and the peak of memory. Written by bench/budget/budget.py MESHSIM --update, with the Release",
             "# build; the commit that changes a figure says why.", ""]
    for name, figure in figures.items():
        lines.append("%s: {%s}" % (name, ", ".join("%s: %d" % pair for pair in figure.items())))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshsim")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=list(CASES), default=[])
    options = parser.parse_args()
    meshsim = os.path.abspath(options.meshsim)
    budget = yaml.safe_load(BUDGET.read_text(encoding="utf-8")) if BUDGET.exists() else {}
    names = options.only or [name for name, case in CASES.items() if options.all or not case.long]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, now in zip(names, pool.map(lambda name: measured(meshsim, name), names)):
            old = budget.get(name)
            said = "not in the budget" if old is None else judged(old, now)
            bad += said != ""
            print("%-12s %12d instructions %8s KiB  %s"
                  % (name, now["instructions"], now.get("peak_kib", "-"), said), flush=True)
            if options.update:
                budget[name] = now
    if options.update:
        BUDGET.write_text(written({name: budget[name] for name in CASES if name in budget}), encoding="utf-8")
    elif options.check and bad:
        sys.exit("%d of %d cases leave the budget; meant? bench/budget/budget.py MESHSIM --update, and say why in the "
                 "commit" % (bad, len(names)))


if __name__ == "__main__":
    main()
