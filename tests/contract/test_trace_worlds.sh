# label: full
# Traces in both worlds, on every kind of machine: every worker has run what it was given, as often
# as it was replayed, with the arguments of the capture. The runs verify that by themselves.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >traces.yaml <<'END'
meshsim: 1
name: traces
platform: n150
measure: {verify_cores: 60}
workload:
  - enqueue_workload: {program: before, runtime_args: 3}
  - repeat: 2
    do:
      - trace: 3
        replays: 3
        do:
          - enqueue_workload: {program: large, processors: all, kernel_bytes: 9000, runtime_args: 4}
          - repeat: 2
            do:
              - enqueue_workload: {program: small, cores: 7, kernel_bytes: 2000,
                                   common_runtime_args: 4, circular_buffers: 2, run_ns: 3000}
      - enqueue_workload: {program: between, runtime_args: 3}
      - {trace: 1, blocking: true, do: [enqueue_workload: {program: large, semaphores: 2}]}
  - write_buffer: {buffer: in, bytes: 8192}
  - write_buffer: {buffer: out, bytes: 262144, spread: sharded}
  - record_event: {event: ready}
  - trace: 2
    name: decode
    replays: 0
    do:
      - wait_event: {event: ready}
      - write_buffer: {buffer: in}
      - read_buffer: {buffer: in}
      - enqueue_workload: {program: decoded, runtime_args: 3}
      - record_event: {event: done, to_host: true}
      - read_buffer: {buffer: out}
  - {replay_trace: {trace: decode, times: 3}}
  - {wait_event: {event: done, host: true}}
  - {read_buffer: {buffer: in}}
  - repeat: 3
    do:
      - {replay_trace: {trace: decode, blocking: true}}
      - {trace: 1, name: short, do: [enqueue_workload: {program: short, runtime_args: 2}]}
      - {replay_trace: {trace: short, times: 2}}
      - {release_trace: {trace: short}}
  - {release_trace: {trace: decode}}
  - finish
END

# runs NAME SET...: in both worlds
runs() {
	name=$1
	shift
	for world in sim native; do
		meshsim run traces.yaml --world "$world" -o "$name-$world.h5" \
			--set "${1:-seed=1}" --set "${2:-seed=1}"
		exits "$name, $world" 0
		meshsim show "$name-$world.h5"
		contains "$name, $world: verified" "$out" "verified"
	done
}

runs n150
runs n150-two-queues runtime.command_queues=2 workload.1.do.0.queue=1
runs n300 platform=n300 runtime.mesh.shape=[1,1]
runs t3k platform=t3k
runs t3k-devices platform=t3k \
	workload.1.do.0.do.0.enqueue_workload.devices='{offset: [0, 1], shape: [2, 2]}'
runs t3k-sharded platform=t3k runtime.traces=sharded
runs t3k-off platform=t3k runtime.traces=off
runs tgg platform=tgg runtime.mesh.shape=[2,4]
runs tgg-broadcast platform=tgg runtime.forward.path=broadcast runtime.mesh.shape=[2,4]
runs tgg-6u platform=tgg-6u runtime.mesh.shape=[2,2] runtime.host.threads=per-device
finish
