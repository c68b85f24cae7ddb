# The report shows the launches of one layer, with the times in which the devices are idle, and why. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >layers.yaml <<'END'
meshsim: 1
name: layers
platform: n150
model: {noise: none}
runtime: {mesh: {shape: [1, 1]}}
measure: {warmup: 1}
workload:
  - repeat: 4
    do:
      - {as: embedding, enqueue_workload: {program: embedding, kernel_bytes: 4096, run_ns: 2000}}
      - repeat: 10
        do:
          - {as: norm, enqueue_workload: {program: norm, kernel_bytes: 4096, run_ns: 500}}
          - {as: query, enqueue_workload: {program: query, kernel_bytes: 4096, run_ns: 500}}
          - {as: attention, enqueue_workload: {program: attention, kernel_bytes: 4096, run_ns: 500}}
          - {as: out, enqueue_workload: {program: out, kernel_bytes: 4096, run_ns: 500}}
          - {as: sum, enqueue_workload: {program: sum, kernel_bytes: 4096, run_ns: 500}}
      - finish
END
meshsim run layers.yaml -o layers.h5
exits "run: $err" 0
meshsim report layers.h5 -o layers.html
exits "report: $err" 0
python3 - layers.html >seen.txt 2>&1 <<'END' || fail "layer: $(cat seen.txt)"
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
model = json.loads(re.search(r'<script id="model" type="application/json">(.*?)</script>', page, re.S).group(1))
layer = model["details"][0]["layer"]
names = [launch["name"] for launch in layer["launches"]]
print(names, layer["causes"])
assert names == ["norm", "query", "attention", "out", "sum"], "a layer begins with its first step, and has each once"
before = 0
for launch in layer["launches"]:
    idle = launch["end"] - launch["free"] - launch["kernel"]
    print(launch)
    assert launch["free"] == before, "launches follow each other without a hole"
    assert 450000 <= launch["kernel"] <= 900000, "kernels of 500 ns"
    assert abs(sum(launch["causes"]) - idle) <= 0.001 * idle, "causes sum to the idle time"
    assert launch["causes"][0] == max(launch["causes"]), "a host that makes a call in 3 us holds up kernels of 500 ns"
    before = launch["end"]
END

# a run whose launches have no neighbours has no layer
sed -i 's/repeat: [0-9]*/repeat: 1/; s/warmup: 1/warmup: 0/; /as: [a-z]/d' layers.yaml
sed -i 's/^      - repeat: 1$/      - finish/; /^        do:$/d' layers.yaml
meshsim run layers.yaml -o none.h5
exits "run without launches: $err" 0
meshsim report none.h5 -o none.html
exits "report without launches: $err" 0
finish
