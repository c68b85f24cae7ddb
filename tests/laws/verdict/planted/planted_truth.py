"""The truth of the comparisons that planted.py judges: runs their scenarios, takes their mechanisms out, and computes
how far errors of the model may move their margins."""

import collections
import json
import math
import pathlib
import statistics
import subprocess
import types

import h5py
import yaml

TIE = 0.01  # designs that differ by less are equal
GONE = 1 / 3  # without its mechanism, at most this part of a margin is left
QUANTILE = 1.96

# the program, a folder for its files, and the expectations that failed
state = types.SimpleNamespace(meshsim=None, folder=None, wrong=[])


class Broken(Exception):
    """The row itself cannot be run."""


def say(row, what):
    state.wrong.append((row["name"], what))
    print(f"  WRONG {row['name']}: {what}", flush=True)


# ---- runs ----

def call(words, ends=0):
    run = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if run.returncode != ends:
        raise Broken(f"{' '.join(map(str, words))} ended with {run.returncode}: {run.stderr[-1500:]}")
    return run.stdout


def steps_of(row):
    """The workload. `each` is waited for before the next one, `flight` at the end of all, and
    `steps` at the end of each round."""
    if "workload" in row:
        return row["workload"]
    inner = [{"enqueue_workload": {"program": "p", **row[kind]}}
             for kind in ("each", "flight") if kind in row] or list(row["steps"])
    outer = [] if "flight" not in row else ["finish"]
    inner += [] if outer else ["finish"]
    return [{"repeat": row.get("repeat", 30), "do": inner}] + outer


def scenario(row):
    """Writes the row's scenario, once."""
    path = state.folder / f"{row['number']}.yaml"
    if not path.exists():
        document = {"meshsim": 1, "name": "planted", "platform": row["platform"],
                    "runtime": row.get("runtime", {}), "workload": steps_of(row), "sweep": row["sweep"],
                    "measure": {"warmup": 2, "seeds": row.get("seeds", 1), **row.get("measure", {})},
                    "model": {"noise": row.get("noise", "off"), **row.get("model", {})}}
        if "limits" in row:
            document["limits"] = row["limits"]
        if document["runtime"] == {}:
            del document["runtime"]
        path.write_text(yaml.safe_dump(document, sort_keys=False, width=1000))
    return path


def run(row, result, *settings, world="sim"):
    words = [state.meshsim, "run", scenario(row), "-o", state.folder / result, "-j", "1", "--world", world]
    for setting in settings:
        words += ["--set", setting]
    call(words, row.get("ends", 0))
    return state.folder / result


def judged(row, result):
    """The JSON of compare, and the question of the row."""
    answer = json.loads(call([state.meshsim, "compare", result, "--json", *row.get("ask", [])]))
    asked = [q for q in answer["questions"]
             if row.get("asks", q["question"]) == q["question"] and row.get("subject", q["subject"]) == q["subject"]]
    if not asked:
        seen = [(q["question"], q["subject"]) for q in answer["questions"]]
        raise Broken(f"no question {row.get('asks')} about {row.get('subject')}: {seen}")
    return answer, asked[0]


# ---- the truth: from tables of runs, never from a verdict ----

def figure(row):
    """The operation and the figure that decide, unless the row names them."""
    if "figure" in row:
        return row["figure"].rsplit(".", 1)
    if "steps" in row:
        return "finish", "round"
    return "enqueue_workload", "interval" if "flight" in row else "completion"


def value_of(entry, operation, name):
    if entry.get("status", "ok") != "ok":
        return None
    if name in ("host_busy", "simulated"):
        return entry[name] if name in entry else entry["metrics"][name]
    numbers = entry["operations"][operation]
    if name in ("interval", "transfer"):
        return 1 / numbers["throughput" if name == "interval" else "bandwidth"]
    name, _, statistic = name.partition(":")
    return numbers[name][statistic or "p50"]


