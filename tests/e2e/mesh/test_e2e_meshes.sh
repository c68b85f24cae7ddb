# Several virtual meshes in one scenario: each has its own buffers, programs and events; one thread calls
# all of them, or one each; errors are reported with their place. label: full  timeout: 120
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >two.yaml <<'EOF'
meshsim: 1
name: two
platform: t3k
runtime:
  meshes: {left: {shape: [2, 2]}, right: {shape: [1, 2], offset: [1, 2]}}
  command_queues: 2
workload:
  - repeat: 4
    do:
      - write_buffer: {buffer: a, bytes: 65536, spread: sharded, page_bytes: 512, queue: 1}
        mesh: left
      - record_event: {event: e, queue: 1}
        mesh: left
      - wait_event: {event: e}
        mesh: left
      - read_buffer: {buffer: a, blocking: true}
        mesh: left
      - repeat: 2
        mesh: right
        do:
          - write_buffer: {buffer: a, bytes: 4096}
          - enqueue_workload: {program: add, runtime_args: 4, run_ns: 50000, blocking: true}
          - read_buffer: {buffer: a}
      - finish
  - enqueue_workload: {program: mul, runtime_args: 4}
    mesh: left
EOF
# figure NAME FILE: a total of its only run
figure() {
	"$binary" show "$2" --json | sed -n "s/.*\"$1\": \([0-9][0-9]*\).*/\1/p" | tail -n 1
}
for world in sim native; do
	for path in unicast broadcast; do
		for clients in one per-mesh; do
			meshsim run two.yaml -o $clients.h5 --world $world \
				--set runtime.host.clients=$clients --set runtime.forward.path=$path
			exits "two meshes, $world, $path, $clients" 0
			verified=$(figure verified $clients.h5)
			equal "4 and 8 reads are compared, and cores of both: $verified" \
				"$((verified > 12 && verified <= 12 + 2 * 64))" 1
		done
	done
done

# With a thread each, neither waits for the other.
for clients in one per-mesh; do
	meshsim run two.yaml -o $clients.h5 --set runtime.host.clients=$clients --set model.noise=none
done
one=$(figure simulated one.h5) each=$(figure simulated per-mesh.h5)
equal "a thread each takes less time: $each and $one ps" "$((each < one))" 1
equal 'and there are two' "$(figure host_threads per-mesh.h5)" 2

# A single mesh with a name behaves like one without.
cat >named.yaml <<'EOF'
meshsim: 1
name: named
platform: t3k
runtime: {mesh: {shape: [2, 2], offset: [0, 1]}}
workload: [enqueue_workload: {blocking: true}, finish]
EOF
meshsim run named.yaml -o plain.h5 --json
plain=$out
sed 's/{mesh: \({.*}\)}/{meshes: {only: \1}}/' named.yaml >only.yaml
meshsim run only.yaml -o only.h5 --json
named=$(printf '%s\n' "$out" |
	sed 's/ of only"/"/; s/"mesh": "only"/"mesh": ""/; s/only\.yaml/named.yaml/')
equal 'one mesh with a name is like one without' "$([ "$named" = "$plain" ] && echo alike)" alike

# Each operation names its mesh.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	meshes=$(/usr/bin/python3 -c '
import h5py
ops = h5py.File("one.h5")["ops"]
rows = {(op["kind"].decode(), op["mesh"].decode(), int(op["mesh_number"])) for op in ops}
print(*sorted("%s %s %d" % row for row in rows if row[0] in ("finish", "wait_event", "read_buffer")), sep=", ")')
	equal 'operations and their meshes' "$meshes" \
		'finish left 0, finish right 1, read_buffer left 0, read_buffer right 1, wait_event left 0'
fi

