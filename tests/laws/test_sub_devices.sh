# Programs on two sub-devices run at once and take as long as the longer one; programs on one sub-device take the sum of
# their times (spec 3.4.5, 3.4.6). One sub-device with all cores equals none, to the picosecond. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >pair.yaml <<'END'
meshsim: 1
name: pair
platform: n300
runtime:
  completion: table
  command_queues: 2
  sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: first, sub_device: left, run_ns: 200us}
      - enqueue_workload: {program: second, sub_device: right, run_ns: 200us}
  - finish
END

# microseconds FILE OPTION...: sets $taken to the length of the run
microseconds() {
	meshsim run "$@" -o seen.h5 --json
	exits "$*" 0
	taken=$(printf '%s\n' "$out" | sed -n 's/.*"simulated": *\([0-9]*\)[0-9]\{6\}[^0-9].*/\1/p' | tail -n 1)
}

# between NAME TAKEN LEAST MOST
between() {
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1: $2 us, not between $3 and $4"
}

for path in unicast broadcast; do
	for go in running all; do
		what="$path, goes for $go"
		set -- --set runtime.forward.path="$path" --set runtime.forward.go="$go"
		microseconds pair.yaml "$@"
		between "$what: two sub-devices" "$taken" 1600 1760
		microseconds pair.yaml "$@" --set workload.0.do.1.enqueue_workload.sub_device=left
		between "$what: one sub-device" "$taken" 3200 3360
		microseconds pair.yaml "$@" --set workload.0.do.1.enqueue_workload.queue=1
		between "$what: two sub-devices, each from a queue of its own" "$taken" 1600 1760
		microseconds pair.yaml "$@" --set workload.0.do.1.enqueue_workload.run_ns=50us
		between "$what: a short one beside" "$taken" 1600 1760
	done
done

# the same over two hosts; their executors divide their devices alike, once these are open, which takes more or less
# long with noise
set -- --set platform=galaxy-x2 --set model.noise=off
microseconds pair.yaml "$@"
at_once=$taken
microseconds pair.yaml "$@" --set workload.0.do.1.enqueue_workload.sub_device=left
between "two hosts: what one sub-device takes more than two" $((taken - at_once)) 1500 1650

# one sub-device with all cores, and none
cat >whole.yaml <<'END'
meshsim: 1
name: whole
platform: t3k
runtime: {completion: table, command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 65536, memory: l1}
  - repeat: 20
    do:
      - enqueue_workload: {program: first, run_ns: 3us, runtime_args: 8}
      - enqueue_workload: {program: second, cores: [3, 4], run_ns: 1us, queue: 1}
  - trace: 3
    replays: 2
    do:
      - enqueue_workload: {program: third, cores: 5}
  - finish
  - read_buffer: {buffer: a}
END
for path in unicast broadcast; do
	for go in running all; do
		set -- --set runtime.forward.path="$path" --set runtime.forward.go="$go"
		microseconds whole.yaml "$@"
		"$binary" show --json seen.h5 >none.json || fail "show"
		microseconds whole.yaml "$@" --set 'runtime.sub_devices={one: {cores: [8, 7], ethernet: true}}'
		"$binary" show --json seen.h5 >one.json || fail "show"
		grep -v '"file"\|"name"\|hash\|sub_devices' none.json >none
		grep -v '"file"\|"name"\|hash\|sub_devices' one.json >one
		cmp -s none one || fail "$path, goes for $go: one sub-device is not the same as none:
$(diff none one | head -n 6)"
	done
done
finish
