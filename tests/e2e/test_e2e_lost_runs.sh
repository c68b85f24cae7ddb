# A failing run of a sweep does not affect other runs: invalid and killed ones have a row with the
# reason. After a full disk, finished parts are kept and --resume continues; damaged parts are
# rerun.
# label: full  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

head_of sweep <<'END'
workload:
  - write_buffer: {buffer: a, bytes: 4096}
  - repeat: 4
    do: [{enqueue_workload: {cores: 4}}, finish]
sweep:
  workload.1.repeat: [4, 8, 600]
  runtime.completion: [table, per-device]
END

# figures FILE: all simulated figures
figures() {
	"$binary" show "$1" --json | sed '/"host"/,$d'
}

# limited BLOCKS ARGUMENT...: runs meshsim with a file size limit of so many blocks of 512 bytes
limited() {
	blocks=$1
	shift
	code=0
	(
		trap '' XFSZ
		ulimit -f "$blocks"
		exec "$binary" "$@"
	) >limited.out 2>limited.err || code=$?
	out=$(cat limited.out)
	err=$(errors_of limited.err)
	rm -f limited.out limited.err
}

# ---- an invalid run: a trace that does not fit, which only running it shows ----
head_of refused <<'END'
workload:
  - trace: 4
    do: [{enqueue_workload: {cores: 4}}]
  - finish
sweep:
  runtime.sizes.trace_region_bytes: [8192, 64, 16384]
  runtime.completion: [table, per-device]
END
meshsim run refused.yaml -o refused.h5
exits 'a sweep with refused runs' 2
contains 'a refused run: its place' "$err" 'refused.yaml:5:5: error: '
contains 'a refused run: its values' "$err" \
	'meshsim: run 3 (runtime.sizes.trace_region_bytes=64, runtime.completion=per-device): refused'
contains 'the path of the result' "$out" 'refused.h5'
[ ! -e refused.h5.partial ] || fail 'a refused run leaves no parts behind'
meshsim show refused.h5 --json
equal 'runs that were not refused' "$(printf '%s' "$out" | grep -c '"status": "ok"')" 4
equal 'runs that were' "$(printf '%s' "$out" | grep -c '"status": "refused"')" 2
meshsim run refused.yaml -o none.h5 --set 'sweep={runtime.sizes.trace_region_bytes: [64]}'
exits 'nothing but refused runs' 2
[ ! -e none.h5 ] && [ ! -e none.h5.partial ] || fail 'nothing but refused runs leave nothing'
equal 'nothing but refused runs' "$out" ''

# ---- a run that is killed from outside ----
# kill_run SIGNAL: sends it to the first run of killed.yaml as soon as that simulates; meshsim
# follows
kill_run() {
	rm -f killed.h5
	env --default-signal=INT "$binary" run killed.yaml -o killed.h5 -j1 >seen 2>seen.err &
	parent=$!
	child=
	while [ -z "$child" ] && kill -0 $parent 2>/dev/null; do
		child=$(cat /proc/$parent/task/$parent/children)
	done
	child=${child% }
	while [ "$(cut -d ' ' -f 14 "/proc/$child/stat")" -lt 20 ]; do sleep 0.1; done
	[ -n "$child" ] && kill -"$1" $child || fail "a run has a process"
	code=0
	wait $parent || code=$?
	out=$(cat seen)
	err=$(errors_of seen.err)
}

sed 's/\[4, 8, 600\]/[300000, 4]/; s/\[table, per-device\]/[table]/' sweep.yaml >killed.yaml
while IFS='|' read -r signal why; do
	kill_run "$signal"
	exits "a run killed by $signal" 1
	equal "a run killed by $signal" "$err" "meshsim: run 0: $why
meshsim: killed.h5 lacks 1 of 2 runs; --resume runs it again"
	contains "a run killed by $signal has a row" "$out" "run 0 lost: $why"
done <<'END'
INT|killed from outside: Interrupt
TERM|killed from outside: Terminated
XCPU|killed, out of CPU time (ulimit -t)
KILL|killed from outside: Killed
END
meshsim show killed.h5 --json
equal 'the other run' "$(printf '%s' "$out" | grep -c '"status": "ok"')" 1

