#!/usr/bin/env python3
"""Plants the bugs of mutants.yaml, one at a time, in objects below BUILD/mutants/, and expects the
test that each bug names to fail. The repository is not changed. An entry that no longer fits the
sources is an error."""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
RACES = 8  # tries of a mutant that is found only where processes run at the same time
KEYS = {"name", "law", "file", "function", "from", "to", "test"}
# A test counts as hanging if it has used more CPU time than this, and than this many times the CPU
# time without a bug; or if none of its processes has run for longer than this, and than this many
# times its longest sleep without a bug. Wall-clock time is not used, since other work may slow the
# machine down.
PATIENCE_S, PATIENCE_TIMES, IDLE_S = 1, 3, 2
SLEEP_S = 12  # no test sleeps longer at a time
UNCHANGED_S, UNCHANGED_IDLE_S = 300, 60  # limits for a test without a bug
MEMORY_BYTES = 4 << 30  # of a test's processes: what polls for ever may fill the machine in its time
LOOK_S = 0.25  # interval of polls
CALLS = re.compile(r'MESHSIM_BINARY|"(?:key_run|summary)\.h"')
PASSED = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.+ +Passed +([\d.]+) sec", re.M)
FAILED = re.compile(r"^(?:\[  FAILED  \]|FAILED:) (.*)$", re.M)


class Stale(Exception):
    """Raised if the list does not fit the sources."""


# ---- the list ----

def read_list():
    mutants = yaml.safe_load((HERE / "mutants.yaml").read_text())
    names = set()
    for mutant in mutants:
        wrong = KEYS ^ (mutant.keys() - {"by_hand", "races"})
        if wrong:
            raise Stale(f"{mutant.get('name')}: keys missing or unknown: {' '.join(sorted(wrong))}")
        if mutant["name"] in names:
            raise Stale(f"{mutant['name']}: listed twice")
        names.add(mutant["name"])
    return mutants


def function_in(text, name):
    """Returns the range of the definition of a function: it begins and ends in the first column, as
    formatted by clang-format."""
    for head in re.finditer(rf"^\w[^\n;{{}}]*\b{re.escape(name)}[(\[]", text, re.M):
        first = re.compile(r"[;{]").search(text, head.end())
        if first and first.group() == "{":
            return head.start(), text.index("\n}", first.start()) + 2
    raise Stale(f"there is no function {name}()")


def mutate(mutant):
    path = SOURCE / mutant["file"]
    if not path.exists():
        raise Stale(f"there is no file {mutant['file']}")
    text = path.read_text()
    begin, end = function_in(text, mutant["function"])
    pattern = r"\s+".join(re.escape(word) for word in mutant["from"].split())  # with any line breaks
    found = list(re.finditer(pattern, text[begin:end]))
    if len(found) != 1:
        raise Stale(f"'{mutant['from']}' is {len(found)} times in {mutant['function']}(), not once")
    at, behind = begin + found[0].start(), begin + found[0].end()
    return f'#line 1 "{path}"\n{text[:at]}{mutant["to"]}{text[behind:]}'


# ---- the build ----

def calls_meshsim(test):
    source = SOURCE / "tests" / f"{test}.c"
    return not source.exists() or CALLS.search(source.read_text())


