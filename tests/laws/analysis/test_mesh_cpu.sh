#!/bin/sh
# label: full
# Two meshes have loops of their own, in host threads of their own. The host CPU of an iteration is that of the threads
# that serve its mesh, as in a run without the other loop.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# loops NAME LOOP...: a scenario with these loops
loops() {
	name=$1
	shift
	cat >"$name.yaml" <<END
meshsim: 1
name: $name
platform: tgg
runtime:
  meshes:
    left: {shape: [2, 2], offset: [0, 0]}
    right: {shape: [2, 2], offset: [0, 4]}
  host: {clients: per-mesh}
workload:
$(for loop; do cat "$loop"; done)
sweep: {runtime.completion: [table, per-device]}
model: {noise: off}
measure: {warmup: 2}
END
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
	meshsim compare "$name.h5" --json ${step:+--step "$step"}
	printf '%s' "$out" >"$name.json"
}

cat >left <<'END'
  - repeat: 40
    mesh: left
    do:
      - enqueue_workload: {program: a, cores: 8, kernel_bytes: 4096, runtime_args: 4, run_ns: 20000}
      - finish
END
cat >right <<'END'
  - repeat: 20
    mesh: right
    do:
      - enqueue_workload: {program: b, cores: all, kernel_bytes: 8192, runtime_args: 100, run_ns: 5000}
      - enqueue_workload: {program: c, cores: all, kernel_bytes: 8192, runtime_args: 100, run_ns: 5000}
      - finish
END
step=iteration
loops alone-a left
loops alone-b right
loops together left right
step=
loops steps left right

python3 - >differ <<'END'
import json

def seen(name):
    return {(p["subject"], p["run"]): p for p in json.load(open(name))["points"]}

def differs(what, there, alone):
    # rounds of one loop are a little longer beside the other one, and so is the CPU time of its readers
    longer = there["mean"] / alone["mean"]
    if not 0.98 < there["host_cpu"] / alone["host_cpu"] < 1.02 * longer ** 1.5:
        print(what, there["host_cpu"] / 1e6, "us of CPU, alone", alone["host_cpu"] / 1e6)

together, steps = seen("together.json"), seen("steps.json")
for program in "ab":
    alone = seen(f"alone-{program}.json")
    for run in 0, 1:
        whole = alone[("iteration", run)]
        differs(f"iteration of {program}, run {run}:", together[(f"iteration of {program}", run)], whole)
        differs(f"step {program}, run {run}:", steps[(f"enqueue_workload/{program}", run)], whole)
END
equal "a loop has the host CPU that it has alone" "$(cat differ)" ""
finish
