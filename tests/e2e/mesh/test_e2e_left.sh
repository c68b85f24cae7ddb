# Objects that steps have made and not released before their mesh is closed are listed in the result
# file, with the bytes returned and the line of the step, at every close; released traces are not.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >left.yaml <<'YAML'
meshsim: 1
name: left
platform: n150
runtime: {command_queues: 2, traces: replicated}
workload:
  - write_buffer: {buffer: a, bytes: 65536, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 2048, memory: l1}
  - name: kept
    trace: 1
    replays: 3
    do:
      - enqueue_workload: {program: p}
  - record_event: {event: e}
  - name: gone
    trace: 1
    replays: 3
    do:
      - enqueue_workload: {program: q}
  - release_trace: {trace: gone}
  - close_mesh
  - open_mesh
  - finish
YAML
for world in sim native; do
	meshsim run left.yaml -o $world.h5 --world $world
	exits "a mesh that is closed twice, $world" 0
	meshsim show $world.h5
	equal "what is left, $world" "$(printf '%s\n' "$out" | sed -n '/^Not released/,/^$/p' | tr -s ' ')" \
		"Not released before the mesh was closed: 10
 what name mesh made at taken B
 event e left.yaml:13 0
 trace left.yaml:8 4096
 workload q left.yaml:18 2048
 workload p left.yaml:12 2048
 buffer b left.yaml:7 2048
 buffer a left.yaml:6 6144
 workload q left.yaml:18 0
 workload p left.yaml:12 0
 buffer b left.yaml:7 2048
 buffer a left.yaml:6 6144"
done
meshsim run left.yaml -o none.h5 --set 'workload=[finish]' --set runtime.traces=replicated
meshsim show none.h5
lacks 'nothing was made' "$out" 'Not released'
finish
