# label: full
# Reads of sharded and replicated buffers in many orders, on one queue and two, in both worlds: all
# return the right data, whichever of them block, and a failed run reports the error that ended it.
# timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# Steps of an order: c is sharded and takes long, a and b are replicated. A capital letter blocks; a
# digit selects the queue of the letters after it.
steps() {
	queue=0
	for letter in $(printf '%s\n' "$1" | sed 's/./& /g'); do
		blocking=true
		case $letter in
		[01])
			queue=$letter
			continue
			;;
		a | b | c) blocking=false ;;
		esac
		printf '  - read_buffer: {buffer: %s, queue: %s, blocking: %s}\n' \
			"$(printf '%s' "$letter" | tr ABC abc)" "$queue" "$blocking"
	done
}

# reads_are_right PLATFORM ORDER OPTION...
reads_are_right() {
	platform=$1 order=$2
	shift 2
	cat >reads.yaml <<END
meshsim: 1
name: reads
platform: $platform
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: c, bytes: 4194304, spread: sharded}
  - write_buffer: {buffer: a, bytes: 2048}
  - write_buffer: {buffer: b, bytes: 65536}
  - finish
$(steps "$order")
END
	meshsim run reads.yaml -o reads.h5 --json "$@"
	exits "$platform, order $order, $*" 0
	contains "$platform, order $order, $*: all are compared" "$out" \
		"\"verified\": $(printf '%s' "$order" | tr -d 01 | wc -c)"
}

for order in cA acA cbA aC cBaA ccAA cACb 0c1A 0c1c0A1B 0ca1bA0C 0c1bC0B; do
	reads_are_right t3k $order
	reads_are_right t3k $order --world native
done
for order in cA cBaA 0c1c0A1B; do
	reads_are_right tgg $order
	reads_are_right t3k $order --set runtime.completion=per-device \
		--set runtime.host.threads=per-device
	reads_are_right t3k $order --set runtime.completion=aggregator \
		--set runtime.forward.path=broadcast
done
reads_are_right tgg cA --world native

# A tensor on one device of eight: reading it back does not mark the other devices as read.
cat >tensor.yaml <<'END'
meshsim: 1
name: tensor
platform: t3k
runtime: {completion: per-device}
workload:
  - write_buffer: {buffer: b, bytes: 6720, page_bytes: 40, spread: sharded, layout: sharded}
  - repeat: 5
    do:
      - write_tensor: {tensor: t, layout: "tensor<2x32x15xi32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), zero, <1x3x2>, memref<2x1x1x!tt.tile<32 x 32, i32>, #tt.memory_space<l1>>>>"}
  - read_buffer: {buffer: b}
  - read_tensor: {tensor: t}
  - finish
END
for world in sim native; do
	meshsim run tensor.yaml -o tensor.h5 --json --world "$world"
	exits "a tensor on one device, $world" 0
	contains "a tensor on one device, $world" "$out" '"verified": 2'
done

# A run that fails with data in flight reports the cause, not the leftover data.
cat >refused.yaml <<'END'
meshsim: 1
name: refused
platform: tgg
workload:
  - write_buffer: {bytes: 4194304}
  - record_event: {event: e}
  - wait_event: {event: e, host: true}
END
meshsim run refused.yaml
exits "a wait of the host for an event that it is not told of" 2
equal "a wait of the host for an event that it is not told of" "$(printf '%s\n' "$err" | head -n 1)" \
	"refused.yaml:7:25: error: event 'e' does not notify the host: record it with to_host: true"

finish
