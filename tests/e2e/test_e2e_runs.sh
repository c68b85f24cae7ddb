# The interface of `meshsim run` around the simulation: exit codes, options, files, and output.
# label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
scenarios=$source_directory/scenarios

head_of small <<'END'
workload:
  - repeat: 3
    do: [{enqueue_workload: {cores: 4}}]
  - finish
END

# ---- the file format of the documentation ----
meshsim run "$source_directory/tests/e2e/example.yaml" -o example.h5
exits "the documented example" 0
equal "the documented example: runs" "$(meshsim show example.h5 --json && printf '%s' "$out" |
	grep -c '"status": "ok"')" 8
rm example.h5

# ---- names of results ----
meshsim run small.yaml
exits "a small run" 0
contains "a small run ends with the path" "$out" "small.h5"
equal "standard error of a good run" "$err" ""
meshsim run small.yaml "$scenarios/quickstart.yaml" -o .
exits "two scenarios into a directory" 0
[ -f quickstart.h5 ] || fail "quickstart.h5 is there"
meshsim run small.yaml small.yaml -o one.h5
exits "two scenarios into one file" 2
contains "two scenarios into one file" "$err" "must name a directory"
cp small.yaml copy.yaml
meshsim run small.yaml -o copy.yaml
exits "a result over a scenario" 2
equal "a result over a scenario" "$err" "meshsim: will not replace copy.yaml: it is no result file of meshsim"
cmp -s small.yaml copy.yaml || fail "the scenario is whole"
meshsim run small.yaml -o none/x.h5
exits "unwritable output" 2
equal "unwritable output" "$err" "meshsim: cannot write none/x.h5: No such file or directory"
meshsim run small.yaml -o .
rm -f -- *.h5

# ---- data that are not simulated ----
head_of elided <<'END'
workload:
  - write_buffer: {buffer: large, bytes: 1048576}
  - write_buffer: {buffer: small, bytes: 2048}
  - read_buffer: {buffer: large}
  - read_buffer: {buffer: small, blocking: true}
  - finish
model: {noise: off}
END
meshsim run elided.yaml -o real.h5
contains "real data are compared" "$(meshsim show real.h5 --json && printf '%s' "$out")" '"verified": 2'
meshsim run elided.yaml -o elided.h5 --set model.elide_above_bytes=2048
exits "a read of elided data" 0
contains "a read of elided data" "$err" "elided.yaml:7:27: warning: buffer 'large' is read but not compared"
contains "only real data are compared" "$(meshsim show elided.h5 --json && printf '%s' "$out")" '"verified": 1'
meshsim run elided.yaml -o elided.h5 --set model.elide_above_bytes=-1
exits "a limit below nothing" 2
rm real.h5 elided.h5

# ---- stalls and limits ----
head_of stall <<'END'
runtime: {command_queues: 2}
workload:
  - wait_event: {event: never}
  - finish
seeds: [1, 2]
END
meshsim run stall.yaml
exits "a wait without a record" 4
contains "a wait without a record: warning" "$err" "stall.yaml:6:25: warning: no step records event 'never'"
contains "a wait without a record: run" "$err" "run 1: stalled at "
contains "a wait without a record: host" "$err" "main waits for an event"
contains "a wait without a record: stage" "$err" "dispatcher on chip 0"
contains "a wait without a record: what for" "$err" "an event of a command queue"
[ -f stall.h5 ] || fail "the stalled run has a result file"
[ ! -e stall.h5.partial ] || fail "nothing else is left"
meshsim show stall.h5
exits "show of a stalled run" 0
contains "show of a stalled run" "$out" "stalled"
for wait in '{event: never}' '{event: never, host: true}'; do
	meshsim run stall.yaml --set runtime.command_queues=1 --set "workload.0.wait_event=$wait"
	exits "the only queue waits in vain: $wait" 4
	contains "the only queue waits in vain: $wait" "$err" "run 1: stalled at "
