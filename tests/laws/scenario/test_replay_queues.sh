# A trace may be replayed through any queue of its mesh (spec 3.12.2.2: EXECUTE names a buffer, not a queue). It reads
# and runs the same, in both worlds and without traces, and is released after its last replay.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >replays.yaml <<'END'
meshsim: 1
name: replays
platform: t3k
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: b, bytes: 8192}
  - finish
  - {trace: 1, name: decode, do: [{enqueue_workload: {run_ns: 500us}}, {read_buffer: {buffer: b}}]}
  - replay_trace: {trace: decode, times: 2}
  - replay_trace: {trace: decode, queue: 1, times: 3}
  - release_trace: {trace: decode}
  - write_buffer: {buffer: c, bytes: 8388608}
  - finish
END

for world in sim native; do
	for traces in off replicated sharded; do
		meshsim run replays.yaml --world $world --set runtime.traces=$traces -o replays.h5 --json
		exits "$world, traces $traces" 0
		contains "$world, traces $traces: six reads and the arguments of six launches" "$out" '"verified": 22'
	done
done
finish
