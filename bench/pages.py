"""Pages beside the scenarios: the question, the verdict, the picture. scenarios/NAME.md and NAME.svg.

    python3 bench/pages.py MESHSIM [NAME...]          writes them, or those of these scenarios
    python3 bench/pages.py MESHSIM --check [NAME...]  says which differ, and ends with 1 if any does
    python3 bench/pages.py MESHSIM --check --share    does so for every third of them

Takes every figure and every sentence from `meshsim`; draws and lays out, and judges nothing.
"""

import html
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Which step's question, where a workload has several.
SCENARIOS = {
    "tgg-releases": [],
    "tgg-broadcast-grid": [],
    "tgg-broadcast-holes": [],
    "tgg-packetizer": ["--step", "beside a write"],
    "tgg-initiator-place": ["--kind", "write_buffer", "--step", "left"],
    "tgg-pieces": [],
    "t3k-ring-ways": [],
    "galaxy-stages": [],
    "tgg-feed": [],
    "tgg-order": ["--step", "behind a unicast"],
    "tgg-go": ["--step", "upper", "--metric", "makespan"],
    "tgg-dispatcher": ["--step", "behind a unicast"],
    "tgg-route": [],
    "tgg-channels": [],
    "tgg-credits": [],
    "tgg-receive": ["--kind", "write_buffer", "--step", "behind programs"],
    "tgg-event-paths": [],
    "tgg-aggregators": ["--step", "bursts"],
    "finish-scale": [],
    "tgg-gather": [],
    "tgg-readers": ["--kind", "read_buffer"],
    "tgg-host-threads": [],
    "tgg-pool-tasks": [],
    "tgg-worker-wait": [],
    "tgg-compile": ["--step", "first"],
    "tgg-compile-ahead": ["--step", "first", "--metric", "makespan"],
    "two-meshes": [],
    "tgg-create": [],
    "coordinates": [],
    "tgg-lowering": [],
    "tgg-traces": ["--metric", "makespan"],
    "tgg-trace-hold": ["--kind", "write_buffer"],
    "tgg-sub-devices": [
        "--step", "second", "--by", "workload.0.do.0.do.1.enqueue_workload.sub_device"],
    "tgg-sub-device-turns": ["--step", "third", "--metric", "round", "--by", "workload.0.do.2.load_sub_devices"],
    "noc-links": ["--step", "reading", "--by", "workload.2.do.0.enqueue_workload.kernels.0.processor"],
    "bring-up": ["--kind", "open_mesh"],
    "bring-up-flows": ["--by", "workload.0.do.0.bring_up.flow"],
    "fabric-packet-rate": [],
    "p150-broadcast": [],
    "end-to-end": [],
    "matmul-forms": [],
    "attention-mask": [],
    "end-to-end-sharded": [],
    "distributed-transports": [],
    "distributed-serialization": [],
    "distributed-scale": [],
    "distributed-resolution": [],
    "distributed-threads": [],
    "distributed-broadcast": [],
    "distributed-meshes": ["--step", "multiply"],
    "distributed-reader": ["--step", "bursts"],
    "distributed-allocator": ["--step", "first"],
    "distributed-loading": [],
    "distributed-descriptor": ["--kind", "open_mesh"],
    "distributed-compile": ["--step", "first"],
}
WIDTH, LABEL, BAR, GAP, HEAD = 860, 400, 16, 8, 56


def output(folder, *words):
    """Standard output of a command, or an end of this program with its message. It runs in a folder that has the
    scenarios, so that the commands that it prints name no folder of this machine."""
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit("%s: %s" % (" ".join(words), run.stderr))
    return run.stdout


def label(point, named):
    """The keys of a point that have a value there, by their last parts; behind its step, if that is to be named."""
    step = point["subject"].split("/")[-1] + ": " if named else ""
    keys = [(key.split(".")[-1], value) for key, value in point["keys"].items() if value != "-"]
    return step + ", ".join("%s=%s" % key for key in keys)


def drawn(answer):
    """What the bars are, and whether the points' p99 is a tail of the same figure: makespans and intervals have none."""
    if answer["statistic"] != "whole":
        return answer["statistic"], True
    return {"throughput": "time of one operation at this throughput", "makespan": "of all operations"}[
        answer["metric"]], False


