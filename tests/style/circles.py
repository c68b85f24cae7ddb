"""Finds files that call each other in a circle, as the linker sees them: prints each circle with the
symbols that cause it.

    python3 circles.py BUILD

Exits with 1 if there is one. Calls through tables of functions are not considered: lower files use them
to call higher ones on purpose.
"""

import json
import os
import shlex
import subprocess
import sys


def objects(build):
    """Returns source and object file of everything compiled outside the tests, in order of
    sources."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as commands:
        entries = json.load(commands)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = {}
    for entry in entries:
        source = os.path.relpath(entry["file"], root)
        words = shlex.split(entry["command"])
        path = os.path.join(build, words[words.index("-o") + 1])
        if source.split("/")[0] in ("runtime", "model", "bench", "analysis") and os.path.exists(path):
            found[source] = path
    return sorted(found.items())


def calls(build):
    """For each source, the sources whose symbols it uses, with these symbols."""
    defined, used = {}, {}
    sources = {path: source for source, path in objects(build)}
    # A single call for all: nm loads the plugin for LTO objects on each call.
    lines = subprocess.run(["nm", "-A", *sources], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        path, symbol = line.split(":", 1)
        source, (kind, name) = sources[path], symbol.split()[-2:]
        if kind in "TDBRC":
            defined[name] = source
        elif kind == "U":
            used.setdefault(source, set()).add(name)
    edges = {}
    for source, names in used.items():
        for name in sorted(names):
            target = defined.get(name)
            if target and target != source:
                edges.setdefault(source, {}).setdefault(target, []).append(name)
    return edges


def circles(edges):
    """Returns the strongly connected components of more than one file (Tarjan), smallest name
    first."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(edges.get(node, {})):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(found)


def main():
    edges = calls(sys.argv[1])
    found = circles(edges)
    for circle in found:
        print("circle of %d: %s" % (len(circle), " ".join(circle)))
        for source in circle:
            for target in circle:
                names = edges.get(source, {}).get(target)
                if names:
                    print("    %s -> %s: %s" % (source, target, ", ".join(names[:6])))
    print("%d circles, %d files call others" % (len(found), len(edges)))
    if found or not edges:
        sys.exit(1)


main()
