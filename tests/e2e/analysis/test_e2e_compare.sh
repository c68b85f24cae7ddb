# Verdicts on real runs: additional runs locate a planted crossover, a planted fragile winner is
# called fragile, equal designs are undecided; label: slow
# timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

base() {
	cat <<'END'
meshsim: 1
name: planted
platform: tgg
runtime:
  mesh: {shape: [4, 4], offset: [0, 0]}
  command_queues: 1
  completion: table
  host: {threads: main}
workload:
  - repeat: 6
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 2048, runtime_args: 4, run_ns: 1000}
      - finish
model: {noise: "off"}
measure: {warmup: 2}
END
}

# planted NAME SWEEP [OPTION...]: runs the base scenario with that sweep into NAME.h5
planted() {
	planted=$1
	{
		base
		printf 'sweep:\n%s\n' "$2"
	} >"$planted.yaml"
	shift 2
	meshsim run "$planted.yaml" "$@" -o "$planted.h5"
	exits "run $planted" 0
}

# look EXPRESSION: prints it; `q` is the first question
look() {
	printf '%s' "$out" >seen.json
	python3 -c "import json; d = json.load(open('seen.json')); q = d['questions'][0]; print($1)"
}

# The packetizer's cost per segment decides between unicast and broadcast.
planted cross '  runtime.forward.path: [unicast, broadcast]
  platform.firmware.packetizer_segment.value: [100, 100000]'
mkdir runs
TMPDIR=$PWD/runs
export TMPDIR
meshsim compare cross.h5 --refine --json
equal "no folder is left" "$(ls runs)" ""
exits "compare --refine" 0
equal "broadcast wins below, unicast above" \
	"$(look "[[c['below'], c['above'], c['refined']] for c in q['crossovers']]")" \
	"[['broadcast', 'unicast', True]]"
equal "known to 2 %" "$(look "[c['high'] - c['low'] <= 0.02 * c['at'] for c in q['crossovers']]")" \
	"[True]"
at=$(look "round(q['crossovers'][0]['at'])")

# Just below and just above the crossover, different designs must win.
for factor in 0.98 1.02; do
	value=$(python3 -c "print(round($at * $factor))")
	meshsim run cross.yaml --set "platform.firmware.packetizer_segment.value=$value" -o beside.h5
	meshsim compare beside.h5 --json
	equal "at $factor of the crossover" \
		"$(look "q['contexts'][0]['ranking'][0]['option']")" \
		"$(python3 -c "print('broadcast' if $factor < 1 else 'unicast')")"
done

# Above it by more than the model's error, unicast wins, unless the packetizer costs 30 % less.
value=$(python3 -c "print($at + 720)")
meshsim run cross.yaml --set "platform.firmware.packetizer_segment.value=$value" -o fragile.h5
meshsim compare fragile.h5 --robust --json
exits "compare --robust" 0
equal "fragile" "$(look "q['outcome'], q['winner']")" "fragile None"
contains "what breaks it" "$(look "q['robust']['breaks']")" "broadcast -30 %"
equal "runs were made in pairs" "$(look "q['robust']['runs'] % 2, q['robust']['failed']")" "0 0"

# A network that needs more events than the limit is named with the reason.
{
	base | sed 's/tgg/n300/; /mesh:/d'
	printf 'limits: {events: 5000}\n'
	printf 'sweep:\n  runtime.completion: [table, aggregator]\n'
} >limited.yaml
meshsim run limited.yaml -o limited.h5
exits "run with a limit" 0
export ASAN_OPTIONS=log_path=asan # otherwise its warning (errors_of) would come first
meshsim compare limited.h5 --robust
unset ASAN_OPTIONS
contains "what could not run" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
	"1 could not run: network fluid, table: given up after 5000 events (limits.events)"

# Shapes are bisected by rows.
planted shapes '  runtime.forward.path: [unicast, broadcast]
  runtime.mesh.shape: [[1, 8], [8, 8]]' --set platform.firmware.packetizer_segment.value=6000
meshsim compare shapes.h5 --refine --json
equal "between neighbouring shapes" \
	"$(look "[[c['below'], c['above'], c['refined'], c['high'] - c['low']] for c in q['crossovers']]")" \
	"[['unicast', 'broadcast', True, 8]]"

# A key of only one path gets a question of its own, and does not affect the question about paths.
planted parts '  runtime.forward: [{path: unicast}, {path: broadcast, initiators: 1}, {path: broadcast, initiators: 2}]'
meshsim compare parts.h5 --json
equal "questions" "$(look "[q['question'] for q in d['questions']]")" \
	"['runtime.forward.path', 'runtime.forward.initiators']"
equal "options of the part" \
	"$(look "sorted(r['option'] for r in d['questions'][1]['contexts'][0]['ranking'])")" "['1', '2']"
equal "the best part is taken" \
	"$(look "len(q['contexts']), len(q['contexts'][0]['ranking'])")" "1 2"
meshsim compare parts.h5 --json --by path,initiators --by initiators
equal "one question about two keys, one about one" \
	"$(look "[len(q['contexts'][0]['ranking']) for q in d['questions']]")" "[3, 2]"

# The number of host cores has no effect on a run with one thread.
planted equal '  platform.host.cores_per_socket: [48, 32]'
meshsim compare equal.h5
exits "compare" 0
contains "equal designs" "$out" "undecided: 48 and 32 are equal"
finish
