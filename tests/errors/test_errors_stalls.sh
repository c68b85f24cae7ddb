# A stall is told in the scenario's words: which queue waits for which event, where that stands, at
# which step the client is; and nobody waits for itself.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# stalls STEP...: stall.yaml, with every kind of host threads
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
contains "idle threads" "$all" "mesh-pool-0 waits for tasks of mesh-pool since"

all=
stalls 'wait_event: {event: never, queue: 1}' finish
contains "no event" "$all" "queue 1 waits for event 'never', which nobody has recorded (stall.yaml:6)"

all=
stalls 'wait_event: {event: e, host: true}' 'record_event: {event: e, to_host: true}'
contains "the host" "$all" \
	"the client is at step 'wait_event' (stall.yaml:6), for event 'e', which nobody has recorded"

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
