# Native runs on several hosts agree with simulated ones, over every transport and codec of this build and with
# every other choice of communication. They end in time if a host dies, is silent or is left alone.
# label: slow  timeout: 1200  long: 1200
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
TMPDIR=$work
export TMPDIR
small_hosts hosts

# rows KEY: rows of one part of `list` in this build
rows() {
	"$binary" list --json | /usr/bin/python3 -c '
import json
import sys
for row in json.load(sys.stdin):
    if row["key"] == sys.argv[1] and "apt install" not in row["resources"]:
        print(row["name"])
' "$1"
}

# agrees SET: one more choice, in both worlds; with --set NATIVE only in the native one
agrees() {
	meshsim run hosts.yaml -o sim.h5 --set "$1"
	exits "simulated, $1" 0
	work_of sim.h5 >sim.work
	over "$1" unix
}
# over SET TRANSPORT: natively, compared with sim.work
over() {
	meshsim run hosts.yaml -o native.h5 --world native --set "$1" --set runtime.distributed.transport="$2"
	exits "$2, $1" 0
	equal "$2, $1: nothing is said" "$err" ''
	work_of native.h5 >native.work
	equal "$2, $1: the same work" "$(cat native.work)" "$(cat sim.work)"
}

meshsim run hosts.yaml -o sim.h5
work_of sim.h5 >sim.work
rows transport >transports
contains 'transports are listed' "$(cat transports)" tcp
while read -r transport; do
	over seed=1 "$transport" </dev/null
done <transports
rows serialization >codecs
contains 'codecs are listed' "$(cat codecs)" packed
while read -r codec; do
	agrees "runtime.distributed.codec=$codec" </dev/null
done <codecs
# a third of the other choices; all of them in a long test
choices='resolution=executors pipeline=main wait=spin'
[ -z "${MESHSIM_LONG:-}" ] || choices="$choices resolution=controller pipeline=pair executor_threads=true
	message_bytes=4096 window=1 wait=park completion_reader=thread"
for set in $choices; do
	agrees "runtime.distributed.$set"
done
agrees platform.hosts.count=4
sed -i 's/galaxy-x2,/& hosts: {count: 3},/; s/^runtime: {/&mesh: {shape: [4, 2]}, /' hosts.yaml
agrees seed=2 # the third host has no part in it

# ---- a sweep, several at a time ----
meshsim run hosts.yaml -o sweep.h5 --world native -j 3 --set 'sweep={runtime.distributed.transport: [unix, tcp, rdma]}'
exits 'a row that is simulated only' 2
contains 'a row that is simulated only' "$err" "transport 'rdma' is simulated only"
meshsim run hosts.yaml -o sweep.h5 --world native -j 3 \
	--set 'sweep={runtime.distributed.transport: [unix, tcp], runtime.distributed.codec: [packed, msgpack]}'
exits 'a sweep' 0
equal 'a sweep: all its runs' "$("$binary" show sweep.h5 --json | grep -c '"status": "ok"')" 4
for command in "explain sweep.h5 0 1" "report sweep.h5 -o sweep.html" "compare sweep.h5" "timeline sweep.h5 0 -o t.pftrace"; do
	# shellcheck disable=SC2086
	meshsim $command
	exits "$command" 0
done

# ---- ends ----
cat >long.yaml <<'EOF2'
meshsim: 1
name: long
platform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}
limits: {wall_s: 8}
workload:
  - repeat: 100000
    do: [{enqueue_workload: {runtime_args: 4}}, finish]
EOF2
# starts TRANSPORT [ARGUMENT...]: starts the long scenario; sets $run to its process, $all to all processes, and $host
# to host 1's
starts() {
	rm -rf long.h5*
	"$binary" run long.yaml -o long.h5 --world native --set runtime.distributed.transport="$@" >out 2>err &
	run=$!
	host=$(executor_of "$run" host-1)
	all="$run $(processes_below "$run")"
	sleep 0.3
}
# ends WHAT CODE TEXT: it ends by itself, with this code and error
ends() {
	code=0
	wait "$run" || code=$?
	equal "$1: exit code" "$code" "$2"
	contains "$1: who it was" "$(cat err)" "$3"
	# shellcheck disable=SC2086
	all_gone $all
}
while read -r transport; do
	starts "$transport" </dev/null
	kill -KILL "$host"
	ends "$transport: a host that is killed" 1 'host-1 was ended by signal 9'
	[ ! -e long.h5 ] && [ ! -e long.h5.partial ] || fail "$transport: nothing but a lost run leaves something"
	starts "$transport" </dev/null
	kill -KILL "$run"
	wait "$run" 2>/dev/null
	# shellcheck disable=SC2086
	all_gone $all
done <transports
# Output of other processes after the run's own last line does not replace its reason.
starts unix
below=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$host/status")
exec 9>"/proc/$below/fd/2"
kill -KILL "$host"
while grep -q '^State:.[^ZX]' "/proc/$below/status" 2>/dev/null; do sleep 0.1; done
echo '[host:1] noise of a daemon' >&9
exec 9>&-
ends 'noise behind the end' 1 'noise of a daemon'
contains 'noise behind the end: the reason' "$(cat err)" 'meshsim: run 0: host-1 was ended by signal 9'
starts unix
kill -ABRT "$host"
ends 'a host that crashes' 70 'host-1 was ended by signal 6'
starts unix
kill -STOP "$host"
ends 'a host that is silent' 4 'no answer from host host-1'
# A machine that sleeps for longer than reply_ns: its hosts could not answer during that time.
starts unix --set runtime.distributed.reply_ns=1000000000
# shellcheck disable=SC2086
kill -STOP $all
sleep 2.5
# shellcheck disable=SC2086
kill -CONT $all
sleep 0.5
kill -KILL "$host"
ends 'a machine that slept' 1 'host-1 was ended by signal 9'
equal 'no socket is left, and no folder' "$(ls -d meshsim-hosts-* 2>/dev/null)" ''
finish
