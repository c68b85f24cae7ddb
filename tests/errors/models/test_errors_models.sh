# Exact messages for model files that are wrong: each has its place, and exit code 2. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# model: the head of a model file; the rest follows from standard input
model() {
	printf 'meshsim_model: 1\nname: bad\ndescription: d\nsource: s\nplatform: t3k\n' >bad.yaml
	cat >>bad.yaml
}

# refused NAME MESSAGE: the whole message, its first line with the place
refused() {
	meshsim model bad.yaml
	exits "$1" 2
	equal "$1: message" "$(printf '%s\n' "$err" | head -1)" "$2"
	equal "$1: standard output" "$out" ""
}

model <<'END'
layer: [{matmul: {name: m, shape: [32, 32, 32], fidelty: lofi}}]
END
refused "an unknown key" "bad.yaml:6:49: error: unknown key 'fidelty', did you mean 'fidelity'?"

model <<'END'
sizes: {hidden: 64}
layer: [{matmul: {name: m, shape: [32, hiden, 32]}}]
END
refused "an unknown size" "bad.yaml:7:40: error: size 'hiden': no size 'hiden', did you mean 'hidden'?"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 7 / 2, 32]}}]
END
refused "a remainder" "bad.yaml:6:40: error: size '7 / 2': a quotient with a remainder"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 7 / (2 - 2), 32]}}]
END
refused "a division by zero" "bad.yaml:6:40: error: size '7 / (2 - 2)': a division by zero"

model <<'END'
layer: [{matmul: {name: m, shape: [32, (7, 32]}}]
END
refused "an open bracket" "bad.yaml:6:40: error: size '(7': a '(' without its ')'"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 7 8, 32]}}]
END
refused "two numbers" "bad.yaml:6:40: error: size '7 8': expected '+', '-', '*', '/' or its end"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 2 * 4194304, 32]}}]
END
refused "an extent above its bound" \
	"bad.yaml:6:40: error: size '2 * 4194304': 8388608, but allowed are 1 to 4194304"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 32, 32], cores: 57}}]
END
refused "more cores than there are" "bad.yaml:6:25: error: operation 'm': 57 cores, but a chip has 56"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 32, 32]}}, {matmul: {name: m, shape: [32, 32, 32]}}]
END
refused "two operations of one name" "bad.yaml:6:51: error: two operations are called 'm'"

model <<'END'
layer: [{matmul: {name: m, shape: [32, 1048576, 131072]}}]
END
refused "weights larger than DRAM" \
	"bad.yaml:2:7: error: a device holds 136.0 GiB of weights and 0.0 GiB of keys and values, but has 12.0 GiB of DRAM"

model <<'END'
layer: [{matmul: {name: m, shape: [4194304, 65536, 4096], memory: dram}}]
END
refused "a program that runs for seconds" \
	"bad.yaml:6:9: error: operation 'm' takes 27.3 s by its roofline, but a kernel runs at most 1 s: divide it over more devices, or into parts"

model <<'END'
placement: {tensor: [1, 4], data: 3}
layer: [{matmul: {name: m, shape: [32, 32, 32]}}]
END
refused "more groups than there is room for" \
	"bad.yaml:6:12: error: 3 groups of 1 x 4 devices, but the mesh of 2 x 4 has room for 2"

model <<'END'
placement: {tensor: [1, 1], data: 2, pipeline: 2}
layer: [{matmul: {name: m, shape: [32, 32, 32]}}]
END
refused "replicas of pipelines" "bad.yaml:6:12: error: data and pipeline: only one of them may be above 1"

model <<'END'
placement: {tensor: [1, 4], pipeline: 2}
layer: [{matmul: {name: m, shape: [32, 32, 32]}}]
END
refused "more stages than layers" "bad.yaml:6:12: error: 2 stages of a pipeline, but 1 layers"

model <<'END'
runtime: {mesh: {shape: [1, 1]}}
layer: [{matmul: {name: m, shape: [32, 32, 32]}}]
END
refused "a mesh beside the placement" "bad.yaml:6:11: error: mesh: \`placement\` says which meshes there are"

model <<'END'
placement: {tensor: [1, 2]}
trace: true
layer: [{collective: {name: sum, op: all_reduce, shape: [32, 64]}}]
END
refused "a collective in a trace" \
	"bad.yaml:8:29: error: collective 'sum': a trace has no collectives; say \`collectives: time\`"

model <<'END'
placement: {tensor: [2, 4]}
layer: [{experts: {name: e, shape: [32, 32, 32], experts: 8, active: 9, devices: [2, 3]}}]
END
refused "experts that do not divide a group" \
	"bad.yaml:7:70: error: operation 'e': 9 active experts of 8"

model <<'END'
layer: [{attention: {name: a, users: 1, context: 32, heads: 5, kv_heads: 2, head: 64}}]
END
refused "heads that are no multiple" \
	"bad.yaml:6:61: error: operation 'a': 5 heads are no multiple of 2 heads of keys"

model <<'END'
layer: [{attention: {name: a, users: 1, context: 32, heads: 1, kv_heads: 2, head: 64}}]
END
refused "fewer heads than heads of keys" \
	"bad.yaml:6:61: error: operation 'a': 1 heads are no multiple of 2 heads of keys"

model <<'END'
phases: [{phase: p, sizes: {token: 3}}]
sizes: {tokens: 32}
layer: [{matmul: {name: m, shape: [tokens, 32, 32]}}]
END
refused "a size that only a phase has" \
	"bad.yaml:6:36: error: phase 'p': the model has no size 'token', did you mean 'tokens'?"

printf 'meshsim: 1\n' >bad.yaml
refused "a scenario" "bad.yaml:1:1: error: unknown key 'meshsim'"
meshsim model nowhere.yaml
exits "no file" 2
meshsim model
exits "no argument" 2
finish
