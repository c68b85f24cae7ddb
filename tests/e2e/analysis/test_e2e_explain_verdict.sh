# label: full
# timeout: 300
# The command that a verdict gives explains the same quantity: for each subject and metric its margin
# over all seeds is that of the verdict, and its parts sum to its total. A tie has no reasons, no part
# has a share above 100 %. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

# agrees FILE SUBJECT METRIC [OPTION...]: runs the command of the first question of `compare FILE`,
# which is about SUBJECT and explains METRIC, and compares the two margins
agrees() {
	file=$1 subject=$2 metric=$3
	shift 3
	meshsim compare "$file" "$@" --json
	exits "compare $file $*" 0
	printf '%s' "$out" >verdict.json
	python3 - "$subject" >command <<'END'
import json, sys
question = [q for q in json.load(open("verdict.json"))["questions"] if q["subject"] == sys.argv[1]][0]
print(next((i["parts"][0] for i in question["items"] if i["item"] == "explain"), "none"))
context = [c for c in question["contexts"] if c["context"] == question["focus"]] or question["contexts"]
print(context[0]["ranking"][1]["margin"])
END
	command=$(head -n 1 command)
	contains "the command of $file $*" "$command" "meshsim explain "
	contains "the metric of $file $*" "$command" " --metric=$metric"
	# shellcheck disable=SC2086 # words
	set -- ${command#meshsim }
	meshsim "$@" --json
	exits "$command" 0
	printf '%s' "$out" >seen.json
	python3 - "$(sed -n 2p command)" >differs <<'END'
import json, sys
conclusion = json.load(open("seen.json"))["conclusion"]
margin = float(sys.argv[1])
if abs(conclusion["margin"] - margin) > 1e-6:
    print("the verdict's margin", margin, "that of explain", conclusion["margin"])
if conclusion["seeds"] == 1 and abs(conclusion["value"][1] / conclusion["value"][0] - 1 - margin) > 1e-6:
    print("the verdict's margin", margin, "values of explain", conclusion["value"])
for side in range(2):
    parts = sum(p["value"][side] for p in conclusion["parts"])
    if parts != conclusion["value"][side]:
        print("parts", parts, "whole", conclusion["value"][side])
END
	equal "$command agrees with the verdict" "$(cat differs)" ""
}

# scenario NAME REST: a loop of an inner loop and another step
scenario() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: n300
workload:
  - repeat: 12
    as: iteration
    do:
      - repeat: 4
        as: inner
        do:
          - enqueue_workload: {program: a, cores: all, kernel_bytes: 8KiB, run_ns: 5us}
      - enqueue_workload: {program: b, cores: all, kernel_bytes: 32KiB, run_ns: 5us}
      - finish
$2
END
	meshsim run "$1.yaml" -o "$1.h5"
	exits "run $1" 0
}

scenario nest 'sweep: {runtime.completion: [table, per-device]}
measure: {warmup: 2, seeds: 3}'
agrees nest.h5 iteration round

scenario lone 'sweep: {runtime.completion: [table, per-device]}
measure: {warmup: 2}
model: {noise: "off"}'
agrees lone.h5 iteration round
agrees lone.h5 enqueue_workload/a interval --step a
agrees lone.h5 enqueue_workload/b completion --step b
agrees lone.h5 enqueue_workload/b completion.p90 --step b --metric completion.p90
agrees lone.h5 enqueue_workload/b completion.mean --step b --metric completion.mean

# Two files.
scenario first 'measure: {warmup: 2}'
meshsim run first.yaml --set platform.host.work.api_call.cost.value=2 -o other.h5
agrees first.h5 iteration round other.h5

# Transfers of two sizes: the time of a MiB.
cat >copies.yaml <<'END'
meshsim: 1
name: copies
platform: n150
workload:
  - repeat: 6
    do:
      - write_buffer: {buffer: weights, bytes: 65536, page_bytes: 2048, blocking: true}
sweep:
  workload.0.do.0.write_buffer.bytes: [65536, 1048576]
  platform.host.work.api_call.cost.value: [1.44, 40]
measure: {warmup: 1, seeds: 2}
END
meshsim run copies.yaml -o copies.h5
exits "run copies" 0
agrees copies.h5 write_buffer bandwidth --by platform.host.work.api_call.cost.value

# A verdict on host CPU has no stages of operations, so it gives no command.
meshsim compare nest.h5 --metric host_cpu
exits "host CPU" 0
case $out in *"meshsim explain"*) fail "a command that explains no host CPU: $out" ;; esac

# Runs that tie come first as a tie, without constants as reasons, although some differ by a lot.
meshsim run lone.yaml --set 'sweep={platform.host.work.api_call.cost.value: [1.44, 1.441]}' -o tie.h5
exits "run of a tie" 0
meshsim explain tie.h5 0 1 --kind enqueue_workload/b
sentence=$(printf '%s' "$out" | sed '/^$/,$d' | tr '\n' ' ' | tr -s ' ')
printf '%s\n' "$sentence" | grep -qE '^run 0 and run 1 (tie|take the same) for a round of enqueue_workload/b: ' ||
	fail "a tie comes first: $sentence"
case $sentence in *constants*) fail "constants as reasons of a tie: $sentence" ;; esac

# The parts of a difference sum to it: a larger part comes with those that take some of it back, and
# there are no shares above 100 %.
meshsim explain nest.h5 0 3 --kind enqueue_workload/a --metric round
printf '%s' "$out" | tr '\n' ' ' | tr -s ' ' | grep -qE ' \+[0-9.]+ ns, less [0-9.]+ ns of the others' ||
	fail "a part above the whole says what the others take back: $out"
printf '%s\n' "$out" | grep -qE ' share$' && fail "shares above 100 %: $out"
finish
