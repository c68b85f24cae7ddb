# A completion reader of executors works with every event path, in both worlds: what is read back is right, and a run ends
# if the controller or the executor does. label: full  timeout: 120
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >reader.yaml <<'END'
meshsim: 1
name: reader
platform: loopback
runtime: {command_queues: 2, distributed: {transport: unix, completion_reader: thread}}
workload:
  - write_buffer: {buffer: rows, bytes: 40960, blocking: true}
  - repeat: 12
    do:
      - read_buffer: {buffer: rows}
      - enqueue_workload: {program: p, run_ns: 500}
      - record_event: {event: e}
      - wait_event: {event: e, queue: 1}
      - enqueue_workload: {program: q, run_ns: 500, queue: 1}
      - finish
      - finish: {queue: 1}
END
# verified: how many reads and results were right
verified() {
	"$binary" show reader.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
meshsim run reader.yaml -o reader.h5 --set runtime.distributed.completion_reader=event-loop
all=$(verified)
[ "$all" -ge 24 ] || fail "$all reads and results"

for path in per-device table aggregator aggregator-naive; do
	for world in sim native; do
		meshsim run reader.yaml -o reader.h5 --world $world --set runtime.completion=$path
		exits "$world, $path" 0
		equal "$world, $path: reads that were right" "$(verified)" "$all"
	done
done
for threads in 'executor_threads=true' 'wait=park' 'poll_ns=100' 'receive=pinned'; do
	meshsim run reader.yaml -o reader.h5 --world native --set runtime.distributed.$threads
	exits "$threads" 0
	equal "$threads: reads that were right" "$(verified)" "$all"
done
meshsim run reader.yaml -o reader.h5 --set runtime.distributed.transport=tcp
exits 'the simulation' 0
cp reader.h5 first.h5
meshsim run reader.yaml -o reader.h5 --set runtime.distributed.transport=tcp
equal 'simulated runs are the same' "$("$binary" show reader.h5 --json)" "$("$binary" show first.h5 --json)"

# The event loop serves while the reader answers, so that programs beside reads are done sooner.
for reader in event-loop thread; do
	meshsim run "$MESHSIM_SOURCE_DIR/scenarios/distributed-reader.yaml" -o reader.h5 --set model.noise=off \
		--set "sweep={runtime.distributed.completion_reader: [$reader]}" --set measure.seeds=1
	exits "$reader" 0
	"$binary" show reader.h5 --json | sed -n 's/.*"simulated": \([0-9]*\).*/\1/p'
done >took
set -- $(cat took)
[ "$((106 * $2))" -lt "$((100 * $1))" ] || fail "$1 ns without a reader, $2 with it"

# what goes wrong
for kind in death controller-death; do
	meshsim run reader.yaml -o fault.h5 --set runtime.distributed.transport=tcp --set runtime.distributed.reply_ns=20000000 \
		--set "model.fault={kind: $kind, host: 1, at_us: 400}"
	exits "$kind" 4
done
meshsim run reader.yaml -o bad.h5 --set runtime.distributed.completion_reader=threads
exits 'an unknown reader' 2
contains 'an unknown reader' "$err" "did you mean 'thread'?"
meshsim run reader.yaml -o bad.h5 --set runtime.distributed.completion_reader=threads --set platform=n300
exits 'an unknown reader on one host' 2
sed -i 's/^platform: .*/platform: n150/' reader.yaml
meshsim run reader.yaml -o one.h5 --set runtime.distributed.transport=tcp
contains 'one host' "$err" 'runtime.distributed.completion_reader has no effect on a machine of one host'
finish
