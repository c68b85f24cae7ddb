# `meshsim import` of Chakra execution traces: the scenario runs in both worlds, with the right values; what cannot be
# imported is refused with its file and node. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/support/chakra.py" one all_gather 2
case $("$binary" import one --format chakra 2>&1) in
*"build meshsim with protobuf-c"*) skip "no protobuf" ;;
esac
# trace NAME KIND RANKS: a folder with a file for each rank
trace() {
	python3 "$source_directory/tests/support/chakra.py" "$1" "$2" "$3"
}
verified() {
	"$binary" show out.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
runs() { # runs WHAT SCENARIO LAUNCHES: in both worlds, and at least as many launches are compared
	for world in sim native; do
		meshsim run "$2" -o out.h5 --world $world
		exits "$1 runs, $world: $err" 0
		equal "$1 has no key without effect" "$err" ""
		[ "$(verified)" -ge "$3" ] || fail "$1: $(verified) launches are compared, $world, expected $3"
	done
}

# ---- collectives of one node ----
for comm in all_reduce all_gather reduce_scatter all_to_all broadcast; do
	trace $comm $comm 4
	for platform in t3k galaxy; do
		meshsim import $comm --platform $platform -o $comm.yaml
		exits "$comm on $platform: $err" 0
		meshsim run $comm.yaml -o out.h5
		exits "$comm runs on $platform: $err" 0
		equal "$comm is compared on $platform" "$(verified)" 1
	done
done
contains "what a rank gives is gathered" "$(cat all_gather.yaml)" "{op: all_gather, topology: ring, size_bytes: 1048576}"
contains "what a rank gives is exchanged" "$(cat all_to_all.yaml)" "{op: all_to_all, topology: ring, size_bytes: 1048576}"
contains "what is added is what a rank gives" "$(cat all_reduce.yaml)" "{op: all_reduce, topology: ring, size_bytes: 262144}"

# ---- compute, roofline, barriers, programs that are used again ----
trace layers layers 4
meshsim import layers/layers.2.et -o layers.yaml
exits "a file stands for its trace: $err" 0
contains "nodes are counted" "$err" "note: 40 nodes of 4 ranks, as 10 steps, on t3k: a rank is a chip"
contains "assumptions are named" "$err" "roofline for num_ops and tensor_size"
scenario=$(cat layers.yaml)
contains "ranks compute for times of their own" "$scenario" "{program: attention, cores: all, processors: all, runtime_args: 12, devices: {shape: [1, 1], offset: [1, 0]}, run_ns: 21000}"
contains "a program is used again" "$scenario" "  - enqueue_workload: {identity: program-"
contains "a barrier tells all ranks" "$scenario" "{do: [{send: 1, bytes: 0}, {receive: 3}, {send: 2, bytes: 0}, {receive: 2}]}"
equal "each collective is described once" "$(grep -c 'op: all_reduce' layers.yaml)" 1
runs "a trace of layers" layers.yaml 6
meshsim import layers --runtime-args 3 --platform galaxy
contains "runtime arguments as asked" "$out" "runtime_args: 3"

# ---- sends and receives ----
trace ring ring 4
meshsim import ring -o ring.yaml
exits "a ring: $err" 0
contains "short compute is part of the messages" "$(cat ring.yaml)" "{do: [{send: 1, bytes: 131072}, {receive: 3}, {busy_ns: 7000}, {send: 1"
equal "all messages are one step" "$(grep -c 'op: messages' ring.yaml)" 1
runs "a ring" ring.yaml 1
meshsim import ring --fuse 1000 -o apart.yaml
equal "compute that is longer is a program" "$(grep -c 'enqueue_workload' apart.yaml)" 3
trace pipeline pipeline 4
meshsim import pipeline -o pipeline.yaml
exits "a pipeline: $err" 0
contains "tags are kept" "$(cat pipeline.yaml)" "{send: 2, bytes: 8192, tag: 1}, {receive: 0, tag: 2}"
runs "a pipeline" pipeline.yaml 5

# ---- groups of ranks; nodes that do not depend on each other ----
trace parallel parallel 8
meshsim import parallel --platform t3k -o parallel.yaml
exits "groups of ranks: $err" 0
contains "overlap is said" "$err" "note: nodes that do not depend on each other run at once"
scenario=$(cat parallel.yaml)
contains "halves sum at once" "$scenario" "size_bytes: 65536, groups: [{places: [0, 1, 2, 3]}, {places: [4, 5, 6, 7]}], queue: 1}"
contains "pairs sum at once" "$scenario" "groups: [{places: [0, 4]}, {places: [1, 5]}, {places: [2, 6]}, {places: [3, 7]}], queue: 1}"
contains "compute waits for what it needs" "$scenario" "  - wait_event: {event: step-11}
  - enqueue_workload: {program: update"
equal "gradients are awaited once" "$(grep -c 'wait_event: {event: step-[37]}' parallel.yaml)" 0
runs "groups of ranks" parallel.yaml 6
simulated() {
	"$binary" show "$1" --json | sed -n 's/.*"simulated": *\([0-9][0-9]*\).*/\1/p' | head -n 1
}
meshsim import parallel --platform t3k --queues 1 -o apart.yaml
lacks "one after the other" "$(cat apart.yaml)" "event"
meshsim run parallel.yaml -o out.h5
at_once=$(simulated out.h5)
runs "one after the other" apart.yaml 6
meshsim run apart.yaml -o out.h5
apart=$(simulated out.h5)
# Two of three exchanges of gradients hide behind compute: each takes more than 150 us.
[ $((apart - at_once)) -gt 300000000 ] || fail "at once takes $at_once ps, one after the other $apart"
lacks "a chain has nothing to run at once" "$(cat layers.yaml)" "command_queues"

# ---- a rank is a mesh of chips ----
for what in 'parallel mesh 4' 'layers 1x2 5' 'pipeline 2x1 5' 'all_to_all 1x2 1'; do
	set -- $what
	trace meshes "$1" 4
	meshsim import "meshes/$1.0.et" --platform t3k --rank "$2" -o meshes.yaml
	exits "ranks of $2: $err" 0
	contains "a rank has two chips" "$err" "a rank is a mesh of 2 chips"
	runs "$1, ranks of $2" meshes.yaml "$3"
done
contains "chips at one place exchange" "$(cat meshes.yaml)" "size_bytes: 524288, groups: [{places: [0, 2, 5, 7]}, {places: [1, 3, 4, 6]}]"
contains "the smallest machine with room" "$(meshsim import meshes/layers.0.et --rank 4x4; echo "$out")" 'platform: "tgg"'

# ---- made by hand ----
cat >make.py <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/tests/support")
sys.dont_write_bytecode = True
import chakra as c
def put(folder, *ranks):
    c.write(folder, "t", lambda rank, count: ranks[rank], len(ranks))
comp = lambda number, needs=(), **keys: c.node(number, "work", c.COMPUTE, needs, 5, **keys)
put("cpu", [comp(0), c.node(1, "host", c.COMPUTE, (0,), 30, is_cpu_op=True), c.node(2, "meta", 1, (1,)), comp(3, (2,))])
put("control", [comp(7, control=(9,)), comp(9)])
put("circle", [comp(1, (2,)), comp(2, (1,))])
put("nowhere", [comp(1, (5,))])
put("twice", [comp(1), comp(1)])
put("kind", [c.node(4, "x", 9)])
put("long", [c.node(4, "x", c.COMPUTE, us=2000000)])
put("negative", [c.node(4, "x", c.COMPUTE, num_ops=-4)])
put("huge", [c.node(4, "x", c.COMPUTE, num_ops=1 << 59)])
put("text", [c.node(4, "x", c.COMPUTE, num_ops="many")])
put("keys", [c.node(4, "x", c.COMPUTE, us=1, meshsim_keys="cores: 1}]")])
put("mixed", [c.collective(3, "a", "all_reduce", 4096)], [c.collective(8, "b", "all_gather", 4096)])
put("some", [c.collective(3, "a", "all_reduce", 4096)], [c.collective(3, "a", "all_reduce", 4096)], [comp(0)])
put("alone", [c.collective(3, "a", "all_reduce", 4096, pg_name="own0"), comp(4)], [c.collective(3, "a", "all_reduce", 4096, pg_name="own1"), comp(4)])
put("lost", [c.receive(5, 1, 64)], [comp(0)])
put("wait", [c.receive(5, 1, 64), c.send(6, 1, 64, (5,))], [c.receive(5, 0, 64), c.send(6, 0, 64, (5,))])
put("self", [c.send(5, 0, 64)], [comp(0)])
put("far", [c.send(5, 7, 64)], [comp(0)])
put("none", [])
put("size", [c.collective(3, "a", "all_reduce", 0)], [c.collective(3, "a", "all_reduce", 0)])
put("reduce", [c.collective(3, "a", "reduce", 64)], [c.collective(3, "a", "reduce", 64)])
grouped = lambda number, comm, group, **keys: c.collective(number, comm, comm, 4096, pg_name=group, **keys)
put("crossed", [grouped(1, "all_reduce", "a"), grouped(2, "all_reduce", "b")], [grouped(1, "all_reduce", "b"), grouped(2, "all_reduce", "a")], [comp(0)])
after = lambda first, second: [grouped(1, "all_reduce", first), grouped(2, "all_reduce", second, needs=(1,))]
put("chained", after("a", "b"), after("b", "a"), [comp(0)])
put("uneven", [grouped(1, "all_reduce", "a"), grouped(2, "all_reduce", "a")], [grouped(1, "all_reduce", "a")], [comp(0)])
put("unlike", [grouped(1, "all_reduce", "a")], [grouped(4, "all_gather", "a")], [comp(0)])
put("root", [grouped(1, "broadcast", "a", root=2)], [grouped(4, "broadcast", "a", root=2)], [comp(0)])
put("rooted", [comp(0)], [grouped(1, "broadcast", "a", root=2)], [grouped(4, "broadcast", "a", root=2)])
put("barrier", [grouped(1, "barrier", "a")], [grouped(1, "barrier", "b")], [grouped(1, "barrier", "a")], [grouped(1, "barrier", "b")])
put("fraction", [c.collective(1, "x", "all_reduce", 64, pg_name=(4, 0))], [comp(0)])
put("below", [c.collective(1, "x", "all_reduce", 64, comm_group=-1)], [comp(0)])
both = lambda **keys: [[c.collective(2, "x", "all_reduce", 64, involved_dim=[True, False], **keys)] for i in range(2)]
put("dims", *both())
put("dimsnamed", *both(pg_name="a"))
put("dimsall", *[[c.collective(2, "x", "all_reduce", 64, involved_dim=[True, True])] for i in range(2)])
put("terabytes", [c.collective(1, "x", "all_reduce", 1 << 50)], [comp(0)])
put("full", [c.collective(1, "x", "all_gather", 1 << 39)], [c.collective(1, "x", "all_gather", 1 << 39)])
put("many", *[[comp(0)] for i in range(40)])
END
python3 make.py "$source_directory" || fail "make.py fails"
meshsim import cpu -o cpu.yaml
exits "a host that computes: $err" 0
contains "the host waits, and then computes" "$(cat cpu.yaml)" "  - finish
  - think: {for_ns: 30000}"
meshsim import control -o control.yaml
exits "control dependencies: $err" 0
meshsim import alone -o alone.yaml
exits "collectives of one rank: $err" 0
lacks "collectives of one rank are left out" "$(cat alone.yaml)" all_reduce
meshsim run alone.yaml -o out.h5
exits "it runs: $err" 0

meshsim import rooted -o rooted.yaml
contains "a root by its place in the group" "$(cat rooted.yaml)" "root: 1, groups: [{places: [1, 2]}]"
meshsim run rooted.yaml -o out.h5
exits "it runs: $err" 0
meshsim import crossed -o crossed.yaml
exits "groups in another order on each rank: $err" 0
equal "both are collectives" "$(grep -c 'identity: all_reduce' crossed.yaml)" 2
runs "groups in another order" crossed.yaml 2
meshsim import barrier -o barrier.yaml
exits "barriers of groups: $err" 0
contains "each group has a barrier" "$(cat barrier.yaml)" "{do: [{send: 2, bytes: 0}, {receive: 2}]}"
equal "barriers at once are one step" "$(grep -c 'op: messages' barrier.yaml)" 1
runs "barriers of groups" barrier.yaml 1

# ---- errors ----
refused() { # refused PATH MESSAGE
	meshsim import "$1" -o bad.yaml
	exits "$1" 2
	contains "$1" "$err" "$2"
	lacks "$1 is no bug" "$err" "bug"
}
refused circle "circle/t.0.et: error: node 1: its dependencies form a circle, or lead to one"
refused nowhere "nowhere/t.0.et: error: node 1: it depends on node 5, which the file does not have"
refused twice "node 1: there are two"
refused kind "node 4: type 9 is not known"
refused long "node 4: duration of 2000000 us, a kernel runs at most 1000000"
refused negative "node 4: num_ops of -4, expected 0 to"
refused huge "node 4: computes for"
refused text "node 4: num_ops is no whole number"
refused keys "node 4: meshsim_keys are no keys of a step"
refused mixed "mixed/t.1.et: error: node 8: all-gather of 4096 B in group '', but rank 0 has all-reduce of 4096 B"
refused some "some/t.0.et: error: node 3: all-reduce of group '' that rank 2 does not have"
refused lost "lost/t.0.et: error: node 5: a receive from rank 1, tag 0, but that rank never gets to the other end"
refused wait "node 5: a receive from rank 1"
refused self "node 5: a message of rank 0 to itself"
refused far "node 5: rank 7 of a trace of 2"
refused none "a trace without nodes"
refused size "node 3: all-reduce without comm_size"
refused reduce "node 3: reduce is not imported"
refused chained "chained/t.1.et: error: node 1: all-reduce of 4096 B in group 'b', but rank 0 has all-reduce of 4096 B in group 'a' (node 1)"
refused uneven "uneven/t.0.et: error: node 2: all-reduce of group 'a' that rank 1 does not have"
refused unlike "unlike/t.1.et: error: node 4: all-gather of 4096 B in group 'a', but rank 0 has all-reduce"
refused root "root/t.0.et: error: node 1: root 2 is no rank of group 'a'"
refused below "node 1: comm_group of -1, expected 0 to"
refused dims "dims/t.0.et: error: node 2: involved_dim leaves out a dimension"
for name in dimsnamed dimsall; do
	meshsim import $name -o dims.yaml
	exits "$name: $err" 0
done
refused terabytes "node 1: comm_size of 1125899906842624, expected 0 to 1099511627776"
meshsim import full -o full.yaml
meshsim run full.yaml -o bad.h5
exits "more than the memory" 2
contains "more than the memory" "$err" "full.yaml:"
for rank in 3y4 0x1 x 1x 99999x1 1x2x3 -1x2 chips; do
	meshsim import layers --rank=$rank
	exits "--rank $rank" 2
	contains "--rank $rank" "$err" "--rank: '$rank' is none of chip, mesh, ROWSxCOLUMNS"
done
meshsim import layers --rank 3x3 --platform t3k
exits "no room for ranks" 2
contains "no room for ranks" "$err" "4 ranks, but platform t3k has no room for so many meshes (--platform, --rank)"
meshsim import many --platform t3k
contains "too many ranks" "$err" "40 ranks, but no mesh of platform t3k has as many devices (--platform)"
meshsim import layers --platform nowhere
exits "no such platform" 2
rm ring/ring.2.et
refused ring "ring: error: no file of rank 2"
trace two ring 2
trace two pipeline 2
refused two "files of several traces"
mkdir empty
refused empty "error: cannot read: it is a directory"
size=$(wc -c <layers/layers.1.et)
head -c $((size - 3)) layers/layers.1.et >cut
mv cut layers/layers.1.et
refused layers "it is cut"
printf 'no trace at all\n' >layers/layers.1.et
refused layers "layers/layers.1.et: error: no Chakra trace"
truncate -s 1G layers/layers.1.et
refused layers "layers/layers.1.et: error: "
cp pipeline/pipeline.0.et named.et
refused named.et "the name of a rank's file is NAME.RANK.et"
finish
