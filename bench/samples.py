"""Samples of output in Markdown, as the program prints them now.

    python3 bench/samples.py MESHSIM FILE...          writes them
    python3 bench/samples.py MESHSIM --check FILE...  says which differ, and ends with 1 if any does

A sample is a fenced block behind a line `<!-- sample: COMMAND -->`. A block behind `<!-- file: NAME -->`
is written to a file of that name, for the commands below it. Commands run one after the other, in a folder
that looks like the checkout with build/ and results/, a new one for each document. How the program was built
is not compared.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(<!-- (sample|file): (.*?) -->\n```[a-z]*\n)(.*?)(```\n)", re.S)
DIFFERENCES = 20  # most lines shown of a file
BUILT = re.compile(r"meshsim\s+[0-9.]+\s+\([^)]*\)(,\s+SimGrid\s+)?")  # wherever its lines break


def stage(folder, meshsim):
    """What the commands of samples find in their working directory."""
    for name in ("scenarios", "platforms", "bench"):
        os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    for name in ("build", "results"):
        os.mkdir(os.path.join(folder, name))
    os.symlink(os.path.abspath(meshsim), os.path.join(folder, "build", "meshsim"))


def printed(command, folder):
    """What a command says, on both streams; samples of errors exit with a code of their own."""
    run = subprocess.run(["sh", "-c", command], cwd=folder, text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.stdout.rstrip() + "\n"


def refreshed(text, meshsim):
    """The text with its samples made anew."""
    with tempfile.TemporaryDirectory() as folder:
        stage(folder, meshsim)

        def block(match):
            head, kind, words, body, end = match.groups()
            if kind == "sample":
                return head + printed(words, folder) + end
            with open(os.path.join(folder, words), "w", encoding="utf-8") as file:
                file.write(body)
            return match.group(0)

        return BLOCK.sub(block, text)


def main():
    meshsim, files = sys.argv[1], [word for word in sys.argv[2:] if word != "--check"]
    differ = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            old = file.read()
        new = refreshed(old, meshsim)
        if "--check" not in sys.argv:
            with open(name, "w", encoding="utf-8") as file:
                file.write(new)
        elif BUILT.sub("", old) != BUILT.sub("", new):
            differ.append(name)
            lines = zip(BUILT.sub("", old).split("\n"), BUILT.sub("", new).split("\n"))
            for was, now in [pair for pair in lines if pair[0] != pair[1]][:DIFFERENCES]:
                print("%s:\n- %s\n+ %s" % (name, was, now))
    if differ:
        sys.exit("samples of %s differ; python3 bench/samples.py MESHSIM writes them" % ", ".join(differ))


main()
