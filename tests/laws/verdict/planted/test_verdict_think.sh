#!/bin/sh
# label: full
# What an application computes between two calls is charged to no constant, however long it takes. A round of a model is a
# run of it, though a run makes many calls.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >think.yaml <<END
meshsim: 1
name: think
platform: tgg
runtime: {mesh: {shape: [4, 4]}}
workload:
  - repeat: 12
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 4096, runtime_args: 16, run_ns: 20us}
      - think: {for_ns: 90us}
      - finish
sweep: {runtime.forward.path: [unicast, broadcast]}
model: {noise: off}
measure: {warmup: 2}
END

# look EXPRESSION: of the last output as JSON, d
look() {
	printf '%s' "$out" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print($1)"
}

# margin: by how much the first run takes longer than the second, of the last comparison
margin() {
	look "(lambda v: v[0] / v[1] - 1)({p['run']: p['value'] for p in d['points']})"
}

meshsim run think.yaml -o think.h5
exits 'run an application that thinks' 0
meshsim explain think.h5 1 0 --metric=completion --json
equal 'of 110 us, the host posts for less than 10' \
	"$(look "[max(s['value']) < 10e6 or s['value'] for s in d['paths']['p50']['stages'] if s['stage'] == 'post']")" \
	'[True]'
meshsim compare think.h5 --json
before=$(margin)
said=$(look "[r['effect'] for q in d['questions'] for r in q['rests_on']
	if r['constant'] == 'host.work.doorbell.cost'][0]")
meshsim run think.yaml -o dear.h5 --set platform.host.work.doorbell.cost.value=97.5
exits 'run with a doorbell of 30 % more' 0
meshsim compare dear.h5 --json
equal 'a doorbell moves the margin as said' "$(python3 -c "
said, real = $said, abs($(margin) / $before - 1)
print('yes' if abs(said - real) < 0.02 + 0.1 * real else (said, real))")" yes

# The first run of a model makes more calls than the others, and a trace begins with the second.
meshsim model build "$MESHSIM_SOURCE_DIR/scenarios/graphs/decoder-layer.yaml" -o layer.bin
exits 'build a model' 0
cat >model.yaml <<END
meshsim: 1
name: model
platform: n150
workload:
  - run_model: {binary: layer.bin, times: 5, window: 1}
sweep: {workload.0.run_model.trace: [false, true], runtime.completion: [table, per-device]}
model: {noise: off}
measure: {warmup: 2, verify: false}
END
# simulated FILE: simulated times of its runs, in ps
simulated() {
	meshsim show "$1" --json
	look "[r['simulated'] for r in d['runs']]"
}
meshsim run model.yaml -o model.h5
exits 'run a model' 0
meshsim run model.yaml -o longer.h5 --set workload.0.run_model.times=7
exits 'run it more often' 0
short=$(simulated model.h5) long=$(simulated longer.h5)
meshsim compare model.h5 --json
equal 'rounds are runs of the model' "$(look "(lambda said, true: said == true or (said, true))(
    [round(p['value'] / 1e6, 1) for p in d['points'] if p['subject'] == 'iteration'],
    [round((b - a) / 2e6, 1) for a, b in zip($short, $long)])")" True
equal 'a range whose ends are written alike is one figure' "$(look "__import__('re').findall(
    r'by ([0-9.]+) to \\1 %', d['questions'][0]['verdict']) + [d['questions'][0]['outcome']]")" "['wins']"

finish
