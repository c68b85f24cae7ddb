"""Laws of bring-up: bring_up_laws.py MESHSIM FOLDER WHAT, where WHAT is one of the functions below."""
import json
import subprocess
import sys

MESHSIM, FOLDER, WHAT = sys.argv[1:4]
FIXTURES = FOLDER + "/../../real/fixtures"
CHECKS = ["opened", "far_end", "hello", "report", "session", "arrived"]
bad = []


def run(*options):
    """The runs of `meshsim bring-up`, by flow and fault."""
    command = [MESHSIM, "bring-up", FOLDER + "/four_boxes.yaml", "--json", *options]
    out = subprocess.run(command, capture_output=True, text=True)
    if not out.stdout:
        sys.exit(f"{' '.join(command)}: {out.stderr}")
    return {(run["flow"], run["fault"]): run for run in json.loads(out.stdout)["runs"]}


def expect(what, found, wanted):
    if found != wanted:
        bad.append(f"{what}: {found}, expected {wanted}")


def cell(run):
    if run["impossible"]:
        return "-"
    return run["noticed"] + (":" + run["by"] if run["by"] else "")


def flows():
    """All flows reach the first dispatch with the same bindings, in both worlds."""
    machines = [[], ["--meshes", "each"], ["--hosts", "1"], ["--hosts", "16", "--meshes", "each"],
                ["--set", "platform=galaxy-x2-joined"],
                ["--set", "platform=galaxy-x4", "--meshes", "each"],
                ["--asked", "--mgd", FIXTURES + "/mgd/grid_2x4.textproto"],
                ["--asked", "--mgd", FIXTURES + "/mgd/pair_of_boards.textproto"]]
    for machine in machines:
        bindings = set()
        for world in "sim", "native":
            for (flow, _), found in run("--world", world, *machine).items():
                expect(f"{flow} {world} {machine}: reached", found["reached"], True)
                expect(f"{flow} {world} {machine}: noticed", found["noticed"], "never")
                expect(f"{flow} {world} {machine}: lesser links", found["lesser"], 0)
                bindings.add(found["bindings"])
        expect(f"{machine}: different bindings", len(bindings), 1)


# flow by flow: manual, hierarchical, assisted, automatic
TABLES = {
    "one": """
wrong_binding     at_launch:local    at_launch:hello   at_launch:hello   -
missing_cable     at_launch:far_end  at_launch:far_end at_launch:far_end before_launch:far_end
few_channels      never              at_launch:far_end at_launch:far_end before_launch:far_end
swapped_cables    at_launch:far_end  at_launch:far_end at_launch:far_end before_launch:far_end
missing_chip      at_launch:opened   at_launch:opened  at_launch:opened  before_launch:report
wrong_host        at_launch:local    at_launch:local   at_launch:local   -
stale_descriptor  at_launch:far_end  at_launch:far_end at_launch:far_end before_launch:far_end
dead_manager      -                  -                 never             before_launch:session
""",
    "each": """
wrong_binding     at_launch:local     at_launch:hello   at_launch:hello   -
missing_cable     never               at_launch:far_end at_launch:far_end before_launch:far_end
few_channels      never               at_launch:far_end at_launch:far_end before_launch:far_end
swapped_cables    never               at_launch:far_end at_launch:far_end before_launch:far_end
missing_chip      at_launch:opened    at_launch:opened  at_launch:opened  before_launch:report
wrong_host        at_dispatch:arrived at_launch:local   at_launch:local   -
stale_descriptor  at_dispatch:arrived at_launch:far_end at_launch:far_end before_launch:far_end
dead_manager      -                   -                 never             before_launch:session
""",
}


def faults():
    """The table of faults, by flow, in both worlds."""
    for meshes, table in TABLES.items():
        for world in "sim", "native":
            found = run("--faults", "--meshes", meshes, "--world", world)
            for line in table.split("\n"):
                if not line:
                    continue
                fault, *cells = line.split()
                names = ["manual", "hierarchical", "assisted", "automatic"]
                for flow, wanted in zip(names, cells):
                    expect(f"{fault} {flow} {meshes} {world}", cell(found[flow, fault]), wanted)
    device_ends()


def device_ends():
    """A mesh that is mapped alone may put the device at the end of a connection where no cable is."""
    found = run("--psd", FIXTURES + "/psd/two_hosts.textproto",
                "--mgd", FIXTURES + "/mgd/pair_of_boards.textproto")
    for (flow, _), one in found.items():
        wanted = "at_dispatch:arrived" if flow == "manual" else "never"
        expect(f"{flow}: connection of devices", cell(one), wanted)


def removal():
    """Leaving a message out leaves exactly its faults without it."""
    for meshes in "one", "each":
        whole = run("--faults", "--meshes", meshes)
        for message in CHECKS:
            left = run("--faults", "--meshes", meshes, "--without", message)
            for key, before in whole.items():
                if before["noticed"] == "never":
                    continue
                expect(f"{key} {meshes} without {message}: changed",
                       cell(left[key]) != cell(before), message in before["path"])


def same():
    """The same run prints the same bytes, and messages do not depend on the world."""
    first, again = run("--meshes", "each"), run("--meshes", "each")
    native = run("--meshes", "each", "--world", "native")
    expect("two runs differ", first == again, True)
    warm = run("--meshes", "each", "--warm")
    for (flow, fault), one in first.items():
        sooner = (one["time"] - warm[flow, fault]["time"]) / 1e6
        expect(f"{flow}: on a warm cluster {sooner:.0f} ms sooner: more than 100", sooner > 100, flow == "automatic")
    for key, found in first.items():
        counts = [{m["message"]: m["count"] for m in r["messages"]} for r in (found, native[key])]
        expect(f"{key}: messages in both worlds", counts[0], counts[1])


def scale():
    """Descriptors sent by all ranks to all grow with the square of hosts, reports of agents with hosts;
    a manager that computes all tables alone is what the automatic flow loses by."""
    quiet = ["--meshes", "each", "--set", "model.noise=none"]

    def times(hosts, *more):
        found = run("--hosts", str(hosts), *quiet, *more)
        return ({flow: run["time"] / 1e6 for (flow, _), run in found.items()},
                {flow: sum(m["bytes"] for m in run["messages"]) for (flow, _), run in found.items()})

    (few, few_bytes), (many, many_bytes) = times(64), times(256)
    expect("bytes of hierarchical, 256 hosts to 64",
           13 < many_bytes["hierarchical"] / few_bytes["hierarchical"] < 16, True)
    expect("bytes of automatic, 256 hosts to 64",
           4 < many_bytes["automatic"] / few_bytes["automatic"] < 10, True)
    late = many["automatic"] - many["hierarchical"]
    expect(f"automatic is late by {late:.1f} ms: more than 30", late > 30, True)
    free, _ = times(256, "--set", "platform.host.work.route_entry.cost=0")
    left = free["automatic"] - free["hierarchical"]
    expect(f"without the cost of tables it is late by {left:.1f} ms: less than 2", left < 2, True)
    twice = many["assisted"] - many["hierarchical"]
    expect(f"assisted is late by {twice:.1f} ms: more than 5", twice > 5, True)
    free, _ = times(256, "--set", "platform.host.work.map_device.cost=0")
    left = free["assisted"] - free["hierarchical"]
    expect(f"without the cost of mapping it is late by {left:.1f} ms: less than 1", left < 1, True)


globals()[WHAT]()
print("\n".join(bad) or f"{WHAT}: good")
sys.exit(bool(bad))
