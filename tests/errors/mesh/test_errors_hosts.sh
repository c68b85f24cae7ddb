# Features that devices of several hosts do not support are rejected when the file is read, all in one pass,
# with their place. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >hosts.yaml <<'EOF2'
meshsim: 1
name: hosts
platform: galaxy-x2
runtime:
  sizes: {system_memory_bytes: 8589934592}
  distributed: {transport: unix}
model: {network: fluid, elide_above_bytes: 4096}
workload:
  - write_buffer: {buffer: a, bytes: 8192, pinned: true}
  - write_buffer: {buffer: b, bytes: 8192, memory: system}
  - write_buffer: {buffer: c, bytes: 8192, memory: trace}
  - read_buffer: {buffer: a, pinned: true}
  - trace: 2
    do: [{read_buffer: {buffer: a}}]
  - fabric_ping: {samples: 2}
  - close_mesh
  - open_mesh
  - collective: {op: all_gather, size_bytes: 65536}
EOF2
meshsim run hosts.yaml -o hosts.h5
exits 'what several hosts do not do' 2
while read -r place; do
	contains "refused" "$err" "hosts.yaml:$place"
done <<'EOF2'
5:32: error: more than 4 GiB for each host: messages to other hosts name addresses of 32 bits
6:28: error: transport 'unix' reaches its own machine only, and 'galaxy-x2' has several
7:18: error: network 'fluid' takes machines of one host: SimGrid has no chips of others
7:44: error: data for devices of several hosts go through messages, which are real
9:52: error: the controller's memory cannot be pinned for devices of other hosts, to which data go through messages (runtime.distributed.receive: pinned pins what executors receive)
11:52: error: each host allocates in its trace region by itself: no buffer of several hosts can lie there
12:38: error: the controller's memory cannot be pinned for devices of other hosts, to which data go through messages (runtime.distributed.receive: pinned pins what executors receive)
13:5: error: each host keeps its traces in a region of its own, and there is none: say runtime.sizes.trace_region_bytes
15:5: error: steps that measure the fabric take devices with routes to each other, and no links join the hosts (hosts.links of the platform)
18:5: error: collectives take devices with routes to each other, and no links join the hosts (hosts.links of the platform)
16:5: error: meshes of several hosts are opened once, at first: hosts end with their last mesh
17:5: error: meshes of several hosts are opened once, at first: hosts end with their last mesh
EOF2
[ ! -e hosts.h5 ] || fail 'nothing is written'

# refused WHAT TEXT SET...
refused() {
	what=$1 text=$2
	shift 2
	meshsim run small.yaml -o small.h5 "$@"
	exits "$what" 2
	contains "$what" "$err" "$text"
}
cat >small.yaml <<'EOF2'
meshsim: 1
name: small
platform: galaxy-x2
runtime: {mesh: {shape: [8, 8]}}
workload: [enqueue_workload, finish]
EOF2
meshsim run small.yaml -o small.h5
exits 'all of both hosts' 0
refused 'a mesh that is too large' "9 x 8 devices at 0,0 of a machine of 8 x 8" --set 'runtime.mesh.shape=[9, 8]'
contains 'at its place' "$err" 'runtime.mesh.shape'
refused 'a mesh that lies beside it' "4 x 8 devices at 5,0 of a machine of 8 x 8" \
	--set 'runtime.mesh={shape: [4, 8], offset: [5, 0]}'
contains 'at its place' "$err" 'runtime.mesh:1:38'
refused 'a library that is none, natively' \
	"transport 'rdma' is simulated only: there is no library of it to run natively" \
	--world native --set runtime.distributed.transport=rdma
contains 'at its place' "$err" 'runtime.distributed.transport:1:31'
refused 'a machine that is several, simulated' "transport 'unix' reaches its own machine only" \
	--set runtime.distributed.transport=unix
refused 'a name that is nearly right' "unknown" --set runtime.distributed.codec=flatbufers
contains 'a name that is nearly right' "$err" "flatbuffers"
refused 'a key that is nearly right' "unknown key 'resolutions', did you mean 'resolution'?" \
	--set runtime.distributed.resolutions=mixed
refused 'more initiators than a host has chips with PCIe' 'initiators' --set runtime.forward.path=broadcast \
	--set runtime.forward.initiators=33
for world in sim native; do
	refused "more than the library takes, $world" "window: 8193, but transport 'nng' takes at most 8192" \
		--world $world --set runtime.distributed.transport=nng --set runtime.distributed.window=8193
	contains 'at its place' "$err" 'runtime.distributed.window:1:28'
done
meshsim run small.yaml -o small.h5 --set runtime.distributed.transport=nng --set runtime.distributed.window=8192
exits 'all that the library takes' 0
# One host broadcasts to all only over links between them, and only what has its place on one host alone.
span() {
	refused "$@" --set runtime.forward.path=broadcast --set runtime.distributed.broadcast=machine
}
span 'a broadcast over hosts that no links join' 'broadcast: machine takes hosts whose chips links join'
contains 'at its place' "$err" 'runtime.distributed.broadcast:1:31'
span 'an aggregator of all hosts' 'an aggregator notifies one host' --set platform=galaxy-x2-joined \
	--set runtime.completion=aggregator
