# --resume reruns lost and failed runs, keeps settled ones, and exits with the code of all runs.
# Parts that it says are kept exist.
# label: slow  timeout: 600
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# figures FILE: all simulated figures
figures() {
	"$binary" show "$1" --json | sed '/"host"/,$d'
}

# start ARGUMENT...: runs meshsim in the background
start() {
	env --default-signal=INT "$binary" "$@" >seen 2>seen.err &
	parent=$!
}

# child_behind FILE: waits for a child started after FILE exists; prints its process id
child_behind() {
	child=
	for _ in $(seq 3000); do
		# The list of children has no newline at its end.
		[ ! -e "$1" ] || { read -r child _ <"/proc/$parent/task/$parent/children" || :; } 2>/dev/null
		[ -z "$child" ] || return 0
		kill -0 $parent 2>/dev/null || break
		sleep 0.02
	done
	fail "a run has a child behind $1"
	ended_run
	printf '%s\n%s\n' "$out" "$err"
	finish
}

# ended_run: waits for the background run
ended_run() {
	code=0
	wait $parent || code=$?
	out=$(cat seen)
	err=$(errors_of seen.err)
}

head_of long <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 4096}
  - repeat: 4
    do: [{enqueue_workload: {cores: 4}}, finish]
sweep:
  workload.1.repeat: [4, 20000, 8]
END
meshsim run long.yaml -o good.h5
exits 'a sweep' 0
figures good.h5 >good.json

# ---- a lost run is rerun, and only that ----
start run long.yaml -o lost.h5 -j1
child_behind lost.h5.partial/000000.host
kill -KILL "$child"
ended_run
exits 'a lost run' 1
contains 'a lost run: why' "$err" 'meshsim: run 1: killed from outside: Killed'
contains 'a lost run: how to go on' "$err" \
	'meshsim: lost.h5 lacks 1 of 3 runs; --resume runs it again'
contains 'a lost run: its row' "$out" 'run 1 lost: killed from outside: Killed'
[ -e lost.h5 ] || fail 'a lost run: the others have a result'
before=$(stat -c '%i %Y' lost.h5.partial/000000.h5)
ln lost.h5.partial/000000.h5 first.h5
# Lost again: there are still parts to resume from.
start run long.yaml -o lost.h5 -j1 --resume
child_behind lost.h5.partial/000000.host
kill -TERM "$child"
ended_run
exits 'lost again' 1
contains 'lost again: how to go on' "$err" 'meshsim: lost.h5 lacks 1 of 3 runs'
meshsim run long.yaml -o lost.h5 --resume
exits 'a lost run again' 0
equal 'a lost run again: what is said' "$err" ''
equal 'a lost run again: others are not run again' "$(stat -c '%i %Y' first.h5)" "$before"
figures lost.h5 | cmp - good.json || fail 'a lost run again: the same figures'
[ ! -e lost.h5.partial ] || fail 'a lost run again: nothing is left'
meshsim run long.yaml -o lost.h5 --resume
exits 'nothing to run again' 0
lacks 'nothing to run again' "$out" ' lost: '

# ---- without the kept parts every run is rerun ----
start run long.yaml -o gone.h5 -j1
child_behind gone.h5.partial/000000.host
kill -KILL "$child"
ended_run
rm -r gone.h5.partial
meshsim run long.yaml -o gone.h5 --resume
exits 'parts that are gone' 0
equal 'parts that are gone' "$err" \
	'meshsim: gone.h5 lacks 1 of 3 runs, and no parts are kept: all are run again'
figures gone.h5 | cmp - good.json || fail 'parts that are gone: the same figures'

# ---- the only run: an existing result stays ----
cp good.h5 only.h5
start run long.yaml -o only.h5 --set 'sweep={}' --set workload.1.repeat=20000
child_behind .
kill -KILL "$child"
ended_run
exits 'the only run' 1
equal 'the only run' "$err" 'meshsim: run 0: killed from outside: Killed'
cmp only.h5 good.h5 || fail 'the only run: no result of nothing'
[ ! -e only.h5.partial ] || fail 'the only run: no folder of nothing'

# ---- a limit on CPU time is not reported as lack of memory ----
code=0
(
	ulimit -t 1
	exec "$binary" run long.yaml -o limited.h5 -j1 --set 'sweep={workload.1.repeat: [4, 100000]}'
) >seen 2>seen.err || code=$?
out=
err=$(errors_of seen.err)
exits 'out of CPU time' 1
contains 'out of CPU time' "$err" 'meshsim: run 1: killed, out of CPU time (ulimit -t)'

# ---- a run that failed by its own fault is not rerun, and keeps its exit code ----
sed 's/20000/400/' long.yaml >cut.yaml
printf 'limits: {simulated_ms: 1}\n' >>cut.yaml
meshsim run cut.yaml -o cut.h5
exits 'a run that reaches its limit' 4
cp cut.h5 cut.before
meshsim run cut.yaml -o cut.h5 --resume
exits 'a run that reached its limit' 4
cmp cut.h5 cut.before || fail 'a run that reached its limit: it is not run again'
# The same if only its part exists, since the other run was lost.
start run long.yaml -o half.h5 -j1 --set workload.1.repeat=20000 \
	--set 'sweep={limits.simulated_ms: [1, 100000]}'
