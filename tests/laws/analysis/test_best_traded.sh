#!/bin/sh
# label: full
# The best point is named with what it costs more than the next one: a caller that spins is sooner, and takes the core.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# best WAITS SIZES [TIME]: the lines of the best points of a loop, over callers that wait so and kernels of these sizes
best() {
	cat >best.yaml <<-YAML
		meshsim: 1
		name: best
		platform: t3k
		runtime: {completion: table}
		model: {noise: off}
		measure: {warmup: 2}
		workload:
		  - repeat: 14
		    do: [{enqueue_workload: {program: p, cores: all, kernel_bytes: 1024, run_ns: ${3:-50us}}}, finish]
		sweep: {$1, "workload.0.do.0.enqueue_workload.kernel_bytes": [$2]}
	YAML
	meshsim run best.yaml -o best.h5
	exits "run" 0
	printf '%s\n' "$out" | awk '/^best: /{on = 1} /^best.h5/{on = 0} on' >best.txt
	lines=$(tr -s ' \n' ' ' <best.txt)
	equal "lines of 80 columns" "$(awk 'length > 80' best.txt)" ""
}

best 'runtime.host.caller_wait: [spin, park]' 1024
contains "of one context, in the next line" "$(sed -n 2p best.txt)" "  trade-off: 6.58 times the host CPU of run 1"
meshsim compare best.h5 --json
contains "in JSON, too" "$(printf '%s' "$out" | grep '"words"')" "; trade-off: 6.58 times the host CPU of run 1; rests on"
best 'runtime.host.caller_wait: [park]' '1024, 2048'
equal "one point has no other" "$(grep -c trade-off best.txt)" 0

# Each context has its own, in its line.
best 'runtime.host.caller_wait: [spin, park]' '1024, 2048, 4096, 8192'
for run in 0 1 2 3; do
	contains "context $run" "$lines" "run $run, spin: "
	contains "what context $run costs" "$lines" "times the host CPU of run $((run + 4))"
done

# Host CPU counts from a tenth of the margin: 1.5 % is a trifle beside 25 %.
best 'runtime.host.caller_wait: [park], runtime.completion: [table, aggregator]' 1024 1us
contains "a better point" "$lines" "run 1, 25 % slower"
equal "a trifle of host CPU" "$(grep -c 'trade-off\|but with' best.txt)" 0

# A point that is best in all figures has no trade-off, and one that is not decided is no trade-off, but is said, too.
best 'runtime.completion: [table, per-device]' 1024
equal "no trade-off" "$(grep -c 'trade-off\|but with' best.txt)" 0
best 'runtime.host.caller_wait: [spin, park]' 1024 120us
contains "a tie" "$lines" "is equal within 0.79 %) but with"
finish
