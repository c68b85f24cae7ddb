#!/usr/bin/env python3
"""Plants the bugs of mutants.yaml, one at a time, in objects below BUILD/mutants/, and expects the
test that each one names to fail. Changes nothing in the repository; repairs no list that is stale."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
KEYS = {"name", "law", "file", "function", "from", "to", "test"}
PATIENCE_S = 10  # a test that takes longer than this, and ten times what it takes unchanged, hangs


class Stale(Exception):
    """The list does not fit the sources."""


# ---- the list ----

def read_list():
    mutants = yaml.safe_load((HERE / "mutants.yaml").read_text())
    names = set()
    for mutant in mutants:
        wrong = KEYS ^ (mutant.keys() - {"by_hand"})
        if wrong:
            raise Stale(f"{mutant.get('name')}: keys missing or unknown: {' '.join(sorted(wrong))}")
        if mutant["name"] in names:
            raise Stale(f"{mutant['name']}: listed twice")
        names.add(mutant["name"])
    return mutants


def function_in(text, name):
    """Where the definition of a function begins and ends: at the first column, as clang-format
    writes it."""
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
    pattern = r"\s+".join(re.escape(word) for word in mutant["from"].split())  # wherever lines break
    found = list(re.finditer(pattern, text[begin:end]))
    if len(found) != 1:
        raise Stale(f"'{mutant['from']}' is {len(found)} times in {mutant['function']}(), not once")
    at, behind = begin + found[0].start(), begin + found[0].end()
    return f'#line 1 "{path}"\n{text[:at]}{mutant["to"]}{text[behind:]}'


# ---- the build ----

class Build:
    def __init__(self, folder):
        self.folder = folder
        entries = json.loads((folder / "compile_commands.json").read_text())
        self.compile = {entry["file"]: shlex.split(entry["command"]) for entry in entries}
        self.objects = {entry["file"]: self.compile[entry["file"]][-3] for entry in entries}
        shown = self.run(["ctest", "--test-dir", folder, "--show-only=json-v1"])
        self.tests = {test["name"]: test for test in json.loads(shown)["tests"]}

    def run(self, command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Stale((done.stdout + done.stderr).strip()[:600])
        return done.stdout

    def planted_object(self, mutant, folder):
        """Compiled as the source is, but without optimization across files: linking is quick so."""
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

    def planted_program(self, mutant, program, folder):
        """The program linked again, with the mutant in front of the libraries: the linker takes
        none of them for what is there already."""
        original = self.compile[str(SOURCE / mutant["file"])]
        name = str(program.relative_to(self.folder))
        line = self.run(["ninja", "-t", "commands", name]).splitlines()[-1]
        words = shlex.split(line.removeprefix(": && ").removesuffix(" && :"))
        own = original[original.index("-o") + 1]  # of the program itself, not of a library
        words = [word for word in words if word != own and not word.startswith(("-flto", "-Wl,-Map"))]
        at = words.index("-o")
        target = folder / program.name
        words[at:at + 2] = [str(self.planted_object(mutant, folder)), "-o", str(target)]
        self.run(words)
        return target

    def go(self, name, folder, limit_s, mutant=None):
        """Exit code, or None if the limit was reached, and output of a test, of the mutant's program
        if there is one: of the test itself, or of the meshsim that a script calls."""
        test = self.tests[name]
        command = list(test["command"])
        properties = {row["name"]: row["value"] for row in test["properties"]}
        environment = dict(os.environ)
        environment.update(row.split("=", 1) for row in properties["ENVIRONMENT"])
        environment["TMPDIR"] = str(folder)
        program = pathlib.Path(command[0])
        if mutant and program.is_relative_to(self.folder):
            command[0] = str(self.planted_program(mutant, program, folder))
        elif mutant:
            (folder / "share").symlink_to(self.folder / "share")
            planted = self.planted_program(mutant, self.folder / "meshsim", folder)
            environment["MESHSIM_BINARY"] = str(planted)
        process = subprocess.Popen(command, env=environment, cwd=folder, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace")
        try:
            output, _ = process.communicate(timeout=limit_s)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def time_unchanged(build, name):
    """Seconds that a test takes; it has to pass, or its failure would say nothing."""
    if name not in build.tests:
        raise Stale(f"there is no test {name}")
    folder = fresh(build.folder / "mutants" / "unchanged" / name.replace("/", "-"))
    begun = time.monotonic()
    code, output = build.go(name, folder, 300)
    shutil.rmtree(folder)
    if code != 0:
        raise Stale(f"{name} fails without a mutant: {output.strip()[-300:]}")
    return time.monotonic() - begun


def failed_case(output):
    found = re.findall(r"^(?:\[  FAILED  \]|FAILED:) (.*)$", output, re.M)
    return found[0] if found else ""


def plant(build, mutant, seconds):
    """What became of the mutant, and whether that is good."""
    folder = fresh(build.folder / "mutants" / mutant["name"])
    try:
        code, output = build.go(
            mutant["test"], folder, max(PATIENCE_S, 10 * seconds[mutant["test"]]), mutant)
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
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="so many at a time")
    options = parser.parse_args()
    build = Build(options.build.resolve())
    mutants = read_list()
    unknown = set(options.names) - {mutant["name"] for mutant in mutants}
    if unknown:
        raise Stale(f"no such mutant: {' '.join(sorted(unknown))}")
    mutants = [mutant for mutant in mutants if (mutant["name"] in options.names if options.names
                                                else options.all or not mutant.get("by_hand"))]
    begun, bad = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        tests = sorted({mutant["test"] for mutant in mutants})
        seconds = dict(zip(tests, pool.map(lambda name: time_unchanged(build, name), tests)))
        outcomes = pool.map(lambda mutant: plant(build, mutant, seconds), mutants)
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
