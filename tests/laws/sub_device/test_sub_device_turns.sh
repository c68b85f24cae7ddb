# Divisions that take turns (spec 3.1.2, 3.3.4), in both worlds and over queues: every worker runs what it is sent,
# buffers in L1 stay, those in the L1 of a sub-device are made behind the load. Loading waits for the programs before it,
# and costs time only if the division changes. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >turns.yaml <<'END'
meshsim: 1
name: turns
platform: n300
runtime:
  command_queues: 2
  divisions:
    halves: {sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}}
    rows: {sub_devices: {top: {cores: [8, 2]}, bottom: {cores: [8, 4], offset: [0, 3]}}, l1_bytes: 64KiB}
workload:
  - write_buffer: {buffer: stays, bytes: 64KiB, page_bytes: 1024, memory: l1}
  - repeat: 6
    do:
      - enqueue_workload: {program: whole, runtime_args: 4, run_ns: 100us}
      - {load_sub_devices: halves, as: behind a program}
      - enqueue_workload: {program: a, sub_device: left, runtime_args: 3, run_ns: 5us}
      - enqueue_workload: {program: b, sub_device: right, queue: 1, runtime_args: 5, run_ns: 5us}
      - trace: 3
        name: t
        do: [enqueue_workload: {program: c, sub_device: left, runtime_args: 2}]
      - read_buffer: {buffer: stays}
      - load_sub_devices: rows
      - enqueue_workload: {program: d, sub_device: bottom, queue: 1, runtime_args: 7, run_ns: 5us}
      - write_buffer: {buffer: local, bytes: 8KiB, page_bytes: 1024, memory: l1, sub_device: top}
      - enqueue_workload: {program: e, sub_device: top, runtime_args: 6, run_ns: 5us}
      - read_buffer: {buffer: local}
      - finish: {sub_device: top}
      - free_buffer: {buffer: local}
      - load_sub_devices: halves
      - replay_trace: {trace: t}
      - clear_sub_devices
  - read_buffer: {buffer: stays}
END

for forward in '{path: unicast}' '{path: broadcast}' '{path: broadcast, go: all}' \
	'{path: broadcast, ordering: event, dispatcher: dedicated}'; do
	for world in sim native; do
		meshsim run turns.yaml --world=$world --set runtime.forward="$forward" -o seen.h5
		exits "$forward, $world: $err" 0
	done
done

# latency NAME FIRST LAST: sets $latency to the median time in ns of a load_sub_devices step between two other steps
latency() {
	cat >step.yaml <<-END
		meshsim: 1
		name: step
		platform: n300
		runtime: {divisions: {one: {sub_devices: {all: {cores: [8, 7]}}}}}
		workload:
		  - repeat: 20
		    do:
		      - $2
		      - load_sub_devices: one
		      - $3
	END
	meshsim run step.yaml -o seen.h5 --json
	exits "$1: $err" 0
	latency=$(printf '%s\n' "$out" | sed -n '/^ *"load_sub_devices": {/,$p' |
		sed -n '/"latency"/,$s|.*"p50": *\([0-9]*\)[0-9]\{3\},|\1|p' | head -n 1)
}

latency 'the same' finish finish
same=$latency
latency another clear_sub_devices finish
another=$latency
[ "$another" -gt $((same + 200)) ] || fail "loading another division takes $another ns, the same one $same ns"
latency 'behind a program' 'repeat: 1
        do: [clear_sub_devices, {enqueue_workload: {program: p, run_ns: 100us}}]' finish
[ "$latency" -gt 95000 ] || fail "a division is loaded under a program of 100 us, after $latency ns"
