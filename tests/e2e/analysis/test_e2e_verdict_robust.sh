# label: full
# timeout: 600
# With --robust a verdict still says that it is a trade-off, and it shows every unswept choice with
# another value of which it does not hold, however many lines that takes. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >pooled.yaml <<'END'
meshsim: 1
name: pooled
platform: t3k
runtime: {host: {threads: pool, count: 4}}
workload:
  - repeat: 6
    do:
      - enqueue_workload: {program: step, cores: all, kernel_bytes: 32KiB, runtime_args: 200, run_ns: 3us}
      - finish
sweep: {runtime.host.threads: [main, pool, per-device]}
model: {noise: "off"}
measure: {warmup: 3}
END
meshsim run pooled.yaml -o pooled.h5
exits 'run pools of threads' 0
meshsim compare pooled.h5
contains 'as it stands, it is a trade-off' "$out" 'trade-off: pool is sooner, per-device takes'
meshsim compare pooled.h5 --robust
exits 'compare --robust' 0
said=$(printf '%s' "$out" | tr -s ' \n' ' ')
contains 'what is in doubt is a trade-off' "$said" \
	'undecided (fragile): a trade-off as it stands: pool is sooner, per-device takes'
for choice in 'pool_tasks: per-device (batches: ' 'worker_wait: park (spin: ' \
	'lowering: depth-first (breadth-first: ' 'command_cache: true (false: '; do
	contains 'a choice that turns the verdict' "$said" "${choice}per-device wins by "
done

# A verdict about several contexts still says in how many of them it stands.
cat >counts.yaml <<'END'
meshsim: 1
name: counts
platform: t3k
runtime: {completion: table, host: {threads: pool}}
workload:
  - repeat: 4
    do:
      - enqueue_workload: {program: step, cores: all, kernel_bytes: 1024, run_ns: 3us}
      - finish
sweep: {runtime.host.count: [2, 4], "workload.0.do.0.enqueue_workload.kernel_bytes": [1024, 16384]}
model: {noise: "off"}
measure: {warmup: 2}
END
meshsim run counts.yaml -o counts.h5
exits 'run two pools' 0
meshsim compare counts.h5 --robust
said=$(printf '%s' "$out" | tr -s ' \n' ' ')
contains 'in doubt in two contexts' "$said" 'undecided (fragile): as it stands, 2 wins in 2 of 2 contexts'

# A margin that decides nothing has probabilities, too: they are to first order, so draws are rerun.
cat >hidden.yaml <<'END'
meshsim: 1
name: hidden
platform: n150
workload:
  - repeat: 4
    do:
      - enqueue_workload: {program: p, cores: 1, run_ns: 20000000}
      - finish
sweep: {runtime.host.threads: [per-device, main]}
measure: {warmup: 1}
model: {noise: "off"}
END
meshsim run hidden.yaml -o hidden.h5
exits 'run a long kernel' 0
meshsim compare hidden.h5 --robust
said=$(printf '%s' "$out" | tr -s ' \n' ' ')
contains 'an undecided question' "$said" 'verdict undecided: '
contains 'its draws are rerun' "$said" 'reruns)'
lacks 'no costs reverse what is undecided' "$said" 'robust holds in'
finish
