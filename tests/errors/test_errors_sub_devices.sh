# Invalid sub-devices: all errors of a file in one pass, each with its place, exit code 2.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# refused NAME EXPECTED: runs bad.yaml of the directory; compares only the first lines of errors
refused() {
	code=0
	"$binary" run bad.yaml -o out.h5 >/dev/null 2>"$work.err" || code=$?
	err=$(grep error: "$work.err")
	exits "$1" 2
	equal "$1: messages" "$err" "$2"
	[ ! -e out.h5 ] || fail "$1: a result file is left"
}

# scenario: runtime and workload from standard input
scenario() {
	printf 'meshsim: 1\nname: bad\nplatform: n150\n' >bad.yaml
	cat >>bad.yaml
}

scenario <<'END'
runtime:
  sub_devices:
    left: {cores: [4, 8], ethernet: true}
    right: {cores: [4, 8], offset: [3, 0], ethernet: true}
    far: {cores: [1, 1], offset: [8, 0]}
workload:
  - enqueue_workload: {sub_device: lef}
END
refused "sub-devices" "bad.yaml:7:12: error: sub-devices 'right' and 'left' share the Ethernet cores (bad.yaml:6)
bad.yaml:7:20: error: sub-devices 'right' and 'left' share a core (bad.yaml:6)
bad.yaml:8:18: error: sub-device 'far' of 1 x 1 cores from column 8, row 0 on reaches outside the worker grid of 8 x 8
bad.yaml:10:36: error: unknown sub-device 'lef', did you mean 'left'?"

scenario <<'END'
runtime:
  sub_devices:
    left: {cores: [3, 8]}
    right: {cores: [4, 8], offset: [4, 0]}
workload:
  - enqueue_workload: {program: all}
  - enqueue_workload: {program: wide, cores: [4, 4]}
  - enqueue_workload: {program: ether, processors: [brisc, ethernet], sub_device: left}
  - enqueue_workload:
      programs:
        - {program: both, cores: [5, 1]}
  - trace: 1
    do:
      - enqueue_workload: {program: first, sub_device: left}
      - repeat: 2
        do:
          - enqueue_workload: {program: second, sub_device: right}
END
refused "programs" "bad.yaml:9:5: error: program 'all': core 3,0 is of no sub-device
bad.yaml:10:46: error: program 'wide': core 3,0 is of no sub-device
bad.yaml:11:83: error: program 'ether': the Ethernet cores are of no sub-device
bad.yaml:14:34: error: program 'both': core 3,0 is of no sub-device
bad.yaml:20:13: error: program 'second' of sub-device 'right' in a trace of sub-device 'left': a trace is of one"

scenario <<'END'
runtime:
  sub_device_l1_bytes: 4096
  sub_devices:
    left: {cores: [3, 8]}
    right: {cores: [4, 8], offset: [4, 0]}
workload:
  - write_buffer: {buffer: d, bytes: 2048, sub_device: left}
  - write_buffer: {buffer: s, bytes: 2048, memory: l1, layout: sharded, shard_cores: [4, 8], sub_device: left}
  - enqueue_workload: {sub_device: right, cores: [5, 8]}
  - enqueue_workload: {sub_device: right, cores: 5}
  - write_buffer: {buffer: l, bytes: 131072, memory: l1, sub_device: left}
END
refused "what is in one" "bad.yaml:10:56: error: buffer 'd': sub-devices have no memory but L1
bad.yaml:11:106: error: buffer 's': core 3,0 is not of the sub-device
bad.yaml:12:50: error: 5 x 8 cores, but sub-device 'right' has 4 x 8
bad.yaml:13:50: error: cores: 5, but those of a sub-device are \`all\` or [columns, rows]
bad.yaml:14:38: error: buffer 'l': L1 of a sub-device: 6144 B wanted, 4096 of 4096 B free in 1 blocks, the largest has 4096 B (runtime.sub_device_l1_bytes)"

scenario <<'END'
runtime:
  sub_device_l1_bytes: 1000
  sub_devices: {left: {cores: [3, 8]}}
workload: [enqueue_workload: {sub_device: left}]
END
refused "a size" "bad.yaml:5:24: error: 1000 B of L1 for a sub-device, pages of 16 B"

scenario <<'END'
runtime:
  sub_device_l1_bytes: 2097152
  sub_devices: {left: {cores: [3, 8]}}
workload: [enqueue_workload: {sub_device: left}]
END
refused "more than there is" "bad.yaml:5:24: error: 2097152 B of L1 for a sub-device, workers have 1395200 B for buffers"

scenario <<'END'
runtime: {sub_devices: {left: {cores: [3, 8]}}}
workload:
  - write_buffer: {memory: l1, bytes: 4096, sub_device: left}
  - {write_buffer: {buffer: other, bytes: 4096, memory: l1, sub_device: middle}}
END
refused "none of its own" "bad.yaml:6:57: error: buffer 'buffer': sub-devices have no L1 of their own (runtime.sub_device_l1_bytes)
bad.yaml:7:73: error: unknown sub-device 'middle'"

scenario <<'END'
workload: [enqueue_workload: {sub_device: left}]
END
refused "whole devices" "bad.yaml:4:43: error: sub-device 'left', but devices are whole: runtime.sub_devices gives names"
finish
