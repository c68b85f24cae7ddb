# Parts of a buffer return to the host unchanged, for any path and any layout over the devices, in
# both worlds and in traces. Buffers that devices cannot gather are rejected with their place.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >gather.yaml <<'EOF'
meshsim: 1
name: gather
platform: t3k
runtime: {gather: device, command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 98304, page_bytes: 2048, spread: sharded}
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 1024, spread: per-row}
  - repeat: 2
    do:
      - read_buffer: {buffer: a, blocking: true}
      - read_buffer: {buffer: b}
      - read_buffer: {buffer: a}
  - finish
  - trace: 1
    replays: 2
    do:
      - read_buffer: {buffer: b}
      - enqueue_workload: {cores: 4, run_ns: 1000}
      - read_buffer: {buffer: a}
  - finish
  - read_buffer: {buffer: a, shard: [1, 2], blocking: true}
measure: {verify_cores: 64}
EOF
verified() {
	"$binary" show gather.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
kinds() {
	"$binary" show gather.h5 --json | grep -c '"gather": {'
}
a=workload.0.write_buffer
for world in sim native; do
	for spread in "sharded" "sharded --set $a.spread_order=column-major" per-column replicated; do
		for path in unicast broadcast; do
			meshsim run gather.yaml -o gather.h5 --world $world --set "$a.spread=${spread%% *}" \
				$(printf '%s' "${spread#* }" | grep -e '^--') --set runtime.forward.path=$path
			exits "$world, $spread, $path: $err" 0
			equal "reads and workers compared, $world, $spread, $path" "$(verified)" 19
		done
	done
done

# Rounds are separate operations; a read waits for them, and its time starts at the call of the
# first.
meshsim run gather.yaml -o gather.h5
equal 'rounds are seen' "$(kinds)" 1
equal 'a call holds its thread from the first round on' "$("$binary" show gather.h5 --json | python3 -c '
import json, sys
seen = json.load(sys.stdin)["runs"][0]["operations"]
print(seen["read_buffer"]["host"]["p50"] > 2 * seen["gather"]["host"]["p50"])')" True
meshsim run gather.yaml -o gather.h5 --set runtime.gather=host
equal 'the host needs none' "$(kinds)" 0
for shape in '[1, 4]' '[2, 1]' '[1, 1]'; do
	meshsim run gather.yaml -o gather.h5 --set "runtime.mesh.shape=$shape" --set workload.6.read_buffer.shard='[0, 0]'
	exits "a mesh of $shape: $err" 0
done

for shards in 'width-sharded 2' 'block-sharded 1'; do
	meshsim run gather.yaml -o gather.h5 --set "$a.layout=${shards% *}" --set "$a.page_matrix=[2, 3]" \
		--set "$a.shard_pages=[${shards#* }, 2]"
	exits "$shards: $err" 0
	equal "reads and workers compared, $shards" "$(verified)" 19
done
meshsim run gather.yaml -o gather.h5 --set "$a.page_bytes=12288"
exits 'pages that are no packets' 2
contains 'pages that are no packets' "$err" 'pages of 12288 B, but a packet of the fabric has'
meshsim run gather.yaml -o gather.h5 --set model.elide_above_bytes=4096 --set measure.verify=false
exits 'data that are not there' 2
contains 'data that are not there' "$err" "kernels gather buffer 'a', but of its 12288 bytes per device none are \
simulated"
meshsim run gather.yaml -o gather.h5 --set platform=galaxy-x2 --set "workload=[{write_buffer: {buffer: a, bytes: 131072, spread: sharded}}, {read_buffer: {buffer: a}}]"
exits 'devices of two hosts' 2
contains 'devices of two hosts' "$err" 'gather: no links join the hosts (hosts.links of the platform)'

# Devices of two hosts gather if links join the hosts.
joined() {
	meshsim run gather.yaml -o gather.h5 --set 'platform={extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}' \
		--set 'runtime.mesh={shape: [4, 4]}' --set runtime.sizes.trace_region_bytes=1048576 "$@"
}
for spread in sharded per-column; do
	joined --set "$a.spread=$spread"
	exits "two joined hosts, $spread: $err" 0
	equal "reads and workers compared, two joined hosts, $spread" "$(verified)" 25
done
joined --world native --set runtime.distributed.transport=unix
exits "joined hosts, natively: $err" 0
equal 'reads and workers compared, joined hosts, natively' "$(verified)" 25

# Parts of tensors are sent to the host one by one.
tensor() {
	printf '%s' "workload=[{write_tensor: {tensor: t, layout: \"tensor<2x32x15xi32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), \
zero, <$1x1x1>, memref<$((2 / $1))x1x1x!tt.tile<32 x 32, i32>, #tt.memory_space<l1>>>>\"}}, {read_tensor: {tensor: t}}]"
}
meshsim run gather.yaml -o gather.h5 --set "$(tensor 2)"
exits 'a tensor in parts' 2
contains 'a tensor in parts' "$err" "read of tensor 't', whose parts go from their devices to the host one by one: \
runtime.gather: device is for read_buffer"
meshsim run gather.yaml -o gather.h5 --set "$(tensor 1)"
exits "a tensor that every device has: $err" 0
meshsim run gather.yaml -o gather.h5 --set "$(tensor 2)" --set runtime.gather=host
exits "a tensor in parts to the host: $err" 0

# Two reads from the same device, one of a part and one of all, do not share their memory.
cat >part.yaml <<'END'
meshsim: 1
name: part
platform: n300
runtime: {gather: device}
workload:
  - write_buffer: {buffer: b, bytes: 616, page_bytes: 4, spread: sharded}
  - read_buffer: {buffer: b, shard: [0, 0]}
  - read_buffer: {buffer: b}
  - finish
END
meshsim run part.yaml -o part.h5
exits 'a part, and all of it gathered' 0

finish
