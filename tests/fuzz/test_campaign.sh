# A campaign of 100 random scenarios, or 300 in the long test, finds no failure in either world. It
# draws the same scenarios from the same seeds, keeps the keys of a user's scenario, and minimizes a
# failing one.
# label: slow  timeout: 600  long: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

share=${MESHSIM_LONG:+3}
share=${share:-1} # number of thirds of a long test
meshsim fuzz --seeds $((share * 100))
exits "no scenario fails" 0
contains "the count of ends" "$out" "$((share * 100)) seeds from 1: "
contains "the count of failures" "$out" " 0 failed"
ran=$(printf '%s\n' "$out" | sed -n 's/^[0-9]* seeds from 1: \([0-9]*\) ran.*/\1/p')
[ "${ran:-0}" -ge $((share * 50)) ] || fail "too few of $((share * 100)) scenarios ran: $out"

meshsim fuzz --seeds $((share * 10)) --seed 1001 --world native
exits "none fails natively" 0

# Some or all of the machines have several hosts; injected faults may end a run.
meshsim fuzz --hosts --seeds $((share * 14)) --seed 3001
exits "no scenario of several hosts fails" 0
contains "the count of their failures" "$out" " 0 failed"
ran=$(printf '%s\n' "$out" | sed -n 's/^[0-9]* seeds from 3001: \([0-9]*\) ran.*/\1/p')
[ "${ran:-0}" -ge $((share * 6)) ] || fail "too few of $((share * 14)) scenarios of several hosts ran: $out"
meshsim fuzz --hosts --seeds $((share * 9)) --seed 5001 --world both
exits "on several hosts both worlds read the same values and do the same work" 0
meshsim fuzz --seeds 10 --seed 5001 --world both
exits "on one host, too" 0
meshsim fuzz --hosts --seeds 90 --print
equal "machines of several hosts" "$(printf '%s\n' "$out" | grep -c 'hosts: {count: \|^platform: \(galaxy-x\|tgg-2host\|scaleout\|loopback\)')" 90
for key in transport: codec: resolution: pipeline: allocator: compile: loading: receive: completion_reader: program_cache: \
	window: message_bytes: wait: poll_ns: look_ns: reply_ns: 'stored: true' 'kind: cut' 'kind: death' \
	'kind: controller-death' 'kind: slow' 'kind: late' sub_devices: sub_device_l1_bytes: write_tensor: read_tensor:; do
	contains "is drawn" "$out" "$key"
done
meshsim fuzz --seeds 60 --print
some=$(printf '%s\n' "$out" | grep -c 'hosts: {count: \|^platform: \(galaxy-x\|tgg-2host\|scaleout\|loopback\)')
[ "$some" -ge 3 ] && [ "$some" -le 20 ] || fail "$some of 60 machines have several hosts"
for key in 'spread: matrix' 'spread: mapper' 'shard_shape: \[0,' 'mapper: \[none, none\]' ' pages: \['; do
	[ "$(printf '%s\n' "$out" | grep -c "$key")" -gt 0 ] || fail "$key is never drawn"
done
equal "as many arguments as a kernel may have are drawn, and no more" "$(printf '%s\n' "$out" |
	awk '/ runtime_args:/ { own = $2 } / common_runtime_args:/ && own + $2 > most { most = own + $2 }
		END { print most }')" 341

meshsim fuzz --seeds 5 --seed 7 --print
first=$out
meshsim fuzz --seeds 5 --seed 7 --print
equal "the same scenarios from the same seeds" "$out" "$first"
equal "scenarios printed" "$(printf '%s\n' "$out" | grep -c '^meshsim: 1$')" 5

cat >mine.yaml <<'YAML'
meshsim: 1
name: mine
platform: {extends: t3k, chip: {noc_hop: 9}}
runtime: {command_queues: 2, forward: {path: broadcast}}
workload: [finish]
sweep: {runtime.completion: [table, aggregator]}
YAML
meshsim fuzz mine.yaml --seeds 4 --print
equal "platforms of the user" "$(printf '%s\n' "$out" | grep -c 'extends: t3k, chip: {noc_hop: 9}')" 4
equal "designs of the user" "$(printf '%s\n' "$out" | grep -c 'forward: {path: broadcast}')" 4
equal "points of the user's sweep" "$(printf '%s\n' "$out" | grep -c 'completion: table')" 2
meshsim fuzz mine.yaml --seeds 4
exits "the user's design passes" 0

# A run that ends early at a user's limit fails; it is reduced to the smallest scenario that fails.
cat >limited.yaml <<'YAML'
meshsim: 1
name: limited
platform: n300
workload: [finish]
limits: {events: 3000}
YAML
mkdir found
seed=1
while [ "$seed" -lt 40 ]; do # the first seed with a large enough scenario
	meshsim fuzz limited.yaml --seeds 1 --seed $seed -o found
	[ "$code" -eq 0 ] || break
	seed=$((seed + 1))
done
exits "a scenario fails" 1
contains "which file" "$out" "found/fuzz-$seed.yaml: "
small=$(grep -vc '^#' found/fuzz-$seed.yaml)
[ "$small" -le 12 ] || fail "not small: $(cat found/fuzz-$seed.yaml)"
meshsim run found/fuzz-$seed.yaml -o found.h5
exits "the small file fails alike" 4

meshsim fuzz missing.yaml
exits "no such scenario" 2
contains "which file" "$err" "missing.yaml: error: cannot read"
mkdir none
for options in --print '--hosts --seeds 1' '--world native --seeds 1'; do
	MESHSIM_PLATFORMS=none meshsim fuzz $options
	exits "no platforms, $options" 2
	contains "no platforms, $options" "$err" "meshsim fuzz: no platforms in 'none' to draw machines from"
done
meshsim fuzz --seeds 0
exits "no seeds" 2
meshsim fuzz limited.yaml --seeds 1 --seed $seed -o nowhere
exits "no such folder" 74
contains "which folder" "$err" "cannot write nowhere/fuzz-$seed.yaml: No such file or directory"
finish
