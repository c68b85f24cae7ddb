"""Shared by the fuzzers of the command line: runs of meshsim with a time limit, and counts of how
they ended."""
import collections
import resource
import signal
import subprocess
import sys


def run(meshsim, folder, scenario, name, *options, seconds=120):
    """Returns the exit code and messages of `meshsim run` into `name`; 124 means that it took too
    long. The limit is in seconds of CPU time of each process, so that a busy machine does not
    matter; runs that wait forever are ended after ten times as long on the wall clock."""
    words = [meshsim, "run", scenario, "-o", name, *options]
    try:
        end = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False,
            timeout=10 * seconds, errors="replace",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    except subprocess.TimeoutExpired:
        return 124, f"not over after {10 * seconds} s"
    if "killed, perhaps" in end.stderr or end.returncode == -signal.SIGKILL:
        return 124, f"not over after {seconds} s of CPU time\n{end.stderr}"
    return end.returncode, end.stderr


class Trials:
    """Counts ends, each a word, and prints errors at once."""

    def __init__(self):
        self.ends, self.wrong = collections.Counter(), 0

    def note(self, tried, end, what=None):
        """Counts the end of `tried`; `what` is its error, or None."""
        self.ends[end] += 1
        if what:
            self.wrong += 1
            print(f"{tried}: {what}", flush=True)

    def leave(self):
        """Exits, with 1 if there were any errors."""
        for end, count in self.ends.most_common():
            print(f"{count:6} {end}")
        sys.exit(1 if self.wrong else 0)
