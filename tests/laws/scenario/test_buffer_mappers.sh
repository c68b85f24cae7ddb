# Shards of a matrix and mesh mappers from a scenario (spec 3.3.3, the sharding specification): each of the specification's
# examples as a mapper and as the ShardedBufferConfig that it is lowered to, in both worlds and on several hosts. What
# is written as one is laid out as the other: equal times. Every part is read back alone. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# steps SPREAD: a scenario that writes and reads a buffer of this spread, whole and by device
steps() {
	cat <<END
meshsim: 1
name: mappers
platform: ${2:-t3k}
workload:
  - write_buffer: {bytes: 65536, page_bytes: 1024, $1}
  - read_buffer
  - read_buffer: {shard: [0, 0]}
  - read_buffer: {shard: [1, 2]}
  - write_buffer: {shard: [1, 1]}
  - read_buffer: {shard: [1, 1]}
  - read_buffer: {blocking: true}
END
}

# same NAME MAPPER CONFIG: both are read back, and take as long
same() {
	for world in sim native; do
		for half in mapper matrix; do
			[ $half = mapper ] && keys=$2 || keys=$3
			steps "spread: $half, $keys" >$half.yaml
			meshsim run $half.yaml --world $world -o $half.h5 --json
			exits "$1, $half, $world" 0
			lacks "$1, $half, $world: keys without effect" "$err" "no effect"
			contains "$1, $half, $world: every read is compared" "$out" '"verified": 5,'
			[ $world = native ] || echo "$out" | grep -E 'latency|reach' >$half.times
		done
	done
	equal "$1: times" "$(cat mapper.times)" "$(cat matrix.times)"
}

same "height over columns, replicated over rows" "tensor_shape: [4, 4, 32, 32], mapper: [none, 0]" \
	"global_shape: [512, 32], shard_shape: [128, 0]"
same "width over rows, replicated over columns" "tensor_shape: [4, 32, 256], mapper: [-1, none]" \
	"global_shape: [128, 256], shard_shape: [0, 128], spread_order: column-major"
same "blocks" "tensor_shape: [1, 1, 128, 256], mapper: [2, 3]" "global_shape: [128, 256], shard_shape: [64, 64]"
same "blocks, width over rows" "tensor_shape: [128, 256], mapper: [1, 0]" \
	"global_shape: [128, 256], shard_shape: [32, 128], spread_order: column-major"
same "over all devices" "tensor_shape: [32, 32, 32], mapper: [0]" "global_shape: [1024, 32], shard_shape: [128, 32]"
same "replicated" "tensor_shape: [32, 32, 32], mapper: [none, none]" "global_shape: [1024, 32], shard_shape: [0, 0]"

# fewer shards than devices: the last ones hold none
steps "spread: matrix, global_shape: [128, 128], shard_shape: [128, 32]" | grep -v 'shard: \[1' >few.yaml
meshsim run few.yaml -o few.h5 --json
exits "4 shards on 8 devices" 0
contains "4 shards on 8 devices: every read is compared" "$out" '"verified": 3,'

# on two hosts, whose parts are cut apart by the controller
for world in sim native; do
	steps "spread: mapper, tensor_shape: [128, 256], mapper: [0, 1]" tgg-2host >hosts.yaml
	sed -i 's/^workload/runtime: {mesh: {shape: [8, 8]}}\nworkload/' hosts.yaml
	meshsim run hosts.yaml --world $world -o hosts.h5 --json
	exits "two hosts, $world" 0
	contains "two hosts, $world: every read is compared" "$out" '"verified": 5,'
done

finish
