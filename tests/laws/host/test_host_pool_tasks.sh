#!/bin/sh
# label: full
# Tasks of a pool: a task for several devices needs fewer hand-overs, a posted task lets the caller go, and phases let
# the threads of the pool create several programs at once. Without these costs all forms take the same time.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

program() {
	echo "            - {program: p$1, devices: {shape: [1, 8], offset: [$1, 0]}, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 5000}"
}
cat >tasks.yaml <<END
meshsim: 1
name: tasks
platform: tgg
model: {noise: off}
runtime:
  mesh: {shape: [4, 8], offset: [0, 0]}
  completion: table
  host:
    threads: pool
    queues: own
    pool_tasks: per-device
workload:
  - repeat: 6
    do:
      - enqueue_workload:
          programs:
$(program 0)
$(program 1)
$(program 2)
$(program 3)
      - finish
sweep: {runtime.host.pool_tasks: [per-device, batches, posted, phased]}
measure: {warmup: 2}
END

# compared RUN METRIC EXPRESSION: of the values of the four forms, v
compared() {
	"$binary" compare "$1" --json --metric "$2" 2>compare.err | /usr/bin/python3 -c "
import json, sys
v = {p['keys']['runtime.host.pool_tasks']: p['value'] for p in json.load(sys.stdin)['points']}
print(($3) or v)"
}

meshsim run tasks.yaml -o cached.h5
exits "all forms" 0
lacks "all forms act" "$err" warning
equal "a task for 8 devices is handed over once" \
	"$(compared cached.h5 completion "v['batches'] * 1.3 < v['per-device']")" True
meshsim run tasks.yaml -o own.h5 --set runtime.host.create=per-device
equal "the caller does not wait for posted tasks" \
	"$(compared own.h5 host "v['posted'] * 2 < v['per-device']")" True
equal "nor is it later known that they are over" \
	"$(compared own.h5 completion "v['posted'] < v['per-device']")" True
meshsim run tasks.yaml -o built.h5 --set runtime.command_cache=false
equal "programs are created by several threads" \
	"$(compared built.h5 completion "v['phased'] * 1.2 < v['per-device']")" True
meshsim run tasks.yaml -o one.h5 --set runtime.host.pool_tasks=batches --set runtime.host.batch_devices=1 --set 'sweep={}'
meshsim run tasks.yaml -o each.h5 --set 'sweep={}'
time_of() {
	"$binary" show "$1" --json | /usr/bin/python3 -c "
import json, sys
print(json.load(sys.stdin)['runs'][0]['operations']['enqueue_workload']['completion']['p50'])"
}
equal "batches of one device are tasks of one device" "$(time_of one.h5)" "$(time_of each.h5)"
meshsim run tasks.yaml -o native.h5 --world native
exits "all forms natively" 0

meshsim run tasks.yaml -o none.h5 --set runtime.host.queues=shared --set 'sweep={runtime.host.pool_tasks: [posted]}'
exits "posted tasks of a shared queue" 2
contains "says why" "$err" "tasks 'posted' of a device stay in order only in the queues 'own' of a pool, not in 'shared'"
contains "at its key" "$err" "runtime.host.pool_tasks"
sed -e 's/queues: own/queues: stealing/; s/pool_tasks: per-device/pool_tasks: posted/; /^sweep/d' tasks.yaml >line.yaml
meshsim run line.yaml -o none.h5
exits "posted tasks of stolen queues" 2
contains "at its line" "$err" "line.yaml:11:17: error"
meshsim run tasks.yaml -o none.h5 --set runtime.host.pool_tasks=batched --set 'sweep={}'
exits "a form that does not exist" 2
contains "the nearest form" "$err" "batches"
meshsim run tasks.yaml -o none.h5 --set runtime.host.batch_devices=0 --set runtime.host.pool_tasks=batches --set 'sweep={}'
exits "a batch of nothing" 2
meshsim run tasks.yaml -o none.h5 --set runtime.host.queues=shared --set runtime.host.count=1 \
	--set runtime.host.pool_tasks=posted --set 'sweep={}'
exits "a pool of one thread keeps the order in any queue" 0
meshsim run tasks.yaml -o none.h5 --set runtime.host.pool_tasks=posted --set runtime.host.threads=main --set 'sweep={}'
contains "no pool" "$err" "runtime.host.pool_tasks has no effect with host threads 'main'"
meshsim run tasks.yaml -o none.h5 --set runtime.host.pool_tasks=phased --set 'sweep={}' \
	--set 'workload=[{enqueue_workload: {program: p, cores: all}}, finish]'
contains "no phases" "$err" "runtime.host.pool_tasks has no effect where the caller, or one task, creates each operation"
meshsim run tasks.yaml -o none.h5 --set runtime.host.batch_devices=4 --set 'sweep={}'
contains "no batches" "$err" "runtime.host.batch_devices has no effect without pool_tasks: batches"
finish
