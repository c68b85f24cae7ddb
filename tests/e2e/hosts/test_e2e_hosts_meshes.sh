# Several meshes over two hosts, one across both and one within each: data that were read from one are written to another,
# a product goes on to the sum, and all is as the host computes it, in both worlds, with and without links between
# the hosts. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# meshes NAME LINKS: NAME.yaml
meshes() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: {extends: loopback, hosts: {links: $2}, topology: {mesh: [2, 4], wrap: [false, false]}}
limits: {wall_s: 60}
runtime:
  command_queues: 2
  meshes:
    across: {shape: [4, 2]}
    upper: {shape: [2, 2], offset: [0, 2]}
    lower: {shape: [2, 2], offset: [2, 2]}
workload:
  - {mesh: across, open_mesh: {}}
  - {mesh: upper, open_mesh: {}}
  - {mesh: lower, open_mesh: {}}
  - repeat: 2
    do:
      - mesh: across
        write_buffer: {buffer: a, bytes: 128KiB, page_bytes: 2048, spread: matrix, global_shape: [128, 512], shard_shape: [32, 256]}
      - mesh: across
        write_buffer: {buffer: b, bytes: 128KiB, page_bytes: 2048, spread: matrix, global_shape: [128, 512], shard_shape: [32, 256]}
      - mesh: across
        write_buffer: {buffer: c, bytes: 128KiB, page_bytes: 2048, spread: matrix, global_shape: [128, 512], shard_shape: [32, 256]}
      - mesh: across
        enqueue_workload: {program: multiply, library: multiply, element: bf16, buffers: {left: a, right: b, to: c}, cores: all}
      - {mesh: across, read_buffer: {buffer: c, blocking: true}}
      - mesh: lower
        write_buffer:
          {buffer: a, page_bytes: 2048, spread: matrix, global_shape: [128, 512], shard_shape: [64, 256], from: c, from_mesh: across, queue: 1}
      - {mesh: lower, record_event: {event: moved, queue: 1}}
      - {mesh: lower, wait_event: {event: moved, queue: 0}}
      - {mesh: lower, read_buffer: {buffer: a, blocking: true}}
      - mesh: upper
        write_buffer:
          {buffer: a, page_bytes: 2048, spread: matrix, global_shape: [128, 512], shard_shape: [64, 256], from: a, from_mesh: lower}
      - {mesh: upper, trace: 2, do: [{read_buffer: {buffer: a}}]}
      - finish
END
}

# verified FILE: number of successful comparisons
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}

for links in 0 2; do
	meshes links$links $links
	for world in sim native; do
		meshsim run links$links.yaml -o links.h5 --world $world --set runtime.sizes.trace_region_bytes=1048576
		exits "$links links, $world: $err" 0
		lacks "nothing is warned of, $links links, $world" "$err" warning
		seen=$(verified links.h5)
		equal "comparisons, $links links, $world" "$seen" "${first:=$seen}"
	done
done
[ "${first:-0}" -ge 8 ] || fail "only '$first' comparisons"
finish
