# A wait covers only its sub-devices: the host's time in a call on one sub-device does not change when the program of
# the other takes ten times as long. Covers every call with a sub-device (MESHSIM_ALL_PAIRS=1: with either), with rows,
# platforms and queues drawn from a seed. Also, the host never learns of a program's end before the end, whatever
# blocked on the other sub-device meanwhile. label: full  timeout: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v python3 >/dev/null || skip 'no python3'

cat >draw.py <<'END'
import random, sys

CALLS = {  # name: (steps before, tested steps)
    "a blocking write": ("", "- {write_buffer: {buffer: own, queue: QUEUE, blocking: true}, as: call}"),
    "a blocking write of a shard": ("", "- {write_buffer: {buffer: own, shard: [0, 0], blocking: true}, as: call}"),
    "a write": ("", "- {write_buffer: {buffer: own, queue: QUEUE}, as: call}"),
    "a blocking read": ("", "- {read_buffer: {buffer: own, queue: QUEUE, blocking: true}, as: call}"),
    "a blocking read of a shard": ("", "- {read_buffer: {buffer: own, shard: [0, 0], blocking: true}, as: call}"),
    "a read": ("", "- {read_buffer: {buffer: own, queue: QUEUE}, as: call}"),
    "a blocking workload": ("", "- {enqueue_workload: {program: mine, sub_device: OWN, queue: QUEUE, run_ns: 2us, "
                                "runtime_args: 4, blocking: true}, as: call}"),
    "a workload": ("", "- {enqueue_workload: {program: mine, sub_device: OWN, queue: QUEUE, run_ns: 2us}, as: call}"),
    "ten blocking workloads": ("", "- {repeat: 10, do: [{enqueue_workload: {program: mine, sub_device: OWN, run_ns: 2us, "
                                   "blocking: true}, as: call}]}"),
    "a write behind fourteen workloads": ("", "- {repeat: 14, do: [{enqueue_workload: {program: mine, sub_device: OWN, "
                                              "run_ns: 2us}, as: call}]}\n"
                                              "  - {write_buffer: {buffer: own, blocking: true}, as: behind}"),
    "a finish": ("- {enqueue_workload: {program: mine, sub_device: OWN, queue: QUEUE, run_ns: 2us}}",
                 "- {finish: {sub_device: OWN}, as: call}"),
    "a finish of a queue behind a write": ("", "- {write_buffer: {buffer: own, queue: QUEUE}}\n"
                                               "  - {finish: {sub_device: OWN, queue: QUEUE}, as: call}"),
    "a trace": ("", "- {trace: 3, queue: QUEUE, as: call, do: [{enqueue_workload: {program: mine, sub_device: OWN}}]}"),
    "a blocking trace": ("", "- {trace: 3, blocking: true, as: call, do: [{enqueue_workload: {program: mine, sub_device: "
                             "OWN}}, {write_buffer: {buffer: own}}, {read_buffer: {buffer: own}}]}"),
    "a trace of writes": ("", "- {trace: 1, blocking: true, as: call, do: [{write_buffer: {buffer: own}}]}"),
    "a blocking replay": ("- {trace: 2, name: t, replays: 0, do: [{enqueue_workload: {program: mine, sub_device: OWN}}]}",
                          "- {replay_trace: {trace: t, blocking: true}, as: call}"),
    "a release of a trace": ("- {trace: 2, name: t, do: [{enqueue_workload: {program: mine, sub_device: OWN}}]}",
                             "- {release_trace: {trace: t}, as: call}"),
    "a blocking trace without traces": ("", "- {trace: 1, blocking: true, do: [{enqueue_workload: {program: mine, sub_device: "
                                            "OWN}, as: call}, {write_buffer: {buffer: own}, as: behind}]}"),
}

