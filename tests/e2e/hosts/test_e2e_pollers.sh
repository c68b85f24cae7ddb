# Eight pollers of each host share one core with the threads that they wait for: with the scheduler
# `fair` a run ends, in about the same time as with `turns`. label: full  timeout: 60
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >pollers.yaml <<'END'
meshsim: 1
name: pollers
platform: {extends: loopback-apart, host: {quantum: 300 us, work: {compile_kernel: {cost: 3 ms}}}}
model: {noise: off}
runtime:
  command_queues: 2
  completion: aggregator-naive
  host: {pollers: 8}
  command_cache: false
  distributed: {executor_threads: true, stages: {send: own}}
workload:
  - repeat: 4
    do:
      - enqueue_workload: {program: p1, kernel_bytes: 880, run_ns: 1800}
      - enqueue_workload: {program: p2, kernel_bytes: 880, run_ns: 1800}
      - finish
sweep:
  model.scheduler: [turns, fair]
END
# simulated: time of each run, in ns
simulated() {
	"$binary" show pollers.h5 --json | sed -n 's/.*"simulated": \([0-9]*\).*/\1/p'
}

for machine in platform.hosts.cores=own platform.hosts.cores=shared; do
	for threads in main per-device; do
		meshsim run pollers.yaml -o pollers.h5 --set $machine --set limits.simulated_ms=2000 \
			--set runtime.host.threads=$threads
		exits "$machine, $threads" 0
		set -- $(simulated)
		[ $# -eq 2 ] && [ "$2" -lt $((3 * $1)) ] ||
			fail "$machine, $threads: $2 with fair, $1 with turns"
	done
done
finish
