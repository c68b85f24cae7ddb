# label: full
# `meshsim check` on real runs: an unchanged tree passes; one more nanosecond in one stage fails,
# and the stage is named; a missing baseline gives 3, bad input 2. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# every workload is finished before the next, so that a cost is paid once per operation
head_of one <<'EOF'
runtime: {command_queues: 1, completion: per-device}
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 1024, run_ns: 2000}
      - finish
model: {noise: off}
measure: {warmup: 2}
EOF
scenario=one.yaml
meshsim run "$scenario" -o good.h5
exits 'run' 0
meshsim check good.h5 --baseline b.yaml
exits 'without a baseline' 3
contains 'it says how to take one' "$err" 'meshsim check good.h5 --baseline b.yaml --update'
meshsim check good.h5 --baseline b.yaml --update
exits 'update' 0
cp b.yaml first.yaml

meshsim run "$scenario" -o again.h5
meshsim check again.h5 --baseline b.yaml
exits 'an unchanged tree' 0
contains 'nothing moved' "$out" 'one: 0 worse, 0 better, 0 within tolerance'
meshsim check again.h5 --baseline b.yaml --update
cmp -s b.yaml first.yaml || fail 'the same figures give the same baseline'

# the clock of a chip is 1 GHz: a cycle is a nanosecond
meshsim run "$scenario" -o worse.h5 --set platform.firmware.dispatch_go.value=61
exits 'run with a slower go signal' 0
meshsim check worse.h5 --baseline b.yaml
exits 'a nanosecond more' 1
first=$(printf '%s' "$out" | sed '/^    /,$d' | tr '\n' ' ' | tr -s ' ')
printf '%s\n' "$first" | grep -qE \
	'^firmware.dispatch_go 60 -> 61 cycles makes [0-9]+ of [0-9]+ figures worse by .*, through dispatch \(\+1 ns an operation\); worst: [a-z_.]+p?[0-9a-z]+ [0-9.]+ -> [0-9.]+ [mun]s' ||
	fail "constant, figures, stage and the worst: $first"
meshsim check worse.h5 --baseline b.yaml --rows
printf '%s\n' "$out" | grep -qE '^    \+[0-9.]+ (%|ns) +enqueue_workload.reach.p50 [0-9.]+ -> [0-9.]+ us$' ||
	fail "change, metric, old and new: $out"
meshsim run "$scenario" -o ten.h5 --set platform.firmware.dispatch_go.value=600000
meshsim check ten.h5 --baseline b.yaml
exits 'a factor' 1
printf '%s\n' "$out" | grep -qE '[0-9]{3,} %' && fail "a change of 100 % or more is a factor: $out"
printf '%s\n' "$out" | grep -qE '^    [0-9.]+ times +' || fail "the factor of a figure: $out"
printf '%s' "$out" | tr '\n' ' ' | tr -s ' ' | grep -qE ' figures worse by (up to )?a factor of [0-9.]+, ' ||
	fail "the factor of all: $out"
meshsim run "$scenario" -o better.h5 --set platform.firmware.dispatch_go.value=59
meshsim check better.h5 --baseline b.yaml
exits 'a nanosecond less' 0
meshsim check better.h5 --baseline b.yaml --exact
exits 'a nanosecond less, where every difference fails' 1
meshsim check again.h5 --baseline b.yaml --exact
exits 'the same figures, where every difference fails' 0
meshsim check worse.h5 --baseline b.yaml --tolerance throughput=1 --tolerance enqueue_workload=1 \
	--tolerance finish=1 --tolerance max_chip=1 --tolerance events=1 --tolerance simulated=1 --tolerance host_busy=1
exits 'within tolerances' 0
meshsim check worse.h5 --baseline b.yaml
contains 'causes come first' "$(printf '%s\n' "$out" | sed -n 1p)" \
	'firmware.dispatch_go 60 -> 61 cycles makes '
sed '/^constants:/,/^runs:/{/^runs:/!d}' b.yaml >old.yaml
meshsim check good.h5 --baseline old.yaml --exact
exits 'an older baseline, without constants' 0
meshsim check worse.h5 --baseline old.yaml
contains 'a baseline without constants says so' "$(printf '%s' "$out" | tr '\n' ' ' | tr -s ' ')" \
	'; the baseline holds no constants, a new one (--update) will'
