# label: full
# Verdicts on native runs: a machine drifts from run to run, so one run of each design decides
# nothing, runs of one seed follow one another, and no run of the model stands beside them.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >equal.yaml <<'END'
meshsim: 1
name: equal
platform: n150
workload:
  - repeat: 40
    do:
      - enqueue_workload: {program: p, cores: 1, run_ns: 0}
      - finish
sweep: {runtime.forward.ordering: [counter, event]}
measure: {warmup: 5}
model: {noise: "off"}
END
meshsim run equal.yaml -o equal.h5 --world native
exits 'two native runs' 0
lacks 'totals that a machine does not count' "$out" 'wakeups'
meshsim compare equal.h5
exits 'compare' 0
contains 'one native run of each' "$out" 'undecided: '
contains 'what would decide' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'a native run may differ from the next by more; ask with measure.seeds'
lacks 'host CPU that is not known' "$out" 'CPU 0 ps'
for option in --refine --robust; do
	meshsim compare equal.h5 $option
	exits "$option" 2
	contains "$option" "$err" 'of the native world: --refine and --robust would put runs of the model'
done

# Each run halts and says so at once: this tells the order in which they were made.
cat >order.yaml <<'END'
meshsim: 1
name: order
platform: n150
workload:
  - enqueue_workload:
      cores: 1
      kernels:
        - processor: brisc
          text: |
              print_tile 0, bf16, r2 + 1
  - finish
sweep: {runtime.command_queues: [1, 2], runtime.host.caller_wait: [park, spin]}
measure: {seeds: 4}
END
meshsim run order.yaml -o order.h5 --world native
exits '16 runs that halt' 4
equal 'seed by seed in a random order, every other one in reverse, and none before the first is said twice' \
	"$(printf '%s\n' "$err" | sed -n 's/^run \([0-9]*\): brisc of.*/\1/p' | tr '\n' ' ')" '4 8 0 12 13 1 9 5 2 10 6 14 15 7 11 3 '

# One run in each of two files decides nothing, so both need more seeds, by the command that made them.
for lost in 1 2; do
	meshsim run equal.yaml --set limits.lost_s=$lost --world native -o "of$lost.h5"
	exits "run $lost" 0
done
meshsim compare of1.h5 of2.h5 --json
equal 'a command for each file' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
print([(a['command'].split('lost_s=')[1][0], a['command'].split('=')[-1]) for a in json.load(sys.stdin)['advice']])")" \
	"[('1', 'equal-seeds.h5'), ('2', 'equal-seeds-second.h5')]"
finish
