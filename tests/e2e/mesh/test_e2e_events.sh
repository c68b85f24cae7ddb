# Events of scenarios: data that they order are compared, in both worlds. An event recorded on some
# devices orders neither queues nor the host with respect to the others. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >reads.yaml <<'EOF'
meshsim: 1
name: reads
platform: t3k
runtime: {command_queues: 2}
workload:
  - repeat: 3
    do:
      - write_buffer: {buffer: a, bytes: 65536, queue: 1}
      - record_event: {event: written, queue: 1}
      - wait_event: {event: written}
      - read_buffer: {buffer: a}
      - record_event: {event: read}
      - wait_event: {event: read, queue: 1}
EOF
verified() {
	"$binary" show reads.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
for world in sim native; do
	for spread in replicated sharded; do
		meshsim run reads.yaml -o reads.h5 --world $world \
			--set workload.0.do.0.write_buffer.spread=$spread
		exits "reads behind an event, $world, $spread" 0
		equal "they are compared, $world, $spread" "$(verified)" 3
	done
done

# A read of a replicated buffer reads the first device: an event there orders it, one elsewhere does
# not.
only=workload.0.do.1.record_event.devices
meshsim run reads.yaml -o reads.h5 --set "$only={shape: [1, 1]}" \
	--set "workload.0.do.4.record_event.devices={shape: [1, 1]}"
exits 'an event of the device that is read' 0
equal 'reads behind it are compared' "$(verified)" 3
meshsim run reads.yaml -o reads.h5 --set "$only={shape: [1, 1], offset: [0, 1]}"
exits 'an event of another device' 2
contains 'it orders nothing' "$err" "buffer 'a' is read through queue 0 while queue 1 may still write it"
meshsim run reads.yaml -o reads.h5 --set "$only={shape: [1, 1]}" \
	--set workload.0.do.0.write_buffer.spread=sharded
exits 'an event of one device of a sharded buffer' 2
meshsim run reads.yaml -o reads.h5 --set "$only={shape: [3, 1]}"
exits 'an event outside the mesh' 2
contains 'it says so' "$err" 'record_event.devices:1:38: error: devices reach outside the mesh of 2 x 4'

# The host sees the event of one device while another one still works, with every kind of
# completion.
cat >part.yaml <<'EOF'
meshsim: 1
name: part
platform: t3k
workload:
  - enqueue_workload: {run_ns: 500000, devices: {shape: [1, 1], offset: [1, 0]}}
  - record_event: {to_host: true, devices: {shape: [1, 1]}}
  - wait_event: {host: true}
  - finish
EOF
# latency KIND FILE: latency of its operation, in ps
latency() {
	"$binary" show "$2" --json | awk -v kind="\"$1\":" '
		$1 == kind { of_kind = 1 }
		of_kind && $1 == "\"latency\":" { of_latency = 1 }
		of_latency && $1 == "\"p50\":" { print $2 + 0; exit }'
}
for completion in per-device table aggregator; do
	for path in unicast broadcast; do
		meshsim run part.yaml -o part.h5 --set runtime.completion=$completion \
			--set runtime.forward.path=$path
		exits "an event of one device, $completion, $path" 0
		seen=$(latency record_event part.h5) all=$(latency finish part.h5)
		equal "it does not wait for others: $seen and $all ps" \
			"$((seen < 200000000 && all > 400000000))" 1
	done
done
finish
