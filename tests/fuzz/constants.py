#!/usr/bin/env python3
"""Sets every constant of a platform to nothing and to far too much. Refuses bugs (70), crashes, runs
without an end, and errors that do not say where the constant stands.

usage: constants.py MESHSIM [PART-OF-A-NAME]
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 60  # of one run
VALUES = ("0", "1", "1e9", "9e18")

HEAD = """meshsim: 1
name: constants
platform: %s
limits: {events: 1000000}
runtime: {command_queues: 2, %s}
workload:
  - write_buffer: {buffer: a, bytes: 65536}
  - enqueue_workload: {runtime_args: 4, circular_buffers: 2, semaphores: 2, processors: all}
  - read_buffer: {buffer: a, blocking: true}
"""

# Behind a gateway, and by broadcast: between them all stages of the firmware.
SCENARIOS = (
    HEAD % ("n300", "dispatch_cores: worker") +
    "  - trace: 1\n    do:\n      - enqueue_workload: {pages: 3}\n"
    "  - fabric_ping: {samples: 2}\n",
    HEAD % ("t3k", "forward: {path: broadcast, initiators: 2}, completion: per-device, "
            "host: {threads: pool}") +
    "  - fabric_traffic: {pattern: mesh_multicast, packets: 4, warmup: 1}\n")


def judge(meshsim, folder, setting):
    """How the run ended, and what is wrong with that (None: nothing)."""
    words = [meshsim, "run", "constants.yaml", "-o", "constants.h5", "--set", setting]
    try:
        end = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False,
            timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return "late", f"not over after {SECONDS} s"
    if end.returncode == 0:
        return "ran", None
    if end.returncode == 4 and "given up after" in end.stderr:
        return "given up", None
    if end.returncode == 2 and re.search(r":\d+:\d+: error: ", end.stderr):
        return "refused", None
    return "wrong", f"ended with {end.returncode}:\n{end.stderr}"


def main():
    meshsim, part = os.path.abspath(sys.argv[1]), (sys.argv[2:] or [""])[0]
    words = [meshsim, "platform", "show", "n300", "--json"]
    shown = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    ends, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="meshsim-test-") as folder:
        for scenario in SCENARIOS:
            with open(os.path.join(folder, "constants.yaml"), "w", encoding="utf-8") as file:
                file.write(scenario)
            for name in (constant["name"] for constant in shown["constants"]):
                for value in VALUES if part in name else ():
                    end, what = judge(meshsim, folder, f"platform.{name}={value}")
                    ends[end] += 1
                    if what:
                        wrong += 1
                        print(f"{name}={value}: {what}", flush=True)
    for end, count in ends.most_common():
        print(f"{count:6} {end}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
