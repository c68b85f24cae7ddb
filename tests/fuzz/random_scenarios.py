#!/usr/bin/env python3
"""Draws random scenarios over all platforms, one per seed, runs them and checks how they end. Fails
on bugs (exit code 70), stalls that are no hazard of a choice, crashes, errors without a place, and
figures of `cores: chip` that differ from those of `cores: each`.

usage: random_scenarios.py MESHSIM FIRST LAST [--print] [--platform NAME] [--network NAME] [--native]

With --network all scenarios run on that network, with --native in that world; `cores: chip` is not
tried then.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import random_machines
from trials import Trials, run

#           platform      rows, columns, PCIe chips, idle Ethernet tiles, weight
MACHINES = [("n150", 1, 1, 1, True, 6), ("n300", 1, 2, 1, True, 4), ("t3k", 2, 4, 4, True, 4),
    ("tgg", 8, 8, 8, False, 2), ("tgg-6u", 8, 8, 64, False, 1), ("galaxy", 4, 8, 32, False, 3),
    ("mesh-16x16", 16, 16, 16, False, 1), ("mesh-32x32", 32, 32, 32, False, 1),
    ("site", 0, 0, 0, True, 3)]

PATTERNS = [
    "linear_multicast", "unidir_linear_multicast", "single_sender_linear_unicast_all_devices",
    "full_ring_multicast", "half_ring_multicast", "full_ring_unicast", "mesh_multicast",
    "mesh_multicast_dynamic", "single_sender_mesh_unicast_all_devices",
    "torus_all_to_all_multicast"]

CREATE = ["auto", "auto", "per-mesh", "per-device", "per-device-caller"]


class Drawing:
    """One scenario. Two queues never access one buffer unless an event orders them."""

    def __init__(self, seed, platform=None):
        self.random = random.Random(seed)
        self.lines = []
        self.buffers = {}
        self.tensors = {}
        self.files = {}  # beside the scenario
        self.events = self.programs = 0
        machines = [m for m in MACHINES if platform in (None, m[0])]
        machine = self.random.choices(machines, [m[5] for m in machines])[0]
        self.name, self.rows, self.columns, self.gateways, self.idle_ethernet, _ = machine
        if self.name == "site":
            self.rows, self.columns = 1 + self.below(3), 1 + self.below(4)
            self.gateways = self.rows
        self.head(seed)
        self.put(0, "workload:")
        self.steps(1, 1 + self.below(12))
        for name, buffer in self.buffers.items():
            self.put(1, f"- read_buffer: {{buffer: {name}, queue: {buffer['queue']}}}")
        self.put(1, "- finish")

    def put(self, depth, line):
        self.lines.append("  " * depth + line)

    def below(self, bound):
        return self.random.randrange(bound)

    def chance(self, n):
        return self.below(n) == 0

    def pick(self, *values):
        return self.random.choice(values)

    def magnitude(self, bits):
        return 1 + self.below(1 << self.below(bits + 1))

    def maybe(self, depth, n, line):
        if self.chance(n):
            self.put(depth, line)

    # ---- machine and runtime ----

    def machine(self, seed):
        """The platform; one in three has holes. It has its own stream, so that it does not change
        the rest."""
        draw = random.Random(-1 - seed)
        if self.name == "site":
            return self.site(draw)
        if self.rows * self.columns < 8 or draw.randrange(3):
            return self.name
        if draw.randrange(3) == 0:
            return f"{{extends: {self.name}, topology: {{missing: {{{self.holes(draw)}}}}}}}"
        return (f"{{extends: {self.name}, topology: {{missing: {{connections: {1 + draw.randrange(10)} %, "
                f"links: {draw.randrange(10)} %, seed: {seed}}}}}}}")

    def site(self, draw):
        """A machine from a file of its wiring, or the part of it that a mesh graph descriptor
        selects."""
        kind, name, describe = draw.choice((("cluster", "cluster.yaml", random_machines.cluster),
            ("psd", "psd.textproto", random_machines.psd)))
        self.files[name] = describe(draw, self.rows, self.columns)
        if draw.randrange(2):
            return f"{{{kind}: {name}}}"
        self.rows, self.columns = (1 + draw.randrange(n) for n in (self.rows, self.columns))
        self.files["mgd.textproto"] = random_machines.mesh_graph(self.rows, self.columns)
        return f"{{{kind}: {name}, mgd: mgd.textproto}}"

    def initiators(self, seed, count):
        return self.apart(seed, 7).choice((count, count, "per-row", "per-column", "per-gateway"))

    def queues_of_tasks(self, seed):
        first = self.pick("shared", "own")
        return self.apart(seed, 2).choice((first, first, "stealing"))

    def apart(self, seed, number):
        """A stream for a key that was added later, so that the rest of the scenario does not
        change."""
        return random.Random(f"{number}/{seed}")

    def holes(self, draw):
        """Missing neighbours, links and chips, by their places."""
        def pair():
            row, column = draw.randrange(self.rows), draw.randrange(self.columns - 1)
            return f"[[{row}, {column}], [{row}, {column + 1}]]"
        chip = [draw.randrange(self.rows), self.columns - 1]
        lists = [f"connections: [{pair()}]", f"links: [{pair()}, {pair()}]", f"chips: [{chip}]"]
        return ", ".join(draw.sample(lists, 1 + draw.randrange(3)))

    def head(self, seed):
        put = self.put
        put(0, f"meshsim: 1\nname: random\nplatform: {self.machine(seed)}\nseed: {seed}")
        network = self.pick("packet", "packet", "packet", "ideal")
        put(0, f"model: {{noise: {self.pick('on', 'off')}, network: {network}, "
               f"elide_above_bytes: {self.pick(0, 0, 0, 0, 4096)}}}")
        self.measure()
        put(0, "runtime:")
        if self.rows * self.columns > 1 and (self.name.startswith("mesh-") or self.chance(2)):
            limit = 6 if self.name.startswith("mesh-") else 8
            rows, columns = (1 + self.below(min(n, limit)) for n in (self.rows, self.columns))
            place = [self.below(self.rows - rows + 1), self.below(self.columns - columns + 1)]
            put(1, f"mesh: {{shape: [{rows}, {columns}], offset: {place}}}")
            self.rows, self.columns = rows, columns
        self.devices = self.rows * self.columns
        self.queues = self.pick(1, 2, 2)
        put(1, f"command_queues: {self.queues}")
        broadcast = self.devices > 1 and self.chance(2)
        if broadcast:
            initiators = 1 + self.below(min(self.gateways, self.rows))
            ordering = self.pick("counter", "counter", "event", "event", "none")
            packetizer = self.pick("per-queue", "separate", "fused", "shared")
            dispatcher = self.apart(seed, 10).choice(("shared", "dedicated"))
            dispatcher = dispatcher if ordering == "event" else "shared"
            put(1, f"forward: {{path: broadcast, go: {self.apart(seed, 8).choice(('running', 'all'))}, initiators: {self.initiators(seed, initiators)}, ordering: {ordering}, "
                   f"packetizer: {packetizer}, dispatcher: {dispatcher}, feed: {self.pick('copy', 'shared')}, "
                   f"credits: {self.pick('on', 'on', 'on', 'on', 'on', 'on', 'off')}}}")
        else:
            if self.idle_ethernet:
                self.maybe(1, 4, "dispatch_cores: ethernet")
            if self.apart(seed, 9).randrange(3) == 0:
                put(1, "forward: {go: all}")
        self.maybe(1, 8, f"preset: {self.pick('today', 'v1', 'v1.1', 'v1.2')}")
        self.maybe(1, 5, "coordinates: physical")
        completion = self.pick("per-device", "table", "table", "table-one-slot", "aggregator",
            "aggregator-naive")
        put(1, f"completion: {completion}")
        wait = ("spin", "spin-then-park", "park")
        put(1, f"host: {{threads: {self.pick('main', 'per-device', 'pool')}, "
               f"count: {self.magnitude(4)}, queues: {self.queues_of_tasks(seed)}, "
               f"pin: {self.apart(seed, 3).choice(('none', 'none', 'compact', 'spread'))}, "
               f"readers: {self.apart(seed, 4).choice(('per-device', 'per-mesh'))}, "
               f"pollers: {self.apart(seed, 5).choice((1, 1, 2, 5))}, "
               f"create: {self.apart(seed, 6).choice(CREATE)}, "
               f"caller_wait: {self.pick(*wait)}, worker_wait: {self.pick(*wait)}, "
               f"reader_wait: {self.pick(*wait)}}}")
        if self.apart(seed, 11).randrange(3) == 0:
            put(1, "lowering: breadth-first")
        put(1, f"traces: {self.pick('replicated', 'sharded', 'none')}")
        put(1, f"command_cache: {self.pick('true', 'false')}")
        self.maybe(1, 8, f"fabric: {{topology: {self.pick('line', 'mesh', 'ring', 'torus')}}}")
        if self.chance(2):
            sizes = [f"issue_queue_bytes: {65536 << self.below(7)}",
                f"completion_queue_bytes: {16384 << self.below(7)}",
                f"config_ring_bytes: {8192 << self.below(4)}",
                f"binary_page_bytes: {32 * self.magnitude(10)}",
                f"page_alignment_bytes: {16 << self.below(8)}"]
            self.random.shuffle(sizes)
            put(1, f"sizes: {{{', '.join(sizes[:1 + self.below(3)])}}}")

    def measure(self):
        """The measure section; one scenario in twelve has a sweep, so that some seeds give
        questions."""
        keys = [key for key, n in (("verify: false", 6), ("warmup: 1", 8), ("verify_cores: 1000", 8))
            if self.chance(n)]
        if self.chance(12):
            swept = self.pick("runtime.completion: [table, per-device, aggregator]",
                "runtime.command_cache: [true, false]", "runtime.host.threads: [main, pool]")
            self.put(0, f"sweep: {{{swept}}}")
            keys += self.pick([], ["seeds: 2"], ["seeds: 4", "precision: 5 %"])
        if keys:
            self.put(0, f"measure: {{{', '.join(keys)}}}")

    # ---- steps ----

    def queue(self):
        return self.below(self.queues)

    def order(self, depth, before, after):
        self.events += 1
        self.put(depth, f"- record_event: {{event: e{self.events}, queue: {before}}}")
        self.put(depth, f"- wait_event: {{event: e{self.events}, queue: {after}}}")

    def host_event(self, depth):
        self.events += 1
        self.put(depth, f"- record_event: {{event: e{self.events}, queue: {self.queue()}, "
                        "to_host: true}")
        self.put(depth, f"- wait_event: {{event: e{self.events}, host: true}}")

    def write(self, depth, name):
        buffer = self.buffers.get(name)
        if buffer is None:
            page = 4 * self.magnitude(12)
            count = self.magnitude(8)
            spread = self.pick("replicated", "sharded")
            memory = self.pick("dram", "dram", "l1")
            layout = self.pick("interleaved", "interleaved", "sharded")
            self.buffers[name] = buffer = {"queue": int(name[1:]) % self.queues,
                "keys": f"bytes: {page * count * (self.devices if spread == 'sharded' else 1)}, "
                        f"page_bytes: {page}, memory: {memory}, spread: {spread}, "
                        f"layout: {layout}"}
            if layout == "sharded" and self.chance(2):
                buffer["keys"] += f", contiguous_pages: {1 + self.below(count)}"
        self.put(depth, f"- write_buffer: {{buffer: {name}, {buffer['keys']}, "
                        f"pinned: {self.pick('false', 'false', 'true')}, "
                        f"blocking: {self.pick('false', 'false', 'true')}, "
                        f"queue: {buffer['queue']}}}")

    def buffer(self, depth):
        name = f"b{self.below(4)}"
        if name not in self.buffers or self.chance(2):
            self.write(depth, name)
        elif depth == 1 and self.queues == 2 and self.chance(3):
            buffer = self.buffers[name]
            self.order(depth, buffer["queue"], 1 - buffer["queue"])
            buffer["queue"] = 1 - buffer["queue"]
        else:
            self.put(depth, f"- read_buffer: {{buffer: {name}, "
                            f"pinned: {self.pick('false', 'false', 'true')}, "
                            f"blocking: {self.pick('false', 'true')}, "
                            f"queue: {self.buffers[name]['queue']}}}")

    def keys(self):
        """The keys of one program, except its devices."""
        self.programs += 1
        columns = 1 + self.below(8)
        keys = [f"program: p{self.below(self.programs) if self.chance(4) else self.programs}",
            "cores: " + self.pick("all", "all", str(self.magnitude(5)),
                f"[{columns}, {1 + self.below(7)}]"),
            "processors: " + self.pick("brisc", "brisc", "[brisc, ncrisc]", "all", "trisc1",
                *(["ethernet", "[brisc, ethernet]"] if self.chance(8) else [])),
            f"kernel_bytes: {16 * self.magnitude(9)}", f"runtime_args: {self.below(64)}",
            f"common_runtime_args: {self.below(16)}", f"semaphores: {self.below(4)}",
            f"run_ns: {self.pick(0, 1, 100 * self.magnitude(9), 1000 * self.magnitude(6))}"]
        if self.chance(3):
            keys += [f"circular_buffers: {1 + self.below(8)}",
                f"circular_buffer_groups: {self.pick(1, 1, 2)}"]
            if self.chance(3):
                keys += [f"circular_buffer_bytes: {16 * self.magnitude(12)}"]
        if "ethernet" in keys[2] and self.chance(2):
            keys += [f"ethernet_cores: {1 + self.below(4)}"]
        if self.chance(5):
            keys += [f"kernel_groups: {1 + self.below(3)}"]
        if self.chance(4):
            keys += [f"pages: {self.magnitude(6)}"]
        if self.chance(3):
            keys += ["arguments: kept"]
        if self.chance(4):
            keys += [f"arguments_per: {self.pick('row', 'column', 'device')}"]
        return keys

    def program(self, depth, traced=False):
        call = [] if traced else [f"queue: {self.queue()}",
            f"blocking: {self.pick('false', 'false', 'true')}"]
        if self.columns > 1 and self.chance(5):
            cut = 1 + self.below(self.columns - 1)
            sides = [(0, cut), (cut, self.columns - cut)]
            programs = ", ".join("{" + ", ".join(self.keys() + [
                f"devices: {{shape: [{self.rows}, {width}], offset: [0, {column}]}}"]) + "}"
                for column, width in sides)
            self.put(depth, f"- enqueue_workload: {{{', '.join(call + [f'programs: [{programs}]'])}}}")
            return
        keys = self.keys()
        if self.devices > 1 and self.chance(3):
            rows, columns = 1 + self.below(self.rows), 1 + self.below(self.columns)
            place = [self.below(self.rows - rows + 1), self.below(self.columns - columns + 1)]
            keys += [f"devices: {{shape: [{rows}, {columns}], offset: {place}}}"]
        self.put(depth, f"- enqueue_workload: {{{', '.join(keys + call)}}}")

    # ---- tensors ----

    def layout(self):
        """A layout whose map keeps each dimension: leading ones over devices, two over cores."""
        rank = self.pick(2, 2, 3, 4)
        grid = [1 + self.below(4), 1 + self.below(4)]
        if rank == 3:
            grid.insert(0, 1 + self.below(self.devices))
        elif rank == 4:
            grid = [1 + self.below(self.rows), 1 + self.below(self.columns)] + grid
        tile = self.pick(None, (32, 32), (16, 32))
        element = self.pick("f32", "bf16", "i32", "u16", "u8", *(["bfp_bf8"] if tile else []))
        size, shard = [], []
        for at, count in enumerate(grid):
            extent = self.magnitude(5) if at >= rank - 2 else 1 + self.below(2)
            size.append(max(1, count * extent - self.below(count)))
            extent = -(-size[at] // count)
            shard.append(-(-extent // tile[at - rank]) if tile and at >= rank - 2 else extent)
        cell = f"!tt.tile<{tile[0]} x {tile[1]}, {element}>" if tile else element
        names = ", ".join(f"d{at}" for at in range(rank))
        by = lambda numbers: "x".join(map(str, numbers))
        return (f"tensor<{by(size)}x{'f32' if element == 'bfp_bf8' else element}, "
                f"#tt.layout<({names}) -> ({names}), {self.pick('undef', 'zero', 'one')}, "
                f"<{by(grid)}>, memref<{by(shard)}x{cell}, "
                f"#tt.memory_space<{self.pick('l1', 'l1', 'dram')}>>>>")

    def tensor(self, depth):
        name = f"t{self.below(3)}"
        if name not in self.tensors or self.chance(3):
            self.tensors.setdefault(name, self.layout())
            self.put(depth, f'- write_tensor: {{tensor: {name}, layout: "{self.tensors[name]}", '
                            f"queue: {self.queue()}}}")
        else:
            self.put(depth, f"- read_tensor: {{tensor: {name}, queue: {self.queue()}}}")

    def body(self, depth, draw):
        self.put(depth, "  do:")
        for _ in range(1 + self.below(4)):
            draw(depth + 2)

    def trace(self, depth):
        self.put(depth, f"- trace: {1 + self.below(3)}")
        self.put(depth, f"  replays: {1 + self.below(4)}\n{'  ' * depth}  queue: {self.queue()}")
        self.maybe(depth, 3, "  blocking: true")
        self.body(depth, lambda inner: self.program(inner, traced=True))

    def repeat(self, depth):
        self.put(depth, f"- repeat: {2 + self.below(5)}")
        if self.chance(3):
            self.put(depth, f"  rate_per_s: {10 ** self.below(8)}")
            self.put(depth, f"  arrivals: {self.pick('constant', 'poisson')}")
        self.body(depth, self.step)

    def ping(self, depth):
        if self.devices == 1:
            return self.program(depth)
        op = self.pick("write", "fused_atomic_inc")
        hops = 1 + self.below(self.rows + self.columns - 2)
        self.put(depth, f"- fabric_ping: {{op: {op}, hops: {hops}, "
                        f"payload_bytes: {4 * self.magnitude(10)}, samples: {self.magnitude(5)}}}")

    def traffic(self, depth):
        if self.devices == 1:
            return self.program(depth)
        warmup = self.magnitude(5)
        self.put(depth, f"- fabric_traffic: {{pattern: {self.pick(*PATTERNS)}, "
                        f"op: {self.pick('write', 'fused_atomic_inc', 'scatter_write')}, "
                        f"packet_bytes: {8 * self.magnitude(9)}, links: {self.pick(1, 1, 2)}, "
                        f"packets: {warmup + self.magnitude(6)}, warmup: {warmup}}}")

    def step(self, depth):
        chosen = self.below(27)
        if chosen < 8:
            self.buffer(depth)
        elif chosen < 15:
            self.program(depth)
        elif chosen < 17 and self.queues == 2:
            first = self.queue()
            self.order(depth, first, 1 - first)
        elif chosen < 18:
            self.host_event(depth)
        elif chosen < 19:
            self.put(depth, "- finish" + self.pick("", f": {{queue: {self.queue()}}}"))
        elif chosen == 19:
            self.ping(depth)
        elif chosen == 20:
            self.traffic(depth)
        elif chosen > 24:
            self.tensor(depth)
        elif depth == 1:
            self.pick(self.trace, self.repeat, self.repeat)(depth)
        else:
            self.program(depth)

    def steps(self, depth, count):
        for _ in range(count):
            self.step(depth)

    def text(self):
        return "\n".join(self.lines) + "\n"


def figures(meshsim, folder, name):
    """Everything a result says about its run, except the number of events and stage steps."""
    words = [meshsim, "show", name, "--json"]
    shown = json.loads(subprocess.run(words, cwd=folder, capture_output=True, check=True).stdout)
    for row in shown["runs"]:
        row.pop("events")
    words = [meshsim, "timeline", name, "0", "-o", name + ".json"]
    subprocess.run(words, cwd=folder, capture_output=True, check=True)
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        texts = json.dumps(shown, sort_keys=True), file.read()
    return [re.sub(r'"steps": ?\d+', "", text) for text in texts]


def judge(meshsim, folder, drawing, network, native):
    """Returns a word for the end of the scenario, and its error (None if there is none)."""
    for name, text in (*drawing.files.items(), ("scenario.yaml", drawing.text())):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    options = ["--set", f"model.network={network}"] if network else []
    options += ["--world", "native"] if native else []
    code, said = run(meshsim, folder, "scenario.yaml", "each.h5", "-j1", *options)
    if code == 2:
        placed = re.search(r"^(?:scenario\.yaml|--set model\.network):\d+:\d+: error: (.*)", said,
            re.MULTILINE)
        if not placed:
            return "error", "an error without a place:\n" + said
        return "refused: " + re.sub(r"\d+|'[^']*'", "N", placed[1])[:70], None
    known = "(ordering: none|credits: off)" if "stalled at" in said else ""
    if code == 4 and re.search(known + " is a hazard by design", said):
        return "ran into the hazard of a choice", None
    if code != 0:
        return "error", f"ended with {code}:\n{said}"
    if network or native:
        return "ran", None
    code, said = run(meshsim, folder, "scenario.yaml", "chip.h5", "-j1", "--set", "model.cores=chip")
    if code == 2 and "cores: chip would be wrong" in said:
        return "ran, chip refused: " + re.search(r"chip \d+: (.*);", said)[1], None
    if code != 0:
        return "error", f"with cores: chip ended with {code}:\n{said}"
    if figures(meshsim, folder, "each.h5") != figures(meshsim, folder, "chip.h5"):
        return "error", "cores: chip has other figures than cores: each"
    return "ran", None


def main():
    words = sys.argv[1:]
    platform = words[words.index("--platform") + 1] if "--platform" in words else None
    network = words[words.index("--network") + 1] if "--network" in words else None
    meshsim, first, last = os.path.abspath(words[0]), int(words[1]), int(words[2])
    trials = Trials()
    with tempfile.TemporaryDirectory(prefix="meshsim-test-") as folder:
        for seed in range(first, last + 1):
            drawing = Drawing(seed, platform)
            text = "\n".join([*drawing.files.values(), drawing.text()])
            if "--print" in words:
                print(text)
                continue
            end, what = judge(meshsim, folder, drawing, network, "--native" in words)
            trials.note(f"seed {seed}", end, what and f"{what}\n{text}")
    trials.leave()


if __name__ == "__main__":
    main()
