# label: slow
# A stall is reported in terms of the scenario: which queue waits for which event, the place of the
# wait, and the step of the client. No queue waits for itself, and all queues that wait alike share
# one line.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# stalls STEP...: runs stall.yaml, with every kind of host threads
stalls() {
	{
		printf 'meshsim: 1\nname: stall\nplatform: n150\nruntime: {command_queues: 2}\nworkload:\n'
		printf '  - %s\n' "$@"
	} >stall.yaml
	for threads in main pool per-device; do
		meshsim run stall.yaml -o stall.h5 --set "runtime.host.threads=$threads" \
			--set runtime.completion=per-device
		exits "$threads, $*" 4
		printf '%s\n' "$err" | grep -E '^([^ ]+) waits for .*\1( |$)' &&
			fail "$threads, $*: a thread waits for itself"
		all="$all$err"
	done
}

all=
stalls 'wait_event: {event: e, queue: 1}' 'record_event: {event: e}' finish
contains "a late event" "$all" \
	"queue 1 waits for event 'e', which was recorded only after the wait (stall.yaml:6)"
contains "the client's step" "$all" "the client is at step 'finish' (stall.yaml:8)"
contains "idle threads" "$all" "4 threads, mesh-pool-0 to mesh-pool-3, wait for tasks of mesh-pool since"

all=
stalls 'wait_event: {event: never, queue: 1}' finish
contains "no event" "$all" "queue 1 waits for event 'never', which no step has recorded (stall.yaml:6)"

all=
stalls 'wait_event: {event: e, host: true}' 'record_event: {event: e, to_host: true}'
contains "the host" "$all" \
	"the client is at step 'wait_event' (stall.yaml:6), for event 'e', which no step has recorded"

# Several hosts stall as one does.
hosts_stall() {
	{
		printf 'meshsim: 1\nname: stall\nplatform: loopback\nruntime: {command_queues: 2, mesh: {shape: [2, 1]}}\n'
		printf 'workload:\n'
		printf '  - %s\n' "$@"
	} >stall.yaml
	for resolution in controller executors; do
		meshsim run stall.yaml -o stall.h5 --set "runtime.distributed.resolution=$resolution"
		exits "two hosts, $resolution, $*" 4
		all="$all$err"
	done
}
all=
hosts_stall 'enqueue_workload: {}' 'wait_event: {event: e}' 'record_event: {event: e}' finish
contains "two hosts: a late event" "$all" \
	"queue 0 waits for event 'e', which was recorded only after the wait (stall.yaml:7)"

# What a stalled run recorded is shown with a word that it stalled.
for command in 'explain stall.h5 0 0' 'timeline stall.h5 0 -o stall.json'; do
	meshsim $command
	exits "$command" 0
	contains "$command" "$err" "run 0 ended as 'stalled'"
done

all=
hosts_stall 'wait_event: {event: e, host: true}' 'record_event: {event: e, to_host: true}' finish
contains "two hosts: the host" "$all" \
	"the client is at step 'wait_event' (stall.yaml:6), for event 'e', which no step has recorded"

# A reader that polls devices in turn detects that it would poll forever.
{
	printf 'meshsim: 1\nname: stall\nplatform: n150\nruntime: {command_queues: 2}\nworkload:\n'
	printf '  - %s\n' 'write_buffer: {buffer: b, bytes: 64, page_bytes: 64}' \
		'wait_event: {event: never}' 'read_buffer: {buffer: b}'
} >stall.yaml
for wait in spin spin-then-park park; do
	meshsim run stall.yaml -o stall.h5 --set runtime.completion=per-device \
		--set runtime.host.readers=per-mesh --set "runtime.host.reader_wait=$wait" \
		--set limits.simulated_ms=10000
	exits "a reader that looks again and again: $wait" 4
	contains "it stalled, $wait" "$err" "nothing can happen any more"
done