# ---- a full disk while a run writes its part ----
meshsim run sweep.yaml -o good.h5
exits 'a sweep' 0
figures good.h5 >good.json
limited 400 run sweep.yaml -o part.h5 -j1
exits 'a part too large' 2
contains 'a part too large: the file' "$err" 'cannot write part.h5.partial/000004.h5: File too large'
contains 'a part too large: the run' "$err" \
	'meshsim: run 4 (workload.1.repeat=600, runtime.completion=table): its files cannot be written'
contains 'a part too large: what is kept' "$err" \
	'meshsim: part.h5.partial keeps 4 of 6 runs; --resume goes on from there'
[ ! -e part.h5 ] || fail 'a part too large: no result'
first=$(stat -c '%i %Y' part.h5.partial/000000.h5)
ln part.h5.partial/000000.h5 first.h5
meshsim run sweep.yaml -o part.h5 --resume
exits 'room again' 0
equal 'room again: kept parts are not run again' "$(stat -c '%i %Y' first.h5)" "$first"
figures part.h5 | cmp - good.json || fail 'room again: the same figures'
[ ! -e part.h5.partial ] || fail 'room again: nothing is left'

# ---- a full disk while the parts are merged ----
# The largest part fits, but not all together.
largest=$(($(wc -c <good.h5) / 512 * 2 / 3))
cp refused.h5 merged.h5
limited $largest run sweep.yaml -o merged.h5
exits 'a merge too large' 2
equal 'a merge too large' "$err" 'meshsim: cannot write merged.h5: File too large
meshsim: merged.h5.partial keeps 6 of 6 runs; --resume goes on from there'
cmp merged.h5 refused.h5 || fail 'a merge too large: the old file is whole'
cp -r merged.h5.partial kept
meshsim run sweep.yaml -o merged.h5 --resume
exits 'a merge with room' 0
equal 'a merge with room' "$err" ''
figures merged.h5 | cmp - good.json || fail 'a merge with room: the same figures'

# ---- damaged parts ----
# resume WHAT RUN...: resumes from the folder `kept`, as changed in resumed.h5.partial
resume() {
	what=$1
	shift
	meshsim run sweep.yaml -o resumed.h5 --resume
	exits "$what" 0
	for run; do
		contains "$what: is said" "$err" \
			"resumed.h5.partial/00000$run.h5 is damaged or of another run: run $run is run again"
	done
	equal "$what: that is all" "$(printf '%s' "$err" | grep -c '')" $#
	figures resumed.h5 | cmp - good.json || fail "$what: the same figures"
	rm resumed.h5
}
cp -r kept resumed.h5.partial
printf '\377' | dd of=resumed.h5.partial/000002.h5 bs=1 seek=3000 conv=notrunc status=none
resume 'a damaged part' 2
cp -r kept resumed.h5.partial
head -c 5000 kept/000001.h5 >resumed.h5.partial/000001.h5
resume 'half a part' 1
cp -r kept resumed.h5.partial
cp kept/000000.h5 resumed.h5.partial/000001.h5
cp kept/000001.h5 resumed.h5.partial/000000.h5
resume 'exchanged parts' 0 1

# ---- names that lead elsewhere, or that would control the terminal when their file is named ----
mkdir folder
for name in ../escaped escaped/here /escaped .hidden 'a\u001b[31m' 'a\u009b31m' '\u202e5h.exe'; do
	printf '%s\n' 'meshsim: 1' "name: \"$name\"" >named.yaml
	sed 1,2d sweep.yaml >>named.yaml
	meshsim run named.yaml -o folder
	exits "name $name" 2
	contains "name $name: its place" "$err" 'named.yaml:2:7: error: '
done
[ -z "$(ls -A folder)" ] && [ ! -e escaped.h5 ] || fail 'nothing is written for a name that leads elsewhere'
# ---- a memory limit is not reported as our bug: from too little for the start to enough ----
ends=
for kib in 30000 52000 56000 58000 60000 66000 70000 80000 300000; do
	(
		ulimit -v $kib
		exec "$binary" run sweep.yaml -o memory.h5 -j 1
	) >memory.out 2>&1
	ends="$ends $?"
done
for end in $ends; do
	case $end in
	0 | 1 | 71) ;;
	*) fail "ulimit -v: exit codes$ends, expected 0, 1 or 71" ;;
	esac
done
contains 'with a little memory runs are lost' "$ends" ' 1'
contains 'with enough they are not' "$ends" ' 0'
finish
