"""Runs meshsim on a folder of real files; see run.sh. Judges outcomes, and what is expected of them; the
program itself says what is wrong with a file."""
import glob
import json
import os
import re
import subprocess
import sys

KINDS = [
    ("mesh graph descriptors", "mgd*/*", "--mgd"),
    ("physical system descriptors", "psd*/*", "--psd"),
    ("physical groupings", "groupings*/*", "--groupings"),
    ("cluster descriptors", "cluster_descriptors*/*.yaml", "--cluster"),
    ("rank bindings", "rank_bindings*/*", "--check"),
]
READ, REFUSED, WRONG, NOT_RUN = "read", "refused", "wrong", "not run"


def run(program, *arguments):
    """Exit code, standard output, standard error; a code below 0 is a signal or a timeout."""
    try:
        done = subprocess.run([program, *arguments], capture_output=True, timeout=120, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return -99, "", "it did not end within 120 s"
    return done.returncode, done.stdout, done.stderr


def words_of(text):
    return set(re.findall(r"[a-z0-9]{3,}", text.lower()))


def same_reason(expected, said):
    """Whether what was said is about what was expected: the particular sentence, not word by word."""
    particular = [e for e in expected if not e.startswith("Failed to validate")]
    wanted = set().union(*(words_of(e) for e in particular)) if particular else set()
    return not wanted or 3 * len(wanted & words_of(said)) >= len(wanted)


class Graphs:
    """Counts of a mesh graph as meshsim prints it."""

    def __init__(self, document):
        self.document = document
        self.meshes = [m for m in document["meshes"] if not m["switch"]]
        self.switches = [m for m in document["meshes"] if m["switch"]]

    def links(self):
        """Directed links of the first mesh."""
        for a, b, links, _ in self.document["meshes"][0]["links"]:
            for _ in range(links):
                yield a, b
                yield b, a

    def connections(self, graph_type):
        for number, graph in enumerate(self.document["graphs"]):
            if graph["type"] == graph_type:
                yield [c for c in self.document["connections"] if c["graph"] == number]

    def directed(self, graph_type):
        return [2 * len(connections) for connections in self.connections(graph_type)]

    def channels(self, graph_type):
        return {c["channels"] for connections in self.connections(graph_type) for c in connections}

    def from_first(self):
        """Meshes that the first one is joined with as a whole."""
        first = self.document["meshes"][0]["id"]
        for c in self.document["connections"]:
            if c["a"]["chip"] is None and c["b"]["chip"] is None:
                if first in c["a"]["meshes"]:
                    yield from c["b"]["meshes"]
                elif first in c["b"]["meshes"]:
                    yield from c["a"]["meshes"]

    def z_pairs(self, z):
        return sorted({tuple(sorted(c["a"]["meshes"] + c["b"]["meshes"]))
                       for c in self.document["connections"] if c["z"] == z})


def pairs(value):
    return sorted(tuple(sorted(p)) for p in value)


# What expected.json may count, and how it is counted.
COUNTS = {
    "devices": lambda g, v: g.meshes[0]["shape"][0] * g.meshes[0]["shape"][1] == v,
    "directed_intra_connections": lambda g, v: len(list(g.links())) == v,
    "out_connections": lambda g, v: all(
        sum(a == int(d[1:]) for a, _ in g.links()) == n for d, n in v.items()),
    "out_neighbours": lambda g, v: all(
        sorted({b for a, b in g.links() if a == int(d[1:])}) == sorted(n) for d, n in v.items()),
    "cluster_directed_connections": lambda g, v: set(g.directed("CLUSTER")) == {v},
    "cluster_channels": lambda g, v: g.channels("CLUSTER") == {v},
    "per_pod_directed_connections": lambda g, v: set(g.directed("POD")) == {v},
    "pod_channels": lambda g, v: g.channels("POD") == {v},
    "pod_directed_connections": lambda g, v: sum(g.directed("POD")) == v,
    "from_M0(0)": lambda g, v: len(list(g.from_first())) == v,
    "from_M0(0)_to": lambda g, v: sorted(g.from_first()) == sorted(v),
    "meshes": lambda g, v: len(g.meshes) == v,
    "switches": lambda g, v: len(g.switches) == v,
    "switch_local_id": lambda g, v: g.switches[0]["id"] == v,
    "switch_devices": lambda g, v: g.switches[0]["shape"][0] * g.switches[0]["shape"][1] == v,
    "z_pairs": lambda g, v: g.z_pairs(True) == pairs(v),
    "not_z": lambda g, v: g.z_pairs(False) == pairs(v),
    "pinnings": lambda g, v: g.document["pinnings"] == v,
}
IGNORED = {"ok", "error", "note", "source"}


def judge(outcome, expected, out, said):
    """The outcome of a file that something is expected of, and what differs."""
    if "error" in expected:
        if outcome != REFUSED:
            return WRONG, "expected to be refused: " + "; ".join(expected["error"])
        if not same_reason(expected["error"], said):
            return WRONG, "expected to be refused for: " + "; ".join(expected["error"])
        return outcome, ""
    if outcome != READ:
        return WRONG, "expected to be read"
    unknown = []
    for key, value in expected.items():
        if key in IGNORED:
            continue
        if key not in COUNTS:
            unknown.append(key)
        elif not COUNTS[key](Graphs(json.loads(out)), value):
            return WRONG, f"{key}: expected {value}"
    return outcome, "not counted: " + ", ".join(unknown) if unknown else ""


def expectations(folder):
    try:
        with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
            return json.load(file).get("cases", {})
    except FileNotFoundError:
        return {}


def option_of(path, option):
    name = os.path.basename(path)
    return "--rankfile" if option == "--check" and "rankfile" in name else option


def run_file(program, path, option):
    code, out, said = run(program, "place", option_of(path, option), path, "--json")
    outcome = {0: READ, 2: REFUSED}.get(code, WRONG)
    why = ""
    if outcome == REFUSED:
        why = next((line for line in said.splitlines() if "error:" in line), "without a reason")
        why = why.split("error: ", 1)[-1]
        if "error:" not in said:
            outcome = WRONG
    elif outcome == WRONG:
        why = f"exit code {code}: {said.strip()[:200]}"
    name = os.path.splitext(os.path.basename(path))[0]
    expected = expectations(os.path.dirname(path))
    expected = expected.get(name, expected.get(os.path.basename(path)))
    if expected is not None and outcome != WRONG:
        outcome, differs = judge(outcome, expected, out, said)
        why = "; ".join(filter(None, [differs, why]))
    return outcome, why


def run_routes(program, path):
    """Routes on the machine that a descriptor asks for; None if the descriptor is refused."""
    code, out, said = run(program, "place", "--mgd", path, "--routes", "--json")
    if code == 2:
        return None
    sound = code == 0 and json.loads(out).get("routes", {}).get("sound")
    return (READ, "") if sound else (WRONG, f"exit code {code}: {(said or out).strip()[:200]}")


def run_cases(program, path):
    """Results of a file with cases: a line each."""
    command = "shard" if os.path.basename(path).startswith("shard") else "place"
    code, out, said = run(program, "help", command)
    if code != 0:
        return [(NOT_RUN, f"this meshsim has no command {command}")]
    code, out, said = run(program, command, "--cases", path)
    results = []
    for line in out.splitlines():
        case = re.match(r"(\S+) +(good|differs|not run)(?::|$)", line)  # of place: a case a line
        section = re.match(r"(\S+) +(\d+) agree(?: +(\d+) differ)?(?: +(\d+) not tried)?", line)  # of shard: a section a line
        if case:
            outcome = {"good": READ, "differs": WRONG}.get(case[2], NOT_RUN)
            results.append((outcome, "" if outcome == READ else line))
        elif section:
            results += [(READ, "")] * int(section[2]) + [(WRONG, line)] * int(section[3] or 0)
            results += [(NOT_RUN, section[1])] * int(section[4] or 0)
    if code not in (0, 1) or (code == 1) != any(o == WRONG for o, _ in results):
        results.append((WRONG, f"exit code {code}: {said.strip()[:200]}"))
    if not results:
        results.append((WRONG, "it printed no case"))
    return results


def report(name, results, words=(READ, REFUSED, WRONG, NOT_RUN)):
    counts = {o: sum(outcome == o for outcome, _, _ in results) for o in (READ, REFUSED, WRONG, NOT_RUN)}
    print(f"{name:28} " + ", ".join(
        f"{n} {word}" for word, (o, n) in zip(words, counts.items()) if word and (n or o != NOT_RUN)))
    for outcome, file, why in results:
        if why:
            print(f"  {outcome:8} {file}: {why}")
    return counts[WRONG]


def main():
    folder, program = sys.argv[1], sys.argv[2]
    if not os.access(program, os.X_OK):
        print(f"no program {program}: build it first", file=sys.stderr)
        return 2
    wrong = total = 0
    for name, pattern, option in KINDS:
        paths = sorted(p for p in glob.glob(os.path.join(folder, pattern))
                       if os.path.isfile(p) and not re.search(r"\.(txt|md|json)$", p) or "rankfile" in p)
        if not paths:
            continue
        results = [(outcome, os.path.basename(p), why) for p in paths
                   for outcome, why in [run_file(program, p, option)]]
        wrong += report(name, results)
        total += len(results)
    routes = [(outcome, os.path.basename(p), why) for p in sorted(glob.glob(os.path.join(folder, "mgd*/*.textproto")))
              for outcome, why in filter(None, [run_routes(program, p)])]
    if routes:
        wrong += report("routes of descriptors", routes, ("sound", "", "wrong", "not run"))
        total += len(routes)
    for path in sorted(glob.glob(os.path.join(folder, "*cases*", "*.json"))):
        results = [(outcome, os.path.basename(path), why) for outcome, why in run_cases(program, path)]
        wrong += report("cases " + os.path.basename(path), results, ("as expected", "", "wrong", "not run"))
        total += len(results)
    others = sorted(d for d in os.listdir(folder) if os.path.isdir(os.path.join(folder, d)) and not re.match(
        r"mgd|psd|groupings|cluster_descriptors|rank_bindings|.*cases", d))
    if others:
        print("of kinds that meshsim does not read: " + ", ".join(others))
    if not total:
        print("nothing in it to run")
        return 2
    print(f"{total} outcomes, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
