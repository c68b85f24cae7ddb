"""What fuzzers of the command line share: runs of meshsim that may take so long, and the count of how
they ended. Knows nothing of what was run."""
import collections
import resource
import signal
import subprocess
import sys


def run(meshsim, folder, scenario, name, *options, seconds=120):
    """Exit code and messages of `meshsim run` into `name`. 124: it took too long. The seconds are
    of the CPU, of each process, so that a busy machine fails nobody; what waits for ever is caught
    by a clock that goes ten times as long."""
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
    """Counts ends, each a word; prints what is wrong at once."""

    def __init__(self):
        self.ends, self.wrong = collections.Counter(), 0

    def note(self, tried, end, what=None):
        """`tried` ended so; `what` is wrong with that, or None."""
        self.ends[end] += 1
        if what:
            self.wrong += 1
            print(f"{tried}: {what}", flush=True)

    def leave(self):
        """Ends the process: with 1 if anything was wrong."""
        for end, count in self.ends.most_common():
            print(f"{count:6} {end}")
        sys.exit(1 if self.wrong else 0)
