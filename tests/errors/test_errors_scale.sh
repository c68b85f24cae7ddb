# Excessive values are rejected with their place, or end at a named limit: simulated time, buffer
# data, constants, packets. Never a bug, never a crash. label: slow  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario PLATFORM STEP...
scenario() {
	printf 'meshsim: 1\nname: scale\nplatform: %s\nworkload:\n' "$1"
	shift
	printf '  - %b\n' "$@"
}

# refused WHAT MESSAGE OPTION...: runs scale.yaml
refused() {
	what=$1 message=$2
	shift 2
	meshsim run scale.yaml -o scale.h5 "$@"
	exits "$what" 2
	contains "$what" "$err" "$message"
}

scenario n150 'repeat: 150\n    do:\n      - enqueue_workload: {run_ns: 1s, pages: 65535}' >scale.yaml
refused 'time of kernels' \
	'scale.yaml:7:9: error: with this step the kernels of queue 0 run for 114 days'

for arrivals in constant poisson; do
	scenario n150 "repeat: 3\n    rate_per_s: 1e-7\n    arrivals: $arrivals\n    do: [finish]" >scale.yaml
	refused "time of $arrivals arrivals" 'scale.yaml:5:5: error: with this step iterations arrive for '
	meshsim run scale.yaml -o scale.h5 --set workload.0.rate_per_s=1e-4
	exits "fewer days of $arrivals arrivals" 0
done

scenario n150 'repeat: 60\n    do:\n      - enqueue_workload: {cores: 1, run_ns: 1s, pages: 65535}' \
	'repeat: 60\n    do:\n      - enqueue_workload: {cores: 1, run_ns: 1s, pages: 65535, queue: 1}' >scale.yaml
meshsim run scale.yaml -o scale.h5 --set runtime.command_queues=2
exits 'kernels of both queues' 4
contains 'kernels of both queues' "$err" 'given up after 53 days of simulated time'

scenario tgg 'write_buffer: {bytes: 64GiB, spread: sharded, page_bytes: 1MiB}' >scale.yaml
refused 'data of buffers' 'scale.yaml:5:5: error: with this step the run holds 64 GiB'
keys='bytes: 5GiB, spread: sharded, page_bytes: 1MiB'
scenario t3k "write_buffer: {buffer: a, $keys}" "write_buffer: {buffer: b, $keys}" >scale.yaml
refused 'data of two buffers' 'scale.yaml:6:5: error: with this step the run holds 10 GiB'
meshsim run scale.yaml -o scale.h5 --set model.elide_above_bytes=1MiB
exits 'elided data' 0

scenario n300 'enqueue_workload: {}' 'fabric_traffic: {pattern: linear_multicast}' >scale.yaml
refused 'a packet' "scale.yaml:6:5: error: packet_bytes: 2048, but a packet of platform 'n300' has 1024" \
	--set platform.fabric.packet=1024
refused 'a constant' "constant 'chip.noc_latency' must be at most 1e+09 cycles" \
	--set platform.chip.noc_latency=1e15
refused 'a cost' "constant 'firmware.fetch_issue' must be at most 1e+09 cycles" \
	--set platform.firmware.fetch_issue=1e12
refused 'a size' "_wormhole.yaml:" --set platform.firmware.dispatch_h_ring_size=2
contains 'a size' "$err" "error: constant 'firmware.fabric_credit_batch_size' is 16 KiB: beside"
refused 'sockets' "constant 'host.sockets' must be at most 16 count" \
	--set platform.host.sockets=1000000
refused 'a quantum as short as a switch' "constant 'host.quantum' is 1.5 us, no longer than a switch" \
	--set platform.host.quantum=1.5us --set model.scheduler=fair
meshsim run scale.yaml -o scale.h5 --set platform.host.quantum=1501ns --set model.scheduler=fair
exits 'a quantum that is longer' 0
meshsim run scale.yaml -o scale.h5 --set platform.host.quantum=1us
exits 'a scheduler that does not count switches' 0
meshsim run scale.yaml -o scale.h5 --set platform.chip.router_send=1e6
exits 'a router that is busy when the run ends' 0

meshsim run scale.yaml -o scale.h5 --set limits.events=100
exits 'events' 4
contains 'events' "$err" 'given up after 100 events (limits.events)'
meshsim run scale.yaml -o scale.h5 --set limits.simulated_ms=1 --set workload.0.enqueue_workload.run_ns=1s
exits 'simulated time' 4
contains 'simulated time' "$err" 'given up after 1 ms of simulated time (limits.simulated_ms)'

# points are counted before any is checked: all of these points are invalid, and only one of them
# is checked
hundred=$(seq -s, 100)
axis() { printf '  runtime.sizes.%s: [%s]\n' "$1" "$hundred"; }
scenario n150 finish >scale.yaml
{
	echo sweep:
	axis issue_queue_bytes
	axis completion_queue_bytes
	axis config_ring_bytes
} >>scale.yaml
code=0
timeout 5 "$binary" run scale.yaml -o scale.h5 >seen 2>&1 || code=$?
exits 'a million runs' 2
contains 'a million runs' "$(head -n1 seen)" \
	'scale.yaml:7:3: error: 1000000 runs, but a scenario has at most 10000'
equal 'a million runs: what else is wrong' "$(grep -c 'error:' seen)" 4
finish
