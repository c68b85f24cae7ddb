#!/usr/bin/env python3
"""Judges the verdicts of `compare` on comparisons whose truth is known without them. Usage:
planted.py MESHSIM verdicts|truths|cover|native [--every N] [--name TEXT] FILE.yaml...

Each row of the files is a comparison; README.md beside this file says what its keys mean."""

import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import yaml

from planted_truth import (
    Broken, TIE, call, check_beside, check_mechanism_truth, check_truth, contexts, doubt, is_named, judged, label,
    margins_of, run, say, state, truth, values)

SHARE = 0.95  # of mechanisms that must be named, and of clear margins that must be decided
COVER = (0.92, 0.98)
MANY = 400  # intervals of which the part must be within COVER without allowance for chance
CLEAR = 2  # a margin is clear if it is this many times its noise
STAGES = ("copy", "dispatch", "worker")
BUSY_NS = 20000  # host CPU of a planted operation


# ---- verdicts ----

def check_verdict(row, found, points, tally):
    seeds = row.get("seeds", 1)
    result = run(row, f"{row['number']}.h5")
    answer, asked = judged(row, result)
    outcome = row["outcome"]
    tally["outcomes"] += 1
    seen = (asked["outcome"], asked["winner"])
    good = asked["outcome"] in outcome.split("|")
    if "winner" in row:
        good &= wins(row, asked, points, seeds)
    if good:
        tally["right"] += 1
    else:
        say(row, f"verdict {seen}, not {(outcome, row.get('winner'))}: {asked['verdict']}")
    for text in row.get("says", []):
        if text not in asked["verdict"] and text not in json.dumps(asked["sides"]):
            say(row, f"'{text}' is not in: {asked['verdict']} {[s['words'] for s in asked['sides']]}")
    if row.get("says_ends", "") not in json.dumps(asked["ends"]):
        say(row, f"{row['says_ends']} is not in {asked['ends']}")
    check_clear(row, found, asked, tally)
    check_named(row, asked, tally)
    check_exact(row, found, asked, seeds)
    check_best(row, answer, points, seeds)
    if "flips" in row:
        check_flips(row, asked)


