# Every shipped platform file, as PyYAML reads it, is valid against `meshsim schema platform`. The
# schema rejects keys, units and values that meshsim rejects. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
python=/usr/bin/python3
"$python" -c 'import jsonschema, yaml' 2>/dev/null || skip "no python3-jsonschema or python3-yaml"

cat >valid.py <<'EOF'
import glob, json, sys
import jsonschema, yaml

schema = json.load(open("schema.json"))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
validator = kind(schema)

files = sorted(glob.glob(sys.argv[1] + "/platforms/*.yaml"))
assert files, "no platforms"
for file in files:
    for error in validator.iter_errors(yaml.load(open(file), yaml.CSafeLoader)):
        print(file, "/".join(map(str, error.absolute_path)), error.message[:200])

for good in ["extends: tgg", "chip: {noc_hop: 2 cycles}", "chip: {ethernet_latency: 0.8us}", "chip: {noc_hop: 12}", "chip: {noc_hop: {value: 12, kind: assumed}}",
             "topology: {missing: {connections: 1 %, chips: [[0, 1]], links: [[[0, 0], [0, 1]]]}}"]:
    assert not list(validator.iter_errors(yaml.safe_load(good))), good
for bad in ["extend: tgg", "chip: {noc_hops: 12}", "chip: {noc_hop: fast}", "chip: {noc_hop: -1}", "chip: {ethernet_latency: 2 KiB}",
            "chip: {noc_hop: {value: 12, unit: GB/s}}", "chip: {noc_hop: {value: 12, kind: guessed}}",
            "topology: {mesh: [0, 8]}", "topology: {pcie: some}", "topology: {missing: {connections: [[0, 1]]}}",
            "topology: {missing: {links: many}}"]:
    assert list(validator.iter_errors(yaml.safe_load(bad))), bad
EOF

meshsim schema platform
exits "schema platform" 0
printf '%s' "$out" >schema.json
equal "shipped platforms" "$("$python" valid.py "$source_directory" 2>&1)" ""
finish
