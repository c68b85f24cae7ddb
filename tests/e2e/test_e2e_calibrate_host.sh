# `meshsim calibrate --host --quick`: every codec and transport of this build is measured, values
# satisfy the constraints of their mechanisms, and the written layer loads and runs. The speed of the
# machine is not checked. label: slow  timeout: 300  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
python3 -c 'import json' 2>/dev/null || skip "no python3"

meshsim list --json
printf '%s' "$out" >list.json
meshsim calibrate --host --quick --json -o here.yaml
exits 'calibrate --host' 0
printf '%s' "$out" >seen.json
layer=$err
cat >check.py <<'END'
import json

seen, rows = json.load(open("seen.json")), json.load(open("list.json"))
figures = {figure["name"]: figure for figure in seen["figures"]}


def built(key):
    return {r["name"] for r in rows if r["key"] == key and not r["resources"].startswith("not in")}


def say(what, *values):
    print(what, *values)


# Complete: every row of the registries, every size, on one core and, if there are several, on others.
for name in built("transport"):
    places = {m["cores"] for m in seen["messages"] if m["transport"] == name}
    if "one" not in places or (seen["machine"]["cores"] > 1 and "others" not in places):
        say("transport not measured:", name, places)
    for cost in "threads", "send_message", "receive_message", "send_kib", "receive_kib", "peer_message":
        if f"transports.{name}.{cost}" not in figures:
            say("no figure:", name, cost)
for name in built("serialization"):
    for verb in "encode", "decode":
        for cost in "message", "argument_kib", "kib":
            if f"codecs.{name}.{verb}_{cost}" not in figures:
                say("no figure:", name, verb, cost)
    if len([c for c in seen["commands"] if c["codec"] == name]) < 8:
        say("commands missing:", name)
if {m["transport"] for m in seen["messages"]} - built("transport"):
    say("a transport that is not there")

# A figure has a positive value above the noise floor, or a reason.
for figure in seen["figures"]:
    if (figure["refused"] is None) != ("value" in figure):
        say("neither value nor reason:", figure)
    if figure["refused"] is None and not figure["name"].endswith((".threads", ".hand_off")):
        if not figure["value"] > 0 or figure["spread"] > figure["value"]:
            say("shown though it is blurred:", figure)
        if figure.get("error", 0) > 0.5:
            say("shown though its line is off:", figure)

# More bytes take longer: 64 KiB compared with 64 B, best against best, with a safety factor.
for m in seen["messages"]:
    if not 0 < m["one_way_ns"]["least"] <= m["round_ns"]["p99"]:
        say("a way longer than its round:", m)
    if not m["round_ns"]["least"] <= m["round_ns"]["p50"] <= m["round_ns"]["p90"] <= m["round_ns"]["p99"]:
        say("quantiles out of order:", m)
for c in seen["commands"]:
    if c["frame_bytes"] < c["data_bytes"]:
        say("a frame smaller than its data:", c)
for name in built("serialization"):
    of = {(c["arguments"], c["data_bytes"]): c for c in seen["commands"] if c["codec"] == name}
    if not of[(8192, 0)]["encode_ns"]["least"] > of[(64, 0)]["encode_ns"]["least"]:
        say("8192 arguments are no more than 64:", name, of)
if not figures["host.wake_call"].get("value", 1) < 1e9:
    say("a second to wake a thread:", figures["host.wake_call"])
END
equal 'what was measured' "$(python3 check.py 2>&1)" ''

# ---- the layer ----
contains 'what was written' "$layer" 'here.yaml: '
meshsim platform show here.yaml --json
exits 'the layer is a platform' 0
printf '%s' "$out" >platform.json
cat >layer.py <<'END'
import json, socket

seen, shown = json.load(open("seen.json")), json.load(open("platform.json"))
constants = {c["name"]: c for c in shown["constants"]}
measured = 0
for figure in seen["figures"]:
    constant = constants.get(figure["name"])
    is_ours = constant and constant["source"].startswith("calibrate --host --quick: ")
    if figure["refused"] is None and constant:
        measured += 1
        if not is_ours or constant["kind"] != "measured":
            print("not in the layer:", figure, constant)
        for part in figure["how"], seen["machine"]["processor"], seen["machine"]["date"]:
            if part not in constant["source"]:
                print("source without", part, ":", constant["source"])
        if figure["repetitions"] > 1 and f"{figure['repetitions']} repetitions" not in constant["source"]:
            print("no repetitions:", constant["source"])
    elif is_ours:
        print("in the layer without a value:", figure)
if measured < 15:
    print("few constants:", measured)
text = open("here.yaml").read()
if len(socket.gethostname()) > 3 and socket.gethostname() in text:
    print("the name of the host is in it")
if "host_network" in text:
    print("loopback taken for a network")
END
equal 'the layer' "$(python3 layer.py 2>&1)" ''
printf 'meshsim: 1\nname: on\nplatform: here.yaml\nworkload: [{enqueue_workload: {cores: 4}}, finish]\n' >on.yaml
meshsim run on.yaml -o on.h5
exits 'a scenario on the layer' 0

# ---- written into one part ----
cp -r "$MESHSIM_SOURCE_DIR/platforms" platforms
before=$(grep '^#' platforms/_transports.yaml)
sed -i 's/source: "calibrate --host: /source: "before: /' platforms/_transports.yaml
meshsim calibrate --host --quick --probe transports --into platforms/_transports.yaml
exits 'into a part' 0
equal 'into a part: its comments' "$(grep '^#' platforms/_transports.yaml)" "$before"
contains 'into a part: what was written' "$err" 'platforms/_transports.yaml: '
MESHSIM_PLATFORMS=$PWD/platforms
export MESHSIM_PLATFORMS
meshsim platform show galaxy-x2
exits 'a platform with the part' 0
contains 'a platform with the part' "$out" 'calibrate --host --quick: loopback, bursts'
unset MESHSIM_PLATFORMS
printf 'month,rent\nMay,800\n' >rent.yaml
meshsim calibrate --host --quick --probe spawn --into rent.yaml
exits 'into a file of somebody else' 2
equal 'into a file of somebody else: as it was' "$(cat rent.yaml)" "$(printf 'month,rent\nMay,800')"
meshsim calibrate --host --quick --probe spawn --into none.yaml
exits 'into no file' 2

# ---- errors ----
printf 'month,rent\nMay,800\n' >notes.txt
meshsim calibrate --host --quick --probe spawn -o notes.txt
exits 'over a file of somebody else' 2
equal 'over a file of somebody else: nothing is measured' "$out" ''
meshsim calibrate --host --quick --probe spawn --platform n15
exits 'an unknown platform' 2
contains 'an unknown platform' "$err" "unknown platform 'n15'"
equal 'an unknown platform: nothing is measured' "$out" ''
meshsim calibrate --host --quick --probe spawn -o here.yaml
exits 'over a layer' 0
contains 'one probe alone' "$out" 'host.spawn'
lacks 'one probe alone' "$out" 'host.switch'
finish
