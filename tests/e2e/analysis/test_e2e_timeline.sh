# Timelines of a real run: JSON loads, protobuf decodes, and the sums of both equal the result
# file's.
# label: full  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v protoc >/dev/null || skip 'no protoc (package protobuf-compiler)'
command -v python3 >/dev/null || skip 'no python3'

meshsim run "$source_directory/scenarios/quickstart.yaml" --set platform=t3k -o r.h5
exits 'run' 0
meshsim timeline r.h5 0 -o t.json
exits 'JSON' 0
meshsim timeline r.h5 0 -o t.pftrace
exits 'protobuf' 0
meshsim check r.h5 --baseline b.yaml --update
meshsim show r.h5 --json
printf '%s\n' "$out" >show.json
protoc --decode_raw <t.pftrace >t.txt || fail 'protoc cannot decode it'

python3 - <<'EOF' || fail 'sums differ'
import json, re, sys

def read_json():
    events = json.load(open("t.json"))["traceEvents"]
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    for e in events:
        if e["ph"] == "X":
            yield processes[e["pid"]], tracks[e["tid"]], e["name"], e["args"]

def sums(slices, process, key):
    found = {}
    for p, track, name, args in slices:
        if p == process:
            k = key(track, name, args)
            found[k] = found.get(k, 0) + args["duration_ps"]
    return found

# slices of a track do not overlap, since viewers add them up
def overlaps():
    ends, found = {}, 0
    events = [e for e in json.load(open("t.json"))["traceEvents"] if e["ph"] == "X"]
    for e in sorted(events, key=lambda e: e["ts"]):
        found += e["ts"] < ends.get(e["tid"], 0)
        ends[e["tid"]] = e["ts"] + e["dur"]
    return found

bad = []
def same(what, seen, expected):
    if seen != expected:
        bad.append("%s: %s, expected %s" % (what, seen, expected))

slices = list(read_json())
same("overlapping slices", overlaps(), 0)
# stages of each operation sum to its latency, and latencies to the result file's
operation = lambda track, name, args: args["operation"]
queued = sums(slices, "command queues", operation)
same("stages", sums(slices, "stages of the dispatch path", operation), queued)
kinds = sums([s for s in slices if s[0] == "command queues"], "command queues",
             lambda track, name, args: name)
figures = dict(re.findall(r"^    (\S+)\.latency\.sum: (\d+)$", open("b.yaml").read(), re.M))
warm = {"read_buffer", "write_buffer"} # no warm-up: a single operation counts
for kind in warm & set(figures):
    same("latency of " + kind, kinds[kind], int(figures[kind]))
if not warm & set(figures):
    bad.append("no operation compared with the result file")

# sums of threads equal those of the table
busy = {(t, n): d for (t, n), d in sums(slices, "threads: sums over the run, not in order",
        lambda track, name, args: (track, name)).items()}
run = json.load(open("show.json"))["runs"][0]
for thread in run["threads"]:
    same("busy time of " + thread["name"], busy.get((thread["name"], "busy"), 0), thread["busy"])
links = sums(slices, "links: sums over the run", lambda track, name, args: track)
for link in run["links"]:
    if link["messages"]:
        same("busy time of " + link["name"], links.get(link["name"], 0), link["busy"])
if not links or not busy:
    bad.append("no links or threads compared")

# protobuf: every slice begins and ends; durations equal those of the JSON; bounds are rounded to ns
text = open("t.txt").read()
begins = len(re.findall(r"^    9: 1$", text, re.M))
ends = len(re.findall(r"^    9: 2$", text, re.M))
same("slices in protobuf", begins, len(slices))
same("ends in protobuf", ends, len(slices))
durations = [int(d) for d in re.findall(r"4: (\d+)\n      10: \"duration_ps\"", text)]
durations = durations or [int(d) for d in re.findall(r"10: \"duration_ps\"\n      4: (\d+)", text)]
same("durations in protobuf", sum(durations), sum(s[3]["duration_ps"] for s in slices))
open_at, spans = {}, 0
for packet in re.split(r"^1 \{$", text, flags=re.M):
    when = re.search(r"^  8: (\d+)$", packet, re.M)
    event = re.search(r"^    9: ([12])$", packet, re.M)
    if not when or not event:
        continue
    track = re.search(r"^    11: (\d+)$", packet, re.M).group(1)
    if event.group(1) == "1":
        if track in open_at:
            bad.append("slices of track %s overlap" % track)
        open_at[track] = int(when.group(1))
    else:
        spans += int(when.group(1)) - open_at.pop(track)