class Build:
    def __init__(self, folder):
        self.folder = folder
        entries = json.loads((folder / "compile_commands.json").read_text())
        self.compile = {entry["file"]: shlex.split(entry["command"]) for entry in entries}
        self.objects = {entry["file"]: self.compile[entry["file"]][-3] for entry in entries}
        shown = self.run(["ctest", "--test-dir", folder, "--show-only=json-v1"])
        self.tests = {test["name"]: test for test in json.loads(shown)["tests"]}
        self.passed_s = self.passed()

    def passed(self):
        """Seconds of each test that ctest has seen pass with this build: in its last run, or in a
        run of tests/run.sh that may still be in progress."""
        passed_s = {}
        record = self.folder / "Testing" / "Temporary" / "CTestCostData.txt"
        if record.exists():
            rows, _, failed = record.read_text().partition("---\n")
            failed, at = set(failed.split()), record.stat().st_mtime
            for name, runs, seconds in (row.split() for row in rows.splitlines()):
                if int(runs) and name not in failed and self.built_before(name, at):
                    passed_s[name] = float(seconds)
        for log in self.folder.glob("ctest-*.log"):
            for name, seconds in PASSED.findall(log.read_text(errors="replace")):
                if self.built_before(name, log.stat().st_mtime):
                    passed_s[name] = float(seconds)
        return passed_s

    def built_before(self, name, at):
        """Whether meshsim, and the program of a test, were linked before this time."""
        programs = [self.folder / "meshsim"]
        programs += map(pathlib.Path, self.tests.get(name, {}).get("command", [])[:1])
        return all(program.stat().st_mtime < at
                   for program in programs if program.is_relative_to(self.folder))

    def run(self, command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Stale((done.stdout + done.stderr).strip()[:600])
        return done.stdout

    def planted_object(self, mutant, folder):
        """Compiles like the source, but without link-time optimization, so that linking is fast."""
        original = str(SOURCE / mutant["file"])
        if original not in self.compile:
            raise Stale(f"{mutant['file']} is not compiled")
        source, target = folder / pathlib.Path(original).name, folder / "mutant.o"
        source.write_text(mutate(mutant))
        command = [word for word in self.compile[original] if "lto" not in word]
        command[command.index("-o") + 1] = str(target)
        command[command.index(original)] = str(source)
        self.run(command + ["-w", "-iquote", pathlib.Path(original).parent])
        return target

    @functools.cache
    def link_line(self, name):
        line = self.run(["ninja", "-t", "commands", name]).splitlines()[-1]
        return line.removeprefix(": && ").removesuffix(" && :")

    def planted_program(self, mutant, program, folder):
        """Links the program again, with the mutant before the libraries: the linker then skips the
        library's version."""
        original = self.compile[str(SOURCE / mutant["file"])]
        words = shlex.split(self.link_line(str(program.relative_to(self.folder))))
        own = original[original.index("-o") + 1]  # of the program itself, not of a library
        words = [word for word in words if word != own and not word.startswith(("-flto", "-Wl,-Map"))]
        at = words.index("-o")
        target = folder / program.name
        words[at:at + 2] = [str(self.planted_object(mutant, folder)), "-fno-lto", "-o", str(target)]
        self.run(words)
        return target

    def go(self, name, folder, limit_s, idle_s, mutant=None):
        """Returns how a test ended, with the mutant's programs if there are any: that of the test
        itself, and the meshsim that it calls. Stops waiting as soon as the test has failed."""
        test = self.tests[name]
        command = list(test["command"])
        properties = {row["name"]: row["value"] for row in test["properties"]}
        environment = dict(os.environ)
        environment.update(row.split("=", 1) for row in properties["ENVIRONMENT"])
        environment["TMPDIR"] = str(folder)
        program = pathlib.Path(command[0])
        if mutant:  # tests, too, read platforms beside their program
            (folder / "share").symlink_to(self.folder / "share")
        if mutant and program.is_relative_to(self.folder):
            command[0] = str(self.planted_program(mutant, program, folder))
        if mutant and calls_meshsim(name):
            planted = self.planted_program(mutant, self.folder / "meshsim", folder)
            environment["MESHSIM_BINARY"] = str(planted)
        process = subprocess.Popen(command, env=environment, cwd=folder, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        watch = Watch(process, limit_s, idle_s)
        return *watch.end(), watch


# ---- a running test ----

TICKS_PER_S, PAGE_BYTES = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def used_by(session):
    """Returns the seconds of CPU time that the processes of a session have used, whether one of
    them runs or waits for a disk, and the bytes of memory that they hold now."""
    ticks, busy, pages = 0, False, 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            stat = pathlib.Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has exited in the meantime
        if int(stat[3]) == session:
            ticks += sum(int(field) for field in stat[11:15])
            busy |= stat[0] in "RD"
            pages += int(stat[21])
    return ticks / TICKS_PER_S, busy, pages * PAGE_BYTES


class Watch:
    """Reads the output of a process and its children until it has ended, failed or hangs; then
    kills the remaining processes."""

    def __init__(self, process, limit_s, idle_s):
        self.process, self.limit_s, self.idle_s, self.output = process, limit_s, idle_s, b""
        self.used_s, self.changed, self.looked = 0.0, time.monotonic(), time.monotonic()
        self.slept_s = 0.0  # the longest time without work

    def hangs(self):
        if time.monotonic() - self.looked < LOOK_S:
            return False
        self.looked = time.monotonic()
        used_s, busy, memory_bytes = used_by(self.process.pid)
        if busy or used_s != self.used_s:
            self.used_s, self.changed = max(used_s, self.used_s), self.looked
        self.slept_s = max(self.slept_s, self.looked - self.changed)
        idle_s = self.looked - self.changed
        return self.used_s > self.limit_s or idle_s > self.idle_s or memory_bytes > MEMORY_BYTES

    def end(self):
        """Returns the exit code, or None if it hangs or takes too much memory; and the output."""
        code, pipe = None, self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if selector.select(LOOK_S):
                    piece = os.read(pipe.fileno(), 1 << 16)
                    self.output += piece
                    if not piece:  # all processes have closed it
                        code = self.process.wait()
                        break
                    if FAILED.search(self.output.decode(errors="replace")):
                        code = 1
                        break
                if self.hangs():
                    break
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        pipe.close()
        return code, self.output.decode(errors="replace")


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def use_unchanged(build, name):
    """Returns the CPU seconds of a test, and the length of its longest sleep. The test must pass,
    or its failure would prove nothing; a test that ctest has just seen pass is not run again."""
    if name not in build.tests:
        raise Stale(f"there is no test {name}")
    if name in build.passed_s:
        return build.passed_s[name], build.passed_s[name]
    folder = fresh(build.folder / "mutants" / "unchanged" / name.replace("/", "-"))
    code, output, watch = build.go(name, folder, UNCHANGED_S, UNCHANGED_IDLE_S)
    shutil.rmtree(folder)
    if code != 0:
        raise Stale(f"{name} {'hangs' if code is None else 'fails'} without a mutant: "
                    f"{output.strip()[-300:]}")
    return watch.used_s, watch.slept_s


def failed_case(output):
    found = FAILED.search(output)
    return found[1] if found else ""


def plant(build, mutant, unchanged):
    """Returns the outcome of the mutant, and whether it is the expected one. One that races is tried again: two
    processes that share a busy core may miss each other."""
    for _ in range(RACES if mutant.get("races") else 1):
        outcome, good = plant_once(build, mutant, unchanged)
        if good:
            break
    return outcome, good


def plant_once(build, mutant, unchanged):
    folder = fresh(build.folder / "mutants" / mutant["name"])
    try:
        used_s, slept_s = unchanged[mutant["test"]]
        limit_s = PATIENCE_S + PATIENCE_TIMES * used_s
        idle_s = IDLE_S + min(PATIENCE_TIMES * slept_s, SLEEP_S)
        code, output, _ = build.go(mutant["test"], folder, limit_s, idle_s, mutant)
    except Stale as why:
        return f"DOES NOT APPLY: {why}", False
    (folder / "output").write_text(output)
    if code == 0:
        return "SURVIVES", False
    if code is None:
        return "dies (hangs)", True
    if code == 77:
        return "SURVIVES (skipped)", False
    return f"dies: {failed_case(output) or f'exit code {code}'}", True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="a build folder without sanitizers")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of mutants; without: all but the slow")
    parser.add_argument("--all", action="store_true", help="also those that are planted by hand only")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one in N")
    parser.add_argument("-j", type=int, default=os.cpu_count() + 1, help="so many at a time")
    options = parser.parse_args()
    build = Build(options.build.resolve())
    mutants = read_list()
    unknown = set(options.names) - {mutant["name"] for mutant in mutants}
    if unknown:
        raise Stale(f"no such mutant: {' '.join(sorted(unknown))}")
    mutants = [mutant for mutant in mutants if (mutant["name"] in options.names if options.names
                                                else options.all or not mutant.get("by_hand"))]
    mutants = mutants[::options.every]
    begun, bad = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        tests = sorted({mutant["test"] for mutant in mutants})
        unchanged = dict(zip(tests, pool.map(lambda name: use_unchanged(build, name), tests)))
        outcomes = pool.map(lambda mutant: plant(build, mutant, unchanged), mutants)
        for mutant, (outcome, good) in zip(mutants, outcomes):
            bad += not good
            print(f"{mutant['name']}: {mutant['law']}\n    {mutant['test']}: {outcome}", flush=True)
    print(f"{len(mutants)} mutants in {time.monotonic() - begun:.0f} s: "
          f"{len(mutants) - bad} die, {bad} survive or do not apply")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stale as why:
        sys.exit(f"mutants: {why}")
