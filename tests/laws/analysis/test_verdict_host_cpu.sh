# label: full
# Host CPU of a short run whose steps are in flight is what a long run takes for each further round: the whole time on cores
# of 260 rounds, less that of 130. The first rounds and the drain at the end, which are once in a run, do not count.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# write NAME ROUNDS RUNTIME SWEEP TAIL STEP...
write() {
	name=$1 rounds=$2 runtime=$3 sweep=$4 tail=$5
	shift 5
	{
		printf 'meshsim: 1\nname: %s\nplatform: t3k\nmodel: {noise: off}\nmeasure: {warmup: 2}\n' "$name"
		printf 'runtime: {%s}\nsweep: {%s}\nworkload:\n  - repeat: %s\n    do:\n' "$runtime" "$sweep" "$rounds"
		for step; do printf '      - {%s}\n' "$step"; done
		for step in $tail; do printf '  - %s\n' "$(printf %s "$step" | tr _ ' ')"; done
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
}

# check NAME PERCENT ROUNDS RUNTIME SWEEP TAIL STEP...: host CPU of this many rounds and of long runs agree to PERCENT
check() {
	name=$1 percent=$2 short=$3
	shift 3
	for many in 130 260; do
		write "$name" $many "$@"
		meshsim show "$name.h5" --json
		printf '%s\n' "$out" >"$name.$many"
	done
	write "$name" "$short" "$@"
	meshsim compare "$name.h5" --json
	printf '%s\n' "$out" >"$name.compared"
	equal "$name" "$(python3 - "$name" "$percent" <<'PYTHON'
import json, sys
name, most = sys.argv[1], float(sys.argv[2]) / 100
whole = {many: [run["host_busy"] for run in json.load(open(f"{name}.{many}"))["runs"]] for many in (130, 260)}
points = [p for p in json.load(open(f"{name}.compared"))["points"]]
points = [p for p in points if p["subject"] == points[0]["subject"]]
truth = {p["run"]: (whole[260][p["run"]] - whole[130][p["run"]]) / 130 for p in points}
print("; ".join(f"run {p['run']}: {p['host_cpu']}, but {truth[p['run']]} in long runs" for p in points
                if abs(p["host_cpu"] / truth[p["run"]] - 1) > most) if points else "no points")
PYTHON
)" ""
}

step() {
	echo "enqueue_workload: {program: $1, cores: $2, run_ns: $3, kernel_bytes: 1024, runtime_args: $4}"
}

both='runtime.host.worker_wait: [park, spin]'
check paced 0.5 30 'host: {threads: main}' "$both" finish "$(step p all 500 16)"
check threads 1 60 'host: {threads: per-device}' "$both" finish "$(step p 1 500 64)"
check spinning 0.5 30 'host: {threads: per-device}' 'runtime.host.worker_wait: [spin]' finish "$(step p all 500 64)"
check steps 1 60 'host: {threads: per-device}' "$both" finish "$(step p 8 5000 16)" "$(step q all 30000 0)"

# A loop that one thread calls, or two, is measured as a whole: its parked workers work less behind the last call.
meshes='left: {shape: [1, 4]}, right: {shape: [1, 4], offset: [1, 0]}'
check clients 5 60 "meshes: {$meshes}, host: {threads: per-device, worker_wait: park}" \
	'runtime.host.clients: ["one", per-mesh]' '{mesh:_left,_finish:_{}} {mesh:_right,_finish:_{}}' \
	"mesh: left, $(step p 8 5000 0)" "mesh: right, $(step q 8 5000 0)"
finish
