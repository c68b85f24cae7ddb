# A scenario on two hosts of a few chips in both worlds: sourced behind cli.sh by tests that hold one
# against the other.

# small_hosts NAME: writes NAME.yaml, which writes, runs, records, traces and reads on two hosts
small_hosts() {
	cat >"$1.yaml" <<'EOF2'
meshsim: 1
name: hosts
platform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}
runtime: {command_queues: 2, sizes: {trace_region_bytes: 1048576}}
workload:
  - write_buffer: {buffer: all, bytes: 131072, page_bytes: 512, spread: sharded}
  - write_buffer: {buffer: each, bytes: 8192}
  - write_buffer: {buffer: all, shard: [3, 1]}
  - repeat: 3
    do: [{enqueue_workload: {runtime_args: 4}}]
  - enqueue_workload: {program: middle, devices: {shape: [2, 2], offset: [1, 0]}, runtime_args: 3}
  - record_event: {event: done}
  - wait_event: {event: done, queue: 1}
  - read_buffer: {buffer: all, queue: 1}
  - read_buffer: {buffer: all, shard: [3, 1], queue: 1}
  - read_buffer: {buffer: each, queue: 1}
  - trace: 2
    replays: 2
    do: [{enqueue_workload: {program: traced, runtime_args: 2}}]
  - record_event: {event: seen, to_host: true}
  - wait_event: {event: seen, host: true}
  - finish
EOF2
}

# work_of FILE: what the host threads of its runs did, what was verified and how often each step ran;
# not how often somebody looked, which depends on the machine
work_of() {
	"$binary" show "$1" --json | /usr/bin/python3 -c '
import json
import sys
looks = ("POLL", "API_CALL", "QUEUE_PUSH", "QUEUE_POP")
for run in json.load(sys.stdin)["runs"]:
    print(run["status"], "verified", run["verified"])
    print("commands", run["commands"], run["issued_bytes"], run["streams_built"], run["streams_reused"])
    for row in run["work"]:
        if row["work"] not in looks and not row["work"].startswith(("write ", "read ")):
            print(row["work"], row["units"])
    for kind, row in run["operations"].items():
        print(kind, row["count"])
'
}

# processes_below PID: the processes that it started, and those that they did
processes_below() {
	for below in $(cat "/proc/$1/task"/*/children 2>/dev/null); do
		echo "$below"
		processes_below "$below"
	done
}

# executor_of PID NAME: the process of a host, once it is there
executor_of() {
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		for below in $(processes_below "$1"); do
			[ "$(cat "/proc/$below/comm" 2>/dev/null)" = "$2" ] && echo "$below" && return
		done
		sleep 0.1
	done
}

# all_gone PID...: none is left after five seconds, but for those that only wait to be buried
all_gone() {
	for try in 1 2 3 4 5 6 7 8 9 10; do
		left=
		for process in "$@"; do
			grep -q '^State:.[^ZX]' "/proc/$process/status" 2>/dev/null && left="$left $process"
		done
		[ -z "$left" ] && return
		sleep 0.5
	done
	fail "nothing is left behind:$left"
}