# It polls for a long time behind a long program, or between rare calls, but that is not a stall.
cat >seldom.yaml <<'END'
meshsim: 1
name: seldom
platform: n150
runtime: {completion: per-device, host: {readers: per-mesh}}
workload:
  - write_buffer: {buffer: b, bytes: 64, page_bytes: 64}
  - enqueue_workload: {run_ns: 500000000}
  - read_buffer: {buffer: b}
  - repeat: 3
    rate_per_s: 5
    do:
      - read_buffer: {buffer: b, blocking: false}
  - finish
END
meshsim run seldom.yaml -o seldom.h5
exits "a reader with patience" 0

# Nor does a controller that waits for seventeen seconds for a host, while the others poll: its own wait ends.
cat >late.yaml <<'END'
meshsim: 1
name: late
platform: {extends: [p150, _transports, _ethernet-100g], hosts: {count: 4}}
model: {fault: {kind: death}}
runtime: {distributed: {completion_reader: thread, reply_ns: 17500000000}}
workload: [finish]
END
meshsim run late.yaml -o late.h5
exits "a controller with patience" 4
contains "a controller with patience" "$err" "the controller: host host-0 has not joined"

# Rows that are wrong by design may be the cause: the last line says so.
cat >stall.yaml <<'END'
meshsim: 1
name: stall
platform: t3k
runtime: {command_queues: 2, forward: {path: broadcast, initiators: 2, ordering: none}}
workload:
  - repeat: 12
    do:
      - enqueue_workload: {program: a, run_ns: 0, devices: {shape: [1, 1], offset: [0, 3]}}
      - enqueue_workload: {program: b, run_ns: 0, queue: 1}
  - finish
END
meshsim run stall.yaml -o stall.h5
exits "an order that no part keeps" 4
contains "it is waited" "$err" "waits for workers to be done"
equal "the hazard" "$(printf '%s\n' "$err" | tail -n 1)" \
	"runtime.forward.ordering: none is a hazard by design: broadcasts and unicasts overtake each other"

# ---- all queues that wait alike share one line ----
cat >stall.yaml <<'END'
meshsim: 1
name: stall
platform: tgg
runtime: {command_queues: 2}
model: {noise: none}
workload:
  - repeat: 20
    do: [{wait_event: {event: never, queue: 1}}]
  - enqueue_workload: {queue: 1, run_ns: 0}
  - finish
END
meshsim run stall.yaml -o stall.h5
exits "64 chips" 4
equal "64 chips" "$(printf '%s\n' "$err" | sed -e '1,/^stalled at /d' -e 's/ since .*/ since/')" \
	"main waits for an event in the notification table since
dispatcher on 64 chips (0-63), tile 112, waits for an event of a command queue (word 0x4c is 1, not yet 1073741824)
prefetch_d on 64 chips (0-63), tile 114, waits for release by the dispatcher (STALL)
queue 1 waits for event 'never', which no step has recorded (stall.yaml:8)
the client is at step 'finish' (stall.yaml:10)"

meshsim run stall.yaml -o stall.h5 --set platform=mesh-32x32 --set runtime.completion=per-device
exits "1,024 chips" 4
contains "1,024 chips: threads" "$err" \
	"1024 threads, reader-0-0 to reader-1023-0, wait for reads to expect since"
contains "1,024 chips: stages" "$err" "dispatcher on 1024 chips (0-1023), tile 112, waits for an event"
[ "$(printf '%s\n' "$err" | wc -l)" -lt 60 ] || fail "1,024 chips: more than 60 lines: $err"

cat >stall.yaml <<'END'
meshsim: 1
name: stall
platform: t3k
runtime: {dispatch_cores: ethernet, forward: {path: broadcast}}
workload: [finish]
END
meshsim run stall.yaml -o stall.h5
exits "broadcast on Ethernet tiles" 2
contains "broadcast on Ethernet tiles" "$err" \
	"has no room for a dispatcher of 262144 B: its Ethernet tiles for dispatch have 245760 B each"
finish
