"""How often the 95 % intervals of real runs hold the truth.

    python3 bench/coverage.py MESHSIM [GROUPS] [OPERATIONS]

Two designs of one chip that differ by noise, too, are run with six seeds, GROUPS times (default 40),
and with all those seeds at once, which is taken for the truth. Prints for each figure the truth and in
how many groups the interval held it, or that there are too few operations for one. Medians, means
and host CPU are held in 92 to 95 of 100, p99 in more, since its interval is at least that of its operations,
the slowest in about 90: a rare long wait, which six seeds may lack, moves it. Judges nothing; tests/laws/verdict/test_verdict_planted.sh judges such intervals.
"""

import json
import os
import subprocess
import sys
import tempfile

SEEDS = 6
FIGURES = ("completion", "completion.p99", "completion.mean", "completion.max", "host_cpu")
SCENARIO = """meshsim: 1
name: coverage
platform: n150
workload:
  - repeat: %d
    do:
      - enqueue_workload: {program: p, cores: 8, run_ns: 2000}
      - finish
sweep: {runtime.host.caller_wait: [spin, park]}
measure: {warmup: 2, seeds: %d}
"""


def output(*words):
    """Standard output of a command, or an end of this program with its message."""
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit("%s: %s" % (" ".join(words), run.stderr))
    return run.stdout


def ranking(meshsim, file, metric):
    """The better design in a figure, and the next with its margin."""
    answer = json.loads(output(meshsim, "compare", file, "--metric", metric, "--json"))
    return answer["questions"][0]["contexts"][0]["ranking"]


def main():
    meshsim = os.path.abspath(sys.argv[1])
    groups = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    operations = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    with tempfile.TemporaryDirectory() as folder:
        scenario = os.path.join(folder, "coverage.yaml")
        with open(scenario, "w", encoding="utf-8") as file:
            file.write(SCENARIO % (operations, SEEDS))
        whole = os.path.join(folder, "all.h5")
        output(meshsim, "run", scenario, "-o", whole, "--set",
               "measure.seeds=%d" % (SEEDS * groups))
        parts = [os.path.join(folder, "%d.h5" % g) for g in range(groups)]
        for group, part in enumerate(parts):
            output(meshsim, "run", scenario, "-o", part, "--set",
                   "seed=%d" % (1 + SEEDS * group))
        for metric in FIGURES:
            best, other = ranking(meshsim, whole, metric)
            held = few = 0
            for part in parts:
                first, second = ranking(meshsim, part, metric)
                few += second["few"]
                low, high = second["low"], second["high"]
                if first["option"] != best["option"]:
                    low, high = 1 / (1 + high) - 1, 1 / (1 + low) - 1
                held += low <= other["margin"] <= high
            seen = "held %d of %d" % (held, groups)
            print("%-16s truth %6.2f %%  %s" %
                  (metric, 100 * other["margin"], "too few operations" if few else seen))


main()