contains 'at its place' "$err" 'runtime.completion:1:20'
span 'a feed of several hosts' 'feed: shared is one issue queue, in the memory of one host' --set platform=galaxy-x2-joined \
	--set runtime.forward.feed=shared --set runtime.forward.initiators=2
span 'a timed bring-up' 'bring_up: timed takes broadcasts that stay on their host' --set platform=galaxy-x2-joined \
	--set runtime.bring_up=timed
span 'pinned memory of executors' 'with receive: pinned, executors record events where memory is short' \
	--set platform=galaxy-x2-joined --set runtime.distributed.receive=pinned
span 'more initiators than all hosts have chips' 'initiators' --set platform=galaxy-x2-joined \
	--set runtime.forward.initiators=65
# Meshes of several hosts.
two='runtime.meshes={left: {shape: [8, 4]}, right: {shape: [4, 4], offset: [4, 4]}}'
several() {
	refused "$@" --set runtime.mesh={} --set "$two" --set \
		'workload=[{mesh: left, enqueue_workload: {}}, {mesh: right, enqueue_workload: {}}, finish]'
}
several 'a thread for each mesh' 'one thread calls the controller of several hosts, which has all meshes' \
	--set runtime.host.clients=per-mesh
contains 'at its place' "$err" 'runtime.host.clients:1:22'
several 'a broadcast over all hosts beside meshes' 'there is one mesh, not runtime.meshes' --set platform=galaxy-x2-joined \
	--set runtime.forward.path=broadcast --set runtime.distributed.broadcast=machine
contains 'at its place' "$err" 'runtime.distributed.broadcast:1:31'
refused 'meshes with a common chip' "belongs to mesh 'left'" --set runtime.mesh={} --set \
	'runtime.meshes={left: {shape: [8, 4]}, right: {shape: [4, 4], offset: [4, 3]}}' --set \
	'workload=[{mesh: left, enqueue_workload: {}}, {mesh: right, enqueue_workload: {}}]'
refused 'a mesh that is closed by a step' 'hosts end with their last mesh' --set runtime.mesh={} --set "$two" --set \
	'workload=[{mesh: left, enqueue_workload: {}}, {mesh: left, close_mesh: {}}, {mesh: right, enqueue_workload: {}}]'
contains 'at its place' "$err" 'workload:1:'
# A host that runs natively can answer within 100 us.
for deadline in sim/1 sim/1000 sim/100000 native/1 native/1000; do
	reply_ns=${deadline#*/}
	refused "a deadline that is too short for a host that answers, $deadline" \
		"error: reply_ns: $reply_ns is too short: " --world "${deadline%/*}" \
		--set runtime.distributed.reply_ns="$reply_ns"
	contains 'names the host' "$err" 'host host-'
	contains 'at its place' "$err" 'runtime.distributed.reply_ns:1:30'
	equal 'as the only error' "$(printf '%s\n' "$err" | grep -c ' error: ')" 1
done
refused 'a library of networks where there is none' \
	"transport 'rdma' needs a network, and 'galaxy-x2' has one machine for all hosts" \
	--set platform.hosts.machines=one --set runtime.distributed.transport=rdma
refused 'a cut where there is no network' "processes of one machine: there is no network to be cut off" \
	--set platform.hosts.machines=one --set runtime.distributed.reply_ns=1000000 \
	--set 'model.fault={kind: cut, at_us: 10}'
contains 'at its place' "$err" 'model.fault'
refused 'a core of its own for each of several machines' \
	"'cores: own' is for processes of one machine (machines: one): these hosts have a machine each" \
	--set platform.hosts.cores=own
cat >route.yaml <<'EOF2'
meshsim: 1
name: route
platform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}
workload:
  - enqueue_workload:
      program: sender
      devices: {shape: [1, 1]}
      circular_buffers: 1
      circular_buffer_pages: 1
      circular_buffer_bytes: 1088
      kernels:
        - core: [0, 0]
          arguments: [{route: [0, 4]}]
          text: |
            argument r8, 0
            end
EOF2
for world in sim native; do
	meshsim run route.yaml -o route.h5 --world $world
	exits "a route between hosts that no links join, $world" 2
	contains "a route between hosts that no links join, $world" "$err" "route.yaml:13:23: error: program 'sender': a route between devices that no links join (hosts: {links: N} of the platform)"
done
refused 'a ring of hosts that no links join' "'wrap' is for links between hosts: say two hosts or more, and 'links'" \
	--set platform.hosts.wrap=true
refused 'a ring of one host' "'wrap' is for links between hosts" \
	--set 'platform={extends: galaxy-x2-joined, hosts: {count: 1, wrap: true}}'
refused 'a ring of two chips' "a ring of two chips: 'wrap' takes three rows of all hosts or more" \
	--set 'platform={extends: galaxy-x2-joined, hosts: {wrap: true}, topology: {mesh: [1, 4]}}'
refused 'a ring of two columns' 'three columns of all hosts or more' \
	--set 'platform={extends: galaxy-x2-joined, hosts: {wrap: true, along: columns}, topology: {mesh: [4, 1], wrap: [false, false]}}'
finish
