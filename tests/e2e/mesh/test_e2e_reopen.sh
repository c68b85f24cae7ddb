# Steps close meshes and open them again, also over chips of each other: all reads and runs are verified
# each time, in both worlds. Steps on closed meshes and reads of lost data are rejected with their place.
# label: full  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# use MESH NAME: steps that write, run and read on the mesh
use() {
	cat <<-END
		  - write_buffer: {buffer: $2, bytes: 16384}
		    mesh: $1
		  - write_buffer: {buffer: pinned-$2, bytes: 16384, pinned: true}
		    mesh: $1
		  - enqueue_workload: {program: p, cores: [2, 2], kernel_bytes: 2048, runtime_args: 8, run_ns: 2000}
		    mesh: $1
		  - record_event: {event: e, to_host: true}
		    mesh: $1
		  - wait_event: {event: e, host: true}
		    mesh: $1
		  - trace: 2
		    replays: 2
		    mesh: $1
		    do: [{enqueue_workload: {program: q, cores: [1, 2]}}]
		  - read_buffer: {buffer: $2, blocking: true}
		    mesh: $1
		  - read_buffer: {buffer: pinned-$2, pinned: true}
		    mesh: $1
	END
}

# turn MESH STEP
turn() {
	printf '  - %s: {}\n    mesh: %s\n' "$2" "$1"
}

head() {
	cat <<-END
		meshsim: 1
		name: reopen
		platform: t3k
		runtime:
		  meshes:
		    whole: {shape: [2, 4], offset: [0, 0]}
		    half: {shape: [2, 2], offset: [0, 1]}
		  command_queues: 2
		  forward: {path: broadcast}
		measure: {warmup: 0, verify_cores: 8}
		workload:
	END
}

{
	head
	for life in 1 2 3; do
		use whole a
		turn whole close_mesh
		turn half open_mesh
		use half b
		use half c
		turn half close_mesh
		turn whole open_mesh
	done
	use whole a
	printf '  - finish\n'
} >reopen.yaml

# verified OPTION...: number of comparisons of a run
verified() {
	meshsim run reopen.yaml "$@" -o seen.h5 --json
	exits "$*: $err" 0
	seen=$(printf '%s\n' "$out" | sed -n 's/.*"verified": *\([0-9]*\).*/\1/p' | tail -n 1)
}

verified
simulated=$seen
[ "${simulated:-0}" -ge 20 ] || fail "20 reads and more are verified, not ${simulated:-?}"
verified --world native
equal "verified natively" "$seen" "$simulated"
for row in forward.path=unicast forward.packetizer=fused forward.go=all completion=aggregator \
	completion=per-device host.threads=pool traces=off; do
	verified --set "runtime.$row"
	equal "verified with $row" "$seen" "$simulated"
done
meshsim run reopen.yaml -o again.h5
meshsim show again.h5
contains "closing is an operation" "$out" "close_mesh"
contains "opening is an operation" "$out" "open_mesh"

# refused NAME EXPECTED: with the steps in ./steps; without mesh `half` unless they open it
refused() {
	head | sed "$(grep -q open_mesh steps || echo /half:/d)" >bad.yaml
	cat steps >>bad.yaml
	meshsim run bad.yaml -o bad.h5
	exits "$1" 2
	equal "$1" "$(printf '%s\n' "$err" | sed -n 1p)" "$2"
}

{
	turn whole close_mesh
	use whole a
} >steps
refused "work on a closed mesh" \
	"bad.yaml:13:5: error: write_buffer on mesh 'whole', which is closed (bad.yaml:11)"
turn half open_mesh >steps
refused "opening over the chips of an open mesh" \
	"bad.yaml:12:5: error: mesh 'half' has the chip at row 0, column 1 of the platform, which belongs to mesh 'whole' until that is closed"
{
	turn whole close_mesh
	turn whole close_mesh
} >steps
refused "closing twice" \
	"bad.yaml:13:5: error: close_mesh on mesh 'whole', which is closed (bad.yaml:11)"
{
	turn whole close_mesh
	turn half open_mesh
	turn half open_mesh
} >steps
refused "opening twice" "bad.yaml:16:5: error: open_mesh on mesh 'half', which is open (bad.yaml:14)"
{
	printf '  - repeat: 2\n    do:\n'
	turn whole close_mesh | sed 's/^/    /'
	turn half open_mesh | sed 's/^/    /'
} >steps
refused "a loop that closes once and for all" \
	"bad.yaml:14:9: error: close_mesh on mesh 'whole', which is closed (bad.yaml:14)"
{
	use whole a
	turn whole close_mesh
	turn half open_mesh
	turn half close_mesh
	turn whole open_mesh
	printf '  - read_buffer: {buffer: a}\n    mesh: whole\n'
} >steps
refused "a buffer that went with its mesh" \
	"bad.yaml:38:5: error: buffer 'a' was not written since mesh 'whole' was opened (bad.yaml:36): what a mesh holds is gone when it is closed"
{
	printf '  - fabric_ping: {op: write, hops: 1}\n    mesh: whole\n'
	turn whole close_mesh
} >steps
refused "kernels that stay on the workers of a closed mesh" \
	"bad.yaml:11:5: error: fabric_ping on a mesh that is closed or opened by a step: its kernels stay on the workers"
{
	turn whole close_mesh
	turn half open_mesh
} >steps
head | sed 's/command_queues: 2/host: {clients: per-mesh}/' >bad.yaml
cat steps >>bad.yaml
meshsim run bad.yaml -o bad.h5
exits "threads" 2
equal "a thread for each mesh" "$(printf '%s\n' "$err" | sed -n 1p)" \
	"bad.yaml:12:5: error: close_mesh waits until nothing is under way on any mesh: not with runtime.host.clients: per-mesh"

# one mesh without a name
cat >one.yaml <<-END
	meshsim: 1
	name: one
	platform: n150
	workload: [{write_buffer: {bytes: 4096}}, close_mesh, open_mesh, {write_buffer: {bytes: 4096}}, finish, close_mesh]
END
meshsim run one.yaml -o one.h5
exits "one mesh, closed at the end: $err" 0
meshsim run one.yaml -o one.h5 --set 'workload.4=open_mesh'
equal "an open mesh without a name" "$(printf '%s\n' "$err" | sed -n 1p)" \
	"--set workload.4:1:12: error: open_mesh on the mesh, which is open (one.yaml:4)"
finish
