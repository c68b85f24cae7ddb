# Errors of divisions that take turns: names, and what is of a division that is not loaded where a step is reached.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/bad_scenario.sh"

scenario n150 <<'END'
runtime:
  sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}
  divisions:
    rows: {sub_devices: {top: {cores: [8, 2]}, bottom: {cores: [8, 4], offset: [0, 3]}}, l1_bytes: 64KiB}
workload:
  - enqueue_workload: {program: a, sub_device: left}
  - load_sub_devices: row
  - load_sub_devices: rows
  - enqueue_workload: {program: a, sub_device: right}
  - finish: {sub_device: left}
  - finish: {sub_device: top}
  - write_buffer: {buffer: l, bytes: 2048, memory: l1, sub_device: left}
  - trace: 1
    name: t
    do: [enqueue_workload: {program: b, sub_device: bottom}]
  - write_buffer: {buffer: m, bytes: 2048, memory: l1, sub_device: top}
  - load_sub_devices: initial
  - replay_trace: {trace: t}
  - repeat: 2
    do:
      - enqueue_workload: {program: c, cores: [2, 2]}
      - clear_sub_devices
END
refused "what is of another division" "bad.yaml:10:5: error: unknown division 'row', did you mean 'rows'?
  - load_sub_devices: row
    ^
bad.yaml:12:48: error: a program of sub-device 'right', which is of division 'initial', but 'rows' is loaded there: load_sub_devices: initial
  - enqueue_workload: {program: a, sub_device: right}
                                               ^
bad.yaml:13:26: error: a wait for programs of sub-device 'left', which is of division 'initial', but 'rows' is loaded there: load_sub_devices: initial
  - finish: {sub_device: left}
                         ^
bad.yaml:15:68: error: a buffer of sub-device 'left', which is of division 'initial', but 'rows' is loaded there: load_sub_devices: initial
  - write_buffer: {buffer: l, bytes: 2048, memory: l1, sub_device: left}
                                                                   ^
bad.yaml:20:5: error: buffer 'm' is in the L1 of sub-device 'top' (bad.yaml:19): free it before another division is loaded
  - load_sub_devices: initial
    ^
bad.yaml:21:5: error: the trace (bad.yaml:16) was captured with division 'rows', but 'initial' is loaded here
  - replay_trace: {trace: t}
    ^
bad.yaml:24:9: error: a program is made for division 'initial', but the repeat reaches it with 'whole devices', too: load the same at its end, or before this step
      - enqueue_workload: {program: c, cores: [2, 2]}
        ^"

scenario n150 <<'END'
runtime:
  sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}
  divisions:
    rows: {sub_devices: {left: {cores: [8, 2]}}}
    initial: {sub_devices: {one: {cores: [8, 2]}, two: {cores: [8, 2], offset: [0, 3]}}}
    many: {sub_devices: {a: {cores: [1, 1]}, b: {cores: [1, 1], offset: [1, 1]}, c: {cores: [1, 1], offset: [2, 2]},
      d: {cores: [1, 1], offset: [3, 3]}}}
workload:
  - finish
END
refused "names of divisions" "bad.yaml:7:32: error: two divisions have a sub-device 'left'
    rows: {sub_devices: {left: {cores: [8, 2]}}}
                               ^
bad.yaml:8:14: error: 'initial' is the division of runtime.sub_devices: name this one otherwise
    initial: {sub_devices: {one: {cores: [8, 2]}, two: {cores: [8, 2], offset: [0, 3]}}}
             ^
bad.yaml:9:11: error: 9 sub-devices in all divisions, at most 8
    many: {sub_devices: {a: {cores: [1, 1]}, b: {cores: [1, 1], offset: [1, 1]}, c: {cores: [1, 1], offset: [2, 2]},
          ^"

scenario n150 <<'END'
runtime:
  divisions:
    rows: {sub_devices: {one: {cores: [8, 2]}, two: {cores: [8, 2], offset: [0, 1]}}}
workload:
  - finish
END
refused "cores of a division" "bad.yaml:6:61: error: sub-devices 'two' and 'one' share a core (bad.yaml:6)
    rows: {sub_devices: {one: {cores: [8, 2]}, two: {cores: [8, 2], offset: [0, 1]}}}
                                                            ^"

scenario t3k <<'END'
runtime:
  divisions:
    rows: {sub_devices: {one: {cores: [8, 2]}}, l1_bytes: 10}
workload:
  - load_sub_devices: rows
  - collective: {op: all_gather, size_bytes: 4096}
END
refused "steps of one division" "bad.yaml:6:11: error: 10 B of L1 for a sub-device, pages of 16 B
    rows: {sub_devices: {one: {cores: [8, 2]}}, l1_bytes: 10}
          ^
bad.yaml:9:5: error: a collective with runtime.divisions: its programs are of one
  - collective: {op: all_gather, size_bytes: 4096}
    ^"

scenario n150 <<'END'
runtime:
  divisions:
    rows: {sub_devices: {one: {cores: [8, 2]}}, l1_bytes: 64KiB}
workload:
  - write_buffer: {buffer: low, bytes: 2048, page_bytes: 1024, memory: l1, bottom_up: true}
  - trace: 1
    do: [clear_sub_devices]
  - load_sub_devices: rows
  - enqueue_workload: {program: a, cores: all}
END
refused "space and captures" "bad.yaml:10:10: error: step 'clear_sub_devices' in a trace: only enqueue_workload, write_buffer, read_buffer, collective, record_event, wait_event and repeat can be captured
    do: [clear_sub_devices]
         ^
bad.yaml:11:5: error: worker L1: 65536 B are wanted below address 169472
  - load_sub_devices: rows
    ^
bad.yaml:12:43: error: program 'a': core 0,2 is of no sub-device
  - enqueue_workload: {program: a, cores: all}
                                          ^"

scenario n150 <<'END'
runtime: {divisions: {rows: {sub_devices: {one: {cores: [8, 2]}}}}}
workload:
  - enqueue_workload: {program: a, cores: [2, 2], identity: i}
  - load_sub_devices: rows
  - enqueue_workload: {program: a, cores: [2, 2], identity: i}
END
refused "one workload in two divisions" "bad.yaml:8:61: error: the programs of identity 'i' (bad.yaml:6) are made for division 'whole devices', but 'rows' is loaded here
  - enqueue_workload: {program: a, cores: [2, 2], identity: i}
                                                            ^"
