# What was read from one buffer is written to another one, also of another mesh (spec 3.7, step 6): kernels print the same
# elements on both sides, in both worlds, and what was made of them is compared with the reference. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# printer MESH BUFFER: a program that prints the 34th element of the buffer's first page on device 0
printer() {
	cat <<YAML
  - mesh: $1
    enqueue_workload:
      program: print-$1
      cores: 1
      devices: {shape: [1, 1]}
      buffers: {from: $2}
      circular_buffers: 1
      circular_buffer_bytes: 2048
      circular_buffer_pages: 2
      kernels:
        - processor: ncrisc
          text: |
              page r4:5, r0, from
              reserve 0, 1
              back r6, 0
              read r6, r4, 2048
              wait_reads
              push 0, 1
        - processor: brisc
          text: |
              await 0, 1
              add r2, r0, 33
              print_tile 0, bf16, r2 + 1
              pop 0, 1
YAML
}

# sources PINNED: c is the product f of the left mesh, cut into blocks; d grows by c in each round
sources() {
	cat <<YAML
meshsim: 1
name: sources
platform: t3k
runtime: {meshes: {left: {shape: [2, 2]}, right: {shape: [2, 2], offset: [0, 2]}}}
measure: {warmup: 0, prints: 100}
workload:
  - {mesh: left, write_buffer: {buffer: a, bytes: 8192, spread: sharded}}
  - {mesh: left, write_buffer: {buffer: b, bytes: 8192, spread: sharded}}
  - {mesh: left, write_buffer: {buffer: f, bytes: 8192, spread: sharded}}
  - {mesh: left, enqueue_workload: {library: multiply, element: bf16, buffers: {left: a, right: b, to: f}}}
  - {mesh: left, read_buffer: {buffer: f, blocking: true, pinned: $1}}
  - {mesh: right, write_buffer: {buffer: c, spread: sharded, from: f, from_mesh: left}}
  - {mesh: right, read_buffer: {buffer: c, blocking: true}}
  - {mesh: right, write_buffer: {buffer: d, spread: matrix, global_shape: [64, 64], shard_shape: [32, 32], from: c}}
  - {mesh: right, write_buffer: {buffer: e, bytes: 8192, spread: sharded}}
  - repeat: 3
    do:
      - {mesh: right, enqueue_workload: {library: add, element: bf16, buffers: {left: c, right: d, to: e}}}
      - {mesh: right, read_buffer: {buffer: e, blocking: true}}
      - {mesh: right, write_buffer: {buffer: d, from: e}}
YAML
	printer left f
	printer right c
}

for world in sim native; do
	for pinned in false true; do
		sources $pinned >sources.yaml
		meshsim run sources.yaml --world $world -o sources.h5 --json
		exits "$world, pinned $pinned" 0
		contains "$world, pinned $pinned: 5 reads are compared, and 64 cores" "$out" '"verified": 69,'
		meshsim show sources.h5 --wide
		values=$(printf '%s\n' "$out" | awk '/^Prints/ { on = 1 } on && / buffer 0 / { print $NF }')
		equal "$world, pinned $pinned: prints" "$(printf '%s\n' "$values" | grep -c .)" 2
		equal "$world, pinned $pinned: the first part begins alike on both meshes" \
			"$(printf '%s\n' "$values" | sort -u | grep -c .)" 1
	done
done

# The specification's example (3.7) with its sharded buffers: the product of one mesh is an operand of the sum on the other,
# and all that is read is compared with the reference: 2 reads in each of 12 rounds, beside results of cores.
for world in sim native; do
	sed '/^sweep:/,/^measure:/d' "$source_directory/scenarios/end-to-end-sharded.yaml" >sharded.yaml
	meshsim run sharded.yaml --world $world -o sharded.h5 --json
	exits "end to end, $world" 0
	equal "end to end, $world: verified" "$(printf '%s\n' "$out" | sed -n 's/^ .*"verified": *\([0-9]*\),.*/\1/p')" 56
done

finish
