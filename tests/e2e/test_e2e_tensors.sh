# The steps write_tensor and read_tensor: in both worlds data are read back; impossible tensors are
# rejected with their place; the layout of a tensor changes the cost of its steps. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario GRID TILES SPACE: a tensor of 8x64x96 on the 8 devices of a t3k
scenario() {
	cat <<EOF
meshsim: 1
name: tensors
platform: t3k
workload:
  - repeat: 2
    do:
      - write_tensor:
          tensor: weights
          layout: >-
            tensor<8x64x96xf32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), one, <$1>,
            memref<$2x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<$3>>>>
      - enqueue_workload: {program: matmul, cores: 6, run_ns: 2000}
      - read_tensor: {tensor: weights}
EOF
}

scenario 8x2x3 1x1x1 l1 >l1.yaml
for world in sim native; do
	meshsim run l1.yaml -o $world.h5 --world $world
	exits "tensors, $world" 0
	contains "they are compared, $world" "$(printf '%s\n' "$out" | grep -A 3 'whole run' | tail -n 1)" '    2'
done

# The same bytes take different times from one bank and spread over cores.
scenario 8x1x1 1x2x3 dram >dram.yaml
meshsim run dram.yaml -o dram.h5 --json
in_dram=$out
meshsim run l1.yaml -o again.h5 --json
equal 'one tensor, two layouts' "$([ "$out" = "$in_dram" ] && echo same)" ''

# Cutting and tilizing are copies of the host: slower memory makes the run longer.
simulated() {
	meshsim run l1.yaml -o slow.h5 --json "$@"
	printf '%s\n' "$out" | sed -n 's/.*"simulated": \([0-9]*\),*$/\1/p'
}
as_it_is=$(simulated)
slower=$(simulated --set platform.host.copy.uncached_source.cached.bandwidth.value=0.1)
equal "slower memory: $slower ps after $as_it_is" "$((slower > 2 * as_it_is))" 1

# The host's work on the shards is a part of the operation: scalars, tiles and blocks of one tensor
# differ in the copy stage, in both directions.
form() {
	printf '    - "tensor<8x256x256xf32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), zero, <8x2x2>, '
	printf 'memref<1x%s, #tt.memory_space<l1>>>>"\n' "$1"
}
{
	printf 'meshsim: 1\nname: forms\nplatform: t3k\nsweep:\n  workload.0.write_tensor.layout:\n'
	form 128x128xf32
	form '4x4x!tt.tile<32 x 32, f32>'
	form '4x4x!tt.tile<32 x 32, bfp_bf8>'
	printf 'workload:\n  - write_tensor: {tensor: w, layout: x}\n  - read_tensor: {tensor: w}\n'
} >forms.yaml
# copies RUN RUN KIND: how much longer the stage is on the second run's path, in ns
copies() {
	meshsim explain forms.h5 "$1" "$2" --kind "$3" --metric latency --json
	printf '%s\n' "$out" | python3 -c 'import json, sys
stages = json.load(sys.stdin)["paths"]["p50"]["stages"]
print(*(stage["difference"] // 1000 for stage in stages if stage["stage"] == "copy"))'
}
meshsim run forms.yaml -o forms.h5 --set model.noise=none
exits 'three forms' 0
for kind in write_tensor read_tensor; do
	tiles=$(copies 0 1 "$kind") blocks=$(copies 1 2 "$kind")
	equal "$kind: tiles take copying: $tiles ns" "$((tiles > 50000))" 1
	equal "$kind: blocks take conversion: $blocks ns" "$((blocks > 250000))" 1
done
# 2 MiB of f32 in tiles, 32768 blocks: one more nanosecond per byte, 100 per block
tiles=$(copies 0 1 write_tensor) blocks=$(copies 1 2 write_tensor)
beyond() {
	meshsim run forms.yaml -o forms.h5 --set "platform.host.work.$1" --set model.noise=none
	more=$(($(copies "$2" "$3" write_tensor) - $4))
	equal "$1: $more ns more" "$((more > $5 && more < $5 + $5 / 10))" 1
}
beyond tilize_byte.cost=1015ps 0 1 "$tiles" 2090000
beyond convert_block.cost=127ns 1 2 "$blocks" 3270000

# refused NAME SCRIPT MESSAGE
refused() {
	sed "$2" l1.yaml >refused.yaml
	meshsim run refused.yaml -o refused.h5
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'a misspelt type' 's/bfp_bf8/bfp_bf9/' \
	"refused.yaml:9 layout:1:107: error: unknown element type 'bfp_bf9', did you mean 'bfp_bf8'?"
refused 'a memref that does not follow' 's/memref<1x1x1x/memref<1x2x1x/' \
	'error: memref of 1x2x1, tensor, map and grid make it 1x1x1'
refused 'more slices than devices' 's/8x64x96/16x64x96/; s/<8x2x3>/<16x2x3>/' \
	"error: tensor 'weights': 16 shards on 2 x 4 devices"
refused 'host memory' 's/space<l1>/space<system>/' \
	"error: tensor 'weights': a layout in system: a mesh tensor is on devices"
equal 'it is said once' "$(printf '%s\n' "$err" | grep -c error)" 1
refused 'a read of nothing' 's/read_tensor: {tensor: weights}/read_tensor: {tensor: weight}/' \
	"error: no step before this one writes tensor 'weight'"
refused 'a tensor without a layout' 's/tensor<8x64x96xf32, .*/tensor<8x64x96xf32>/; /memref/d' \
	"tensor 'weights' has a shape and no layout"
# A tensor without a name is named after the step's place.
printf '%s\n' 'meshsim: 1' 'name: nameless' 'platform: n150' 'workload: [read_tensor, write_tensor]' >refused.yaml
meshsim run refused.yaml -o refused.h5
contains 'a read of no name' "$err" "refused.yaml:4:12: error: no step before this one writes tensor 'tensor'"
contains 'a write of no name' "$err" "refused.yaml:4:25: error: tensor 'tensor': missing key 'layout'"
# Host threads of devices without a part may come to a read after its end.
cat >late.yaml <<'YAML'
meshsim: 1
name: late
platform: tgg
runtime: {preset: today}
workload:
  - write_tensor:
      tensor: t
      layout: "tensor<5x4x5x7xu16, #tt.layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), undef, <3x2x1x4>, memref<2x2x1x1x!tt.tile<32 x 32, u16>, #tt.memory_space<l1>>>>"
  - read_tensor: {tensor: t}
  - enqueue_workload: {}
YAML
meshsim run late.yaml -o late.h5
exits "a read that some threads come to late" 0

finish
