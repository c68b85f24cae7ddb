# Scenarios of model files: the bytes of one, and that all that are shipped, and all ways to place a model, run. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

models=$source_directory/scenarios/models
meshsim schema model
equal "scenarios/models/schema.json (build/meshsim schema model)" "$out" "$(cat "$models/schema.json")"

cp "$models/mlp-block.yaml" .
meshsim model mlp-block.yaml
equal "the scenario of mlp-block" "$out" "$(cat "$source_directory/tests/golden/models/mlp_block.yaml")"

# each shipped file becomes a scenario, for another machine, too
for file in "$models"/*.yaml; do
	meshsim model "$file" -o written.yaml
	exits "model $(basename "$file")" 0
	rm -f written.yaml
done
meshsim model mlp-block.yaml --platform galaxy
equal "links of a galaxy" "$(printf '%s' "$out" | grep -c 'cores: 8, kernel_bytes: 8192, run_ns: 11469}} # fabric')" 1

# run NAME: small.yaml becomes a scenario that runs
run() {
	meshsim model small.yaml -o out.yaml
	exits "$1: model" 0
	meshsim run out.yaml -o out.h5
	equal "$1: messages" "$err" ""
	exits "$1: run" 0
	scenario=$(cat out.yaml)
	rm -f out.yaml out.h5
}

# holds NAME COUNT PATTERN: lines of the scenario
holds() {
	equal "$1" "$(printf '%s\n' "$scenario" | grep -cE -- "$3")" "$2"
}

small() {
	cat >small.yaml
	cat >>small.yaml <<'END'
meshsim_model: 1
name: small
description: d
source: s
platform: t3k
sizes: {tokens: 32, wide: 64}
layer:
  - matmul: {name: m, shape: [tokens, wide, wide]}
  - attention: {name: a, users: 2, context: tokens, heads: 4, kv_heads: 2, head: 32}
END
}

small <<'END'
placement: {tensor: [1, 2], data: 4}
layers: 3
END
run "replicas"
holds "replicas have meshes" 4 '^    replica[0-3]: \{shape: \[1, 2\], offset: \[[01], [02]\]\}'
holds "replicas have threads" 1 'clients: per-mesh'
holds "replicas do all layers" 4 'repeat: 3'

small <<'END'
placement: {tensor: [2, 1], pipeline: 4}
layers: 6
between: 4096
END
run "stages"
holds "stages have meshes" 4 '^    stage[0-3]: \{shape: \[2, 1\], offset: \[0, [0-3]\]\}'
holds "a stage takes what the one before made" 3 'buffer: input, bytes: 4096, .*from: output, from_mesh: stage[0-2]\}'
holds "the first two stages have two layers, the others one" 2 'repeat: 2'

small <<'END'
phases:
  - {phase: prompt, sizes: {tokens: 4096}}
  - {phase: token, times: 4}
requests: {count: 3, rate_per_s: 1000, arrivals: poisson}
END
run "a stream"
holds "phases have programs of their own" 2 'as: (prompt|token)-m,'
holds "a phase has its own sizes" 2 'as: prompt-m, .*run_ns: 694\}|as: token-m, .*run_ns: 262\}'
holds "tokens come behind each other" 1 'repeat: 4'
holds "requests arrive" 1 'rate_per_s: 1000'

small <<'END'
trace: true
layers: 3
requests: {count: 2}
END
run "a trace"
holds "operations are captured" 1 '- trace: 1'

cat >small.yaml <<'END'
meshsim_model: 1
name: small
description: d
source: s
platform: t3k
placement: {tensor: [2, 4]}
layer: [{experts: {name: e, shape: [32, 64, 64], experts: 16, active: 3, devices: [1, 2]}},
        {collective: {name: sum, op: all_reduce, shape: [32, 64]}}]
END
run "experts"
holds "a program for each expert with tokens" 3 'program: e-[0-2], devices: \{shape: \[1, 2\]'
holds "a collective of whole pages for each device" 1 'op: all_reduce, topology: ring, links: 2, size_bytes: 16384'
finish
