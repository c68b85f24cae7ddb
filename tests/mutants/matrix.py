#!/usr/bin/env python3
"""Plants each bug of mutants.yaml and runs every fast test program that contains the planted file, not only the test that
the bug names. Prints which tests find which bugs: a test that finds none is not shown able to fail, and a bug that one test
alone finds says why that test must stay. Takes about two hours for all bugs on two cores; the repository is not changed."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import threading
import time

import plant


class Matrix(plant.Build):
    def __init__(self, folder):
        super().__init__(folder)
        self.compiled, self.lock = {}, threading.Lock()
        self.files = {name: self.files_in(test) for name, test in self.tests.items() if self.is_tried(test)}

    def is_tried(self, test):
        labels = next(row["value"] for row in test["properties"] if row["name"] == "LABELS")
        return "fast" in labels and pathlib.Path(test["command"][0]).is_relative_to(self.folder)

    def files_in(self, test):
        """Returns the names of the source files whose objects are in a test program."""
        rows = self.run(["nm", "-a", test["command"][0]]).splitlines()
        return {row.split()[-1] for row in rows if " a " in row}

    def planted_object(self, mutant, folder):
        """Compiles a mutant once for all tests."""
        with self.lock:
            if mutant["name"] not in self.compiled:
                folder = plant.fresh(self.folder / "mutants" / "objects" / mutant["name"])
                self.compiled[mutant["name"]] = super().planted_object(mutant, folder)
            return self.compiled[mutant["name"]]

    def tests_of(self, mutant):
        """Returns the tests that can find a mutant: the one that it names first."""
        name = pathlib.Path(mutant["file"]).name
        others = sorted(test for test, files in self.files.items() if name in files)
        return [mutant["test"]] + [test for test in others if test != mutant["test"]]


def finds(build, mutant, test, unchanged):
    """Returns whether a test fails with a mutant. Only the test that the mutant names may do so by hanging: on a busy
    machine any test can take as long."""
    used_s, slept_s = unchanged[test]
    folder = plant.fresh(build.folder / "mutants" / f"{mutant['name']}-{test.replace('/', '-')}")
    code, _, _ = build.go(test, folder, plant.PATIENCE_S + plant.PATIENCE_TIMES * used_s,
                          plant.IDLE_S + min(plant.PATIENCE_TIMES * slept_s, plant.SLEEP_S), mutant)
    subprocess.run(["rm", "-rf", folder], check=True)
    return code not in (0, 77) and (code is not None or test == mutant["test"])


def report(build, found, tried):
    """Prints the matrix by bug, then the tests by the number of bugs that they find."""
    kills = collections.Counter(test for tests in found.values() for test in tests)
    for name, tests in found.items():
        print(f"{name}: found by {len(tests)} of {len(tried[name])}: {' '.join(tests) or 'none'}")
    sole = collections.Counter(tests[0] for tests in found.values() if len(tests) == 1)
    print("\nbugs  alone  test")
    for test, count in sorted(kills.items(), key=lambda row: (-row[1], row[0])):
        print(f"{count:4}  {sole[test]:5}  {test}")
    asked = {test for tests in tried.values() for test in tests}
    idle = sorted(asked - kills.keys())
    print(f"\n{len(idle)} of {len(asked)} tests found none of the bugs that were planted in their files:")
    for test in idle:
        print(f"  {test}")
    unseen = [name for name, tests in found.items() if not tests]
    print(f"\n{len(found)} bugs, {len(unseen)} found by no test{': ' + ' '.join(unseen) if unseen else ''}")
    return len(unseen)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="a build folder without sanitizers")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of bugs; without: all but the slow")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one in N")
    parser.add_argument("-j", type=int, default=os.cpu_count() + 1, help="so many at a time")
    options = parser.parse_args()
    build = Matrix(options.build.resolve())
    mutants = plant.read_list()
    unknown = set(options.names) - {mutant["name"] for mutant in mutants}
    if unknown:
        raise plant.Stale(f"no such mutant: {' '.join(sorted(unknown))}")
    mutants = [mutant for mutant in mutants if (mutant["name"] in options.names if options.names
                                                else not mutant.get("by_hand"))][::options.every]
    tried = {mutant["name"]: build.tests_of(mutant) for mutant in mutants}
    pairs = [(mutant, test) for mutant in mutants for test in tried[mutant["name"]]]
    begun, found = time.monotonic(), {mutant["name"]: [] for mutant in mutants}
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        tests = sorted({test for _, test in pairs})
        unchanged = dict(zip(tests, pool.map(lambda test: plant.use_unchanged(build, test), tests)))
        outcomes = pool.map(lambda pair: finds(build, *pair, unchanged), pairs)
        for number, ((mutant, test), good) in enumerate(zip(pairs, outcomes), 1):
            if good:
                found[mutant["name"]].append(test)
            if number % 500 == 0:
                print(f"{number} of {len(pairs)} tries, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    unseen = report(build, found, tried)
    print(f"{len(pairs)} tries in {time.monotonic() - begun:.0f} s")
    return 1 if unseen else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except plant.Stale as why:
        sys.exit(f"mutants: {why}")
