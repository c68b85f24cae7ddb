# JSON output of commands has exactly the members that `meshsim schema COMMAND` describes.
# label: slow  timeout: 300  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
python3 -c 'import jsonschema' 2>/dev/null || skip "no python3-jsonschema"

cat >valid.py <<'EOF'
import json, sys
import jsonschema

schema, document = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)

assert "description" in schema, "the document is not described"
for error in list(validator(schema).iter_errors(document))[:5]:
    print("/".join(map(str, error.absolute_path)), error.message[:300])

# Missing and additional members are detected.
if isinstance(document, dict):
    spoiled = dict(document, unheard_of=1)
    assert list(validator(schema).iter_errors(spoiled)), "a member too many passes"
    for required in schema["required"][:1]:
        assert list(validator(schema).iter_errors({k: v for k, v in document.items() if k != required}))
EOF

# valid SCHEMA ARGUMENT...: runs meshsim and validates its output against the schema
valid() {
	name=$1
	shift
	meshsim schema "$name"
	exits "schema $name" 0
	printf '%s' "$out" >schema.json
	meshsim "$@"
	printf '%s' "$out" >document.json
	equal "$name: $*" "$(python3 valid.py schema.json document.json 2>&1)" ""
}

cat >sweep.yaml <<'EOF'
meshsim: 1
name: sweep
platform: t3k
runtime: {command_queues: 1, host: {threads: main}}
workload:
  - write_buffer: {buffer: b, bytes: 4096, page_bytes: 1024}
  - repeat: 6
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 1024, run_ns: 2000}
      - finish
sweep:
  runtime.forward: [{path: unicast}, {path: broadcast, initiators: 1}, {path: broadcast, initiators: 2}]
  runtime.completion: [table, per-device]
  platform.firmware.packetizer_segment.value: [100, 100000]
measure: {warmup: 2}
EOF
meshsim run sweep.yaml -o sweep.h5
exits run 0
meshsim run sweep.yaml -o worse.h5 --set platform.firmware.dispatch_go.value=500
exits 'slower run' 0
meshsim run "$source_directory/scenarios/quickstart.yaml" -o one.h5
exits 'one run' 0
meshsim check sweep.h5 --baseline b.yaml --update
exits update 0

valid show run "$source_directory/scenarios/quickstart.yaml" -o again.h5 --json
valid show show one.h5 --json
valid show show sweep.h5 --json
valid compare compare sweep.h5 --json
valid compare compare sweep.h5 --json --refine --by path
valid compare compare sweep.h5 --json --metric skew.p99
valid explain explain sweep.h5 0 2 --json
valid explain explain sweep.h5 0 2 --json --metric skew
valid explain explain sweep.h5 0 2 --json --kind finish
valid check check sweep.h5 --baseline b.yaml --json
valid check check worse.h5 --baseline b.yaml --json
sed 's/\[table, per-device\]/[table]/' sweep.yaml >less.yaml
meshsim run less.yaml -o less.h5
exits 'fewer runs' 0
valid check check less.h5 --baseline b.yaml --json
contains 'missing runs' "$out" '"what": "missing"'
valid list list --json
valid platform-show platform show tgg --json
valid platform-show platform show galaxy-x2-joined --json
printf 'id,system,scenario,option,metric,value,unit,source,kind\n%s\n%s\n%s\n' \
	'a,n300,programs of 256 B kernels on 1 core,trace,time,1,us,x,trace' 'a,n300,same,no trace,time,2,us,x,trace' \
	'b,n300,unheard of,this,time,1,us,x,queues' >decisions.csv
valid advise advise "$source_directory/scenarios/models/mlp-block.yaml" --only trace --only path --json
valid validate-decisions validate --decisions decisions.csv --json
valid validate validate --family host_cost --json
valid validate validate --family host_cost --rows --json
valid validate validate --family host_cost --by system,op --json
valid layout layout 'tensor<53x63xf32>' --grid 3x2 --tile 32x32 --index 1,2 --json
valid layout layout 'tensor<53x3x63xf32>' --grid 3x1x2 --space dram --json
valid layout layout 'tensor<53xf32>' --grid 4 --space system --json
valid shard shard --shape 4x3x32x32 --dims none,0 --json
valid shard shard --shape 4x3x32x32 --dim 1 --json
cat >cases.json <<'EOF'
{"config_validation": [{"global": [64, 128], "shard": [32, 120], "expect": "throw (does not divide)"}]}
EOF
valid calibrate calibrate --host --quick --probe spawn --probe codecs --probe transports --json
valid shard-cases shard --cases cases.json --json

cat >four.textproto <<'EOF'
mesh_descriptors {
  name: "M" arch: WORMHOLE_B0 device_topology { dims: [1, 2] } host_topology { dims: [1, 1] }
  channels { count: 2 policy: STRICT }
}
graph_descriptors {
  name: "G" type: "POD"
  instances { mesh { mesh_descriptor: "M" mesh_id: 0 } }
  instances { mesh { mesh_descriptor: "M" mesh_id: 1 } }
  connections {
    nodes { mesh { mesh_descriptor: "M" mesh_id: 0 } }
    nodes { mesh { mesh_descriptor: "M" mesh_id: 1 } }
    channels { count: 1 }
  }
}
top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }
EOF
cat >line.yaml <<'EOF'
arch: {0: wormhole_b0, 1: wormhole_b0, 2: wormhole_b0, 3: wormhole_b0}
chips: {}
chips_with_mmio: [0: 0, 1: 1, 2: 2, 3: 3]
ethernet_connections:
- [{chip: 0, chan: 0}, {chip: 1, chan: 0}]
- [{chip: 0, chan: 1}, {chip: 1, chan: 1}]
- [{chip: 1, chan: 2}, {chip: 2, chan: 2}]
- [{chip: 2, chan: 0}, {chip: 3, chan: 0}]
- [{chip: 2, chan: 1}, {chip: 3, chan: 1}]
EOF
grep -v 'chip: 1, chan: 2' line.yaml >apart.yaml
valid place place --mgd four.textproto --cluster line.yaml --json
contains 'a placement' "$out" '"verdict": "placed"'
valid place place --mgd four.textproto --cluster line.yaml --routes --json
contains 'routes' "$out" '"sound": true'
valid place place --mgd four.textproto --cluster apart.yaml --json
contains 'no placement' "$out" '"verdict": "none"'

meshsim schema explian
exits 'an unknown schema' 2
contains 'the nearest' "$err" "did you mean 'explain'"
finish
