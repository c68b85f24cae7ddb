# label: slow  timeout: 600
# Decisions of record: the shipped ones come out as on hardware, and each rests on its mechanism. If
# the mechanism is removed, the difference between the options vanishes or turns.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

shipped=$MESHSIM_SOURCE_DIR/bench/reference/decisions.csv

# count NAME: a count of the JSON in $out
count() {
	printf '%s\n' "$out" | sed -n "s/.*\"$1\": \([0-9]*\),.*/\1/p" | head -n 1
}

# margins: predicted ratios less 1, per mille, of all comparisons of the JSON in $out
margins() {
	printf '%s\n' "$out" | sed -n 's/.*"predicted": \([0-9.e+-]*\), "pairs".*/\1/p' |
		awk '{printf "%d ", ($1 - 1) * 1000}'
}

meshsim validate --decisions --json
exits "shipped decisions" 0
equal "wrong" "$(count wrong)" 0
at_most "undecided" "$(count undecided)" 1
at_most "at least this many are right" 19 "$(count right)"
asked=$(printf '%s\n' "$out" | sed -n 's/.*{"id": "\([^"]*\)", "kind": "[^"]*", "outcome": "\([^"]*\)".*/\1 \2/p' |
	grep -v " not asked$" | cut -d " " -f 1)
tested=

# removed ID MOST KEY=VALUE...: the decision has a margin, and at most MOST per mille with these keys
removed() {
	id=$1 most=$2
	tested="$tested $id"
	shift 2
	(head -n 1 "$shipped" && grep "^$id," "$shipped") >one.csv
	meshsim validate --decisions one.csv --json
	for margin in $(margins); do
		[ "$margin" -gt "$most" ] || fail "$id: a margin of $margin per mille, above $most is expected"
	done
	for key; do
		set -- "$@" --set "$key"
		shift
	done
	meshsim validate --decisions one.csv --json "$@"
	exits "$id without its mechanism" 0
	seen=$(margins)
	[ -n "$seen" ] || fail "$id: no margin is seen without the mechanism"
	for margin in $seen; do
		at_most "$id without its mechanism, per mille" "$margin" "$most"
	done
}

p=platform
h=$p.host
w=$h.work
removed fan_out_small 0 $h.wake_call.value=0 $h.wake_hot.value=0 $h.wake_idle.value=0 \
	$w.queue_push.cost.value=0 $w.queue_pop.cost.value=0
removed fan_out_large 0 $h.copy.cached.pinned.bandwidth.value=2000
removed record_event 0 $w.create_operation.cost.value=0
removed trace_by_depth 1 $w.create_operation.cost.value=0 $w.spread_operation.cost.value=0 \
	$w.launch.cost.value=0 $w.api_call.cost.value=0 $w.build_command.cost.value=0 $w.build_bytes.cost.value=0
for id in tt-pgm-1core tt-pgm-56cores-32cb tt-pgm-8-kernel-groups; do
	removed $id 0 runtime.traces=off
done
removed two_command_buffers 0 $p.chip.noc_multicast_rate.value=100000 $p.chip.noc_multicast.value=0 \
	$p.chip.noc_issue.value=0 $p.chip.noc_issue_flit.value=0 $p.chip.noc_injection_rate.value=100000
removed vllm-shm-busyloop-window 0 runtime.host.spin_ns=100000
removed tt-eth-vs-tensix-dispatch 140 $p.firmware.ethernet_slowdown.value=1
removed tt-sharded-vs-interleaved-write 0 $w.copy_run.cost.value=0 \
	$h.copy.uncached_source.pinned.bandwidth.value=1000
removed umd-dma-copy-vs-zero-copy 20 $h.copy.cached.pinned.bandwidth.value=1000 \
	$h.copy.pinned.cached.bandwidth.value=1000 $h.copy.uncached_source.pinned.bandwidth.value=1000
removed tt-fabric-injection-slots 0 $p.chip.router_sender_slots.value=8
removed tt-2cq-input-overlap 18 $h.copy.uncached_source.pinned.bandwidth.value=1000 \
	$h.copy.cached.pinned.bandwidth.value=1000 $p.chip.pcie_device_read_bandwidth.value=1000 \
	$p.firmware.dispatch_page.value=0 $p.firmware.dispatch_buffer_page.value=0 \
	$p.chip.noc_injection_rate.value=1000 $p.chip.noc_issue.value=0 $p.chip.noc_issue_flit.value=0
removed tcp-vs-uds-rigtorp 0 $p.transports.tcp.send_message.value=0.505 \
	$p.transports.tcp.receive_message.value=713.936
removed zmq-python-1KB-stream 0 $p.transports.tcp.send_message.value=0.865
removed ipc-bench-pingpong 200 $h.wake_hot.value=0 $h.wake_idle.value=0 \
	$p.transports.zeromq-router.thread_send_message.value=0 \
	$p.transports.zeromq-router.thread_receive_message.value=0 $p.transports.unix.send_message.value=1.16
# A slow program hides the dispatch of small programs behind it, so only larger ones depend on the trace.
(head -n 1 "$shipped" && grep "^tt-pgm-shadow-fast-behind-slow,.* 8192 B," "$shipped") >shadow.csv
tested="$tested tt-pgm-shadow-fast-behind-slow"
meshsim validate --decisions shadow.csv --json
for margin in $(margins); do
	at_most "programs behind a slow one wait for their kernels" 300 "$margin"
done
meshsim validate --decisions shadow.csv --json --set runtime.traces=off
for margin in $(margins); do
	at_most "... which a trace leaves in the workers" "$margin" 0
done

# Unique arguments: one for each core is a write for each core.
(head -n 1 "$shipped" && grep "^tt-unique-vs-common-args-bh,.* 1 word" "$shipped") >arguments.csv
tested="$tested tt-unique-vs-common-args-bh"
meshsim validate --decisions arguments.csv --json
at_most "unique arguments cost more than common ones" 300 "$(margins | tr -d ' ')"
meshsim validate --decisions arguments.csv --json --set $p.firmware.dispatch_packed_target.value=0 \
	--set $p.chip.noc_issue.value=0 --set $p.chip.noc_issue_flit.value=0 --set $p.chip.noc_acknowledge.value=0
at_most "... since each is a write of its own" "$(margins | tr -d ' ')" 10

# Codecs: reading without copying is faster.
(head -n 1 "$shipped" && grep "^ser-cpp-trade,.*,deserialize," "$shipped") >read.csv
tested="$tested ser-cpp-trade"
meshsim validate --decisions read.csv --json
at_most "FlatBuffers are read faster than Protocol Buffers" 300 "$(margins | tr -d ' ')"
meshsim validate --decisions read.csv --json --set $p.codecs.protobuf.decode_message.value=24.243 \
	--set $p.codecs.protobuf.decode_argument_kib.value=0.934
at_most "... by the costs of their commands and arguments" "$(margins | tr -d ' ')" 1

for id in $asked; do
	contains "decisions whose mechanism was removed" "$tested " " $id "
done
finish
