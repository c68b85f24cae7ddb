#!/bin/sh
# label: full
# The best point of a sweep over all choices is named, one for each context of conditions. Equal points
# cannot be told apart.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >best.yaml <<END
meshsim: 1
name: best
platform: n300
runtime: {completion: table}
workload:
  - repeat: 8
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 4096, runtime_args: 16, run_ns: 1000}
      - finish
sweep:
  workload.0.do.0.enqueue_workload.kernel_bytes: [1024, 16384]
  runtime.command_cache: [true, false]
  runtime.kernel_cache: [true, false]
model: {noise: none}
measure: {warmup: 2}
END
meshsim run best.yaml -o best.h5
exits 'run the sweep' 0

# asked FILE EXPRESSION: a Python expression about the document j
asked() {
	"$binary" compare "$1" --json >compare.json 2>compare.err || fail "compare: $(cat compare.err)"
	/usr/bin/python3 -c "import json; j = json.load(open('compare.json')); print($2)"
}

equal 'each context has a best point' "$(asked best.h5 "[b['context'] for b in j['best']]")" \
	"['kernel_bytes=1024', 'kernel_bytes=16384']"
equal 'it has the least value of its context' "$(asked best.h5 "[b['value'] for b in j['best']]")" \
	"$(asked best.h5 "[min(p['value'] for p in j['points'] if p['keys']['workload.0.do.0.enqueue_workload.kernel_bytes'] == b) for b in ('1024', '16384')]")"
equal 'its commands are cached' "$(asked best.h5 \
	"all(p['keys']['runtime.command_cache'] == 'true' for b in j['best'] for p in j['points'] if p['run'] == b['run'])")" True
meshsim compare best.h5
contains 'the text names it' "$out" 'best: at kernel_bytes=1024: run '
equal 'in three sentences, of three lines at most' "$(printf '%s\n' "$out" | sed -n '/^best: at kernel_bytes=16384/,/^to try next/p' |
	grep -v '^to try\|^$' | awk 'END { print NR <= 9 }')" 1

# without traces, it does not matter how they are kept
sed 's/^  runtime.kernel_cache.*//; s/^  runtime.command_cache.*/  runtime.traces: [replicated, sharded]/' best.yaml >same.yaml
meshsim run same.yaml -o same.h5
exits 'run equal points' 0
contains 'equal points cannot be told apart' "$(asked same.h5 "j['best'][0]['words']")" ' is equal)'
equal 'and nothing is decided' "$(asked same.h5 "[b['decided'] for b in j['best']]")" '[False, False]'

# loops NAME EXPECTED STEP...: `run` and `compare` name these subjects of best points, the main one first
loops() {
	name=$1 expected=$2
	shift 2
	{
		printf 'meshsim: 1\nname: %s\nplatform: n300\nmodel: {noise: off}\nmeasure: {warmup: 2}\n' "$name"
		printf 'sweep: {runtime.completion: [table, per-device]}\nworkload:\n'
		for step; do printf '  - %s\n' "$step"; done
	} >"$name.yaml"
	meshsim run "$name.yaml" -o "$name.h5"
	exits "run $name" 0
	equal "$name: run" "$(printf '%s\n' "$out" | sed -n 's/^best: for \([a-z]*\): .*/\1/p' | tr '\n' ' ')" "$expected "
	equal "$name: compare" "$(asked "$name.h5" "' '.join(b['subject'].split(' of ')[-1].split('/')[-1] for b in j['best'])")" \
		"$expected"
}

program='cores: all, kernel_bytes: 4096'
# a write before the loop is not the question, although it takes longer
loops cold hot '{as: cold, write_buffer: {buffer: a, bytes: 8MiB, spread: sharded}}' \
	'{repeat: 20, do: [{as: hot, write_buffer: {buffer: b, bytes: 64KiB, spread: sharded, blocking: true}}]}'
# the loop that takes most of the time comes first
loops two 'q p' "{repeat: 20, do: [{enqueue_workload: {program: p, $program, run_ns: 3us}}, finish]}" \
	"{repeat: 20, do: [{enqueue_workload: {program: q, $program, run_ns: 100us}}, finish]}"

finish
