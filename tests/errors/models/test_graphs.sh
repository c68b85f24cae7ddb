# Exact messages for graph files that are wrong, and for files that are no model binaries. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# Without FlatBuffers there are no model binaries.
printf 'aaaaMSMB' >magic
meshsim model verify magic
case $err in
*"without FlatBuffers"*) skip "no FlatBuffers" ;;
esac

# graph: the head of a graph file; operations of its program follow from standard input
graph() {
	cat >bad.yaml <<'END'
meshsim_graph: 1
name: bad
description: d
source: s
platform: t3k
mesh: [1, 2]
sizes: {n: 64}
constants:
  - {tensor: w, shape: [n, 2 * n]}
  - {tensor: narrow, shape: [n, 20]}
  - {tensor: blocks, shape: [n, n], element: bfp_bf8}
programs:
  - program: forward
    inputs: [{tensor: x, shape: [n, n]}]
    outputs: [y]
    operations:
END
	cat >>bad.yaml
}

# refused NAME MESSAGE: the whole message, its first line with the place
refused() {
	meshsim model build bad.yaml -o bad.bin
	exits "$1" 2
	equal "$1: message" "$(printf '%s\n' "$err" | head -1)" "$2"
	[ ! -e bad.bin ] || fail "$1: it wrote a binary"
}

graph <<'END'
      - {operation: mutmul, in: {left: x, right: w}, to: y}
END
refused "an unknown operation" "bad.yaml:17:21: error: no operation 'mutmul', did you mean 'matmul'?"

graph <<'END'
      - {operation: matmul, in: {left: x, right: v}, to: y}
END
refused "an unknown tensor" "bad.yaml:17:50: error: no tensor 'v'"

graph <<'END'
      - {operation: matmul, in: {left: x, rihgt: w}, to: y}
END
refused "an unknown buffer" "bad.yaml:17:50: error: operation 'matmul' reads no 'rihgt', did you mean 'right'?"

graph <<'END'
      - {operation: matmul, in: {left: x}, to: y}
END
refused "a missing buffer" "bad.yaml:17:21: error: operation 'matmul' has no 'right'"

graph <<'END'
      - {operation: matmul, in: {left: w, right: w}, to: y}
END
refused "shapes that do not fit" \
	"bad.yaml:17:21: error: operation 'matmul': 'right' has 2 tiles, but other tensors ask for 4"

graph <<'END'
      - {operation: silu, in: {from: narrow}, to: y}
END
refused "parts of tiles" "bad.yaml:17:38: error: tensor 'narrow' has 64 rows and 20 columns on a device, but only \
whole tiles of 32x32, or one row, can be computed with"

graph <<'END'
      - {operation: add, in: {left: x, right: blocks}, to: y}
END
refused "two types of elements" "bad.yaml:17:47: error: tensor 'blocks' is bfp_bf8, but 'x' is bf16: an operation reads one \
type of elements"

graph <<'END'
      - {operation: silu, in: {from: x}, to: x}
END
refused "a name that is taken" "bad.yaml:17:46: error: two tensors are called 'x'"

graph <<'END'
      - {operation: slice, in: {from: x}, to: y, slice: [0, 16, n, n]}
END
refused "a slice of parts of tiles" "bad.yaml:17:61: error: a slice of 16 elements is not of whole tiles of 32"

graph <<'END'
      - {operation: silu, in: {from: x}, to: z}
END
refused "an output that nothing writes" "bad.yaml:15:15: error: no tensor 'y'"

graph <<'END'
      - {operation: silu, in: {from: x}, to: y, split: partial}
END
refused "an output of summands" "bad.yaml:15:15: error: output 'y' is of summands (split: partial), which the host cannot read"

graph <<'END'
      - {operation: silu, in: {from: x}, to: y, shape: [n, 32]}
END
refused "a shape that the operation does not have" "bad.yaml:17:46: error: tensor 'y' would have 2 rows and 1 columns of \
tiles on a device, but the operation writes 2 and 2"

graph <<'END'
      - {operation: silu, in: {from: x}, to: y}
END
sed 's/mesh: \[1, 2\]/mesh: [3, 2]/' bad.yaml >larger.yaml
mv larger.yaml bad.yaml
refused "a mesh that the machine does not have" "bad.yaml:6:7: error: a mesh of 3 x 2 devices, but the machine has 2 x 4"

graph <<'END'
      - {operation: silu, in: {from: x}, to: y}
END
meshsim model build bad.yaml -o good.bin
exits "a good graph" 0
meshsim model build bad.yaml -o again.bin
cmp good.bin again.bin || fail "the same graph gave other bytes"
meshsim model verify good.bin
exits "verify" 0
equal "verify" "$out" "good.bin: good: 1 programs, 5 tensors, version 1.1, for t3k"
meshsim model verify good.bin --platform p150
exits "another machine" 2
contains "another machine" "$err" "good.bin: error: it was built for another machine (t3k, here p150): 7 rows of workers"

graph <<'END'
      - {operation: all_gather, in: {from: x}, to: y}
END
sed 's/mesh: \[1, 2\]/mesh: [2, 2]/' bad.yaml >square.yaml
mv square.yaml bad.yaml
refused "parts of devices in a square" "bad.yaml:17:21: error: operation 'all_gather': its parts follow a line of devices, \
but the mesh has 2 x 2"
sed 's/mesh: \[2, 2\]/mesh: [1, 1]/' bad.yaml >square.yaml
mv square.yaml bad.yaml
refused "a collective of one device" "bad.yaml:17:21: error: operation 'all_gather': a collective of one device"

# two consumers that want the same share one conversion
graph <<'END'
      - {operation: silu, in: {from: x}, to: a, read_memory: l1}
      - {operation: gelu, in: {from: x}, to: b, read_memory: l1}
      - {operation: add, in: {left: a, right: b}, to: y, in_rows: true}
END
meshsim model build bad.yaml -o shared.bin
meshsim model show shared.bin
equal "conversions" "$(printf '%s\n' "$out" | sed -n 's/^ *\([a-z]*\) (conversion) .*/\1/p' | tr '\n' ' ')" "copy untilize "

head -c 5000 good.bin >cut.bin
meshsim model verify cut.bin
exits "a truncated binary" 2
equal "a truncated binary" "$err" \
	"cut.bin: error: it is damaged or truncated: the checksum of its 5000 bytes is wrong"
meshsim model show bad.yaml
exits "a foreign file" 2
equal "a foreign file" "$err" "bad.yaml: error: it is no model binary: bytes 4 to 7 are not MSMB"
meshsim model build bad.yaml -o bad.yaml
exits "a file that is none of its outputs" 2
finish
