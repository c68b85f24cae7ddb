# A host whose process is stopped is named on standard error while the run continues (limits.silent_s),
# and ends the run with exit code 4 and its name (limits.lost_s). A host that continues in time costs
# nothing. A killed helper process of a library is not reported as a bug of meshsim. No process is left
# over. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"

cat >long.yaml <<'EOF2'
meshsim: 1
name: long
platform: loopback
limits: {wall_s: 60, silent_s: 1, lost_s: 4}
runtime: {mesh: {shape: [2, 1]}}
workload:
  - repeat: 100000
    do: [{enqueue_workload: {runtime_args: 4}}, finish]
EOF2
# starts TRANSPORT SET...: sets $run to its process, $host to host 1's and $all to all of them
starts() {
	transport=$1
	shift
	rm -rf long.h5*
	"$binary" run long.yaml -o long.h5 --world native --set "runtime.distributed.transport=$transport" \
		"$@" >out 2>err &
	run=$!
	host=$(executor_of "$run" host-1)
	sleep 2
	all="$run $(processes_below "$run")"
}
# ends WHAT CODE TEXT: expects this exit code and error
ends() {
	code=0
	wait "$run" || code=$?
	equal "$1: exit code" "$code" "$2"
	contains "$1: what happened" "$(cat err)" "$3"
	lacks "$1: no bug of ours" "$(cat err out)" 'a bug of meshsim'
	# shellcheck disable=SC2086
	all_gone $all
}
for transport in unix zeromq; do
	starts $transport
	kill -STOP "$host"
	sleep 3
	contains "$transport: said while it runs" "$(cat err)" \
		"run 0: host-1 has not answered for 1 s: process $host is stopped"
	ends "$transport: a host that stays stopped" 4 \
		"host-1 has not answered for 4 s (limits.lost_s): process $host is stopped"
done
starts unix --set limits.wall_s=10 --set limits.lost_s=0
kill -STOP "$host"
sleep 3
kill -CONT "$host"
ends 'a host that goes on again' 4 'given up after 10 s (limits.wall_s)'
if "$binary" list | grep -q '^    mpi .*Open MPI' && ! "$binary" list | grep -A2 '^    mpi ' | grep -q 'not in this build'; then
	starts mpi
	for process in $(processes_below "$run"); do
		tr '\0' ' ' <"/proc/$process/cmdline" | grep -q '^orted' && helper=$process
	done
	kill -KILL "${helper:?no orted}"
	ends 'a helper of a library that is killed' 1 'a library that it uses'
fi
finish
