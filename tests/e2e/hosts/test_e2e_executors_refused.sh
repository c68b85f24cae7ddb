# Executors that are commands of their own, and go wrong: strangers, other scenarios, other versions,
# hosts that are taken or do not exist, dead and silent ones, a dead controller. All is said at both
# ends, with exit codes, and nothing hangs or is left behind.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

three_hosts own 3
three_hosts endless 100000 'silent_s: 1, lost_s: 2'
head -c 32 /dev/urandom | base64 >other.token
chmod 600 other.token

# refused WHAT HOST TEXT ARGUMENT...: an executor that must be refused
refused() {
	what=$1 host=$2 text=$3
	shift 3
	meshsim executor "$@" --controller "$at" --host "$host"
	exits "$what" 1
	contains "$what" "$err" "$text"
}

listens own --wait 20
refused 'another token' 0 "has another token, or is no meshsim of this version" own.yaml --token other.token
refused 'other options' 0 'it has read another scenario, or other options (--set, --seed)' own.yaml \
	--token token --set runtime.distributed.window=7
other_version other
known=$binary
binary=$work/other
MESHSIM_PLATFORMS=$source_directory/platforms
export MESHSIM_PLATFORMS
refused 'another version' 0 '~, and the controller is meshsim ' own.yaml --token token
binary=$known
joins 1 own
registered 1
refused 'a host that is taken' 1 'host 1 has an executor, ' own.yaml --token token
contains 'the controller says it, too' "$(cat run.err)" \
	'it has read another scenario, or other options (--set, --seed)'
# one that dies before the run makes room for another
kill -KILL $(cat "/proc/$executor_1/task/$executor_1/children")
ends "$executor_1" 1 'an executor that is killed early'
contains 'its command says so' "$(cat 1.err)" 'the executor was killed'
printf 'GET / HTTP/1.1\r\n\r\n' | /usr/bin/python3 -c '
import socket, sys
address, port = sys.argv[1].split(":")
stranger = socket.create_connection((address, int(port)))
stranger.sendall(sys.stdin.buffer.read() + bytes(40))
try:
    print(len(stranger.recv(100)))
except ConnectionResetError:
    print(0)' "$at" >stranger.out
equal 'a stranger is told nothing' "$(cat stranger.out)" 0
joins 0 own
joins 1 own
joins 2 own
ends "$run" 0 'in spite of all that'
contains 'what has left' "$(cat run.err)" 'of host-1 has left'
ends "$executor_1" 0 'the second executor of host 1'

listens own --wait 1
joins 0 own
ends "$run" 1 'two are missing'
contains 'they are named' "$(cat run.err)" 'no executor of host-1, host-2 within 1 s'
ends "$executor_0" 1 'an executor whose run does not begin'
contains 'it says why' "$(cat 0.err)" 'the controller has closed its connection'
meshsim executor own.yaml --controller "$at" --token token --wait 1
exits 'no controller' 1
contains 'no controller: said' "$err" "no controller at $at within 1 s"

# starts_endless: three executors, of which the last is at work in $child
starts_endless() {
	listens endless
	joins 0 endless
	joins 1 endless
	joins 2 endless
	registered 0 1 2
	sleep 0.5
	child=$(cat "/proc/$executor_2/task/$executor_2/children")
	all="$run $executor_0 $executor_1 $executor_2 $(processes_below "$executor_0") $(processes_below "$run")"
}
starts_endless
kill -KILL $child
ends "$run" 1 'a dead executor'
contains 'it is named' "$(cat run.err)" 'of host-2 is lost: its connection has ended'
lacks 'no bug of ours' "$(cat run.err)" 'a bug of meshsim'
ends "$executor_0" 1 'its neighbour'
all_gone $all

starts_endless
kill -STOP $child
ends "$run" 4 'a silent executor'
contains 'it is named while the run goes on' "$(cat run.err)" 'host-2 has not answered for 1 s: its executor'
contains 'and at the end' "$(cat run.err)" 'host-2 has not answered for 2 s (limits.lost_s): its executor'
kill -KILL $child
all_gone $all

starts_endless
for below in $(processes_below "$run"); do kill -KILL "$below"; done
ends "$executor_2" 1 'a dead controller'
contains 'its executor says so' "$(cat 2.err)" 'the controller has closed its connection'
ends "$run" 1 'the command of a dead controller'
all_gone $all

meshsim run own.yaml -o own.h5 --world native --listen 127.0.0.1:0 --token token --start 'exit 3'
exits 'a command that fails' 1
contains 'it is named' "$err" ' failed (--start) with exit code 3'
finish
