# label: full
# Every shipped scenario, as PyYAML reads it, and the scenario of the design are valid against
# `meshsim schema`. The schema rejects everything that meshsim rejects, swept keys too. The schema
# files for editors beside shipped files equal meshsim's output.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# ---- the files for editors ----
for kind in scenario platform; do
	meshsim schema $kind
	exits "schema $kind" 0
	equal "${kind}s/schema.json: meshsim schema $kind >${kind}s/schema.json" \
		"$(cat "$source_directory/${kind}s/schema.json")" "$out"
	for file in "$source_directory/${kind}s"/*.yaml; do
		equal "the line for editors in $file" "$(head -1 "$file")" \
			'# yaml-language-server: $schema=schema.json'
	done
done

python=/usr/bin/python3
"$python" -c 'import jsonschema, yaml' 2>/dev/null || skip "no python3-jsonschema or python3-yaml"

cat >valid.py <<'END'
import glob, json, sys
import jsonschema, yaml

source = sys.argv[1]
schema = json.load(open(source + "/scenarios/schema.json"))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
validator = kind(schema)

files = sorted(glob.glob(source + "/scenarios/*.yaml")) + [
    source + "/tests/e2e/example.yaml", source + "/bench/speed.yaml", source + "/bench/sweep.yaml"]
assert len(files) > 3, "no scenarios"
for file in files:
    for error in validator.iter_errors(yaml.load(open(file), yaml.CSafeLoader)):
        print(file, "/".join(map(str, error.absolute_path)), error.message[:200])

base = """
meshsim: 1
name: s
platform: n150
workload: [{write_buffer: {bytes: 4096}}, finish]
"""

def errors(more):
    return list(validator.iter_errors({**yaml.safe_load(base), **yaml.safe_load(more)}))

for line in sys.stdin:
    verdict, more = line.rstrip("\n").split(" ", 1)
    if bool(errors(more)) != (verdict == "refuses"):
        print("schema:", "takes" if verdict == "refuses" else "refuses", more)
END

# Each of these cases is given to both the schema and meshsim: both accept it, or both reject it.
cat >cases <<'END'
takes {model: {noise: off}}
takes {model: {noise: "off"}}
takes {model: {noise: on}}
takes {model: {noise: none}}
takes {model: {noise: full}}
takes {model: {noise: true}}
refuses {model: {noise: loud}}
refuses {model: {noise: 1}}
takes {runtime: {traces: off}}
takes {runtime: {traces: none}}
refuses {runtime: {traces: true}}
takes {runtime: {sizes: {config_ring_bytes: 70656}}}
takes {runtime: {sizes: {config_ring_bytes: 64KiB}}}
takes {runtime: {sizes: {config_ring_bytes: 0.1 MB}}}
refuses {runtime: {sizes: {config_ring_bytes: 64kib}}}
refuses {runtime: {sizes: {config_ring_bytes: 64us}}}
refuses {runtime: {sizes: {config_ring_bytes: 12}}}
refuses {runtime: {command_queues: 1B}}
takes {limits: {simulated_ms: 2s}}
takes {workload: [{enqueue_workload: {run_ns: 1.5us, kernel_bytes: 1KiB}}]}
refuses {workload: [{enqueue_workload: {run_ns: 1KiB}}]}
takes {sweep: {runtime.completion: [table, per-device]}}
takes {sweep: {runtime.forward: [{path: unicast}]}}
takes {sweep: {runtime: [{completion: table}]}}
takes {sweep: {runtime.mesh.shape: [[1, 1]]}}
takes {sweep: {runtime.sizes.config_ring_bytes: [64KiB, 70656]}}
takes {sweep: {platform: [n150, t3k]}}
takes {sweep: {platform.chip.noc_hop: [9, 12]}}
takes {sweep: {platform.chip.noc_hop.value: [9, 12]}}
takes {sweep: {workload.0.write_buffer.bytes: [4096, 8KiB]}}
takes {sweep: {model.noise: [none, full]}}
takes {sweep: {seed: [1, 2]}}
takes {sweep: }
refuses {sweep: {runtime.completions: [table]}}
refuses {sweep: {runtime.completion: [tabel]}}
refuses {sweep: {runtime.completion: table}}
refuses {sweep: {runtime.completion: []}}
refuses {sweep: {runtime.forward: [{paths: unicast}]}}
refuses {sweep: {completion: [table]}}
refuses {sweep: {workload.x.repeat: [1]}}
refuses {sweep: {name: [a, b]}}
refuses {sweep: {seeds: [[1]]}}
refuses {sweep: {platforms: [n150]}}
refuses {platform: 7}
END
equal "schema" "$("$python" valid.py "$source_directory" <cases 2>&1)" ""

while read -r verdict more; do
	printf 'meshsim: 1\nname: s\n' >case.yaml
	for key in 'platform: n150' 'workload: [{write_buffer: {bytes: 4096}}, finish]'; do
		case $more in "{${key%%:*}:"*) ;; *) printf '%s\n' "$key" >>case.yaml ;; esac
	done
	more=${more#\{}
	printf '%s\n' "${more%\}}" >>case.yaml
	meshsim run case.yaml -o case.h5
	case $verdict in
	takes) exits "meshsim: $more" 0 ;;
	refuses) exits "meshsim: $more" 2 ;;
	esac
done <cases
finish
