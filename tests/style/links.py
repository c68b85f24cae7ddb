"""Links of Markdown files that lead nowhere, and files that ARCHITECTURE.md or comments of C sources name and that do
not exist.

    python3 links.py ROOT

Prints each as FILE:LINE: NAME, and ends with 1 if there is one.
"""

import os
import re
import subprocess
import sys

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
NAMED = re.compile(r"`([A-Za-z_0-9./]+\.(?:c|h|def|sh|py|yaml|md)|[a-z_0-9]+(?:/[a-z_0-9]+)+/?)`")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
SOURCE = re.compile(r"(?<![\w/.<-])((?:[a-z_0-9]+/)*[a-z_0-9]+\.(?:h|def|c|cc))(?![\w-])")
FOREIGN = {"cmocka.h", "kernel/sched/fair.c"}  # of a library, of Linux


def lost_in_comments(text, ends):
    """Yields line and name of each source that a comment names and that is no end of a path in `ends`."""
    for comment in COMMENT.finditer(text):
        for name in SOURCE.finditer(comment.group()):
            if name.group(1) not in ends and name.group(1) not in FOREIGN:
                yield text.count("\n", 0, comment.start() + name.start()) + 1, name.group(1)


def main():
    root = sys.argv[1]
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], text=True,
                            capture_output=True, check=True).stdout.split("\n")
    files = [name for name in listed if name and os.path.exists(os.path.join(root, name))]
    # A file may be named by the end of its path, as `firmware/link/link.c`; so may a folder.
    known = set(files)
    for name in files:
        while "/" in name:
            name = os.path.dirname(name)
            known.add(name)
    ends = {name[at:] for name in known for at in range(len(name)) if at == 0 or name[at - 1] == "/"}
    missing = 0
    for document in sorted(name for name in files if name.endswith(".md")):
        with open(os.path.join(root, document), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                links = [link for link in LINK.findall(line) if "://" not in link]
                lost = [link for link in links
                        if os.path.normpath(os.path.join(os.path.dirname(document), link)) not in known]
                if document == "ARCHITECTURE.md":
                    lost += [name for name in NAMED.findall(line)
                             if "NAME" not in name and name.rstrip("/") not in ends]
                for name in lost:
                    print("%s:%d: %s does not exist" % (document, number, name))
                missing += len(lost)
    for source in sorted(name for name in files if name.endswith((".c", ".h", ".def", ".cc"))):
        with open(os.path.join(root, source), encoding="utf-8") as file:
            for number, name in lost_in_comments(file.read(), ends):
                print("%s:%d: %s does not exist" % (source, number, name))
                missing += 1
    sys.exit(1 if missing else 0)


main()
