# A host thread's time inside a call belongs to the call: from a client's first call to the return of its last one, host
# times follow each other without gaps, so with the time before (making buffers and programs) and after (finishing the
# rest) they sum to the run. Rounds of a gather lie inside their read. Holds for every shipped scenario (here every
# third), reduced in size, and for every kind of step.
# label: full  timeout: 900  long: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v python3 >/dev/null || skip 'no python3'

cat >look.py <<'END'
import collections, json, sys

trace, steps = json.load(open(sys.argv[1]))["traceEvents"], sys.argv[2:]
processes = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
threads, seen = collections.defaultdict(list), set()
for e in trace:
    if e["ph"] == "X" and processes[e["pid"]].startswith("host ") and "operation" in e["args"]:
        start = round(e["ts"] * 1e6)
        seen.add(e["name"].split("/")[0])
        if e["name"] != "gather":
            threads[e["pid"], e["tid"]].append((start, start + round(e["dur"] * 1e6), e["name"], e["args"]["operation"]))
for calls in threads.values():
    calls.sort()
    host, gaps = calls[0][1] - calls[0][0], 0
    for before, after in zip(calls, calls[1:]):
        host += after[1] - after[0]
        if after[0] != before[1]:
            print("%d ps between %s (%d) and %s (%d)" % (after[0] - before[1], before[2], before[3], after[2], after[3]))
            gaps += after[0] - before[1]
    if host + gaps != calls[-1][1] - calls[0][0]:
        print("host times of", host, "ps and gaps of", gaps, "do not sum to", calls[-1][1] - calls[0][0])
if not threads:
    print("no calls")
for step in steps:
    if step not in seen:
        print("no host time of", step)
END

# small FILE: the same scenario with few rounds and one point
small() {
	sed 's/repeat: [0-9][0-9]*/repeat: 2/; s/trace: [0-9][0-9]*$/trace: 2/; s/replays: [0-9][0-9]*/replays: 2/
		s/warmup: [0-9][0-9]*/warmup: 0/; s/rate_per_s: .*/rate_per_s: 1000000000/' "$1"
}

# law NAME FILE STEP...
law() {
	name=$1 file=$2
	shift 2
	meshsim run "$file" -o calls.h5 -j 1 --seed=1 --set 'sweep={}'
	[ "$code" -eq 0 ] || {
		fail "$name: $code: $err"
		return
	}
	meshsim timeline calls.h5 0 -o calls.json
	equal "$name: gaps" "$(python3 look.py calls.json "$@")" ""
}

cat >steps.yaml <<'END'
meshsim: 1
name: steps
platform: t3k
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 65536, page_bytes: 2048, blocking: true}
  - enqueue_workload: {program: p, run_ns: 5ms, runtime_args: 8}
  - trace: 2
    name: t
    replays: 2
    do: [{enqueue_workload: {program: q}}, {write_buffer: {buffer: a}}]
  - replay_trace: {trace: t, blocking: true}
  - release_trace: {trace: t}
  - record_event: {event: e, to_host: true}
  - wait_event: {event: e, host: true}
  - wait_event: {event: e, queue: 1}
  - read_buffer: {buffer: a, blocking: true}
  - finish
model: {noise: none}
END
law "every kind of step" steps.yaml write_buffer enqueue_workload trace capture_trace replay_trace release_trace \
	record_event wait_event read_buffer finish
sed 's/t3k/galaxy-x2/; s/command_queues: 2/&, sizes: {trace_region_bytes: 1048576}/' steps.yaml >hosts.yaml
law "every kind of step on two hosts" hosts.yaml capture_trace replay_trace release_trace wait_event

number=0
for shipped in "$source_directory"/scenarios/*.yaml; do
	name=$(basename "$shipped" .yaml)
	case $name in
	hazard-* | fabric-*) continue ;; # ends early; samples of kernels, which are no calls
	esac
	number=$((number + 1))
	[ -n "${MESHSIM_LONG:-}" ] || [ $((number % 3)) = 0 ] || continue
	small "$shipped" >"$name.yaml"
	law "$name" "$name.yaml"
done
finish
