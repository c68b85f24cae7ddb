# Parts of single devices, written and read alone (spec 3.3.5), among writes and reads of whole
# buffers, in both worlds, by both forward paths, with traces and without. The runs compare what
# they read by themselves, and all of it. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >shards.yaml <<'YAML'
meshsim: 1
name: shards
platform: t3k
workload:
  - write_buffer: {buffer: all, bytes: 8192}
  - write_buffer: {buffer: parts, bytes: 65536, spread: sharded}
  - write_buffer: {buffer: all, shard: [1, 2]}
  - read_buffer: {buffer: all, shard: [1, 2]}
  - read_buffer: {buffer: all}
  - read_buffer: {buffer: all, shard: [0, 1], blocking: true}
  - repeat: 3
    do:
      - write_buffer: {buffer: parts, shard: [0, 3]}
      - read_buffer: {buffer: parts, shard: [0, 3]}
      - read_buffer: {buffer: parts}
      - write_buffer: {buffer: parts}
      - read_buffer: {buffer: parts, shard: [0, 3]}
  - trace: 2
    replays: 2
    do:
      - write_buffer: {buffer: parts, shard: [0, 3]}
      - read_buffer: {buffer: parts, shard: [0, 3]}
      - read_buffer: {buffer: parts}
  - write_buffer: {buffer: all, shard: [0, 0]}
  - read_buffer: {buffer: all}
  - read_buffer: {buffer: all, shard: [1, 1]}
  - finish
YAML

for world in sim native; do
	for path in unicast broadcast; do
		for traces in replicated off; do
			meshsim run shards.yaml --world "$world" -o shards.h5 \
				--set runtime.forward.path="$path" --set runtime.traces="$traces"
			exits "$world, $path, traces $traces" 0
			meshsim show shards.h5 --json
			contains "$world, $path, traces $traces: all reads" "$out" '"verified": 22'
		done
	done
done
finish