if open_at:
    bad.append("slices never end: %s" % open_at)
if abs(spans * 1000 - sum(durations)) > 1000 * len(slices):
    bad.append("spans %d ns, durations %d ps" % (spans, sum(durations)))
print("\n".join(bad))
sys.exit(bool(bad))
EOF

# The Perfetto UI is not packaged, so this checks its rules: the members of each phase, unique names
# of processes and lanes, monotonic counters, and flows that begin once, advance in time and file
# order, and end once, each within a slice of its lane.
meshsim run "$source_directory/scenarios/quickstart.yaml" --set 'measure.trace={slowest: 2}' -o traced.h5
meshsim timeline traced.h5 0 -o traced.json
for file in t.json traced.json; do
	python3 - "$file" <<'EOF' || fail "$file: trace-event format"
import bisect, collections, json, sys

def once(pairs):
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)

document = json.load(open(sys.argv[1]), object_pairs_hook=once)
assert set(document) == {"displayTimeUnit", "traceEvents"} and document["displayTimeUnit"] == "ns"
head = {"ph", "pid", "tid", "name"}
members = {"M": head | {"args"}, "C": head | {"ts", "args"}, "X": head | {"ts", "dur", "cat", "args"}}
members.update({phase: head | {"ts", "cat", "id", "bp"} for phase in "stf"})
named, used, lanes, flows = collections.Counter(), set(), collections.defaultdict(list), collections.defaultdict(list)
for e in document["traceEvents"]:
    assert set(e) == members[e["ph"]], e
    assert type(e["pid"]) is int and type(e["tid"]) is int and type(e["name"]) is str and e["name"], e
    if "ts" in e:
        assert type(e["ts"]) in (int, float) and e["ts"] >= 0, e
    if e["ph"] == "M":
        kind, what = e["name"].rsplit("_", 1) if e["name"].endswith("_name") else e["name"].rsplit("_sort_", 1)
        assert kind in ("process", "thread") and what in ("name", "index"), e
        assert type(e["args"]["name" if what == "name" else "sort_index"]) is (str if what == "name" else int), e
        named[e["name"], e["pid"], e["tid"] if kind == "thread" else 0] += 1
    elif e["ph"] == "C":
        assert e["args"] and all(type(v) is int and v >= 0 for v in e["args"].values()), e
    else:
        used.add((e["pid"], e["tid"]))
        if e["ph"] == "X":
            assert e["dur"] >= 0 and all(type(v) in (int, str) for v in e["args"].values()), e
            lanes[e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
        else:
            assert type(e["id"]) is int and e["bp"] == "e" and e["cat"] == "meshsim", e
            flows[e["id"]].append((e["ph"], e["ts"], e["tid"]))
assert set(named.values()) == {1}, [n for n in named if named[n] > 1]
assert all(("thread_name", *lane) in named and ("process_name", lane[0], 0) in named for lane in used)
assert flows and lanes
for steps in flows.values():
    order = "".join(phase for phase, _, _ in steps)
    assert order == "s" + "t" * (len(order) - 2) + "f", order
    assert [ts for _, ts, _ in steps] == sorted(ts for _, ts, _ in steps), steps
for lane in lanes.values():
    lane.sort()
for _, ts, tid in (step for steps in flows.values() for step in steps):
    at = bisect.bisect_right(lanes[tid], (ts, float("inf"))) - 1
    assert at >= 0 and lanes[tid][at][0] <= ts <= lanes[tid][at][1], (ts, tid)
EOF
done

meshsim timeline r.h5 0 -o again.json
cmp -s t.json again.json || fail 'the same run gives the same bytes'
meshsim timeline r.h5 1 -o none.json
exits 'no such run' 2
[ ! -e none.json ] || fail 'a file was written for no run'
for usage in '' 'r.h5' 'r.h5 0' 'r.h5 x -o y' 'r.h5 0 0 -o y'; do
	# shellcheck disable=SC2086 # several arguments
	meshsim timeline $usage
	exits "usage '$usage'" 2
done

finish
