"""Prints the keys and steps of the schema that no scenario of `meshsim fuzz --print` has, except
for those listed here with their reasons, and the listed ones that are drawn after all.

usage: drawn_keys.py SCHEMA SCENARIOS...
"""
import json
import sys

import yaml

LEFT_OUT = {
    **{key: "what a run prints and writes, not what it does" for key in (
        "scenario.description", "log.allocator", "log.device", "log.dispatch", "log.distributed",
        "log.event", "log.lines", "log.program", "log.trace", "measure.log", "measure.trace",
        "measure.kernels", "trace.operations", "trace.slowest", "step.as", "read_buffer.save",
        "read_tensor.save")},
    **{key: "a campaign runs each scenario once, and compares none with another" for key in (
        "scenario.seeds", "measure.metric", "measure.objective", "measure.precision",
        "measure.seeds")},
    **{key: "a run that a limit ends fails (test_campaign.sh has one)" for key in (
        "scenario.limits", "limits.events", "limits.lost_s", "limits.silent_s",
        "limits.simulated_ms", "limits.wall_s")},
    **{key: "of models that are imported (tests/fuzz/import, tests/fuzz/models)" for key in (
        "enqueue_workload.identity", "enqueue_workload.imbalance", "program.imbalance",
        "collective.identity", "collective.ranks", "collective.ways", "rank.do",
        "collective.groups", "group.places",
        "enqueue_workload.processor_bytes", "program.processor_bytes")},
    **{key: "several programs of one workload are filler (draw_program.c)" for key in (
        "program.buffers", "program.circular_buffer_pages", "program.element", "program.image",
        "program.kernels", "program.library", "program.slice", "program.tiles", "kernel.core")},
    **{key: "tests/laws/scenario draws contents and layouts of its own" for key in (
        "write_buffer.element", "write_buffer.from", "write_buffer.from_mesh", "write_buffer.shape",
        "write_buffer.shard_cores", "write_buffer.tiled", "write_buffer.values")},
    **{key: "needs a file that `meshsim model build` makes (tests/e2e/models)" for key in (
        "run_model.binary", "run_model.program", "run_model.times", "run_model.window",
        "run_model.queues", "run_model.programs", "run_model.trace", "run_model.blocking",
        "step.run_model")},
    **{key: "of tests/laws/bring_up: meshes beside that of the scenario" for key in (
        "bring_up.fault", "bring_up.flow", "bring_up.meshes", "bring_up.warm", "step.bring_up")},
    "model.cores": "both values give the same figures (random_scenarios.py)",
    "distributed.descriptor_file": "the name of a file of the user's",
    "forward.initiator_chips": "of place: named, which takes chips of the very machine",
    "collective.blocking": "several collectives on both queues are to overlap (draw_steps.c)",
    "collective.page_bytes": "follows from size_bytes where it is left out",
    "collective.root": "of broadcasts alone, and its default is a device of every mesh",
    "enqueue_workload.ethernet_cores": "how many Ethernet cores are free depends on the runtime",
    "program.ethernet_cores": "how many Ethernet cores are free depends on the runtime",
}


def resolve(definitions, node):
    """The definition's name and the node itself."""
    name = None
    while "$ref" in node:
        name = node["$ref"].split("/")[-1]
        node = definitions[name]
    return name, node


class Drawn:
    """Keys of the schema that scenarios have."""

    def __init__(self, schema):
        self.definitions = schema["$defs"]
        self.seen = set()
        self.keys = {f"{name}.{key}" for name, node in self.definitions.items()
            for key in node.get("properties", {})}
        self.steps = {key for form in self.definitions["step"]["oneOf"]
            for key in self.variants(form)}
        self.keys |= {f"step.{step}" for step in self.steps}

    def variants(self, form):
        """The names of the steps of one form of a step."""
        _, form = resolve(self.definitions, form)
        found = {one for part in ("enum", "const") if part in form
            for one in (form[part] if part == "enum" else [form[part]])}
        return found | set(form.get("properties", {}))

    def walk(self, value, node):
        """Notes the keys of a value that the schema describes as `node`."""
        name, node = resolve(self.definitions, node)
        if name == "step":
            self.walk_step(value, node)
            return
        for form in node.get("oneOf", []) + node.get("anyOf", []) + node.get("allOf", []):
            self.walk(value, form)
        if isinstance(value, list):
            for one in value:
                self.walk(one, node.get("items", {}))
        if not isinstance(value, dict):
            return
        for key, inner in value.items():
            found = node.get("properties", {}).get(key, node.get("additionalProperties"))
            if key in node.get("properties", {}) and name is not None:
                self.seen.add(f"{name}.{key}")
            if isinstance(found, dict):
                self.walk(inner, found)

    def walk_step(self, value, node):
        """Notes the keys of a step: its kind, and those of its form."""
        step = {value: None} if isinstance(value, str) else value
        self.seen |= {f"step.{key}" for key in step}
        for form in node["oneOf"]:
            properties = resolve(self.definitions, form)[1].get("properties", {})
            if not set(step) <= set(properties):
                continue
            for key, inner in step.items():
                self.walk(inner, properties[key])
            return


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        drawn = Drawn(json.load(file))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            for scenario in yaml.load_all(file, loader):
                drawn.walk(scenario, {"$ref": "#/$defs/scenario"})
    for key in sorted(drawn.keys - drawn.seen - set(LEFT_OUT)):
        print(f"never drawn: {key}")
    for key in sorted(set(LEFT_OUT) & drawn.seen):
        print(f"drawn, though left out: {key}")
    for key in sorted(set(LEFT_OUT) - drawn.keys):
        print(f"no such key: {key}")
    print(f"{len(drawn.keys & drawn.seen)} keys and steps are drawn")


main()
