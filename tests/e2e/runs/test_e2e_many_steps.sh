# Names of steps, and the tables of `meshsim run` for workloads of many steps: calls of one workload share
# its identity as their name, and a kind of more than twelve steps has one table.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# steps COUNT: a scenario of so many workloads, each called twice
steps() {
	head_of many <<END
workload:
$(for step in $(seq "$1"); do
		echo "  - enqueue_workload: {identity: layer-$step, program: p$step, cores: 2, run_ns: 100}"
	done
	for step in $(seq "$1"); do
		echo "  - enqueue_workload: {identity: layer-$step, run_ns: 300}"
	done)
  - finish
END
}

steps 12
meshsim run many.yaml
exits "twelve steps" 0
equal "twelve steps have a table each" "$(printf '%s' "$out" | grep -c '^enqueue_workload/layer-[0-9]*$')" 12
equal "and none together" "$(printf '%s' "$out" | grep -c '^enqueue_workload$')" 0

steps 13
meshsim run many.yaml
exits "thirteen steps" 0
equal "thirteen steps have one table" "$(printf '%s' "$out" | grep -c '^enqueue_workload')" 1
contains "which says so" "$out" "13 steps together; apart: meshsim show, meshsim explain"
meshsim show many.h5
exits "show" 0
equal "show has a table for each" "$(printf '%s' "$out" | grep -c '^Operation enqueue_workload/layer-')" 13
equal "each step counts both calls" "$(printf '%s' "$out" |
	awk '/^Operation enqueue_workload.layer-1$/ {found = 1} found && $2 == "latency" {print $3; exit}')" 2

# The names of all columns of a result file's summary have to fit into 64 KiB.
head_of many <<END
workload:
$(for step in $(seq 1000); do
	echo "  - enqueue_workload: {program: p, cores: 2, run_ns: 100}"
	echo "    as: step $step of a model whose operations have names as long as those of a profiler"
done)
  - finish
END
meshsim run many.yaml
exits "a thousand steps with long names" 0
contains "run says how many have no table" "$out" " steps more have no table here"
meshsim show many.h5
exits "show of them" 0
tables=$(printf '%s' "$out" | grep -c '^Operation enqueue_workload/step')
contains "show says how many have none" "$out" "$((1000 - tables)) steps more have no table here"
meshsim explain many.h5 0 --kind="enqueue_workload/step 900 of a model whose operations have names as long as those of a profiler"
exits "explain knows a step without a table" 0

finish
