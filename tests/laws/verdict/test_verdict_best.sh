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

finish
