"""The table of docs/speed.md: what a workload costs here, beside raw SimGrid and other simulators.

    python3 bench/speed.py BUILD            prints it
    python3 bench/speed.py BUILD --write    writes it into docs/speed.md, with the budget of the program that was measured
    python3 bench/speed.py --check          says if the budget has moved since, and ends with 1 if it has

BUILD is the folder of a Release build. All rows come from one run, one after the other, on a quiet machine. SimPy is a
peer if python3 can import it (Debian: python3-simpy3). LogGOPSim is not in Debian, and is not measured.
"""

import datetime
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "speed.md")
BUDGET = os.path.join(ROOT, "bench", "budget", "budget.yaml")
BEGIN, END = "<!-- speed: begin -->\n", "<!-- speed: end -->\n"
CASES = ("each", "chip", "thousand")  # of the budget, which the table shows
MOVED = 0.03  # a budget that moved by more makes the table old
SIMPY_MESSAGES = 200000


def budget():
    """Instructions of the cases that the table shows."""
    with open(BUDGET, encoding="utf-8") as lines:
        text = lines.read()
    return {case: int(re.search(rf"^{case}: {{instructions: (\d+)", text, re.M).group(1)) for case in CASES}


def simpy_rate():
    """Messages per CPU second of SimPy: 64 receivers take messages that arrive after a latency. None without SimPy."""
    try:
        import simpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    world = simpy.Environment()
    boxes = [simpy.Store(world) for _ in range(64)]

    def receive(box, count):
        for _ in range(count):
            yield box.get()

    def send(box, count):
        for _ in range(count):
            yield world.timeout(1)
            yield box.put(None)

    each = SIMPY_MESSAGES // len(boxes)
    for box in boxes:
        world.process(receive(box, each))
        world.process(send(box, each))
    began = time.process_time()
    world.run()
    return each * len(boxes) / (time.process_time() - began)


def measure(build):
    """The block of the page."""
    table = subprocess.run([os.path.join(build, "bench-speed")], text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    rate = simpy_rate()
    lines = [f"`python3 bench/speed.py build --write` on {os.cpu_count()} shared cores, on {datetime.date.today():%-d %B %Y}:",
             "", "```", table.rstrip()]
    if rate:
        own = float(re.search(r"^meshsim, cores each +64 .* ([0-9.]+)$", table, re.M).group(1)) * 1e6
        lines.append(f"messages per CPU second, meshsim / SimPy: {own / rate:.0f}")
    lines += ["```", "", "<!-- budget: " + ", ".join(f"{case} {count}" for case, count in budget().items()) + " -->", ""]
    return "\n".join(lines)


def stale():
    """Sentences on what moved since the page was written."""
    with open(PAGE, encoding="utf-8") as lines:
        then = dict(re.findall(r"(\w+) (\d+)", re.search(r"<!-- budget: (.*?) -->", lines.read()).group(1)))
    return [f"{case}: {then.get(case)} instructions when docs/speed.md was written, {count} in the budget now"
            for case, count in budget().items()
            if abs(count - int(then.get(case, 0))) > MOVED * count]


def write(block):
    """Puts the block between its marks."""
    with open(PAGE, encoding="utf-8") as lines:
        text = lines.read()
    head, rest = text.split(BEGIN)
    with open(PAGE, "w", encoding="utf-8") as out:
        out.write(head + BEGIN + block + END + rest.split(END)[1])


def main(arguments):
    if arguments == ["--check"]:
        moved = stale()
        print("\n".join(moved + ["measure anew: python3 bench/speed.py build --write"]) if moved else "as the budget is")
        return 1 if moved else 0
    if not arguments or arguments[1:] not in ([], ["--write"]):
        print(__doc__)
        return 2
    block = measure(arguments[0])
    if arguments[1:]:
        write(block)
    else:
        print(block)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