child_behind half.h5.partial/000000.host
kill -KILL "$child"
ended_run
exits 'one run reaches its limit, the other is lost' 4
contains 'one run reaches its limit, the other is lost' "$err" 'half.h5 lacks 1 of 2 runs'
meshsim run long.yaml -o half.h5 -j1 --resume --set workload.1.repeat=20000 \
	--set 'sweep={limits.simulated_ms: [1, 100000]}'
exits 'the lost one again: the code of both' 4

# ---- a folder that was removed during the run is not kept ----
start run long.yaml -o removed.h5 -j1
child_behind removed.h5.partial/000000.host
rm -r removed.h5.partial
ended_run
exits 'a folder that is removed' 2
contains 'a folder that is removed: what is kept' "$err" \
	'meshsim: removed.h5.partial was removed meanwhile: no run is kept'
lacks 'a folder that is removed: nothing is said to be kept' "$err" 'keeps'
mkdir below
start run long.yaml -o below/removed.h5 -j1
child_behind below/removed.h5.partial/000000.host
rm -r below
ended_run
exits 'a folder around it that is removed' 2
contains 'a folder around it that is removed' "$err" \
	'meshsim: below/removed.h5.partial was removed meanwhile: no run is kept'
start run long.yaml -o part.h5 -j1
child_behind part.h5.partial/000000.host
rm part.h5.partial/000000.h5
ended_run
exits 'a part that is removed' 2
contains 'a part that is removed: which' "$err" 'meshsim: part.h5.partial/000000.h5 is gone'
contains 'a part that is removed: what is kept' "$err" \
	'meshsim: part.h5.partial keeps 2 of 3 runs; --resume goes on from there'
meshsim run long.yaml -o part.h5 --resume
exits 'a part that was removed' 0
figures part.h5 | cmp - good.json || fail 'a part that was removed: the same figures'

# ---- a target that is no longer writable ----
start run long.yaml -o target.h5 -j1
child_behind target.h5.partial/000000.host
mkdir target.h5
ended_run
exits 'a folder in place of the result' 2
contains 'a folder in place of the result: what is kept' "$err" \
	'meshsim: target.h5.partial keeps 3 of 3 runs; --resume goes on from there'
rmdir target.h5
meshsim run long.yaml -o target.h5 --resume
exits 'a result in its place' 0
figures target.h5 | cmp - good.json || fail 'a result in its place: the same figures'

# ---- seeds for a precision: a killed run continues with the seeds that it had ----
head_of precise <<'END'
workload:
  - repeat: 300
    do: [{enqueue_workload: {cores: 4}}, finish]
sweep: {runtime.host.caller_wait: [spin, park]}
measure: {seeds: 12, precision: 0.0001 %}
END
meshsim run precise.yaml -o precise.h5
exits 'a precision' 0
contains 'a precision: more seeds' "$err" 'precise: 12 seeds for measure.precision'
figures precise.h5 >precise.json
start run precise.yaml -o killed.h5 -j1
for _ in $(seq 3000); do
	grep -q '12 seeds' seen.err && [ -e killed.h5.partial/000002.h5 ] && break
	sleep 0.02
done
kill -KILL $parent
ended_run
[ -e killed.h5.partial ] || fail 'a killed precision leaves parts'
meshsim run precise.yaml -o killed.h5 --resume
exits 'a precision goes on' 0
contains 'a precision goes on: with its seeds' "$err" 'precise: 12 seeds for measure.precision'
figures killed.h5 | cmp - precise.json || fail 'a precision goes on: the same figures'
meshsim run precise.yaml -o killed.h5 --resume
exits 'a precision that is there' 0

# ---- the scenario file is not read again for more seeds ----
code=0
"$binary" run /dev/stdin -o piped.h5 <precise.yaml >seen 2>seen.err || code=$?
out=$(cat seen)
err=$(errors_of seen.err)
exits 'a precision from a pipe' 0

# ---- the merging process is killed: it takes over half a second for 25,000 rounds ----
meshsim run long.yaml -o short.h5 --set 'sweep={workload.1.repeat: [4, 25000, 8]}'
figures short.h5 >short.json
start run long.yaml -o merged.h5 -j1 --set 'sweep={workload.1.repeat: [4, 25000, 8]}'
child_behind merged.h5.partial/merged.h5
kill -KILL "$child"
ended_run
exits 'merging is killed' 1
equal 'merging is killed' "$err" 'meshsim: merging the runs was killed from outside: Killed
meshsim: merged.h5.partial keeps 3 of 3 runs; --resume goes on from there'
[ ! -e merged.h5 ] || fail 'merging is killed: no result'
meshsim run long.yaml -o merged.h5 --resume --set 'sweep={workload.1.repeat: [4, 25000, 8]}'
exits 'merging again' 0
equal 'merging again' "$err" ''
figures merged.h5 | cmp - short.json || fail 'merging again: the same figures'
finish
