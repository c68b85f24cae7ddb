# Broadcasts to more than 1,024 chips take several multicasts (spec 3.8): every packet goes out once for each of them,
# and each time costs what the packetizer pays for a packet. Two initiators do so at the same time. The long test runs
# all workers of 4,096 chips. label: full  timeout: 300  long: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >thousands.yaml <<'EOS'
meshsim: 1
name: thousands
platform: {extends: mesh-64x64, topology: {mesh: [33, 32]}}
runtime:
  command_queues: 1
  completion: table
  forward: {path: broadcast, initiators: 1, ordering: none, credits: off}
workload:
  - repeat: 2
    do:
      - enqueue_workload: {cores: 1, kernel_bytes: 1024, runtime_args: 4, run_ns: 1000}
      - finish
model: {cores: chip, noise: off}
measure: {warmup: 0}
EOS

figure() {
	printf '%s\n' "$out" | sed -n "s/^ *\"$1\": \([0-9][0-9]*\),*$/\1/p"
}

# between WHAT SEEN LEAST MOST: in ps
between() {
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1: $2 ps, not $3 to $4 ps"
}

# run ROWS OPTION...: a run on so many rows of 32 chips; sets `took`, ps, `packets` and `bytes`
run() {
	rows=$1
	shift
	meshsim run thousands.yaml -o thousands.h5 --set platform.firmware.fabric_send.value=100000 \
		--set "runtime.mesh.shape=[$rows, 32]" "$@"
	exits "$rows rows" 0
	meshsim show thousands.h5 --json
	took=$(figure simulated) packets=$(figure broadcast_packets) bytes=$(figure broadcast_bytes)
}

run 32
one=$took one_packets=$packets one_bytes=$bytes
run 33
two=$took
equal 'packets of two multicasts' "$packets" "$((2 * one_packets))"
equal 'bytes of two multicasts' "$bytes" "$one_bytes"
# a packet costs 100,000 cycles of 1 ns; the host may go on while the last one is sent
between 'the second multicast' "$((two - one))" "$(((one_packets - 1) * 100000000))" \
	"$((one_packets * 100000000 + 20000000))"
run 33 --set runtime.forward.initiators=2
equal 'packets of two initiators' "$packets" "$((2 * one_packets))"
between 'the second initiator' "$((took - one))" -50000000 50000000

if [ -n "${MESHSIM_LONG:-}" ]; then
	for initiators in 1 2 4 8; do
		meshsim run "$MESHSIM_SOURCE_DIR/scenarios/broadcast-4096.yaml" -o long.h5 \
			--set "sweep={runtime.forward.initiators: [$initiators]}" --set workload.0.repeat=2
		exits "4,096 chips, $initiators initiators" 0
	done
fi
finish