def makespans(result, since):
    """For each run, the time from the first call of a program, or of the step `since`, until the
    host saw the last end. A trace calls its programs when it is captured."""
    called, seen = {}, {}
    with h5py.File(result) as file:
        for entry in file["ops"][:]:
            number = int(entry["run"])
            if entry["kind"] in (b"enqueue_workload", b"capture_trace") and since in ("", entry["name"].decode()):
                called[number] = min(called.get(number, math.inf), float(entry["called_last"]))
            if not math.isnan(entry["seen_last"]):
                seen[number] = max(seen.get(number, 0), float(entry["seen_last"]))
    return {number: seen[number] - time for number, time in called.items()}


def values(row, result, seeds, named=None):
    """For each point of the sweep its keys, and the logarithms of the figure of all seeds."""
    operation, name = named or figure(row)
    whole = makespans(result, name.partition(":")[2]) if operation == "run" else None
    entries = json.loads(call([state.meshsim, "show", result, "--json"]))["runs"]
    points = []
    for first in range(0, len(entries), seeds):
        of_seeds = [value_of(entry, operation, name) if whole is None else whole.get(entry["run"])
                    for entry in entries[first:first + seeds]]
        points.append((entries[first]["keys"], None if None in of_seeds else [math.log(v) for v in of_seeds]))
    return points


def contexts(row, points):
    """Indices of points that differ in the choice only."""
    chosen = row.get("asks")
    groups = collections.defaultdict(list)
    for index, (keys, _) in enumerate(points):
        same = tuple(sorted((key, str(value)) for key, value in keys.items()
                            if key != chosen and (chosen or key.startswith(("workload.", "runtime.mesh.")))))
        groups[same].append(index)
    return list(groups.values())


def truth(row, *settings, named=None):
    """By the workload `truth`, if there is one. Of each context: the points in order, the margin of the first over the second, and its noise
    for as many seeds as the verdict has."""
    if "truth" in row:
        row = {**row, "workload": row["truth"], "number": f"{row['number']}-other"}
    seeds = row.get("truth_seeds", 1)
    noise = [] if seeds > 1 else ["model.noise=off"]
    result = run(row, f"{row['number']}-truth.h5", f"measure.seeds={seeds}", "seed=1001", *noise, *settings)
    points = values(row, result, seeds, named)
    found = []
    for members in contexts(row, points):
        alive = [i for i in members if points[i][1]]
        order = sorted(alive, key=lambda i: statistics.fmean(points[i][1]))
        margin = spread = None
        if len(order) > 1:
            ratios = [b - a for a, b in zip(points[order[0]][1], points[order[1]][1])]
            margin = math.expm1(statistics.fmean(ratios))
            if seeds > 1:
                spread = QUANTILE * statistics.stdev(ratios) / math.sqrt(row.get("seeds", 1))
        found.append({"members": members, "order": order, "margin": margin, "noise": spread or 0,
                      "dead": len(members) - len(alive)})
    return found, points


def margins_of(found):
    return [context["margin"] for context in found if context["margin"] is not None]


def label(keys, row):
    chosen = row.get("asks")
    wanted = {key: value for key, value in keys.items()
              if key == chosen or (not chosen and not key.startswith(("workload.", "runtime.mesh.")))}
    return list(wanted.values())


def shown(value):
    text = str(value)
    return text.lower() if isinstance(value, bool) else text


def is_named(keys, row, name):
    """Whether the row's name of an option is that of this point: one value, or KEY=VALUE of a map."""
    chosen = [shown(value) for value in label(keys, row)]
    if len(chosen) == 1 and chosen[0] == str(name):
        return True
    pairs = [f"{key.removesuffix('.value').rsplit('.', 1)[-1]}={shown(value)}" for key, value in keys.items()]
    return str(name) in pairs


