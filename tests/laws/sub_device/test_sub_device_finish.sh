# A finish of one sub-device returns when its programs are done, while a program of the other runs; a finish of all waits
# for both. It orders accesses of its sub-device alone: others are refused as races. In both worlds. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# pair FINISH: a program of 2 ms on the left and one of 10 us on the right, then the finish
pair() {
	cat >pair.yaml <<YAML
meshsim: 1
name: pair
platform: n300
measure: {warmup: 0}
runtime: {sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}}
workload:
  - enqueue_workload: {program: long, sub_device: left, run_ns: 2ms}
  - enqueue_workload: {program: short, sub_device: right, run_ns: 10us}
  - {as: first, finish: $1}
  - {as: last, finish: {}}
YAML
}

# took STEP: sets $taken to the microseconds of its finish
took() {
	taken=$(printf '%s' "$out" | /usr/bin/python3 -c '
import json, sys
steps = json.load(sys.stdin)["runs"][0]["operations"]
print(int(steps[sys.argv[1]]["latency"]["p50"]) // 1000000)' "finish/$1")
}

pair '{sub_device: right}'
meshsim run pair.yaml -o pair.h5 --json
exits "a finish of the short one" 0
took first
[ "$taken" -lt 200 ] || fail "the finish of the short one takes $taken us"
took last
[ "$taken" -gt 1500 ] || fail "the finish of both takes $taken us, and the long one 2 ms"
for keys in '{sub_device: left}' '{}'; do
	pair "$keys"
	meshsim run pair.yaml -o pair.h5 --json
	exits "finish: $keys" 0
	took first
	[ "$taken" -gt 1500 ] || fail "finish: $keys takes $taken us, and the long one 2 ms"
done
pair '{sub_device: right, queue: 0}'
meshsim run pair.yaml -o pair.h5 --world native
exits "native" 0

# what orders accesses of two sub-devices, and what does not
order() {
	cat >order.yaml <<YAML
meshsim: 1
name: order
platform: n300
runtime: {sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}}
workload:
  - write_buffer: {buffer: a, bytes: 8192}
  - write_buffer: {buffer: b, bytes: 8192}
  - write_buffer: {buffer: c, bytes: 8192}
  - finish
  - enqueue_workload: {program: one, sub_device: left, library: copy, buffers: {from: a, to: b}}
  - finish: {sub_device: $1}
  - enqueue_workload: {program: two, sub_device: right, library: copy, buffers: {from: b, to: c}}
  - read_buffer: {buffer: c}
  - finish
YAML
	meshsim run order.yaml -o order.h5 --world ${2:-sim}
}
for world in sim native; do
	order left $world
	exits "behind a finish of the writer, $world" 0
done
order right
exits "behind a finish of the reader" 2
contains "behind a finish of the reader" "$err" "buffer 'b' is read on sub-device 'right' while 'left' may still write it"
order lift
exits "a misspelled name" 2
contains "a misspelled name" "$err" "order.yaml:11:26: error: unknown sub-device 'lift', did you mean 'left'?"
printf 'meshsim: 1\nname: whole\nplatform: n150\nworkload: [finish: {sub_device: left}]\n' >whole.yaml
meshsim run whole.yaml -o whole.h5
exits "devices that are whole" 2
contains "devices that are whole" "$err" "whole.yaml:4:33: error: sub-device 'left', but devices are whole"
finish
