# label: full  timeout: 120
# Divisions that take turns on devices of several hosts: in both worlds the data and arguments arrive as on one host with the
# same chips. So it is with every allocator, compiler and way to broadcast, and with traces of two divisions. A program of a
# division that is not loaded, or L1 that a buffer still takes, is refused.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# turns NAME PLATFORM [RUNTIME-LINE]: NAME.yaml, with 16 chips
turns() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: $2
limits: {wall_s: 60}
runtime:
  command_queues: 2
  sizes: {trace_region_bytes: 1048576}
  sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}
  divisions:
    one: {sub_devices: {all: {cores: [8, 7]}}, l1_bytes: 16384}
  $3
workload:
  - write_buffer: {buffer: a, bytes: 131072, page_bytes: 512, spread: sharded}
  - write_buffer: {buffer: kept, bytes: 114688, page_bytes: 2048, memory: l1}
  - trace: 2
    name: halves
    do:
      - enqueue_workload: {program: first, cores: [4, 7], runtime_args: 4, run_ns: 2000}
      - enqueue_workload: {program: second, cores: [2, 7], runtime_args: 4, run_ns: 2000}
  - repeat: 3
    do:
      - load_sub_devices: one
      - enqueue_workload: {program: third, cores: [4, 7], runtime_args: 3, run_ns: 2000}
      - write_buffer: {buffer: own, bytes: 8192, memory: l1, sub_device: all}
      - read_buffer: {buffer: own, blocking: true}
      - free_buffer: {buffer: own}
      - clear_sub_devices
      - enqueue_workload: {program: fourth, cores: all, runtime_args: 3, run_ns: 2000, queue: 1}
      - load_sub_devices: initial
      - replay_trace: {trace: halves}
      - enqueue_workload: {program: fifth, cores: [4, 7], runtime_args: 5, run_ns: 2000, queue: 1}
  - read_buffer: {buffer: kept, blocking: true}
  - read_buffer: {buffer: a, blocking: true}
END
}

# verified FILE: number of successful comparisons
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}

turns one '{extends: galaxy, topology: {mesh: [4, 4], wrap: [true, false]}}' ''
meshsim run one.yaml -o one.h5
exits "one host: $err" 0
right=$(verified one.h5)
[ "${right:-0}" -gt 20 ] || fail "one host compares $right things"
apart='{extends: galaxy-x2, topology: {mesh: [2, 4], wrap: [false, false]}}'
joined='{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
for case in "$apart|" "$apart|distributed: {transport: tcp, allocator: controller}" \
	"$apart|distributed: {transport: tcp, allocator: requests, compile: executors, resolution: executors}" \
	"$joined|{forward: {path: broadcast}, distributed: {transport: tcp, broadcast: machine}}"; do
	keys=$(printf '%s' "${case#*|}" | sed 's/^{forward: {path: broadcast}, \(.*\)}$/forward: {path: broadcast}\n  \1/')
	turns two "${case%%|*}" "$keys"
	for world in sim native; do
		meshsim run two.yaml -o two.h5 --world $world
		exits "two hosts, $keys, $world: $err" 0
		equal "two hosts, $keys, $world" "$(verified two.h5)" "$right"
	done
done

# what lies in the L1 of a sub-device keeps its division
turns bad "$apart" ''
sed -i '/free_buffer/d' bad.yaml
meshsim run bad.yaml -o bad.h5
exits 'a buffer in the L1 of a sub-device' 2
contains 'it is named' "$err" "buffer 'own' is in the L1 of sub-device 'all'"
finish
