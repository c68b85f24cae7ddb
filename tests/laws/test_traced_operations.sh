# measure.trace: the slices of an operation's critical path sum to its latency and adjoin each
# other. Everything recorded lies within the chosen operations. Queue depths are never negative and
# end at zero; the slowest operations are correct; no figure changes, and the same run gives the
# same bytes. For unknown operation names the error suggests the nearest one. label: full
# needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v python3 >/dev/null || skip 'no python3'

cat >plain.yaml <<'END'
meshsim: 1
name: traced
platform: t3k
runtime: {forward: {path: broadcast, initiators: 2}, completion: table}
workload:
  - repeat: 6
    do:
      - enqueue_workload: {program: matmul, cores: all, kernel_bytes: 8192, run_ns: 20us}
      - enqueue_workload: {program: gather, cores: 4, run_ns: 5us}
      - as: wait
        finish: {}
END
cp plain.yaml traced.yaml
printf 'measure: {trace: {operations: [5, wait], slowest: 2}}\n' >>traced.yaml

# check_law NAME OPTION...: runs with and without the trace, and checks the recorded data
check_law() {
	name=$1
	shift
	meshsim run plain.yaml -o "plain-$name.h5" "$@"
	exits "$name: plain" 0
	meshsim run traced.yaml -o "traced-$name.h5" "$@"
	exits "$name: traced" 0
	meshsim check "plain-$name.h5" --baseline "$name.yaml" --update
	meshsim check "traced-$name.h5" --baseline "$name.yaml" --exact
	exits "$name: no figure changes" 0
	meshsim timeline "traced-$name.h5" 0 -o trace.json
	exits "$name: timeline" 0
	meshsim report "traced-$name.h5" --no-errors --model -o model.json
	exits "$name: report" 0
	python3 - <<'END' || fail "$name: the law"
import collections, json

events = json.load(open("trace.json"))["traceEvents"]
processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}

def slices(process):
    return [e for e in events if e["ph"] == "X" and processes[e["pid"]].startswith(process)]

def start(e):
    return round(e["ts"] * 1e6)

queued = {e["args"]["operation"]: e for e in slices("command queues")}
paths = collections.defaultdict(list)
for e in slices("traced: where"):
    paths[e["args"]["operation"]].append(e)

waits = [n for n, e in queued.items() if e["name"] == "finish"]
others = sorted((n for n in queued if n != 5 and n not in waits),
                key=lambda n: (-queued[n]["args"]["latency_ps"], n))
assert sorted(paths) == sorted([5] + waits + others[:2]), sorted(paths)

for operation, pieces in paths.items():
    whole = queued[operation]
    pieces.sort(key=start)
    assert sum(e["args"]["duration_ps"] for e in pieces) == whole["args"]["latency_ps"], operation
    now = start(whole)
    for e in pieces:
        assert start(e) == now, (operation, e)
        now += e["args"]["duration_ps"]

windows = [(start(queued[n]), start(queued[n]) + queued[n]["args"]["duration_ps"]) for n in paths]
kinds = set()
for e in slices("traced:"):
    first, last = start(e), start(e) + e["args"]["duration_ps"]
    kinds.add(processes[e["pid"]])
    inside = [w for w in windows if w[0] <= first < w[1]]
    assert inside, e
    while any(w[0] <= last and w[1] > max(v[1] for v in inside) and w[0] <= max(v[1] for v in inside)
              for w in windows):
        inside.append(max((w for w in windows if w[0] <= max(v[1] for v in inside)), key=lambda w: w[1]))
    assert last <= max(w[1] for w in inside), e
assert len(kinds) == 5, kinds

depths = collections.defaultdict(list)
for e in events:
    if e["ph"] == "C" and processes[e["pid"]].startswith("traced:"):
        depths[e["tid"]].append((start(e), e["args"]["value"]))
assert depths
for counts in depths.values():
    assert min(value for _, value in counts) >= 0 and max(counts)[1] == 0, counts
    assert max(value for _, value in counts) > 0, counts

# the report draws the same data: lists of label, start and end, and of time and depth, from the
# call on
trace = json.load(open("model.json"))["details"][0]["trace"]
assert trace["operations_all"] == len(paths)
slowest = sorted(paths, key=lambda n: (-queued[n]["args"]["latency_ps"], n))[:8]
assert [int(life["name"].split()[1]) for life in trace["operations"]] == sorted(slowest), slowest
for life in trace["operations"]:
    operation = int(life["name"].split()[1])
    call = start(queued[operation])
    merged = []
    for e in paths[operation]:
        if merged and merged[-1][0] == e["name"]:
            merged[-1][2] += e["args"]["duration_ps"]
        else:
            merged.append([e["name"], start(e) - call, start(e) - call + e["args"]["duration_ps"]])
    drawn = [[trace["labels"][life["path"][i]], *life["path"][i + 1:i + 3]] for i in range(0, len(life["path"]), 3)]
    assert drawn == merged, operation
    assert life["start"] == call and life["end"] == queued[operation]["args"]["latency_ps"]
    assert life["chips_all"] == len(life["chips"]) == 8, life["chips_all"]
    ends = [chip["slices"][-1] for chip in life["chips"]]
    assert ends == sorted(ends) and 0 < ends[-1] <= life["end"], ends
    for queue in life["queues"]:
        times, deep = queue["depth"][::2], queue["depth"][1::2]
        assert times == sorted(times) and times[-1] <= life["end"] and min(deep) >= 0 < max(deep), queue
assert any(life["queues"] for life in trace["operations"])
END
}

check_law packet
check_law fluid --set model.network=fluid
check_law chip --set model.cores=chip

meshsim run traced.yaml -o again.h5
meshsim timeline again.h5 0 -o again.json
meshsim timeline traced-packet.h5 0 -o first.json
cmp first.json again.json || fail 'the same run gives other bytes'

meshsim timeline plain-packet.h5 0 -o plain.json
lacks 'a run without a trace' "$(cat plain.json)" 'traced:'
meshsim report plain-packet.h5 --no-errors --model -o no-life.json
contains 'no life of a run without a trace' "$(cat no-life.json)" '"trace": null'

meshsim run plain.yaml -o bad.h5 --set 'measure.trace={operations: [matmull, 99, finish]}'
exits 'no such operations' 2
contains 'a name' "$err" "error: no operation 'matmull', did you mean 'matmul'?"
contains 'a number' "$err" 'error: no operation 99, there are at most 24'
lacks 'a kind' "$err" "'finish'"

finish
