# Three executors that are commands of their own register at a controller by address and port, and
# leave the same data, work and marks as three that are forked (spec 4.2.3). They get their hosts by
# number, or any that is free; a command may start them; over every library that leaves a machine.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

# marks_of FILE: how many operations of each kind have each metric, and whether it is above zero
marks_of() {
	"$binary" show "$1" --json | /usr/bin/python3 -c '
import json, sys
for run in json.load(sys.stdin)["runs"]:
    for kind, row in sorted(run["operations"].items()):
        for metric, value in sorted(row.items()):
            if isinstance(value, dict) and "p50" in value:
                print(kind, metric, value["p50"] > 0)
'
}

three_hosts own 3
meshsim run own.yaml -o forked.h5 --world native
exits 'forked' 0
work_of forked.h5 >forked.work
marks_of forked.h5 >forked.marks

listens own
joins 2 own
joins 0 own
registered 0 2
"$binary" executor own.yaml --controller "$at" --token token 2>any.err &
any=$!
ends "$run" 0 'three commands'
ends "$executor_0" 0 'the executor of host 0'
ends "$executor_2" 0 'the executor of host 2'
ends "$any" 0 'an executor of any host'
equal 'it says where it is' "$(cat 2.err)" "meshsim: registered at $at as host-2 of run 0"
equal 'any host is the one that is free' "$(cat any.err)" \
	"meshsim: registered at $at as host-1 of run 0"
work_of own.h5 >own.work
marks_of own.h5 >own.marks
equal 'the same data verified, the same work' "$(cat own.work)" "$(cat forked.work)"
equal 'data were verified' "$(sed -n 's/^ok verified //p' own.work)" 18
equal 'executors have marked the same points' "$(cat own.marks)" "$(cat forked.marks)"
equal 'launches have reached devices' "$(grep -c '^enqueue_workload .* True' own.marks | tr 0 -)" \
	"$(grep -c '^enqueue_workload .* True' forked.marks)"
meshsim show own.h5
contains 'their CPU time is among the threads' "$out" 'process host-2'

meshsim run own.yaml -o logs.h5 --world native --listen 127.0.0.1:0 --token token --set measure.log.distributed=debug \
	--start "$(starter own --set measure.log.distributed=debug)"
exits 'executors that log' 0
meshsim show logs.h5 --log --wide
for host in 0 1 2; do
	printf '%s\n' "$out" | grep -q ", host $host, .*executed ENQUEUE_PROGRAM" || fail "no log line of host $host"
done

for transport in tcp zeromq nng grpc; do
	"$binary" list | grep -A2 "^    $transport " | grep -q 'not in this build' && continue
	meshsim run own.yaml -o "$transport.h5" --world native --listen 127.0.0.1:0 --token token \
		--set "runtime.distributed.transport=$transport" --start "$(starter own --set "runtime.distributed.transport=$transport")"
	exits "$transport: started by a command" 0
	work_of "$transport.h5" >"$transport.work"
	equal "$transport: the same" "$(cat "$transport.work")" "$(cat forked.work)"
done

# a sweep: the same three commands serve its two runs, which are at one address one after the other
listen=127.0.0.1:$(/usr/bin/python3 -c '
import socket
free = socket.create_server(("127.0.0.1", 0))
print(free.getsockname()[1])')
sed 's/^workload:/sweep: {runtime.distributed.window: [8, 64]}\n&/' own.yaml >sweep.yaml
listens sweep
joins 0 sweep
joins 1 sweep
joins 2 sweep
ends "$run" 0 'a sweep of two runs'
ends "$executor_1" 0 'an executor of two runs'
equal 'it was in both' "$(sed -n 's/.*as host-1 of //p' 1.err | sort)" "$(printf 'run 0\nrun 1')"
finish
