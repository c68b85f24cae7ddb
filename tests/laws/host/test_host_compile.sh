#!/bin/sh
# label: full
# Compiling: what a new program waits for is the longest share of a thread, in kernels, for each row of
# runtime.host.compile; chips whose tiles are at other places take binaries of their own; a program cache is asked first.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >compile.yaml <<'END'
meshsim: 1
name: compile
platform: {extends: t3k, tiles: {harvested_by_chip: [[10, 11], [1, 2], [3, 9], [5, 8], [7, 11]]}}
model: {noise: off}
runtime:
  command_queues: 1
  host: {threads: pool, count: 4, compile: ready}
workload:
  - enqueue_workload: {program: norm, cores: all, processors: [brisc, ncrisc, trisc0], kernel_bytes: 2048}
    as: first
  - finish
  - enqueue_workload: {program: norm/2, cores: all, processors: [brisc, ncrisc, trisc0], kernel_bytes: 2048}
    as: second
  - finish
sweep:
  runtime.coordinates: [virtual, physical]
  runtime.host.compile: [ready, per-device, per-mesh, per-kernel, asynchronous]
measure: {warmup: 0}
END

# kernels FILE STEP: of each run, how many kernels of 500 ms the step took longer than with ready ones
kernels() {
	"$binary" compare "$1" --json --step "$2" --metric completion 2>compare.err | /usr/bin/python3 -c "
import json, sys
values = {(p['keys'].get('runtime.coordinates', 'virtual'), p['keys']['runtime.host.compile']): p['value']
          for p in json.load(sys.stdin)['points']}
for (where, row), value in values.items():
    if row != 'ready':
        print(where, row, round((value - values[where, 'ready']) / 500e9, 1))"
}

meshsim run compile.yaml -o compile.h5
exits "all rows" 0
lacks "all rows act" "$err" warning
equal "3 kernels for 8 chips on 4 threads, once, or side by side; chips are of 5 kinds where places count" \
	"$(kernels compile.h5 first)" "virtual per-device 6.0
virtual per-mesh 3.0
virtual per-kernel 1.0
virtual asynchronous 1.0
physical per-device 6.0
physical per-mesh 15.0
physical per-kernel 4.0
physical asynchronous 4.0"
equal "a program of the same kernels finds them in the cache" "$(kernels compile.h5 second | cut -d ' ' -f 3 | sort -u)" 0.0
meshsim run compile.yaml -o free.h5 --set platform.host.work.compile_kernel.cost=0
equal "compiling in no time" "$(kernels free.h5 first | cut -d ' ' -f 3 | sort -u)" 0.0
meshsim run compile.yaml -o main.h5 --set runtime.host.threads=main
equal "a caller alone" "$(kernels main.h5 first | head -3)" "virtual per-device 24.0
virtual per-mesh 3.0
virtual per-kernel 3.0"
meshsim run compile.yaml -o each.h5 --set runtime.host.threads=per-device
equal "a thread for each chip" "$(kernels each.h5 first | head -3)" "virtual per-device 3.0
virtual per-mesh 3.0
virtual per-kernel 1.0"
meshsim run compile.yaml -o cores.h5 --set runtime.host.threads=per-device \
	--set platform.host.cores_per_socket=2 --set platform.host.sockets=1 --set runtime.host.caller_wait=park
equal "more threads than processors" "$(kernels cores.h5 first | head -1)" "virtual per-device 12.0"

# Two hosts of four chips: an executor compiles in its event loop, or on the threads of its mesh.
sed -e '/^sweep/,/^measure/d' -e '/^platform/d' compile.yaml >hosts.yaml
cat >>hosts.yaml <<'END'
platform: {extends: scaleout, topology: {mesh: [1, 4], wrap: [false, false]}, hosts: {count: 2}}
sweep: {runtime.host.compile: [ready, per-device, per-mesh, per-kernel]}
measure: {warmup: 0}
END
# seconds FILE STEP: of each run, how many kernels of 500 ms the step took
seconds() {
	"$binary" compare "$1" --json --step "$2" --metric completion 2>compare.err | /usr/bin/python3 -c "
import json, sys
print(*(round(p['value'] / 500e9, 1) for p in json.load(sys.stdin)['points']))"
}
meshsim run hosts.yaml -o hosts.h5 --set runtime.distributed.compile=executors
exits "executors compile" 0
equal "in the event loop, for each of 4 chips on 4 threads, once, or side by side" "$(seconds hosts.h5 first)" "3.0 3.0 3.0 1.0"
equal "and keep the binaries" "$(seconds hosts.h5 second)" "0.0 0.0 0.0 0.0"
meshsim run hosts.yaml -o again.h5 --set runtime.distributed.compile=executors --set runtime.distributed.program_cache=false
equal "or do not" "$(seconds again.h5 second)" "3.0 3.0 3.0 1.0"
meshsim run hosts.yaml -o controller.h5 --set runtime.distributed.compile=controller
equal "the controller compiles once, and no executor again" "$(seconds controller.h5 first)" "3.0 3.0 3.0 3.0"
meshsim run hosts.yaml -o ready.h5 --set runtime.distributed.compile=ready
equal "no host compiles" "$(seconds ready.h5 first)" "0.0 0.0 0.0 0.0"

meshsim run compile.yaml -o native.h5 --world native
exits "all rows natively" 0

meshsim run compile.yaml -o none.h5 --set runtime.host.compile=per-kernels --set 'sweep={}'
exits "a row that does not exist" 2
contains "the nearest row" "$err" "per-kernel"
meshsim run compile.yaml -o none.h5 --set runtime.host.compile=per-mesh --set 'sweep={}' --set 'workload=[finish]'
contains "nothing to compile" "$err" "runtime.host.compile has no effect without programs"
meshsim run compile.yaml -o none.h5 --set runtime.host.compile=per-mesh --set 'sweep={}' --set platform=scaleout \
	--set runtime.distributed.compile=controller
contains "another host compiles" "$err" "runtime.host.compile has no effect"
finish
