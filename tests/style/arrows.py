"""Finds files that could include a header of a hall that they must not use: prints the file's folder and
the include folder that its compile command names.

    python3 arrows.py COMPILE_COMMANDS ROOT

Exits with 1 if there is one. A room's compile commands name the folders of the rooms that it uses, and no
others, so that an include of anything else does not compile; here none of these folders may be above.
"""

import json
import os
import re
import shlex
import sys

# What each hall, or its folder of tools, may use; the longest name that fits decides.
MAY_USE = {
    "runtime": ["runtime"],
    "model": ["runtime/base", "runtime/lists", "runtime/world", "model"],
    "analysis": ["runtime/base", "runtime/lists", "runtime/h5", "analysis"],
    "bench": ["runtime", "model", "analysis/metrics", "bench"],
    "bench/tools": ["runtime", "model", "analysis", "bench", "bench/tools"],
}


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def hall(path):
    """The longest name in MAY_USE that `path` is below, or None."""
    return max((name for name in MAY_USE if is_below(path, name)), key=len, default=None)


def may_use(user, used):
    return any(is_below(used, folder) and (hall(folder) == hall(used)) for folder in MAY_USE[user])


def main():
    commands, root = sys.argv[1:]
    with open(commands, encoding="utf-8") as text:
        entries = json.load(text)
    wrong, seen = set(), 0
    for entry in entries:
        folder = os.path.relpath(os.path.dirname(entry["file"]), root)
        user = hall(folder)
        if user is None:
            continue
        seen += 1
        for word in shlex.split(entry["command"]):
            used = os.path.relpath(word[2:], root) if word.startswith("-I") else ""
            used = re.sub(r"^build[^/]*/", "", used)  # headers that are generated there
            if hall(used) and not may_use(user, used):
                wrong.add("%s can include headers of %s: %s may not use %s" % (folder, used, user, hall(used)))
    print("\n".join(sorted(wrong) + ["%d files, %d wrong arrows between halls" % (seen, len(wrong))]))
    if wrong or not seen:
        sys.exit(1)


main()
