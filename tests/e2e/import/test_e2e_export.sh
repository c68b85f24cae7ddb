# `meshsim export --chakra`: what is exported imports to the same times, from a scenario and from a result file; what a
# trace cannot have is named or refused; other readers find the public fields. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/support/chakra.py" one all_gather 2
case $("$binary" import one --format chakra 2>&1) in
*"build meshsim with protobuf-c"*) skip "no protobuf" ;;
esac
simulated() { # of the only run, in ps
	"$binary" show "$1" --json | sed -n 's/.*"simulated": *\([0-9][0-9]*\).*/\1/p' | head -n 1
}
# same WHAT FILE: its export imports to the same times
same() {
	rm -rf exported
	meshsim export --chakra "$2" -o exported
	exits "$1 is exported: $err" 0
	meshsim import exported -o again.yaml
	exits "$1 is imported again: $err" 0
	meshsim run again.yaml -o again.h5
	exits "$1 runs again: $err" 0
	equal "$1 takes as long" "$(simulated again.h5)" "$(simulated "$3")"
}

cat >mine.yaml <<'END'
meshsim: 1
name: mine
platform: t3k
workload:
  - repeat: 3
    do:
      - enqueue_workload: {program: qkv, cores: 40, run_ns: 12345, runtime_args: 20, processors: [brisc, ncrisc]}
      - collective: {op: all_gather, size_bytes: 65536, links: 2}
      - think: {for_ns: 3us}
      - enqueue_workload: {programs: [
          {program: a, devices: {shape: [1, 1]}, run_ns: 5us, runtime_args: 3},
          {program: b, cores: 3, devices: {shape: [1, 2], offset: [1, 1]}},
          {program: b, cores: 3, devices: {shape: [1, 1], offset: [1, 3]}}]}
      - collective: {op: messages, ranks: [{do: [{busy_ns: 30us}, {send: 2, bytes: 9000, tag: 4}]}, {do: []}, {do: [{receive: 0, tag: 4}, {busy_ns: 1us}]}]}
      - collective: {op: messages, ranks: [{do: [{send: 1, bytes: 0}]}, {do: [{receive: 0}]}]}
      - finish
  - collective: {op: broadcast, size_bytes: 8192, root: 3}
  - finish
END
meshsim run mine.yaml -o mine.h5
exits "a scenario: $err" 0
same "a scenario" mine.yaml mine.h5
same "a run" mine.h5 mine.h5
equal "a file for each device" "$(ls exported | tr '\n' ' ')" "mine.0.et mine.1.et mine.2.et mine.3.et mine.4.et mine.5.et mine.6.et mine.7.et "
sed -e '/repeat: 3/d' -e 's/^    do:/  - think: {until_ns: 700us}/' -e 's/^      -/  -/' mine.yaml >until.yaml
meshsim run until.yaml -o until.h5
same "a host that waits until a time" until.yaml until.h5
meshsim import "$source_directory/scenarios/traces" -o ring.yaml
meshsim run ring.yaml -o ring.h5
same "a ring by hand" ring.yaml ring.h5
python3 "$source_directory/tests/support/chakra.py" layers layers 4
meshsim import layers --platform galaxy -o layers.yaml
meshsim run layers.yaml -o layers.h5
same "layers" layers.yaml layers.h5
same "a run of layers" layers.h5 layers.h5
python3 "$source_directory/tests/support/chakra.py" parallel parallel 8
meshsim import parallel --platform t3k -o parallel.yaml
meshsim run parallel.yaml -o parallel.h5
same "what computes and communicates at once" parallel.yaml parallel.h5
contains "it does so again" "$(cat again.yaml)" "command_queues: 2"
meshsim import parallel --platform galaxy --rank 1x2 -o parallel.yaml
meshsim run parallel.yaml -o parallel.h5
same "ranks of two chips" parallel.yaml parallel.h5
cat >groups.yaml <<'END'
meshsim: 1
name: groups
platform: t3k
workload:
  - collective: {op: all_reduce, size_bytes: 65536, topology: ring, groups: [{places: [0, 1, 6, 7]}]}
  - collective: {op: all_reduce, size_bytes: 65536, topology: ring, groups: [{places: [0, 1, 6, 7]}, {places: [2, 3, 4, 5]}]}
  - collective: {op: all_gather, size_bytes: 65536, links: 2, groups: [{places: [0, 5, 3]}]}
  - collective: {op: broadcast, size_bytes: 65536, root: 2, groups: [{places: [0, 5, 3]}, {places: [7, 4, 1]}]}
  - finish
