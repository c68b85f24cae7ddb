# label: full  timeout: 120
# One host broadcasts to the devices of several (runtime.distributed.broadcast: machine), in both worlds: a host that has a
# part of the mesh, whichever chips it may choose.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >span.yaml <<'EOF2'
meshsim: 1
name: span
platform: {extends: [p300, _transports, _ethernet-100g], hosts: {count: 3, along: rows, links: 1}}
runtime:
  mesh: {shape: [2, 2], offset: [0, 0]}
  command_queues: 2
  forward: {path: broadcast, initiator_place: least-loaded}
  distributed: {broadcast: machine}
measure: {log: {device: info}}
workload:
  - write_buffer: {buffer: same, bytes: 4096}
  - write_buffer: {buffer: apart, bytes: 4096, page_bytes: 1024, spread: sharded}
  - repeat: 4
    do: [enqueue_workload: {cores: 8, kernel_bytes: 2048, run_ns: 2000, queue: 1}]
  - finish: {queue: 1}
  - read_buffer: {buffer: apart, blocking: true}
  - read_buffer: {buffer: same, blocking: true}
EOF2

for world in sim native; do
	meshsim run span.yaml -o $world.h5 --world $world
	exits "values are right, $world" 0
	meshsim show $world.h5 --log
	equal "both hosts of the mesh plan the same, $world" \
		"$(printf '%s\n' "$out" | grep -c 'chip [0-3] broadcasts to rows 0 to 1, columns 0 to 1')" 2
done

# Without broadcasts the key does nothing, and says so.
meshsim run span.yaml -o none.h5 --set runtime.forward.path=unicast
exits 'no broadcasts' 0
contains 'no broadcasts' "$err" \
	'runtime.distributed.broadcast has no effect without forward.path: broadcast, or where the mesh is of one host'
meshsim run span.yaml -o none.h5 --set 'runtime.mesh.shape=[1, 2]'
exits 'a mesh of one host' 0
contains 'a mesh of one host' "$err" 'runtime.distributed.broadcast has no effect'
finish