# refused NAME EDIT MESSAGE...: two.yaml with the edit is rejected with these lines
refused() {
	name=$1
	sed "$2" two.yaml >bad.yaml
	shift 2
	meshsim run bad.yaml -o bad.h5
	exits "$name" 2
	for line; do
		contains "$name" "$err" "$line"
	done
}
refused 'a chip of two meshes' 's/offset: \[1, 2\]/offset: [1, 1]/' \
	"bad.yaml:5:42: error: mesh 'right' has the chip at row 1, column 1 of the platform, which belongs to mesh 'left'"
refused 'a mesh outside the platform' 's/offset: \[1, 2\]/offset: [1, 3]/' 'bad.yaml:5:66: error: a mesh of 1 x 2 devices at offset 1,3 leaves the 2 x 4 of platform t3k'
refused 'no mesh' '0,/ mesh: left/{/ mesh: left/d}' \
	"bad.yaml:10:9: error: write_buffer of which mesh? Say mesh: 'left' or 'right' beside it"
refused 'a mesh that is none' 's/mesh: right/mesh: rihgt/' "bad.yaml:19:15: error: unknown mesh 'rihgt', did you mean 'right'?"
refused 'an event of another mesh' '15s/left/right/' \
	"bad.yaml:14:29: error: event 'e' belongs to mesh 'left', and no other mesh can wait for it: have the host wait (host: true, mesh: left) before it goes on with mesh 'right'"
refused 'a buffer of another mesh' 's/write_buffer: {buffer: a, bytes: 4096}/finish/' \
	"bad.yaml:23:35: error: no step before this one writes buffer 'a'"
refused 'a mesh beside meshes' 's/command_queues: 2/mesh: {shape: [1, 1]}/' \
	'bad.yaml:6:9: error: runtime.mesh beside runtime.meshes: there is one mesh, or several with names'
refused 'a name without meshes' 's/meshes: .*/mesh: {shape: [2, 2]}/' \
	"bad.yaml:11:15: error: mesh 'left', but there is one mesh without a name: runtime.meshes gives names"
refused 'a mesh of a trace' 's/repeat: 4/trace: 4/' "error: trace of which mesh? Say mesh: 'left' or 'right' beside it"
refused 'a long name' 's/right/this-name-is-far-too-long/' \
	"error: a mesh's name has 1 to 23 bytes, not 25"
refused 'a race on one mesh' '12s/queue: 1/queue: 0/' "buffer 'a' is read through queue 0 while queue 1 may still write it"
sed 's/command_queues: 2/command_queues: 2\n  host: {clients: per-mesh}/; s/- finish/- fabric_ping: {samples: 2}\n        mesh: left/' two.yaml >ping.yaml
meshsim run ping.yaml -o ping.h5
contains 'nobody waits for the machine' "$err" \
	'fabric_ping ends when nothing is under way on any mesh: not with runtime.host.clients: per-mesh'
meshsim run ping.yaml -o ping.h5 --set runtime.host.clients=one
exits 'a ping of one of two meshes' 0

# Errors that only the allocator detects have a place too, on any mesh.
cat >full.yaml <<'EOF'
meshsim: 1
name: full
platform: n300
runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}
workload:
  - {mesh: right, write_buffer: {bytes: 64, page_bytes: 16, memory: l1, bottom_up: true}}
  - {mesh: right, enqueue_workload: {circular_buffers: 1}}
EOF
for clients in one per-mesh; do
	meshsim run full.yaml -o full.h5 --set runtime.host.clients=$clients
	exits "circular buffers that reach into a buffer, $clients" 2
	contains "it says where, $clients" "$err" 'full.yaml:7:5: error: program '
done

# A stall names its place and its mesh.
sed 's/record_event: {event: e, queue: 1}/record_event: {event: f, queue: 1}/; s/measure.*//' two.yaml >stall.yaml
printf 'measure: {verify: false}\n' >>stall.yaml
meshsim run stall.yaml -o stall.h5
exits 'an event that nobody records' 4
contains 'it names the mesh' "$err" "queue 0 of mesh 'left' waits for event 'e', which no step has recorded"
finish