done
contains "the host waits in vain" "$err" "main waits for an event"
meshsim run small.yaml --set limits.events=50
exits "a bound on events" 4
contains "a bound on events" "$err" "given up after 50 events (limits.events)"
meshsim run small.yaml --set workload.0.repeat=900000 --set limits.wall_s=1
exits "a bound on real time" 4
contains "a bound on real time" "$err" "given up after 1 s (limits.wall_s)"

# ---- options ----
meshsim run small.yaml --set model.noise=off --seed 7
exits "--set and --seed" 0
meshsim run small.yaml --set model.nois=off
exits "--set of an unknown key" 2
contains "--set of an unknown key" "$err" "unknown key 'nois', did you mean 'noise'?"
meshsim run small.yaml --set seed=x
exits "--set of a wrong type" 2
contains "--set of a wrong type" "$err" "--set seed:1:6: error: 'seed': expected an integer"
meshsim run small.yaml --set seed
exits "--set without a value" 2
contains "--set without a value" "$err" "expected KEY=VALUE"
meshsim run "$scenarios/tgg-broadcast-grid.yaml" --set runtime.forward.path=unicast
exits "--set beside a swept map" 2
contains "--set beside a swept map" "$err" "would have no effect: the sweep of 'runtime.forward'"
meshsim run small.yaml -j 0
exits "-j 0" 2
meshsim run small.yaml --world sun
exits "--world sun" 2
meshsim run
exits "run without a scenario" 2
contains "run without a scenario" "$err" "no scenario given"
meshsim rnu
exits "an unknown command" 2
contains "an unknown command" "$err" "unknown command 'rnu', did you mean 'run'?"

# ---- resume ----
meshsim run small.yaml -o r.h5
meshsim run small.yaml -o r.h5 --resume
exits "resume of what is complete" 0
meshsim run small.yaml -o r.h5 --resume --seed 9
exits "resume of something else" 2
contains "resume of something else" "$err" "cannot resume: r.h5 holds another scenario"

# ---- sweeps over anything ----
meshsim run small.yaml --set 'sweep={platform.host.wake_hot: [1000, 5000], platform: [n150]}'
exits "a sweep over a key and the one above it" 2
meshsim run small.yaml --set 'sweep={platform: [n150, n300], workload.0.repeat: [1, 2, 3]}' --json
exits "a sweep over platform and steps" 0
equal "a sweep over platform and steps: runs" "$(printf '%s' "$out" | grep -c '"status": "ok"')" 6

# ---- the other world ----
meshsim run "$scenarios/quickstart.yaml" --world native -o n.h5
exits "the native world" 0
contains "the native world is labelled" "$out" "native"

# ---- other commands ----
meshsim --version
exits "--version" 0
contains "--version says how it was built" "$out" "built as "
meshsim --help
exits "--help" 0
for command in run show list schema platform; do
	contains "--help names $command" "$out" "  $command "
	meshsim $command --help
	exits "$command --help" 0
	meshsim --help
done
meshsim list
exits "list" 0
contains "list: forward paths" "$out" "broadcast"
contains "list: completion" "$out" "per-device"
contains "list: sections" "$out" "3.8.7.1"
contains "list: platforms" "$out" "mesh-32x32"
meshsim platform show tgg
exits "platform show" 0
contains "platform show: kinds" "$out" "published"
meshsim platform show nowhere
exits "platform show of nothing" 2
meshsim platform shw tgg
exits "platform with another verb" 2
if command -v python3 >/dev/null; then
	for command in "list --json" "schema" "schema platform" "platform show t3k --json" \
		"show r.h5 --json"; do
		# shellcheck disable=SC2086 # words
		meshsim $command
		printf '%s' "$out" | python3 -c 'import json, sys; json.load(sys.stdin)' ||
			fail "$command prints JSON"
	done
fi
meshsim show small.yaml
exits "show of no result" 2

finish
