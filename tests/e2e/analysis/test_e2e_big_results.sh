# Results of many runs and of many operations: the memory of show, compare and report is that of the
# largest run, and their time is a small part of that of the runs.
# label: slow  timeout: 600  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python=/usr/bin/python3
[ -x "$python" ] || skip 'no python3'
cat >big.py <<'END'
"""Makes results of 800 runs and of 200,000 operations, and measures what reads them."""
import os, subprocess, sys

SCENARIO = """meshsim: 1
name: big
platform: n150
runtime: {command_queues: 1}
workload:
  - repeat: %d
    do:
      - enqueue_workload: {program: p, cores: [1, 1], run_ns: 1000}
      - finish
measure: {warmup: 0}
seeds: %s
sweep:
  runtime.completion: %s
"""
failed = False


def measured(*words):
    """CPU seconds, and MiB at most."""
    with open("out", "wb") as out:
        child = subprocess.Popen([sys.argv[1], *words], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit("%s ended with %d" % (" ".join(words), status))
    return usage.ru_utime, usage.ru_maxrss / 1024


def made(name, repeat, seeds, completions):
    with open(name + ".yaml", "w") as file:
        file.write(SCENARIO % (repeat, list(range(1, seeds + 1)), completions))
    return measured("run", name + ".yaml", "-o", name + ".h5")[0]


def expect(what, seen, most):
    global failed
    print("%s: %.2f, at most %.2f" % (what, seen, most))
    failed |= seen > most


COMMANDS = ((4, "show"), (8, "compare"), (4, "report", "-o", "page.html"))
BOTH = "[table, per-device]"
runs = made("runs", 1, 400, BOTH)
few = made("few", 1, 4, BOTH)
made("one", 12500, 1, BOTH)
made("four", 12500, 4, BOTH)
for part, command, *rest in COMMANDS:
    seconds, mib = measured(command, "runs.h5", *rest)
    _, less = measured(command, "few.h5", *rest)
    expect("800 runs: %s, seconds of CPU" % command, seconds, runs / part)
    expect("800 runs: %s, KiB a run" % command, (mib - less) * 1024 / 800, 48)
    _, one = measured(command, "one.h5", *rest)
    _, four = measured(command, "four.h5", *rest)
    expect("200,000 operations: %s, MiB" % command, four, 1.5 * one + 8)
sys.exit(failed)
END
"$python" big.py "$binary" || fail 'time and memory of large results'
[ "$failures" -eq 0 ]
