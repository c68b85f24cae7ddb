# Log lines say what the runtime does, each type from its level on, with the same texts in both
# worlds. They cost no simulated time. A limited number is kept, the rest counted. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >logs.yaml <<'YAML'
meshsim: 1
name: logs
platform: t3k
runtime: {forward: {path: broadcast}, command_queues: 2}
workload:
  - write_buffer: {buffer: b, bytes: 65536}
  - enqueue_workload: {program: p, cores: all, run_ns: 1000}
  - record_event: {event: e}
  - wait_event: {event: e, queue: 1}
  - trace: 3
    do: [{enqueue_workload: {program: q, cores: all, run_ns: 1000}}]
  - read_buffer: {buffer: b}
  - finish
YAML
every='--set measure.log.device=debug --set measure.log.allocator=debug --set measure.log.program=debug
	--set measure.log.dispatch=debug --set measure.log.event=debug --set measure.log.trace=debug'

# logged FILE.h5: the lines without their times
logged() {
	meshsim show "$1" --log --wide
	exits "show $1" 0
	printf '%s\n' "$out" | sed -n 's/^  *[0-9.]* us, //p'
}

meshsim run logs.yaml -o silent.h5
exits "without log" 0
silent=$out
meshsim show silent.h5 --log
equal "nothing is logged unless asked for" "$out" "no run has log lines (measure.log)"

meshsim run logs.yaml -o sim.h5 $every
exits "sim" 0
equal "logging takes no simulated time" "$(printf '%s\n' "$out" | grep -v 'h5$')" \
	"$(printf '%s\n' "$silent" | grep -v 'h5$')"
sim=$(logged sim.h5)
meshsim run logs.yaml -o native.h5 --world native $every
exits "native" 0
equal "both worlds log the same" "$(logged native.h5)" "$sim"
for line in 'device info: mesh 0 opens: 2 x 4 devices from row 0, column 0; queues: 2' \
	'allocator debug: DRAM bank: 6144 B at ' \
	'program debug: kernel cache: 2048 B of binaries are read into it' \
	'dispatch debug: queue 0, operation 1: 65616 B of commands broadcast to 8 chips' \
	'event debug: queue 1 waits for event 1 of queue 0' \
	'trace info: trace 1 is captured; operations: 3, workloads: 3, commands: ' \
	'trace debug: queue 0 replays trace 1'; do
	contains "a line" "$sim" "host 0, main: $line"
done

# levels and types
meshsim run logs.yaml -o few.h5 --set measure.log.trace=info --set measure.log.event=error
exits "levels" 0
equal "only what is at the level or above" "$(logged few.h5)" \
	"$(printf '%s\n' "$sim" | grep 'trace info')"

# bound
meshsim run logs.yaml -o bound.h5 $every --set measure.log.lines=2
exits "bound" 0
meshsim show bound.h5
count=$(printf '%s\n' "$sim" | grep -c .)
contains "how many there were" "$out" "Log of run 0: $count lines"
contains "what was not kept" "$out" "$((count - 2)) were not kept (measure.log.lines)"

# the picture has them, and JSON
meshsim timeline sim.h5 0 -o sim.json
exits "timeline" 0
grep -q 'trace debug: queue 0 replays trace 1' sim.json || fail "no log line in the picture"
meshsim show sim.h5 --json
contains "JSON" "$out" '"text": "queue 0 replays trace 1"'
meshsim show sim.h5 --json --log
exits "JSON of the log alone" 2

# executors log, too, in processes of their own as well
cat >hosts.yaml <<'YAML'
meshsim: 1
name: hosts
platform: loopback
runtime: {mesh: {shape: [2, 1]}}
workload: [{enqueue_workload: {program: p, cores: all, run_ns: 1000}}, finish]
measure: {log: {distributed: debug}}
YAML
for world in sim native; do
	meshsim run hosts.yaml -o "$world-hosts.h5" --world $world
	exits "hosts, $world" 0
	meshsim show "$world-hosts.h5" --log --wide
	contains "$world: the controller" "$out" "host 2, "
	contains "$world: an executor" "$out" "distributed debug: executed ENQUEUE_PROGRAM"
	printf '%s\n' "$out" | grep -q ', host 1, .*executed ENQUEUE_PROGRAM' ||
		fail "$world: no line of host 1"
done

# bad input
{
	sed '$d' hosts.yaml
	echo 'measure: {log: {dispach: debug, event: verbose, lines: 0}}'
} >bad.yaml
meshsim run bad.yaml
exits "bad types and levels" 2
contains "the nearest type" "$err" "did you mean 'dispatch'?"
contains "a level" "$err" "'verbose'"
contains "no lines" "$err" "bad.yaml:6:"
meshsim run logs.yaml --set measure.log.lines=5
contains "idle" "$err" "where no type of lines is logged"
