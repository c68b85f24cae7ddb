"""Follows every advice that `meshsim place` prints: changes the files or the options as --json says, and
expects that the placement then succeeds. See advice.sh."""
import copy
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import yaml

MOST_CHANNELS = 256


# ---- text format: a message is a list of [key, value], a value a token or a message ----

def parse(text):
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_0-9.+-]+|[{}<>\[\]:,;]',
                        re.sub(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|#[^\n]*""", lambda m: m[1] or "", text))
    at = 0

    def value():
        nonlocal at
        if tokens[at] in "{<":
            at += 1
            return message()
        token = tokens[at]
        at += 1
        if token[0] in "\"'":
            token = token[1:-1]
            while at < len(tokens) and tokens[at][0] in "\"'":  # pieces of one string
                token += tokens[at][1:-1]
                at += 1
            return '"' + token + '"'
        return token

    def message():
        nonlocal at
        fields = []
        while at < len(tokens) and tokens[at] not in "}>":
            key = tokens[at]
            at += 1
            if tokens[at] == ":":
                at += 1
            if tokens[at] == "[":
                at += 1
                while tokens[at] != "]":
                    fields.append([key, value()])
                    if tokens[at] == ",":
                        at += 1
                at += 1
            else:
                fields.append([key, value()])
            if at < len(tokens) and tokens[at] in ",;":
                at += 1
        at += 1
        return fields

    return message()


def form(fields, indent=""):
    return "".join(f"{indent}{key} {{\n{form(v, indent + '  ')}{indent}}}\n" if isinstance(v, list)
                   else f"{indent}{key}: {v}\n" for key, v in fields)


def all_of(fields, key):
    return [v for k, v in fields if k == key]


def one_of(fields, key, missing=None):
    found = all_of(fields, key)
    return found[0] if found else missing


def put(fields, key, values):
    fields[:] = [f for f in fields if f[0] != key] + [[key, v] for v in values]


def name_of(fields, key="name"):
    return one_of(fields, key, '""').strip('"')


def number(fields, key):
    return int(one_of(fields, key, "0"))


# ---- changes of a descriptor ----

def descriptor(graph, name):
    return next(m for kind in ("mesh_descriptors", "switch_descriptors")
                for m in all_of(graph, kind) if name_of(m) == name)


def channels_of(graph, change):
    if "graph" not in change:
        holder = descriptor(graph, change["descriptor"])
    else:
        joined = next(g for g in all_of(graph, "graph_descriptors") if name_of(g) == change["graph"])
        holder = all_of(joined, "connections")[change["connection"]] if "connection" in change \
            else one_of(joined, "graph_topology")
    if one_of(holder, "channels") is None:
        holder.append(["channels", []])
    return one_of(holder, "channels")


def identity(ref):
    for kind in ("mesh", "switch", "graph"):
        if one_of(ref, kind) is not None:
            return kind, number(one_of(ref, kind), kind + "_id")
    return None


def keep_instances(graph, change):
    name = change["descriptor"]
    joined = next(g for g in all_of(graph, "graph_descriptors") if name_of(g) == name)
    kept = all_of(joined, "instances")[:change["count"]]
    there = {identity(i) for i in kept}
    connections = [c for c in all_of(joined, "connections") if all(identity(n) in there for n in all_of(c, "nodes"))]
    put(joined, "instances", kept)
    put(joined, "connections", connections)


def unpin(graph, change):
    def is_it(pin):
        node = one_of(pin, "logical_fabric_node_id", [])
        return number(node, "mesh_id") == change["mesh"] and number(node, "chip_id") == change["chip"]
    put(graph, "pinnings", [p for p in all_of(graph, "pinnings") if not is_it(p)])


def change_graph(graph, change):
    kind = change["change"]
    if kind == "policy":
        put(channels_of(graph, change), "policy", [change["policy"]])
    elif kind == "count":
        put(channels_of(graph, change), "count", [str(change["count"])])
    elif kind in ("shape", "hosts"):
        holder = descriptor(graph, change["descriptor"])
        topology = one_of(holder, "device_topology" if kind == "shape" else "host_topology")
        put(topology, "dims", [str(d) for d in change["dims"]])
        if kind == "shape":
            put(topology, "types", [])
            put(topology, "dim_types", change["dim_types"])
    elif kind == "instances":
        keep_instances(graph, change)
    elif kind == "unpin":
        unpin(graph, change)
    else:
        raise ValueError(kind)


# ---- more cables ----

def free_channel(used):
    channel = next(c for c in range(MOST_CHANNELS) if c not in used)
    used.add(channel)
    return channel


def add_to_system(system, links):
    """In a physical system descriptor each end lists what it is joined with."""
    graphs = all_of(one_of(system, "system_graph"), "asic_connectivity_graph")
    hosts = {number(a, "asic_id"): name_of(one_of(a, "asic_descriptor"), "host_name")
             for a in all_of(system, "asic_descriptors")}
    used = {}
    for message in walk(one_of(system, "system_graph")):
        for end, key in (("src_exit_node", "src_chan"), ("dst_exit_node", "dst_chan")):
            if one_of(message, end) is not None:
                used.setdefault(number(message, end), set()).add(number(one_of(message, "eth_conn"), key))
    for one in (t for g in graphs for t in all_of(g, "asic_topologies")):
        for connection in all_of(one_of(one, "topology", []), "asic_connections"):
            for c in all_of(connection, "eth_connections"):
                used.setdefault(number(one, "asic_id"), set()).add(number(c, "src_chan"))
                used.setdefault(number(connection, "dst_asic_id"), set()).add(number(c, "dst_chan"))
    for link in links:
        a, b = link["between"]
        for _ in range(link["add"]):
            ends = {a: free_channel(used.setdefault(a, set())), b: free_channel(used.setdefault(b, set()))}
            for here, there in ((a, b), (b, a)):
                topology_of(graphs, hosts, here).append(["asic_connections", [
                    ["dst_asic_id", str(there)],
                    ["eth_connections", [["src_chan", str(ends[here])], ["dst_chan", str(ends[there])],
                                         ["is_local", "true" if hosts[a] == hosts[b] else "false"]]]]])


def walk(message):
    yield message
    for _, value in message:
        if isinstance(value, list):
            yield from walk(value)


def topology_of(graphs, hosts, asic):
    graph = next(g for g in graphs if name_of(g, "host_name") == hosts[asic])
    for topology in all_of(graph, "asic_topologies"):
        if number(topology, "asic_id") == asic:
            return one_of(topology, "topology")
    graph.append(["asic_topologies", [["asic_id", str(asic)], ["topology", []]]])
    return graph[-1][1][1][1]


def add_to_cluster(cluster, links):
    chips = {unique: chip for chip, unique in (cluster.get("chip_unique_ids") or {}).items()}
    used = {}
    connections = cluster.setdefault("ethernet_connections", [])
    for connection in connections:
        for end in connection[:2]:
            used.setdefault(end["chip"], set()).add(end["chan"])
    for connection in cluster.get("ethernet_connections_to_remote_devices") or []:
        used.setdefault(connection[0]["chip"], set()).add(connection[0]["chan"])
    for link in links:
        ends = [chips.get(i, i) for i in link["between"]]
        for _ in range(link["add"]):
            connections.append([{"chip": e, "chan": free_channel(used.setdefault(e, set()))} for e in ends])


# ---- a placement, and the same with an advice ----

class Problem:
    """What `meshsim place` is given: a descriptor, a machine, options."""

    def __init__(self, name, graph, machine, is_cluster, options=(), pins=()):
        self.name, self.graph, self.machine, self.is_cluster = name, graph, machine, is_cluster
        self.options, self.pins = list(options), list(pins)

    def changed(self, changes):
        problem = copy.deepcopy(self)
        in_graph = len(all_of(self.graph, "pinnings"))
        pins = []
        for change in changes:
            kind = change["change"]
            if kind == "option":
                problem.options.append(change["option"])
            elif kind == "without":
                at = problem.options.index(change["option"])
                del problem.options[at:at + 2]
                if change["option"] == "--check" and "--rankfile" in problem.options:
                    at = problem.options.index("--rankfile")
                    del problem.options[at:at + 2]
            elif kind == "channels":
                (add_to_cluster if problem.is_cluster else add_to_system)(problem.machine, change["links"])
            elif kind == "unpin" and change["of"] == "command":
                pins.append(change["pin"] - in_graph)
            else:
                change_graph(problem.graph, change)
        problem.pins = [p for i, p in enumerate(problem.pins) if i not in pins]
        return problem

    def place(self, program, folder):
        graph = os.path.join(folder, "graph.textproto")
        machine = os.path.join(folder, "machine.yaml" if self.is_cluster else "machine.textproto")
        with open(graph, "w", encoding="utf-8") as file:
            file.write(form(self.graph))
        with open(machine, "w", encoding="utf-8") as file:
            file.write(yaml.safe_dump(self.machine, default_flow_style=None) if self.is_cluster else form(self.machine))
        arguments = ["--mgd", graph, "--cluster" if self.is_cluster else "--psd", machine, *self.options]
        for pin in self.pins:
            arguments += ["--pin", pin]
        done = subprocess.run([program, "place", "--json", *arguments], capture_output=True, text=True, timeout=120,
                              check=False)
        return done.returncode, done.stdout, done.stderr


class Tally:
    def __init__(self):
        self.placed = self.refused = self.unread = self.followed = self.without = 0
        self.obstacles, self.wrong = {}, []

    def follow(self, problem, program, folder):
        code, out, said = problem.place(program, folder)
        if code not in (0, 1):
            self.unread += 1
            if code != 2:
                self.wrong.append(f"{problem.name}: exit code {code}: {said.strip()[:300]}")
            return
        self.placed += code == 0
        if code == 0:
            return
        self.refused += 1
        document = json.loads(out)
        self.without += not document["advice"]
        for advice in document["advice"]:
            self.followed += 1
            self.obstacles[advice["obstacle"]] = self.obstacles.get(advice["obstacle"], 0) + 1
            code, _, said = problem.changed(advice["changes"]).place(program, folder)
            if code != 0:
                self.wrong.append(f"{problem.name}: {advice['text']}: refused with code {code}: {said.strip()[:300]}")

    def say(self, title):
        print(f"{title}: {self.placed} placed, {self.refused} refused ({self.without} without advice), "
              f"{self.unread} not read; {self.followed} advices followed, {len(self.wrong)} refused")
        print("  " + ", ".join(f"{k} {n}" for k, n in sorted(self.obstacles.items())))
        for line in self.wrong:
            print("  " + line)
        return len(self.wrong)


# ---- where problems come from ----

def of_folder(folder):
    """Every descriptor on every machine; with every file of groupings on those of several boards."""
    def paths(kind):
        return sorted(p for p in glob.glob(os.path.join(folder, kind)) if os.path.isfile(p))
    def text(path):
        with open(path, encoding="utf-8") as file:
            return file.read()
    machines = [(p, parse(text(p)), False) for p in paths("psd*/*.textproto")]
    machines += [(p, yaml.safe_load(text(p)), True) for p in paths("cluster_descriptors*/*.yaml")
                 if "$schema" not in text(p)]
    groupings = [p for p in paths("groupings*/*") if not p.endswith((".txt", ".md"))]
    for path in paths("mgd*/*.textproto"):
        for machine_path, machine, is_cluster in machines:
            several = not is_cluster or len(machine.get("chips_with_mmio") or []) > 1
            for grouping in [None, *(groupings if several else [])]:
                name = " on ".join(os.path.basename(p) for p in (path, machine_path, grouping) if p)
                yield Problem(name, parse(text(path)), copy.deepcopy(machine), is_cluster,
                              ["--groupings", grouping] if grouping else [])


def mesh(name, rows, columns, rings=(False, False), hosts=(1, 1), channels=1, policy="STRICT"):
    types = ["RING" if r else "LINE" for r in rings]
    return ["mesh_descriptors", parse(
        f'name: "{name}" arch: WORMHOLE_B0 device_topology {{ dims: [{rows}, {columns}] dim_types: [{", ".join(types)}] }}'
        f' host_topology {{ dims: [{hosts[0]}, {hosts[1]}] }} channels {{ count: {channels} policy: {policy} }}')]


def system(chips, edges):
    """chips: (host, tray, location) by id; edges: (a, b, channels)."""
    hosts = sorted({c[0] for c in chips.values()})
    fields = [["system_graph", [["asic_connectivity_graph", [["host_name", f'"{h}"']]] for h in hosts]]]
    for chip, (host, tray, location) in chips.items():
        fields.append(["asic_descriptors", parse(
            f'asic_id: {chip} asic_descriptor {{ tray_id: {tray} asic_location: {location} unique_id: {chip}'
            f' host_name: "{host}" }}')])
    add_to_system(fields, [{"between": [a, b], "add": n} for a, b, n in edges if n])
    return fields


def shape_of(graph):
    """(rows, columns, rings, channels) if a case's logical graph is a mesh, else None."""
    wiring = graph.get("wiring", "grid")
    if "shape" in graph:
        rows, columns = graph["shape"]
        if wiring in ("ring", "line", "chain"):
            rows, columns = 1, rows * columns
        rings = (wiring == "torus" and rows > 2, wiring in ("torus", "ring") and columns > 2)
        return (rows, columns, rings, graph.get("channels", 1)) if wiring != "all_to_all" else None
    edges = {tuple(sorted(e[:2])): (e + [1])[2] for e in graph.get("edges", [])}
    count, most = graph.get("nodes", 0), set(edges.values()) or {1}
    if len(most) > 1 or not count:
        return None
    for rows in range(1, count + 1):
        columns = count // rows
        grid = {(i, i + 1) for i in range(count) if (i + 1) % columns} | {(i, i + columns) for i in range(count - columns)}
        if rows * columns == count and set(edges) == grid:
            return rows, columns, (False, False), most.pop()
    ring = {tuple(sorted((i, (i + 1) % count))) for i in range(count)}
    return (1, count, (False, True), most.pop()) if set(edges) == ring else None


def edges_of(graph, first):
    if "edges" in graph:
        ids = {n: i for i, n in enumerate(graph.get("ids", range(graph.get("nodes", 0))))}
        return [(first + ids[e[0]], first + ids[e[1]], (e + [1])[2]) for e in graph["edges"]]
    rows, columns, rings, channels = shape_of(graph)
    out = []
    for i in range(rows * columns):
        row, column = divmod(i, columns)
        if column + 1 < columns or rings[1]:
            out.append((first + i, first + row * columns + (column + 1) % columns, channels))
        if row + 1 < rows or rings[0]:
            out.append((first + i, first + (row + 1) % rows * columns + column, channels))
    return out


def joins_of(inter, count):
    if isinstance(inter, list):
        return [e for e in inter if len(e) <= 3 and all(isinstance(x, int) for x in e)]
    pairs = {"all_to_all": [(a, b) for a in range(count) for b in range(a + 1, count)],
             "line": [(a, a + 1) for a in range(count - 1)],
             "ring": [(a, (a + 1) % count) for a in range(count if count > 2 else count - 1)]}
    return [[a, b, 1] for a, b in pairs.get(inter, [])]


def of_case(case):
    """A case as files, or None if its graph is no mesh."""
    policy = case.get("policy", "STRICT")
    logical, physical = (case.get(k) or {} for k in ("logical", "physical"))
    wanted, there = (g.get("meshes", [g]) if g else [] for g in (logical, physical))
    shapes = [shape_of(g) for g in wanted]
    if not shapes or not there or None in shapes or any("wiring" in g and shape_of(g) is None for g in there):
        return None
    graph = [mesh(f"M{i}", *s[:3], channels=s[3], policy=policy) for i, s in enumerate(shapes)]
    whole = "".join(f' instances {{ mesh {{ mesh_descriptor: "M{i}" mesh_id: {i} }} }}' for i in range(len(shapes)))
    joined = "".join(
        " connections {" + "".join(f' nodes {{ mesh {{ mesh_descriptor: "M{m}" mesh_id: {m} }} }}' for m in e[:2])
        + f" channels {{ count: {(e + [1])[2]} policy: {policy} }} }}"
        for e in joins_of(logical.get("inter"), len(shapes)))
    graph += parse(f'graph_descriptors {{ name: "G" type: "FABRIC"{whole}{joined} }} top_level_instance {{'
                   ' graph { graph_descriptor: "G" graph_id: 0 } }')
    for pin in case.get("pins", []):
        graph += parse(f'pinnings {{ logical_fabric_node_id {{ mesh_id: {pin.get("mesh", 0)} chip_id: {pin["node"]} }}'
                       f' physical_asic_position {{ tray_id: {pin["pos"][0]} asic_location: {pin["pos"][1]} }} }}')
    chips, edges, firsts = {}, [], []
    for part in there:
        first = len(chips) + 1
        firsts.append(first)
        count = part.get("nodes") or len(part.get("ids", [])) or part["shape"][0] * part["shape"][1]
        for i in range(count):
            chips[first + i] = ("host0", *part.get("positions", {}).get(str(i), (0, len(chips))))
        edges += edges_of(part, first)
    for e in joins_of(physical.get("inter"), len(there)):
        edges.append((firsts[e[0]] + e[1], firsts[e[1]] + e[0], (e + [1])[2]))
    return Problem(case["id"], graph, system(chips, edges), False)


def of_cases(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*cases*", "*.json"))):
        with open(path, encoding="utf-8") as file:
            for case in json.load(file).get("cases", []):
                problem = of_case(case) if "logical" in case else None
                if problem:
                    yield problem


def drawn(draw, number_of):
    """Meshes on a grid of chips on hosts that lacks links or channels; pins that may be in the way."""
    rows, columns, channels = draw.randint(1, 4), draw.randint(2, 4), draw.randint(1, 3)
    split = draw.choice([1, 1, 2])
    chips = {100 + i: (f"host{i % columns * split // columns}", 1 + i // columns, i % columns)
             for i in range(rows * columns)}
    edges = []
    for i in range(rows * columns):
        if (i + 1) % columns:
            edges.append((100 + i, 101 + i, channels))
        if i + columns < rows * columns:
            edges.append((100 + i, 100 + i + columns, channels))
    for _ in range(draw.randint(0, 3)):
        at = draw.randrange(len(edges))
        edges[at] = (*edges[at][:2], draw.randint(0, channels))
    count = draw.choice([1, 1, 1, 2, 3])
    hosts = (1, draw.choice([1, 1, 2]))
    graph = [mesh("M", draw.randint(1, rows), hosts[1] * draw.randint(1, max(1, columns // hosts[1])),
                  (draw.random() < 0.2, draw.random() < 0.2), hosts, draw.randint(1, channels),
                  draw.choice(["STRICT", "STRICT", "RELAXED"]))]
    layout = f" graph_topology {{ layout_type: ALL_TO_ALL channels {{ count: {draw.randint(1, 3)} policy:" \
             f' {draw.choice(["STRICT", "RELAXED"])} }} }}' if count > 1 else ""
    instances = "".join(f' instances {{ mesh {{ mesh_descriptor: "M" mesh_id: {i} }} }}' for i in range(count))
    graph += parse(f'graph_descriptors {{ name: "G" type: "FABRIC"{instances}{layout} }}'
                   ' top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }')
    pins = [f"0:{i}={chips[c][1]}:{chips[c][2]}"
            for i, c in enumerate(draw.sample(list(chips), draw.choice([0, 0, 1, 2]))) if c in chips]
    options = draw.choice([[], [], ["--any-host"], ["--budget", str(draw.randint(1, 2000))]])
    return Problem(f"draw {number_of}", graph, system(chips, edges), False, options, pins)


def boards(draw, number_of):
    """Boards of two chips: ranks share none."""
    count = draw.randint(1, 4)
    connections = [[{"chip": 2 * i, "chan": 8 + k}, {"chip": 2 * i + 1, "chan": k}] for i in range(count) for k in range(2)]
    for i in range(count - 1):
        for k in range(draw.randint(0, 2)):
            connections.append([{"chip": 2 * i + 1, "chan": 6 + k}, {"chip": 2 * i + 2, "chan": 4 + k}])
    cluster = {"arch": {i: "Wormhole" for i in range(2 * count)}, "chips": {},
               "chip_unique_ids": {i: 100 + i for i in range(2 * count)}, "ethernet_connections": connections,
               "chips_with_mmio": [{2 * i: i} for i in range(count)],
               "boards": [[{"board_id": i}, {"board_type": "n300"}, {"chips": [2 * i, 2 * i + 1]}] for i in range(count)]}
    meshes = draw.randint(1, 3)
    graph = [mesh("M", 1, draw.randint(1, 3), channels=draw.randint(1, 3))]
    instances = "".join(f' instances {{ mesh {{ mesh_descriptor: "M" mesh_id: {i} }} }}' for i in range(meshes))
    graph += parse(f'graph_descriptors {{ name: "G" type: "FABRIC"{instances} }}'
                   ' top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }')
    pins = [f"0:0=asic:{100 + draw.randrange(2 * count)}"] if draw.random() < 0.4 else []
    return Problem(f"boards {number_of}", graph, cluster, True, [], pins)


def main():
    folder, program, draws = sys.argv[1], sys.argv[2], int(sys.argv[3])
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for title, problems in (("files", of_folder(folder)), ("cases", of_cases(folder)),
                                ("drawn", (make(random.Random(f"advice {i}"), i)
                                           for i in range(draws) for make in (drawn, boards)))):
            tally = Tally()
            for problem in problems:
                tally.follow(problem, program, work)
            wrong += tally.say(title)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