END
meshsim run groups.yaml -o groups.h5
same "groups in any order" groups.yaml groups.h5
meshsim import layers --platform galaxy -o layers.yaml
meshsim run layers.yaml -o layers.h5
same "layers once more" layers.yaml layers.h5
contains "machine and mesh are kept" "$(cat again.yaml)" 'platform: "galaxy"'

# ---- traces, and what is left out ----
meshsim export --chakra "$source_directory/scenarios/quickstart.yaml" -o quick
exits "host data: $err" 0
contains "what is left out is counted" "$err" "steps are left out"
cat >traced.yaml <<'END'
meshsim: 1
name: traced
platform: n300
workload:
  - trace: 2
    replays: 3
    name: t
    do: [{enqueue_workload: {program: p, run_ns: 5000}}]
  - replay_trace: {trace: t, times: 2}
  - enqueue_workload: {program: q, run_ns: 70, queue: 0}
END
meshsim export --chakra traced.yaml -o traced
exits "a trace: $err" 0
contains "replays are counted" "$err" "note: 22 nodes of 2 ranks"
contains "traces are named" "$err" "traces are written as what they replay"

# ---- the public fields ----
cat >fields.py <<'END'
import sys
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value
data, at = open(sys.argv[1], "rb").read(), 0
first = True
while at < len(data):
    size, at = varint(data, at)
    message, at = data[at:at + size], at + size
    if first:
        print("version", dict(fields(message))[1].decode())
        first = False
        continue
    node = dict(fields(message))
    attributes = {}
    for number, value in fields(message):
        if number == 10:
            attribute = dict(fields(value))
            name = attribute.pop(1).decode()
            attributes[name] = list(attribute.values())[0] if attribute else None
    print(node.get(1, 0), node[3], list(node.get(5, b"")), node.get(7, 0),
          *("%s=%s" % (name, attributes[name]) for name in ("is_cpu_op", "comm_type", "comm_size", "comm_dst", "comm_src")
            if name in attributes))
END
meshsim export --chakra ring.yaml -o fields
python3 fields.py fields/ring.1.et >fields.txt || fail "the fields cannot be read"
equal "the first messages" "$(sed -n '1,5p' fields.txt)" "version 0.0.4
0 1 [] 0 is_cpu_op=0
1 5 [0] 0 is_cpu_op=0 comm_size=131072 comm_dst=2
2 6 [1] 0 is_cpu_op=0 comm_size=0 comm_src=0
3 4 [2] 7 is_cpu_op=0"
meshsim export --chakra layers.yaml -o fields
python3 fields.py fields/layers.0.et >fields.txt
contains "a collective" "$(cat fields.txt)" "1 7 [0] 0 is_cpu_op=0 comm_type=0 comm_size=65536"

# ---- errors ----
refused() { # refused WHAT MESSAGE ARGUMENT...
	what=$1 message=$2
	shift 2
	meshsim export "$@"
	exits "$what" 2
	contains "$what" "$err" "$message"
}
refused "no format" "no format given: --chakra" mine.yaml -o x
refused "no folder" "no folder given: -o FOLDER" --chakra mine.yaml
refused "no file" "missing.yaml: error: cannot read" --chakra missing.yaml -o x
refused "no result" "missing.h5: error: " --chakra missing.h5 -o x
refused "no such run" "no run 7" --chakra mine.h5 --run 7 -o x
refused "no such run of a scenario" "run 7 of 1" --chakra mine.yaml --run 7 -o x
refused "programs that act" "is no filler of one page" --chakra "$source_directory/scenarios/transformer.yaml" -o x
refused "several meshes" "a trace of several meshes" --chakra "$source_directory/scenarios/two-meshes.yaml" -o x
echo precious >file
refused "a file in place of the folder" "cannot make the folder" --chakra mine.yaml -o file
mkdir kept
echo precious >kept/mine.0.et
refused "a file of another kind" "kept/mine.0.et" --chakra mine.yaml -o kept
equal "it is kept" "$(cat kept/mine.0.et)" precious
finish
