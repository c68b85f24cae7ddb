# Workloads on disjoint devices run at once, from whichever queues (spec 3.4.6): no device waits for another that runs
# something else. On the same devices their times add up. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >pair.yaml <<'END'
meshsim: 1
name: pair
platform: t3k
runtime: {completion: table, command_queues: 2}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: left, devices: {shape: [2, 2]}, run_ns: 200us}
      - enqueue_workload: {program: right, devices: {shape: [2, 2], offset: [0, 2]}, run_ns: 200us}
  - finish
END

# one long program, then many short ones on other devices
cat >long.yaml <<'END'
meshsim: 1
name: long
platform: t3k
runtime: {completion: table, command_queues: 2}
workload:
  - enqueue_workload: {program: left, devices: {shape: [2, 2]}, run_ns: 1600us}
  - repeat: 8
    do:
      - enqueue_workload: {program: right, devices: {shape: [2, 2], offset: [0, 2]}, run_ns: 200us}
  - finish
END

# microseconds FILE OPTION...: sets $taken to the length of the run
microseconds() {
	meshsim run "$@" -o seen.h5 --json
	exits "$*" 0
	taken=$(printf '%s\n' "$out" | sed -n 's/.*"simulated": *\([0-9]*\)[0-9]\{6\}[^0-9].*/\1/p' | tail -n 1)
}

# overlaps FILE STEP: 1,600 us on each side take no longer than on one, and twice as long on one side; STEP is that of
# `right`
overlaps() {
	for path in unicast broadcast; do
		for go in running all; do
			for queue in 0 1; do
				row="--set runtime.forward.path=$path --set runtime.forward.go=$go --set $2.queue=$queue"
				microseconds "$1" $row
				[ "${taken:-0}" -gt 1600 ] && [ "$taken" -lt 1920 ] ||
					fail "$1 $row: 1600 us on each side take ${taken:-?} us"
				microseconds "$1" $row --set "$2.devices.offset=[0,0]"
				[ "${taken:-0}" -gt 3200 ] ||
					fail "$1 $row: 3200 us on one side take ${taken:-?} us"
			done
		done
	done
}

overlaps pair.yaml workload.0.do.1.enqueue_workload
overlaps long.yaml workload.1.do.0.enqueue_workload
finish
