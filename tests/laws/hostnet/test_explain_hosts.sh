# A device of several hosts is shown to wait for its kernels, although its executors poll for their ends again and again
# and sleep in between. label: full  timeout: 120
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >wait.yaml <<'END'
meshsim: 1
name: wait
platform: tgg-2host
runtime: {mesh: {shape: [8, 8]}, distributed: {wait: spin, executor_threads: false}}
model: {noise: "off"}
workload:
  - repeat: 3
    do:
      - enqueue_workload: {program: long, cores: 4, run_ns: 300000}
      - finish
measure: {warmup: 1}
END

# stage NAME: picoseconds of it in the median round of the first run
stage() {
	printf '%s' "$out" | python3 -c '
import json, sys
for stage in json.load(sys.stdin)["paths"]["p50"]["stages"]:
    if stage["stage"] == sys.argv[1]:
        print(round(stage["value"][0]))' "$1"
}

for pipeline in main pair stages; do
	meshsim run wait.yaml --set runtime.distributed.pipeline=$pipeline -o wait.h5
	exits "$pipeline runs" 0
	meshsim explain wait.h5 0 0 --json
	exits "$pipeline is explained" 0
	equal "$pipeline: kernels on the critical path, ps" "$(stage kernel)" 300000000
	[ "$(stage wait_look)" -gt 0 ] || fail "$pipeline: no time until the look that found it"
done

finish