def check_truth(row, found, points):
    """Whether the row says of the truth what the runs say."""
    margins = margins_of(found)
    low, high = (part / 100 for part in row["margin"])
    if not all(low <= margin <= high for margin in margins) or not margins:
        say(row, f"truth: margins are {[round(100 * m, 2) for m in margins]} %, not within {row['margin']}")
    best = [points[context["order"][0]][0] for context in found if context["order"]]
    outcome = row["outcome"]
    if "winner" in row:
        others = [keys for keys in best if not is_named(keys, row, row["winner"])]
        if others and outcome in ("wins", "trade-off"):
            say(row, f"truth: the best is {others}, not {row['winner']}")
    same = len({str(label(keys, row)) for keys in best}) == 1
    clear = [context for context in found if context["margin"] is not None and context["margin"] >= TIE]
    dead = any(context["dead"] for context in found)
    if outcome == "depends" and same and not dead and len(clear) == len(found):
        say(row, f"truth: {best[0]} is the best everywhere")
    if row.get("why") == "equal" and max(margins) >= TIE:
        say(row, f"truth: they differ by {100 * max(margins):.2f} %")
    if row.get("why") == "noise":
        hidden = [context["margin"] < context["noise"] for context in found]
        if not all(hidden):
            say(row, f"truth: {margins} is not hidden by {[c['noise'] for c in found]}")


def check_beside(row, found):
    """A trade-off: another option is better in the figure beside the metric."""
    other, points = truth(row, named=row["beside"].rsplit(".", 1))
    for first, second in zip(found, other):
        best = first["order"][0]
        of = {i: statistics.fmean(points[i][1]) for i in second["order"]}
        better = max(of[best] - value for value in of.values())
        if math.expm1(better) < max(TIE, 0.1 * first["margin"]):
            say(row, f"truth: nothing is better in {row['beside']} than {points[best][0]}: {of}")


def check_mechanism_truth(row, found):
    """Without its mechanism, a margin is gone or turned."""
    without, _ = truth(row, *row["without"])
    for before, after in zip(found, without):
        if before["margin"] is None or before["margin"] < TIE or after["margin"] is None:
            continue
        turned = before["order"][0] != after["order"][0]
        if not turned and after["margin"] > row.get("left", GONE * 100 * before["margin"]) / 100:
            say(row, f"truth: {100 * after['margin']:.1f} % of {100 * before['margin']:.1f} % are left without "
                     f"{row['without']}")


# ---- the error of the model, by reruns instead of charges ----

def doubt(row, context):
    """The largest part of a context's margin that errors of one family may explain. Each constant of
    the family is moved by 3 %, and the effects on the margin are added up. So this needs a run for
    each constant, but no critical paths."""
    errors = yaml.safe_load(pathlib.Path(row["errors"]).read_text())
    first, second = context["order"][:2]
    exact = {**row, "truth_seeds": 1}
    _, points = truth(exact)
    base = statistics.fmean(points[second][1]) - statistics.fmean(points[first][1])
    moved = collections.Counter()
    platform = constants(row)
    for constant, family in errors["constants"].items():
        if platform.get(constant) and constant not in json.dumps(row["sweep"]):
            _, after = truth(exact, f"platform.{constant}.value={platform[constant] * 1.03:.9g}")
            change = statistics.fmean(after[second][1]) - statistics.fmean(after[first][1])
            moved[family] += abs(math.expm1(change) - math.expm1(base)) / 0.03
    return max(part * family_error(row, errors, family) for family, part in moved.items())


def machine_of(row):
    return row["platform"] if isinstance(row["platform"], str) else row["platform"]["extends"]


def family_error(row, errors, family):
    """The error of the row's machine; of predicting it from others, if it was never measured."""
    entry = errors["families"][family]
    of = entry["machines"].get(machine_of(row)) or entry["machines"].get("any")
    if of:
        return of["held_out"]["p90"]
    return entry.get("other_machines", errors["other_machines"])["p90"]


def constants(row):
    """The constants of the row's platform, by path."""
    text = call([state.meshsim, "platform", "show", machine_of(row), "--json"])
    return {entry["name"]: entry["value"] for entry in json.loads(text)["constants"]}
