#!/bin/sh
# label: full
# The rounds of a loop that one thread calls in some runs, and several threads in others, are timed as those of all
# threads. So are loops that begin with a trace in some runs only. The truth is what long runs take for each further
# round: the whole time of 130 rounds, less that of 30. The same holds for the CPU time of the host in a round.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

program() {
	echo "enqueue_workload: {program: $1, cores: all, kernel_bytes: 4096, run_ns: $2}"
}

# steps NAME ROUNDS KEY VALUES TAIL STEP...: a loop, over these values of a key
steps() {
	name=$1 rounds=$2 key=$3 values=$4 tail=$5
	shift 5
	{
		printf 'meshsim: 1\nname: %s\nplatform: t3k\nmodel: {noise: off}\nmeasure: {warmup: 2}\n' "$name"
		[ "$key" = runtime.traces ] ||
			printf 'runtime: {meshes: {left: {shape: [1, 4]}, right: {shape: [1, 4], offset: [1, 0]}}}\n'
		printf 'sweep: {%s: [%s]}\nworkload:\n  - repeat: %s\n    do:\n' "$key" "$values" "$rounds"
		for step; do printf '      - %s\n' "$step"; done
		printf '%s' "$tail"
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
}

# check NAME ROUNDS KEY FIRST SECOND TAIL STEP...: the times of rounds, and those of long runs, agree to half a per cent, in
# either order of the runs; the CPU times of the host agree to $cpu_within per cent
cpu_within=3
check() {
	what=$1 count=$2 by=$3 first=$4 second=$5 end=$6
	shift 6
	for many in 30 130; do
		steps "$what" "$many" "$by" "$first, $second" "$end" "$@"
		meshsim show "$what.h5" --json
		printf '%s\n' "$out" >"$what.$many"
	done
	for order in "$first, $second" "$second, $first"; do
		steps "$what" "$count" "$by" "$order" "$end" "$@"
		meshsim compare "$what.h5" --json
		printf '%s\n' "$out" >"$what.compared"
		equal "$what: $order" "$(python3 - "$what" "$by" "$first" "$second" "$cpu_within" <<'PYTHON'
import json, sys
name, key, first, second, most = sys.argv[1:]
first, second = first.strip('"'), second.strip('"')
runs = {rounds: json.load(open(f"{name}.{rounds}"))["runs"] for rounds in (30, 130)}
points = [p for p in json.load(open(f"{name}.compared"))["points"] if p["subject"] == "iteration"]
wrong = [] if len(points) == 2 else [f"{len(points)} points"]
for of_run, of_point, within in ("simulated", "value", 0.005), ("host_busy", "host_cpu", float(most) / 100):
    whole = {rounds: {run["keys"][key]: run[of_run] for run in runs[rounds]} for rounds in runs}
    truth = {value: (whole[130][value] - whole[30][value]) / 100 for value in (first, second)}
    seen = {p["keys"][key]: p[of_point] for p in points}
    wrong += [f"{of_run} {value}: {seen[value]}, but {truth[value]} in long runs" for value in seen
              if abs(seen[value] / truth[value] - 1) >= within]
print("; ".join(wrong) or "as in long runs")
PYTHON
)" "as in long runs"
	done
}

# two NAME ROUNDS TAIL STEP...: of two meshes, with one thread and with two
two() {
	what=$1 count=$2 end=$3
	shift 3
	check "$what" "$count" runtime.host.clients '"one"' per-mesh "$end" "$@"
}

finishes='{mesh: left, finish: {}}'
right='{mesh: right, finish: {}}'
two together 14 '' "{mesh: left, $(program p 30us)}" "{mesh: right, $(program q 100us)}" "$finishes" "$right"
equal "they win by what they win in the long run" "$(python3 -c "
import json
d = json.load(open('together.compared'))
print([(q['subject'], q['leader'], q['outcome']) for q in d['questions']])")" "[('iteration', 'per-mesh', 'trade-off')]"
meshsim compare together.h5
contains "it says whose rounds they are" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"from the end of one in the slowest thread to that of the next, since several threads share its steps in some runs"
contains "it says of what the parts of host CPU are" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"host CPU by iteration, its parts as in the whole run"
contains "all threads are of the loop, so the parts are known" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"more host CPU than one (spinning"
two apart 14 '' "{mesh: left, $(program p 50us)}" "$finishes" "{mesh: right, $(program q 50us)}" "$right"
meshsim compare apart.h5
equal "a few per cent of host CPU are no trade-off of twice the speed" "$(printf '%s' "$out" | grep -c trade-off)" 0
# The mesh with the large kernel is late in the first rounds, and catches up in rounds of less time.
two late 20 '' "{mesh: left, enqueue_workload: {program: p, cores: 8, run_ns: 5000, kernel_bytes: 2048}}" "$finishes" \
	"{mesh: right, enqueue_workload: {program: q, cores: 8, run_ns: 500, kernel_bytes: 65536}}" "$right"
two flight 100 '  - finish
' "{mesh: left, $(program p 1us)}" "{mesh: right, $(program q 1us)}"
two writes 14 '' "{mesh: left, $(program p 50us)}" "$finishes" \
	'{mesh: right, write_buffer: {buffer: b, bytes: 1MiB, spread: sharded}}' "$right"

# A round begins with a trace in the runs with traces only.
trace="{trace: 3, do: [{$(program a 20us)}]}"
check traced 14 runtime.traces replicated '"off"' '' "$trace" "{trace: 3, do: [{$(program b 20us)}]}" finish
check blocking 14 runtime.traces replicated '"off"' '' \
	"{trace: 4, blocking: true, do: [{$(program a 20us)}, {$(program b 20us)}]}"
meshsim compare blocking.h5 --step iteration --metric latency
exits "they have rounds only" 2
contains "says so" "$err" "which is called in different ways by its runs: it has rounds only"
finish