def wins(row, asked, points, seeds):
    """Whether the verdict's winner, or the leader of a trade-off, is the option of the row."""
    said = asked["winner"] if asked["winner"] is not None else asked["leader"]
    runs = [entry["run"] for context in asked["contexts"] for entry in context["ranking"] if entry["option"] == said]
    return bool(runs) and all(is_named(points[run // seeds][0], row, row["winner"]) for run in runs)


def check_clear(row, found, asked, tally):
    """Clear margins are decided, context by context, unless the model's error explains them."""
    seeds = row.get("seeds", 1)
    ranked = {entry["run"] // seeds: context for context in asked["contexts"] for entry in context["ranking"]}
    for context in found:
        if context["margin"] is None or context["margin"] < max(TIE, CLEAR * context["noise"]):
            continue
        ranking = ranked[context["order"][0]]["ranking"]
        decided = len(ranking) > 1 and not ranking[1]["tied"] and ranking[0]["run"] // seeds == context["order"][0]
        if not decided and row.get("doubted") and (
                not row["prove"] or (row.get("most") or doubt(row, context)) >= context["margin"]):
            tally["doubted"] += 1
            continue
        tally["clear"] += 1
        tally["decided"] += decided
        if not decided:
            print(f"  not decided: {row['name']}, {100 * context['margin']:.2f} % with noise "
                  f"{100 * context['noise']:.2f} %: {asked['verdict']}")


def check_named(row, asked, tally):
    if "rests" not in row:
        return
    named = {entry["constant"] for entry in asked["rests_on"]}
    named |= {entry["key"] for entry in asked["choices"]}
    if asked["mechanism"]:
        named.add(f"stage {asked['mechanism']['stage']}")
    tally["mechanisms"] += 1
    missing = [name for name in row["rests"] if not any(part in named for part in name.split("|"))]
    tally["named"] += not missing
    if missing:
        print(f"  NOT NAMED {row['name']}: {missing}; named are {sorted(named)}")


def check_exact(row, found, asked, seeds):
    """Without noise, margins are those of the runs."""
    if row.get("noise", "off") != "off" or row.get("world"):
        return
    for context in found:
        ranking = next((c["ranking"] for c in asked["contexts"] for e in c["ranking"]
                        if e["run"] // seeds == context["order"][0]), []) if context["order"] else []
        if len(ranking) > 1 and ranking[1]["margin"] is None:
            if "no steady state" not in json.dumps(asked):
                say(row, f"no margin, instead of {100 * context['margin']:.2f} %: {asked['verdict']}")
        elif len(ranking) > 1 and abs(ranking[1]["margin"] - context["margin"]) > 0.005 + 0.02 * context["margin"]:
            say(row, f"a margin of {100 * ranking[1]['margin']:.2f} %, not {100 * context['margin']:.2f} %")


def check_best(row, answer, points, seeds):
    """The best point of each context of conditions, if it is told from the next."""
    if row.get("best") == "other":
        return
    for best in answer["best"]:
        index = best["run"] // seeds
        same = [i for i, (keys, of) in enumerate(points) if of and all(
            keys[k] == points[index][0][k] for k in keys if k.startswith(("workload.", "runtime.mesh.", "platform.hosts")))]
        least = min(same, key=lambda i: statistics.fmean(points[i][1]))
        if best["decided"] and least != index:
            say(row, f"best point {points[index][0]}, not {points[least][0]}")


def check_flips(row, asked):
    """Runs at dense values bracket the crossover."""
    key, dense = row["flips"]["key"], row["flips"]["dense"]
    sweep = {**row["sweep"], key: dense}
    found, points = truth({**row, "number": f"{row['number']}-dense", "sweep": sweep})
    at = {points[c["members"][0]][0][key]: label(points[c["order"][0]][0], row) for c in found}
    turns = [(a, b) for a, b in zip(dense, dense[1:]) if at[a] != at[b]]
    seen = [c["at"] for c in asked["crossovers"]]
    if len(turns) != 1 or len(seen) != 1 or not 0.8 * turns[0][0] <= seen[0] <= 1.2 * turns[0][1]:
        say(row, f"flips at {seen}, and by dense runs between {turns}")


def one(row, tally, judge):
    try:
        if "load" in row:
            check_load_truth(row)
            if judge:
                judge_load(row, tally)
            return
        if row.get("world") == "native":
            judge_native(row, tally)
            return
        found, points = truth(row)
        if not judge:
            print(f"{row['name']}: best {[label(points[c['order'][0]][0], row) for c in found if c['order']]}, margins "
                  f"{[round(100 * m, 2) for m in margins_of(found)]} %, noise "
                  f"{[round(100 * c['noise'], 2) for c in found]} %", flush=True)
        check_truth(row, found, points)
        if "beside" in row:
            check_beside(row, found)
        if "without" in row:
            check_mechanism_truth(row, found)
        if row.get("why") == "doubt" and row["prove"]:
            most = row["most"] = doubt(row, found[0])
            if most < found[0]["margin"]:
                say(row, f"truth: errors of the model explain {100 * most:.2f} % of {margins_of(found)}")
        if judge:
            check_verdict(row, found, points, tally)
    except (Broken, IndexError, KeyError, subprocess.CalledProcessError) as broken:
        say(row, f"{type(broken).__name__}: {broken}")


# ---- planted loads: result files of queues instead of runs ----

def load_lines(row):
    """A line for each run: designs, places of the condition and seeds."""
    queue = row.get("queue", {})
    seeds = queue.get("seeds", 5)
    common = {key: value for key, value in queue.items() if key != "seeds"}
    for name, design in row["load"].items():
        for at in row.get("at", [0]):
            times = {stage: design.get(stage, 0) + at * design.get(f"{stage}_by", 0) for stage in STAGES}
            times |= {key: design.get(key, 0) for key in ("tail", "spinning", "other")}
            times["busy"] = design.get("busy", BUSY_NS)
            fields = {"design": name, "at": at, "operations": 60, **common, "in_flight": int(queue.get("in_flight", 0)),
                      "tail_every": design.get("tail_every", 0), "dies": int(0 < at == design.get("dies_at", 0)),
                      **{key: 1000 * value for key, value in times.items()}}
            for seed in range(1, seeds + 1):
                yield " ".join(f"{key}={value}" for key, value in {**fields, "seed": seed}.items())


def load_best(row):
    """The best design of each place, and its margin: each operation takes the sum of its stages, and
    operations in flight the slowest stage."""
    of = max if row.get("queue", {}).get("in_flight") else sum
    for at in row.get("at", [0]):
        times = {name: of(design.get(stage, 0) + at * design.get(f"{stage}_by", 0) for stage in STAGES)
                 for name, design in row["load"].items() if not 0 < at == design.get("dies_at", 0)}
        order = sorted(times, key=times.get)
        if len(order) > 1:
            yield order[0], times[order[1]] / times[order[0]] - 1


def check_load_truth(row):
    if row["outcome"] != "wins" or "metric" in row:
        return
    for best, margin in load_best(row):
        if best != row["winner"] or margin < TIE:
            say(row, f"truth: {best} is best by {100 * margin:.1f} %")


def judge_load(row, tally):
    path = state.folder / f"{row['number']}.h5"
    words = [row["plant"], path, state.folder, row.get("condition", "workload.nothing")]
    subprocess.run(list(map(str, words)), input="\n".join(load_lines(row)) + "\n", text=True, check=True)
    asked = [] if "metric" not in row else ["--metric", row["metric"]]
    answer = json.loads(call([state.meshsim, "compare", path, "--json", *asked]))
    two = any("other" in design for design in row["load"].values())
    question = answer["questions"][1 if two else 0]
    sides = question["sides"]
    seen = {"outcome": question["outcome"], "winner": question["winner"], "metric": question["metric"],
            "side": sides[0]["words"] if sides else "", "seeds": question["seeds"]}
    tally["outcomes"] += 1
    good = seen["outcome"] in row["outcome"].split("|") and row.get("winner", seen["winner"]) == seen["winner"]
    good &= seen["metric"] == row["measured"] and seen["seeds"] == row.get("queue", {}).get("seeds", 5)
    good &= row["side"] in seen["side"] if "side" in row else not sides
    if "iteration" in row:
        good &= answer["questions"][0]["outcome"] == row["iteration"]
    flips = [crossover["at"] for crossover in question["crossovers"]]
    good &= len(flips) == ("flips_at" in row) and all(0.8 < at / row["flips_at"] < 1.2 for at in flips)
    tally["right"] += good
    if not good:
        say(row, f"{seen}, flips at {flips}: {question['verdict']}")
    if "mechanism" in row:
        stage = (question["mechanism"] or {}).get("stage", "")
        tally["mechanisms"] += 1
        tally["named"] += row["mechanism"] in stage
        if row["mechanism"] not in stage:
            print(f"  NOT NAMED {row['name']}: {row['mechanism']}; named is {stage}")


# ---- coverage ----

def cover_row(row, groups, world):
    """How many intervals of the groups hold the truth, which is exact for equal designs, and the mean
    over all groups for others. A comparison without a steady state says no interval."""
    intervals = []
    seeds = row["seeds"]
    for group in range(groups):
        result = run(row, "cover.h5", f"seed={1 + group * seeds}", world=world)
        _, asked = judged(row, result)
        ranking = sorted(asked["contexts"][0]["ranking"], key=lambda entry: entry["run"])
        first, second = ranking[0], ranking[-1]
        sign, entry = (1, second) if second["margin"] or not first["margin"] else (-1, first)
        if entry["low"] is None:
            continue
        low, high = sorted(sign * math.log1p(max(entry[end], -0.999)) for end in ("low", "high"))
        margin = sign * math.log1p(entry["margin"])
        intervals.append((low, high, margin))
    if 2 * len(intervals) < groups:
        raise Broken(f"{len(intervals)} of {groups} comparisons say an interval")
    right = 0 if row.get("why") == "equal" else statistics.fmean(margin for _, _, margin in intervals)
    held = sum(low <= right <= high for low, high, _ in intervals)
    print(f"  {row['name']}: {held} of {len(intervals)} intervals hold {100 * math.expm1(right):.2f} %", flush=True)
    return held, len(intervals)


def covers(held, total):
    """Whether this part is expected. Of few intervals, chance may have it differ by two standard
    deviations."""
    if total == 0:
        return False
    slack = [0 if total >= MANY else 2 * math.sqrt(part * (1 - part) / total) for part in COVER]
    return COVER[0] - slack[0] <= held / total <= COVER[1] + slack[1]


def cover(rows, groups, world):
    held = total = 0
    for row in rows:
        try:
            some, of = cover_row(row, groups, world)
            held += some
            total += of
        except Broken as broken:
            say(row, str(broken))
    if total:
        print(f"intervals, {world}: {held} of {total} hold the truth ({100 * held / total:.1f} %; "
              f"{100 * COVER[0]:.0f} to {100 * COVER[1]:.0f} % are expected)")
    return held, total


# ---- all ----

def rows_of(arguments):
    rows = []
    for path in arguments.files:
        for row in yaml.safe_load(pathlib.Path(path).read_text()):
            rows.append({**row, "number": len(rows), "errors": arguments.errors, "plant": arguments.plant,
                         "prove": arguments.prove})
    for twice in [name for name, count in collections.Counter(r["name"] for r in rows).items() if count > 1]:
        sys.exit(f"{twice}: two rows have this name")
    if arguments.what in ("cover", "native"):
        world = "native" if arguments.what == "native" else "sim"
        rows = [row for row in rows if row.get("cover") and row.get("world", "sim") == world]
    return [row for row in rows if arguments.name in row["name"]][::arguments.every]


def part_is(what, part, whole, least):
    print(f"{what}: {part} of {whole} (at least {100 * least:.0f} % are expected)")
    return whole == 0 or part >= least * whole


def judge_native(row, tally):
    """Natively only equal designs have an exact truth; that of others comes from the row's long run."""
    _, asked = judged(row, run(row, f"{row['number']}.h5", world="native"))
    tally["outcomes"] += 1
    tally["right"] += asked["outcome"] in row["outcome"].split("|")
    if asked["outcome"] not in row["outcome"].split("|"):
        say(row, f"{asked['outcome']}, not {row['outcome']}: {asked['verdict']}")


def judge_all(rows, judge):
    tally = collections.Counter()
    for row in rows:
        before = len(state.wrong)
        one(row, tally, judge)
        missed = state.wrong[before:]
        if "known_wrong" in row:
            del state.wrong[before:]
            if not missed:
                say(row, f"listed as wrong, but right: {row['known_wrong']}")
            else:
                tally["known"] += 1
                print(f"  known wrong: {row['name']}: {row['known_wrong']}")
    if not judge:
        return True
    good = part_is("outcome and winner", tally["right"] + tally["known"], tally["outcomes"], 1)
    good &= part_is("mechanism", tally["named"], tally["mechanisms"], SHARE)
    good &= part_is("clear margins that are decided", tally["decided"], tally["clear"], SHARE)
    print(f"clear margins that an error of the model may explain: {tally['doubted']}")
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("meshsim", type=pathlib.Path)
    parser.add_argument("what", choices=("verdicts", "truths", "cover", "native"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--groups", type=int, default=20)
    parser.add_argument("--name", default="")
    parser.add_argument("--errors", default="bench/reference/errors.yaml")
    parser.add_argument("--prove", action="store_true",
                        help="compute the model's errors by reruns, which takes a run for each constant")
    parser.add_argument("--plant", help="the program plant_loads, for rows with a load")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    state.meshsim = arguments.meshsim.resolve()
    rows = rows_of(arguments)
    with tempfile.TemporaryDirectory() as name:
        state.folder = pathlib.Path(name)
        if arguments.what in ("cover", "native"):
            world = "native" if arguments.what == "native" else "sim"
            held, total = cover(rows, arguments.groups, world)
            good = covers(held, total)
        else:
            good = judge_all(rows, arguments.what == "verdicts")
    print(f"{len(rows)} rows; {len(state.wrong)} expectations failed")
    sys.exit(not good or bool(state.wrong))


main()