def rows(draw, platform):
    forward = ["path: " + draw.choice(["unicast", "broadcast"]), "go: " + draw.choice(["running", "all"])]
    if forward[0] == "path: broadcast":
        forward += ["ordering: " + draw.choice(["counter", "event"]),
                    "packetizer: " + draw.choice(["per-queue", "separate", "fused", "shared"])]
    if "ordering: event" in forward:
        forward.append("dispatcher: " + draw.choice(["shared", "dedicated"]))
    lines = ["forward: {%s}" % ", ".join(forward),
             "completion: " + draw.choice(["per-device", "table", "aggregator"]),
             "host: {threads: %s}" % draw.choice(["main", "pool, count: 2", "per-device"]),
             "command_cache: " + draw.choice(["true", "false"]),
             "lowering: " + draw.choice(["depth-first", "breadth-first"])]
    if platform == "tgg":
        lines.append("mesh: {shape: [2, 2], offset: [0, 0]}")
    if platform == "galaxy-x2":
        lines.append("sizes: {trace_region_bytes: 1048576}")
    return lines

def scenario(number, call, own, other, draw):
    before, after = CALLS[call]
    platform = draw.choice(["n300", "t3k", "tgg", "galaxy-x2"])
    lines = rows(draw, platform) + (["traces: off"] if call.endswith("without traces") else [])
    text = ["meshsim: 1", "name: pair", "platform: " + platform, "runtime:", "  command_queues: 2",
            "  sub_device_l1_bytes: 65536",
            "  sub_devices: {left: {cores: [4, 7]}, right: {cores: [4, 7], offset: [4, 0]}}"]
    text += ["  " + line for line in lines]
    text += ["workload:", "  - write_buffer: {buffer: own, bytes: 4096, page_bytes: 1024, memory: l1, sub_device: OWN}"]
    text += ["  " + before] if before else []
    text += ["  - finish", "  - {enqueue_workload: {program: long, sub_device: OTHER, run_ns: 3ms}, as: other}",
             "  " + after, "  - finish", "model: {noise: none}", "measure: {verify: false}",
             "sweep: {workload.%d.enqueue_workload.run_ns: [3ms, 30ms]}" % (3 if before else 2)]
    body = "\n".join(text).replace("OWN", own).replace("OTHER", other).replace("QUEUE", str(draw.randrange(2)))
    open("pair-%d.yaml" % number, "w").write(body + "\n")
    open("pair-%d.txt" % number, "w").write("%s of '%s', on %s with %s" % (call, own, platform, "; ".join(lines)))

draw, number = random.Random(int(sys.argv[1])), 0
for call in CALLS:
    pairs = [("left", "right"), ("right", "left")]
    for own, other in pairs if sys.argv[2:] else [draw.choice(pairs)]:
        scenario(number, call, own, other, draw)
        number += 1
END

cat >look.py <<'END'
import json, sys

short, long = (run["operations"] for run in json.load(sys.stdin)["runs"])
def looked_at(name):
    return name.endswith(("/call", "/behind")) or name in ("trace", "capture_trace", "replay_trace", "release_trace",
                                                           "read_buffer")
hosts = [{name: kind["host"] for name, kind in run.items() if looked_at(name) and "host" in kind}
         for run in (short, long)]
if not hosts[0] or hosts[0] != hosts[1]:
    print(hosts[0], hosts[1])
for run, least in ((short, 3e9), (long, 3e10)):
    kind = run.get("enqueue_workload/other", run["enqueue_workload"])
    if kind["completion"]["max"] < least:
        print("the host knew after", kind["completion"]["max"], "ps of a program that takes", least)
END

python3 draw.py "${MESHSIM_SEED:-1}" ${MESHSIM_ALL_PAIRS:+all} || fail "draw"
for pair in pair-*.yaml; do
	name=$(cat "${pair%.yaml}.txt")
	meshsim run "$pair" -o pair.h5 -j 1
	[ "$code" -eq 0 ] || {
		fail "$name: $code: $err"
		continue
	}
	equal "$name: host times beside 3 and 30 ms differ" "$("$binary" show pair.h5 --json | python3 look.py)" ""
done
finish
