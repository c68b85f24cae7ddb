#!/bin/sh
# label: full
# A loop with a blocking read is judged by its rounds: the thread that reads goes on only when it is woken, and this time
# is in no program's completion. The truth is the difference of a long and a short loop.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >reads.yaml <<'YAML'
meshsim: 1
name: reads
platform: n150
runtime: {completion: per-device}
model: {noise: off}
workload:
  - write_buffer: {buffer: x, bytes: 4096, page_bytes: 2048}
  - repeat: 40
    do:
      - enqueue_workload: {program: p, cores: 8, run_ns: 5000}
      - read_buffer: {buffer: x, blocking: true}
sweep:
  runtime.host:
    - {reader_wait: spin, caller_wait: park}
    - {reader_wait: park, caller_wait: spin}
measure: {warmup: 2}
YAML
meshsim run reads.yaml -o reads.h5
exits "run" 0
meshsim run reads.yaml -o long.h5 --set workload.1.repeat=80
exits "long" 0
meshsim compare reads.h5 --json
exits "compare" 0
printf '%s' "$out" >reads.json
for file in reads long; do "$binary" show $file.h5 --json >$file-runs.json; done
equal "the truth wins, by its margin" "$(/usr/bin/python3 -c '
import json
seen = json.load(open("reads.json"))
ends = [[run["simulated"] for run in json.load(open(name + "-runs.json"))["runs"]] for name in ("reads", "long")]
spin_park, park_spin = ((b - a) / 40 for a, b in zip(*ends))
question = seen["questions"][0]
print(seen["metric"], len(seen["questions"]), "reader_wait=park" in question["winner"],
      spin_park > 1.1 * park_spin, abs(seen["points"][0]["value"] / seen["points"][1]["value"] - 1 - (spin_park / park_spin - 1)) < 0.01)')" "round 1 True True True"
