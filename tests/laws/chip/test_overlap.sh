# Dispatch beside kernels that stream from DRAM takes longer than beside kernels of the same length
# that do not: its writes, and the prefetcher's reads of the next program's binaries, queue at the
# banks behind the kernels' reads. With infinitely fast banks the difference disappears.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# streams CORES: the rest of a workload whose kernels only read buffer `a`, on so many cores
streams() {
	cat <<YAML
          circular_buffers: 1
          circular_buffer_bytes: 2048
          circular_buffer_pages: 1
          kernels:
            - processor: ncrisc
              arguments: [core]
              text: |
                start:
                  argument r1, 0
                  common r2, from + 3
                  reserve 0, 1
                  back r6, 0
                again:
                  jump_not_below r1, r2, done
                  page r4:5, r1, from
                  read r6, r4, 2048
                  add r1, r1, $1
                  jump again
                done:
                  wait_reads
                  end
YAML
}

cat >overlap.yaml <<YAML
meshsim: 1
name: overlap
platform: n150
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 16777216, page_bytes: 2048}
  - write_buffer: {buffer: next, bytes: 65536, page_bytes: 2048, queue: 1}
  - finish
  - repeat: 5
    do:
      - as: running
        enqueue_workload:
          program: stream
          cores: 56
          buffers: {from: a}
$(streams 56)
      - {write_buffer: {buffer: next, queue: 1, blocking: true}, as: beside}
      - finish
model: {noise: none}
measure: {warmup: 2, verify: false}
YAML
waiting='workload.3.do.0.enqueue_workload={program: wait, kernel_bytes: 2048, cores: 56, run_ns: 70000}'
no_queues='--set platform.chip.dram_read_bandwidth=100000 --set platform.chip.dram_write_bandwidth=100000
	--set platform.chip.dram_request=0'

# latency OPTION...: latency of the concurrent write, in ns
latency() {
	"$binary" run overlap.yaml -o overlap.h5 "$@" >/dev/null || fail "run $*"
	"$binary" show overlap.h5 --json | python3 -c '
import json, sys
print(json.load(sys.stdin)["runs"][0]["operations"]["write_buffer/beside"]["latency"]["p50"] // 1000)'
}
beside_streams=$(latency) beside_waits=$(latency --set "$waiting")
[ "$beside_streams" -gt $((3 * beside_waits)) ] ||
	fail "$beside_streams ns beside kernels that stream, $beside_waits beside those that wait"

# shellcheck disable=SC2086
beside_streams=$(latency $no_queues) beside_waits=$(latency $no_queues --set "$waiting")
[ "$beside_streams" -lt $((beside_waits + beside_waits / 50)) ] ||
	fail "without queues at banks $beside_streams ns beside streams, $beside_waits beside waits"

# The next program, on another sub-device, is called 50,000 times a second.
cat >next.yaml <<YAML
meshsim: 1
name: next
platform: n150
runtime: {sub_devices: {left: {cores: [6, 8]}, right: {cores: [2, 8], offset: [6, 0]}}}
workload:
  - write_buffer: {buffer: a, bytes: 16777216, page_bytes: 2048}
  - finish
  - repeat: 5
    do:
      - as: running
        enqueue_workload:
          program: stream
          sub_device: left
          buffers: {from: a}
$(streams 48)
      - repeat: 3
        rate_per_s: 50000
        do:
          - {enqueue_workload: {program: next, sub_device: right, kernel_bytes: 4096}, as: beside}
      - finish
model: {noise: none}
measure: {warmup: 2, verify: false}
YAML
sed 's/read r6, r4, 2048/busy 400/' next.yaml >busy.yaml

# reach FILE OPTION...: time from the call of the next program to its go, of the slowest launch, in
# ns
reach() {
	"$binary" run "$@" -o next.h5 >/dev/null || fail "run $*"
	"$binary" show next.h5 --json | python3 -c '
import json, sys
print(json.load(sys.stdin)["runs"][0]["operations"]["enqueue_workload/beside"]["reach"]["max"] // 1000)'
}
beside_streams=$(reach next.yaml) beside_busy=$(reach busy.yaml)
[ "$beside_streams" -gt $((3 * beside_busy)) ] ||
	fail "the next program after $beside_streams ns beside kernels that stream, $beside_busy beside busy ones"

# shellcheck disable=SC2086
beside_streams=$(reach next.yaml $no_queues) beside_busy=$(reach busy.yaml $no_queues)
equal "the next program without queues at banks, in ns" "$beside_streams" "$beside_busy"
finish