sed 's/^name: one/name: two/' one.yaml >two.yaml
meshsim run two.yaml -o two.h5
meshsim run two.yaml -o two-worse.h5 --set platform.firmware.dispatch_go.value=61
mkdir both
meshsim check good.h5 two.h5 --baseline both --update
exits 'baselines of two scenarios' 0
meshsim check good.h5 two.h5 --baseline both --exact
exits 'two files that pass' 0
meshsim check worse.h5 two-worse.h5 --baseline both --junit both.xml
exits 'two files that do not' 1
grep -c 'testsuite ' both.xml | grep -qx 2 || fail 'a suite for each file'
printf '%s' "$out" | sed '/^    /,$d' | tr '\n' ' ' | tr -s ' ' |
	grep -qE '^firmware.dispatch_go 60 -> 61 cycles makes [0-9]+ of [0-9]+ figures worse by .*, in 2 of 2 scenarios, through dispatch .*; worst: (one|two) ' ||
	fail "one cause of both: $out"
meshsim check worse.h5 two.h5 --baseline b.yaml --baseline both
exits 'a baseline for each' 1
contains 'the second is the same' "$out" 'two: 0 worse, 0 better'
meshsim run "$scenario" -o chip.h5 --set model.cores=chip
meshsim check chip.h5 --baseline chip.yaml --update
meshsim check good.h5 --baseline chip.yaml
exits 'the same figures in more events' 0
contains 'more events are not worse' "$out" ' 0 worse'
meshsim check good.h5 --baseline chip.yaml --exact
exits 'more events, where every difference fails' 1
mkdir folder
meshsim check good.h5 --baseline folder
exits 'a folder without a baseline of this scenario' 3
mv b.yaml folder/one.yaml
meshsim check good.h5 --baseline folder
exits 'a folder holds SCENARIO.yaml' 0
mv folder/one.yaml b.yaml

meshsim run "$scenario" --world native -o native.h5
exits 'native run' 0
meshsim check native.h5 --baseline b.yaml
exits 'times of the native world' 2
contains 'why' "$err" 'native.h5: of the native world'

head -c 3000 good.h5 >cut.h5
for bad in cut.h5 missing.h5 b.yaml; do
	meshsim check "$bad" --baseline b.yaml
	exits "$bad" 2
	contains "$bad is named" "$err" "meshsim: $bad: "
done
for usage in '' 'good.h5' 'good.h5 --baseline b.yaml --baseline b.yaml' '--baseline b.yaml' \
	'good.h5 --baseline b.yaml --tolerance p99' 'good.h5 --baseline b.yaml --tolerance p99=-1' \
	'good.h5 --baseline b.yaml --rows --json' 'good.h5 --baseline b.yaml --json --markdown' 'good.h5 --baseline b.yaml --update --json' \
	'good.h5 --baseline b.yaml --exact --tolerance p99=1' \
	'good.h5 --baseline b.yaml --exact --update' 'good.h5 --baseline b.yaml --exact --wall' \
	'good.h5 --baseline b.yaml --wall --tolerance p99=1'; do
	# shellcheck disable=SC2086 # several arguments
	meshsim check $usage
	exits "usage '$usage'" 2
done
meshsim check good.h5 --baseline b.yaml --junit no/such/folder.xml
exits 'a report that cannot be written' 2

# ---- the simulator's own time ----
for i in 1 2 3 4 5 6 7 8 9; do
	meshsim run "$scenario" -o "wall-$i.h5"
done
meshsim check --wall wall-*.h5 --baseline wall.yaml
exits 'no baseline of times' 3
meshsim check --wall wall-*.h5 --baseline wall.yaml --update
exits 'update of times' 0
meshsim check --wall wall-*.h5 --baseline wall.yaml
exits 'the same times' 0
contains 'effect' "$out" 'a new run is slower than an old one with 50 %'
contains 'verdict' "$out" 'no difference that these repetitions prove'
sed 's/^cpu_s: .*/cpu_s: [1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 2e-6]/' wall.yaml >fast.yaml
meshsim check --wall wall-*.h5 --baseline fast.yaml
exits 'slower' 1
meshsim check --wall wall-1.h5 wall-2.h5 --baseline wall.yaml
exits 'too few repetitions' 2
sed 's/^cpu_s: .*/cpu_s: [1, 2]/' wall.yaml >few.yaml
meshsim check --wall wall-*.h5 --baseline few.yaml
exits 'too few in the baseline' 2
sed 's/^machine: .*/machine: another/' wall.yaml >other.yaml
meshsim check --wall wall-*.h5 --baseline other.yaml
exits 'times of another machine' 2

finish
