"""What each choice costs at 64 and at 1,024 chips, on one page: scenarios/choices.md, of scenarios/choices.yaml.

    python3 bench/choices.py MESHSIM          writes it
    python3 bench/choices.py MESHSIM --check  ends with 1 if it is not as meshsim says now (--share: every third table)

Rows come from `meshsim list`, figures from runs; judges nothing.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENARIO = os.path.join(ROOT, "scenarios", "choices.yaml")
PAGE = os.path.join(ROOT, "scenarios", "choices.md")
ROUNDS = 2  # of the scenario's workload
SIZES = ((64, "tgg"), (1024, "mesh-32x32"))
CHOICES = (
    ("runtime.forward.ordering", "Order of broadcasts and unicasts"),
    ("runtime.forward.packetizer", "Who hands commands to the fabric"),
    ("runtime.forward.go", "Who gets a go signal"),
    ("runtime.forward.credits", "Whether a broadcast waits for room"),
    ("runtime.forward.channels", "Virtual channels of broadcasts"),
    ("runtime.forward.dispatcher", "Who executes what is broadcast and what is unicast", "runtime.forward.ordering=event"),
    ("runtime.forward.route", "The way of a broadcast", "runtime.forward.initiators=1"),
    ("runtime.forward.initiators", "Chips at which broadcasts enter"),
    ("runtime.forward.initiator_place", "Which chip initiates", "runtime.forward.initiators=1"),
    ("runtime.forward.feed", "How initiators get their commands"),
    ("runtime.forward.pieces", "How a broadcast to too many chips is cut", "runtime.forward.initiators=1",
     "runtime.forward.multicast_members=16"),
    ("runtime.lowering", "In which order the host's loop sends", "runtime.forward.path=unicast"),
    ("runtime.host.pool_tasks", "Tasks of a pool", "runtime.forward.path=unicast", "runtime.host.threads=pool",
     "runtime.host.queues=own"),
    ("runtime.completion", "How the host learns of completion"),
)
NEEDS_MORE = {"runtime.forward.initiator_place": {"named"}}  # rows that another key has to complete
STEPS = ("by itself", "on one chip", "behind it")
HEAD = """# What each choice costs

One round is a program on all chips, one on a single chip, one on all behind it, and 16 KiB written to all chips; eight
initiators, two command queues, a notification table, unless the line says otherwise. Bytes and commands are those of a
round: **issued** is what the host wrote into issue queues, **order** what is there only to keep broadcasts and unicasts in
order, **headers** those of transactions, **notices** unicast commands that only keep order, **credits** messages that
return credits. **L1** is that of dispatch on a chip of the mesh, **gateway** on the busiest chip with PCIe beside
it. Times are in microseconds, without noise: of the host's call, and from the call until
the host saw the end, of a program by itself and of one **behind** a unicast. What wins by how much, and why, stands on
the pages of the scenarios.
"""


def output(*words):
    """Standard output of a command, or None where that choice is refused or shows its hazard."""
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 4):
        sys.exit("%s: %s" % (" ".join(words), run.stderr))
    return run.stdout


def variants(meshsim):
    """The rows of each key."""
    rows = {}
    for row in json.loads(output(meshsim, "list", "--json")):
        if row["name"] not in NEEDS_MORE.get(row["key"], ()):
            rows.setdefault(row["key"], []).append(row["name"])
    rows["runtime.forward.initiators"] = ["1", "8"] + rows.get("runtime.forward.initiators", [])
    return rows


def runs(meshsim, folder, platform, key, names, settings):
    """Runs with each value of the key, as `show --json` has them."""
    result = os.path.join(folder, "result.h5")
    values = ", ".join('"%s"' % name if not name.isdigit() else name for name in names)
    words = ["platform=" + platform, "sweep={%s: [%s]}" % (key, values)] + settings
    output(meshsim, "run", SCENARIO, "-o", result, *[word for setting in words for word in ("--set", setting)])
    return json.loads(output(meshsim, "show", result, "--json"))["runs"]


def cells(run):
    """The figures of a line."""
    if run["status"] != "ok":
        return [run["status"]] + ["-"] * 10
    step = {name: run["operations"]["enqueue_workload/" + name] for name in STEPS}
    return [
        "%.1f" % (run["issued_bytes"] / ROUNDS / 1e3),
        "%.0f" % (run["commands"] / ROUNDS),
        "%.2f" % (run["order_bytes"] / ROUNDS / 1e3),
        "%.2f" % (run["header_bytes"] / ROUNDS / 1e3),
        "%.0f" % (run["order_unicasts"] / ROUNDS),
        "%.0f" % (run["credit_returns"] / ROUNDS),
        "%.0f" % (run["dispatch_l1"] / 1e3),
        "%.0f" % (run["gateway_l1"] / 1e3),
        "%.1f" % (step["by itself"]["host"]["p50"] / 1e6),
        "%.1f" % (step["by itself"]["completion"]["p50"] / 1e6),
        "%.1f" % (step["behind it"]["completion"]["p50"] / 1e6),
    ]


def table(meshsim, folder, key, title, names, settings):
    """One choice, where these settings differ from the others'."""
    lines = [
        "",
        "## %s" % title,
        "",
        ", with ".join("`%s`" % word for word in [key] + settings),
        "",
        "| chips | | issued kB | commands | order kB | headers kB | notices | credits | L1 kB | gateway kB | host us | alone us "
        "| behind us |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for chips, platform in SIZES:
        for name, run in zip(names, runs(meshsim, folder, platform, key, names, settings)):
            lines.append("| %s | %s | %s |" % ("{:,}".format(chips), name, " | ".join(cells(run))))
    return lines


def main():
    meshsim, check = sys.argv[1], "--check" in sys.argv[2:]
    rows = variants(meshsim)
    tables = []
    choices = CHOICES[::3] if check and "--share" in sys.argv[2:] else CHOICES
    with tempfile.TemporaryDirectory() as folder:
        for key, title, *settings in choices:
            if key in rows:
                tables.append("\n".join(table(meshsim, folder, key, title, rows[key], settings) + [""]))
    text = HEAD + "".join(tables) + "\nWritten by `python3 bench/choices.py build/meshsim`.\n"
    if not check:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    if page != text if choices is CHOICES else any(part not in page for part in tables):
        sys.exit("choices.md is not as meshsim says now; python3 bench/choices.py MESHSIM writes it")


main()
