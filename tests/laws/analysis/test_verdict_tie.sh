#!/bin/sh
# label: full
# A verdict is conditional if all designs are equal with another value of an unswept choice. It is not if the swept key then
# has no effect, since there is then nothing to compare.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# tie SWEEP EXPRESSION: of the first question about programs of 60 us on two chips, each waited for
tie() {
	cat >tie.yaml <<-END
		meshsim: 1
		name: tie
		platform: n300
		runtime: {completion: per-device}
		workload:
		  - repeat: 6
		    do:
		      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 1024, run_ns: 60us}
		      - finish
		sweep: {$1}
		model: {noise: off}
		measure: {warmup: 1, objective: [throughput]}
	END
	meshsim run tie.yaml -o tie.h5
	exits "run $1" 0
	meshsim compare tie.h5 --robust --json
	printf '%s' "$out" | python3 -c "
import json, sys
q = json.load(sys.stdin)['questions'][0]
trials = {c['key'].split('.')[-1]: {t['value']: t for t in c['trials']} for c in q['choices']}
print($2)"
}

tie 'platform.host.wake_call.value: [3600, 20000]' "q['outcome'], q['verdict'], trials['reader_wait']['spin']" >seen
contains 'conditional' "$(cat seen)" 'conditional decided for reader_wait: park (spin: tie)'
contains 'who wins as it stands' "$(cat seen)" '3600 wins as it stands'
contains 'a tie' "$(cat seen)" "'margin': 0, 'rival': '20000', 'same': True, 'idle': False, 'breaks': True"
tie 'runtime.host.reader_wait: [park, spin]' \
	"'completion' in q['verdict'], {(t['same'], t['idle'], t['breaks']) for t in trials['completion'].values()}" >seen
equal 'keys without effect' "$(cat seen)" 'False {(True, True, False)}'
finish
