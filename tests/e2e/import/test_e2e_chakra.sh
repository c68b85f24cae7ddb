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