def picture(answer):
    """Bars of the verdict's figure, a mark at p99 where there is one of it; as SVG. A point has no figure if no steady
    state was found."""
    points = [point for point in answer["points"] if "value" in point]
    left_out = len(answer["points"]) - len(points)
    what, tails = drawn(answer)
    subjects = list(dict.fromkeys(point["subject"] for point in points))
    most = max(point[key] for point in points for key in (["value", "p99"] if tails else ["value"]))
    room = WIDTH - LABEL - 60
    height = HEAD + len(points) * (BAR + GAP) + 8
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" '
        'font-size="12">' % (WIDTH, height),
        '<rect width="%d" height="%d" fill="#ffffff"/>' % (WIDTH, height),
        '<text x="12" y="22" font-size="14" fill="#222222">%s of %s, microseconds</text>'
        % (html.escape(answer["metric"]), html.escape(", ".join(subjects))),
        '<text x="12" y="40" fill="#666666">bar: %s%s; shorter is better%s</text>'
        % (html.escape(what), "; mark: p99" if tails else "",
           "; %d without a steady state not drawn" % left_out if left_out else ""),
    ]
    for row, point in enumerate(points):
        top = HEAD + row * (BAR + GAP)
        bar = room * point["value"] / most
        tail = room * point["p99"] / most if tails else 0
        best = min(other["value"] for other in points if other["subject"] == point["subject"])
        colour = "#0072b2" if point["value"] == best else "#6a9cbf"
        lines += [
            '<text x="%d" y="%d" text-anchor="end" fill="#222222">%s</text>'
            % (LABEL - 8, top + 12, html.escape(label(point, len(subjects) > 1))),
            '<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' % (LABEL, top, bar, BAR, colour),
            '<text x="%.1f" y="%d" text-anchor="%s" fill="%s">%.1f</text>'
            % ((LABEL + bar - 6, top + 12, "end", "#ffffff", point["value"] / 1e6) if bar > 60
               else (LABEL + max(bar, tail) + 6, top + 12, "start", "#222222", point["value"] / 1e6)),
        ]
        if tails:
            lines.append('<rect x="%.1f" y="%d" width="2" height="%d" fill="#222222"/>' % (LABEL + tail, top, BAR))
    return "\n".join(lines + ["</svg>", ""])


def page(name, shown, text, description):
    """The page, in Markdown."""
    questions = text[text.index("Question"):].rstrip()
    return "\n".join([
        "# %s" % name,
        "",
        description,
        "",
        "![%s](%s.svg)" % (name, name),
        "",
        "```",
        questions,
        "```",
        "",
        "Measured: %s of `%s`. Made of:" % (shown["metric"], shown["kind"]),
        "",
        "```sh",
        "build/meshsim run scenarios/%s.yaml -o %s.h5" % (name, name),
        "build/meshsim compare %s" % shlex.join([name + ".h5"] + SCENARIOS[name]),
        "```",
        "",
        "`build/meshsim compare --robust %s.h5` tries the verdicts with other costs and networks; "
        "`build/meshsim report %s.h5 -o %s.html` shows all of it. This page is written by "
        "`python3 bench/pages.py build/meshsim`." % (name, name, name),
        "",
    ])


def made(meshsim, name, folder):
    """Page and picture of a scenario."""
    result = name + ".h5"
    output(folder, meshsim, "run", os.path.join("scenarios", name + ".yaml"), "-o", result)
    question = ["compare", result] + SCENARIOS[name]
    answer = json.loads(output(folder, meshsim, *question, "--json"))
    shown = json.loads(output(folder, meshsim, "show", result, "--json"))
    return page(name, answer, output(folder, meshsim, *question), shown["scenario_description"]), picture(answer)


def main():
    meshsim, check = os.path.abspath(sys.argv[1]), "--check" in sys.argv[2:]
    names = [word for word in sys.argv[2:] if not word.startswith("--")] or list(SCENARIOS)
    if "--share" in sys.argv[2:]:
        names = names[::3]
    differ = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "scenarios"), os.path.join(folder, "scenarios"))
        for name in names:
            for ending, text in zip((".md", ".svg"), made(meshsim, name, folder)):
                path = os.path.join(ROOT, "scenarios", name + ending)
                if check:
                    with open(path, encoding="utf-8") as file:
                        differ += [name + ending] if file.read() != text else []
                else:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
    if differ:
        sys.exit("not as meshsim says now: %s; python3 bench/pages.py MESHSIM writes them" % ", ".join(differ))


main()
