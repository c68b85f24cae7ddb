#!/usr/bin/env python3
"""Sets every constant of a platform to zero and to huge values. Fails on bugs (exit code 70),
crashes, runs that do not end, and errors without the place of the constant.

usage: constants.py MESHSIM [PART-OF-A-NAME]

Values are points of sweeps: a point takes a third of the time of a separate run.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from trials import Trials, run

VALUES = ("0", "1", "1e9", "9e18")
TOGETHER = 32  # points of a sweep: few, since one invalid point keeps all from running
SECONDS = 600  # per sweep

HEAD = """meshsim: 1
name: constants
platform: %s
limits: {events: 1000000, wall_s: 60}
runtime: {command_queues: 2, %s}
workload:
  - write_buffer: {buffer: a, bytes: 65536}
  - enqueue_workload: {runtime_args: 4, circular_buffers: 2, semaphores: 2, processors: all}
  - read_buffer: {buffer: a, blocking: true}
"""

# One behind a gateway and one by broadcast: together they use all stages of the firmware.
SCENARIOS = (
    ("n300", HEAD % ("n300", "dispatch_cores: worker") +
    "  - trace: 1\n    do:\n      - enqueue_workload: {pages: 3}\n"
    "  - fabric_ping: {samples: 2}\n"),
    ("t3k", HEAD % ("t3k", "forward: {path: broadcast, initiators: 2}, completion: per-device, "
            "host: {threads: pool}") +
    "  - fabric_traffic: {pattern: mesh_multicast, packets: 4, warmup: 1}\n"))


class Constants:
    """Constants of a platform in a scenario: tries points, each (name, value), and records the
    outcomes."""

    def __init__(self, meshsim, folder, platform, head, trials):
        self.meshsim, self.folder, self.trials = meshsim, folder, trials
        self.platform, self.head = platform, head

    def point(self, name, value):
        keys = name.split(".")
        inner = ": {".join(keys) + f": {value}" + "}" * (len(keys) - 1)
        return f"  - {{extends: {self.platform}, {inner}}}\n"

    def run(self, points):
        """Returns the exit code, messages, and the line of the first point."""
        text = self.head + "sweep:\n  platform:\n"
        lines = text.count("\n") + 1
        with open(os.path.join(self.folder, "constants.yaml"), "w", encoding="utf-8") as file:
            file.write(text + "".join(self.point(*point) for point in points))
        code, said = run(self.meshsim, self.folder, "constants.yaml", "constants.h5",
            seconds=SECONDS)
        return code, said, lines

    def try_all(self, points):
        """Nothing runs while one point is invalid: drops points whose line is cited, then halves
        the rest until the point at fault is alone."""
        while points:
            code, said, first = self.run(points)
            placed = re.findall(r"^[^\s:]*\.yaml:\d+:\d+: error: ", said, re.MULTILINE)
            if code != 2 or not placed or " refused" in said:
                return self.judge_runs(points, code, said)
            cited = {int(line) - first for line in
                re.findall(r"^constants\.yaml:(\d+):\d+: error: ", said, re.MULTILINE)}
            cited &= set(range(len(points)))
            if not cited and len(points) > 1:
                half = len(points) // 2
                self.try_all(points[:half])
                return self.try_all(points[half:])
            if not cited:
                cited = {0}
            for i in cited:
                self.trials.note("=".join(points[i]), "refused")
            points = [point for i, point in enumerate(points) if i not in cited]
        return None

    def judge_runs(self, points, code, said):
        """Checks that every point ran or ended at the limit of events."""
        shown = {"runs": []}
        if code in (0, 1, 2, 4, 70):
            words = [self.meshsim, "show", "constants.h5", "--json"]
            end = subprocess.run(words, cwd=self.folder, capture_output=True, check=False)
            shown = json.loads(end.stdout) if end.returncode == 0 else shown
        if len(shown["runs"]) != len(points):
            self.trials.note(f"{len(points)} points", "wrong", f"ended with {code}:\n{said}")
            return
        for point, row in zip(points, shown["runs"]):
            status, message = row["status"], row.get("message", "")
            if status == "ok":
                self.trials.note("=".join(point), "ran")
            elif status == "limit" and "(limits.wall_s)" not in message:
                self.trials.note("=".join(point), "given up")
            elif status == "refused" and message in said:
                self.trials.note("=".join(point), "refused by its run")
            else:
                self.trials.note("=".join(point), "wrong", f"{status}: {message}")


def main():
    meshsim, part = os.path.abspath(sys.argv[1]), (sys.argv[2:] or [""])[0]
    words = [meshsim, "platform", "show", "n300", "--json"]
    shown = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    names = [constant["name"] for constant in shown["constants"] if part in constant["name"]]
    if not part and "MESHSIM_LONG" not in os.environ:
        names = names[::3]
    trials = Trials()
    with tempfile.TemporaryDirectory(prefix="meshsim-test-") as folder:
        for platform, head in SCENARIOS:
            constants = Constants(meshsim, folder, platform, head, trials)
            points = [(name, value) for name in names for value in VALUES]
            for i in range(0, len(points), TOGETHER):
                constants.try_all(points[i:i + TOGETHER])
    trials.leave()


if __name__ == "__main__":
    main()
