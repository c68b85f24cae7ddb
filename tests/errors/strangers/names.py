"""names.py FILE...: reports each place in an output that would control a terminal, GitHub's log or a
reader: a control character, a bidirectional control, a runner command, a tag. JSON and XML must also
be well-formed. Exits with 1 if it has reported anything."""
import json
import re
import sys
import xml.dom.minidom

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def faults(name, data):
    try:
        text = data.decode("utf8")
    except UnicodeDecodeError as error:
        yield f"no UTF-8: {error}"
        text = data.decode("utf8", "replace")
    # Pages contain our own programs, which have tabs.
    found = CONTROL.search(text.replace("\t", "") if name.endswith((".html", ".svg")) else text)
    if found:
        yield f"a raw {ascii(found.group())} at {ascii(text[max(0, found.start() - 40):found.end() + 40])}"
    for line in text.split("\n"):
        if line.lstrip().startswith("::") or "##[" in line:
            yield f"a command: {ascii(line[:100])}"
    if name.endswith((".html", ".svg", ".xml", ".json")) and "<script>alert" in text:
        yield "a tag"
    if name.endswith(".json"):
        json.loads(text)
    if name.endswith((".svg", ".xml")):
        xml.dom.minidom.parseString(data)


def main():
    bad = False
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            data = file.read()
        for fault in faults(name, data):
            bad = True
            print(f"{name}: {fault}")
    return bad


sys.exit(main())
