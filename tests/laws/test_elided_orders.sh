# label: full
# Data that are not simulated (model.elide_above_bytes) do not make later operations fail, whichever
# operation reports a read of them: traces, workloads, writes and events, blocking or not.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# ends_well STEP...: runs the steps with every kind of completion, after two reads of elided data
ends_well() {
	{
		printf 'meshsim: 1\nname: elided\nplatform: n300\nmodel: {elide_above_bytes: 4096}\n'
		printf 'workload:\n  - write_buffer: {buffer: a, bytes: 65536}\n'
		printf '  - write_buffer: {buffer: s, bytes: 2048}\n'
		printf '  - read_buffer: {buffer: a}\n  - read_buffer: {buffer: s}\n'
		printf '  - %b\n' "$@" finish
	} >elided.yaml
	for completion in per-device table aggregator; do
		meshsim run elided.yaml -o elided.h5 --set "runtime.completion=$completion"
		exits "$completion, $*" 0
	done
}

workload='enqueue_workload: {}'
ends_well "trace: 1\n    do:\n      - $workload"
ends_well "trace: 1\n    replays: 2\n    blocking: true\n    do:\n      - $workload"
ends_well 'enqueue_workload: {blocking: true}'
ends_well 'write_buffer: {buffer: s, blocking: true}'
ends_well 'write_buffer: {buffer: s, blocking: true, pinned: true}'
ends_well 'read_buffer: {buffer: s, blocking: true}'
ends_well 'read_buffer: {buffer: a, blocking: true}'
ends_well 'record_event: {event: e, to_host: true}' 'wait_event: {event: e, host: true}'
# Pages without data, written into a buffer with data, make its content unknown: it is not compared.
ends_well 'write_buffer: {buffer: p, bytes: 65536, page_bytes: 1024, pinned: true}' \
	'write_buffer: {buffer: p, pages: [0, 1]}' 'read_buffer: {buffer: p}'
finish
