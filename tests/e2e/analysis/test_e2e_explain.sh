# A cost planted in the platform is attributed completely to its stage, in real runs, and the
# conclusion names it; label: full
# timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

base() {
	cat <<END
meshsim: 1
name: planted
platform: n150
runtime: {command_queues: 1, completion: per-device, launch_preload: $preload}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 2048, runtime_args: $arguments, run_ns: 2000}
      - finish
model: {noise: "off"}
measure: {warmup: 2}
END
}

# Uses programs without arguments: arguments arrive with a second fetch, whose landing overlaps
# differently with the relay of the first.
arguments=0 preload=true

# planted KEY LOW HIGH STAGE METRIC: sweeps the key; the whole difference must be in the stage
planted() {
	{
		base
		printf 'sweep: {platform.%s.value: [%s, %s]}\n' "$1" "$2" "$3"
	} >planted.yaml
	meshsim run planted.yaml -o planted.h5
	exits "run with $1" 0
	meshsim explain planted.h5 0 1 --metric "$5" --json
	exits "explain $1" 0
	printf '%s' "$out" >seen.json
	python3 - "$4" >verdict <<'END'
import json, sys
seen = json.load(open("seen.json"))
for name, path in seen["paths"].items():
    stages = {s["stage"]: s["difference"] for s in path["stages"] if s["difference"]}
    if path["difference"] <= 0 or stages != {sys.argv[1]: path["difference"]}:
        print(name, path["difference"], stages)
END
	equal "$1 is explained by $4 alone" "$(cat verdict)" ""
}

preload=false # else workers set up while the go is late
planted firmware.dispatch_go 60 1060 dispatch round
preload=true
planted firmware.worker_launch 300 1300 worker round
arguments=4
planted firmware.dispatch_packed_target 34 134 dispatch round
arguments=0
planted firmware.fetch_land 60 1060 fetch round
planted host.work.api_call.cost 1.2 2.2 call latency
planted host.work.doorbell.cost 120 1120 post round
planted chip.pcie_device_read_latency 690 1690 pcie_read latency

# Two programs never form one distribution: the explanation covers one of them, and names it.
cat >programs.yaml <<END
meshsim: 1
name: programs
platform: n150
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: long, cores: all, kernel_bytes: 2048, run_ns: 90000}
      - finish
  - repeat: 5
    do:
      - enqueue_workload: {program: short, cores: all, kernel_bytes: 2048, run_ns: 1000}
      - finish
sweep: {seed: [1, 2]}
measure: {warmup: 2}
END
meshsim run programs.yaml -o programs.h5
exits "two programs" 0
meshsim explain programs.h5 0 1
contains "the program that is called most" "$out" "p50 of round, operation enqueue_workload/long"
meshsim explain programs.h5 0 1 --kind enqueue_workload/short
contains "the one asked for" "$out" "p50 of round, operation enqueue_workload/short"
contains "its operations only" "$(printf '%s' "$out" | tr '\n' ' ' | tr -s ' ')" "(2 operations)"

# The conclusion comes first: the part of the machine that takes longer, and the key that differs.
{
	base
	echo 'sweep: {platform.firmware.dispatch_go.value: [60, 5060]}'
} >slow.yaml
meshsim run slow.yaml -o slow.h5
exits "run to conclude about" 0
meshsim explain slow.h5 0 1
sentence=$(printf '%s' "$out" | sed '/^$/,$d' | tr '\n' ' ' | tr -s ' ')
printf '%s\n' "$sentence" | grep -qE \
	'^run 1 takes 4.874 us \([0-9]+ %\) longer than run 0 for a round of enqueue_workload, .* at the median: dispatch to the workers \+4.874 us \(dispatch\); it has firmware.dispatch_go=5060, not 60; constants that weigh most: firmware.dispatch_go \+5 us' ||
	fail "the conclusion of two runs: $sentence"
meshsim explain slow.h5 1 0
contains "the other way round" "$(printf '%s' "$out" | head -n 1)" 'run 0 takes 4.874 us ('
contains "the other way round" "$(printf '%s' "$out" | head -n 1)" ' %) less than run 1 for'
equal "one table" "$(printf '%s\n' "$out" | grep -c ' whole  ')" 1
meshsim explain slow.h5 1 0 --all
equal "all tables" "$(printf '%s\n' "$out" | grep -c ' whole  ')" 3
meshsim explain slow.h5 0
printf '%s\n' "$out" | head -n 1 | grep -qE '^run 0: a round of enqueue_workload takes [0-9.]+ us at the median: ' ||
	fail "the conclusion of one run: $out"
meshsim explain slow.h5 0 1 --json
printf '%s' "$out" >seen.json
python3 - >sums <<'END'
import json
seen = json.load(open("seen.json"))
parts = seen["conclusion"]["parts"]
for side in range(2):
    whole, parts_sum = seen["paths"]["p50"]["value"][side], sum(p["value"][side] for p in parts)
    if whole != parts_sum or whole != seen["conclusion"]["value"][side]:
        print("whole", whole, "parts", parts_sum, "value", seen["conclusion"]["value"])
if parts[0]["part"] != "dispatch" or parts[0]["difference"] != 4874000:
    print(parts[0])
END
equal "parts sum to the whole, the one that moved comes first" "$(cat sums)" ""

# A replay calls all operations of its trace at once: their rounds take no time, and their latencies begin at another call
# than without a trace.
cat >traced.yaml <<'END'
meshsim: 1
name: traced
platform: n150
workload:
  - trace: 8
    do:
      - enqueue_workload: {program: p, cores: 8, run_ns: 2000}
  - finish
sweep: {runtime.traces: [off, replicated]}
model: {noise: "off"}
END
meshsim run traced.yaml -o traced.h5
exits "run of a trace" 0
meshsim explain traced.h5 1
contains "no rounds of 0 ps" "$out" 'run 1: the latency of enqueue_workload takes '
meshsim explain traced.h5 0 1
contains "clocks that differ are not compared" "$(printf '%s' "$out" | tr -s ' \n' ' ')" ' for the run, '
finish
