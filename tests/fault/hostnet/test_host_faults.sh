# Faults of a host set with a scenario's `model.fault`: a run that survives is good; one that does not ends
# with exit code 4 and names the host in time; executors always end. Rejected with their place: impossible
# faults, and faults that the run did not reach. label: slow  timeout: 240
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >hosts.yaml <<'EOF2'
meshsim: 1
name: hosts
platform: galaxy-x2
runtime: {mesh: {shape: [2, 1], offset: [3, 0]}, distributed: {reply_ns: 1000000000}}
workload:
  - write_buffer: {buffer: a, bytes: 65536, spread: sharded}
  - repeat: 8
    do: [{enqueue_workload: {runtime_args: 4, run_ns: 100000}}]
  - read_buffer: {buffer: a, blocking: true}
EOF2

# fault KEYS: runs with this fault
fault() {
	meshsim run hosts.yaml -o out.h5 --set "model.fault={$1}"
}
# simulated_us: length of the run
simulated_us() {
	"$binary" show out.h5 --json | sed -n 's/.*"simulated": \([0-9]*\)[0-9]\{6\},*$/\1/p'
}
# told_between WHAT LEAST MOST: the client was told of the fault between these times, in us
told_between() {
	told=$(printf '%s' "$err" | sed -n 's/.*told at \([0-9]*\)\.[0-9]* us.*/\1/p')
	[ -n "$told" ] && [ "$told" -ge "$2" ] && [ "$told" -le "$3" ] ||
		fail "$1: told at '$told' us, expected $2 to $3: $err"
}

meshsim run hosts.yaml -o out.h5
exits 'nothing goes wrong' 0
plain=$(simulated_us)
launched=$("$binary" show out.h5 --json | sed -n 's/.*"verified": \([0-9]*\).*/\1/p')

fault 'kind: cut, host: 1, at_us: 800, for_us: 500000'
exits 'a cut that is shorter than the deadline' 0
longer=$(($(simulated_us) - plain))
# lost messages are sent again every 200 ms
[ "$longer" -ge 599000 ] && [ "$longer" -le 601000 ] || fail "the run takes longer by $longer us, expected 600000"
equal 'and all of it ran once' "$("$binary" show out.h5 --json | sed -n 's/.*"verified": \([0-9]*\).*/\1/p')" "$launched"

fault 'kind: cut, host: 1, at_us: 800, for_us: 5000000'
exits 'a cut that is longer' 4
contains 'names the host' "$err" 'no answer from host host-1'
contains 'and what the scenario did' "$err" 'model.fault: host-1 is cut off for 5000000 us at 800 us'
told_between 'within its deadline' 1000000 1002000

fault 'kind: death, host: 1, at_us: 900'
exits 'an executor that dies' 4
contains 'is named' "$err" 'host host-1 is lost'
told_between 'at once' 900 1100

fault 'kind: death, host: 1, at_us: 0'
exits 'an executor that is dead from the start' 4
contains 'has not joined' "$err" 'host host-1 has not joined'

fault 'kind: controller-death, at_us: 900'
exits 'a controller that dies' 4
contains 'its executors end by themselves' "$err" \
	'host-0: the controller is lost; host-1: the controller is lost: executors have ended at'
fault 'kind: controller-death, at_us: 1'
exits 'a controller that dies before they join' 4
contains 'its executors give up' "$err" 'no hub at server-2:40000 has accepted in time'

fault 'kind: slow, host: 1, for_us: 1000'
exits 'a slow host' 0
[ $(($(simulated_us) - plain)) -ge 8000 ] || fail "a slow host takes $(simulated_us) us in place of $plain"
meshsim run hosts.yaml -o out.h5 --set 'model.fault={kind: slow, host: 1, for_us: 1000}' \
	--set runtime.distributed.window=1
exits 'a slow host whose window is full' 0
equal 'loses nothing' "$("$binary" show out.h5 --json | sed -n 's/.*"verified": \([0-9]*\).*/\1/p')" "$launched"
fault 'kind: slow, host: 0, for_us: 3000000'
exits 'a host that is too slow to answer' 4
contains 'is named, too' "$err" 'host host-0'

fault 'kind: late, host: 1, at_us: 900000'
exits 'a host that is late' 0
[ "$(simulated_us)" -ge 900000 ] || fail "a late host is waited for: $(simulated_us) us"
fault 'kind: late, host: 1, at_us: 2000000'
exits 'a host that is too late' 4
contains 'is named' "$err" 'the controller: host host-1 has not joined'
told_between 'within its deadline' 1000000 1001000

# ---- rejected faults ----
fault 'kind: death, host: 1, at_us: 90000000'
exits 'a fault behind the end' 2
contains 'is refused at its place' "$err" '--set model.fault:1:'
contains 'with what there was' "$err" 'the run was over after'
fault 'kind: death, host: 2'
exits 'a host that is not there' 2
contains 'is refused' "$err" "host 2 of 'galaxy-x2', which has 2, counted from 0"
meshsim run hosts.yaml -o out.h5 --set model.fault.kind=death --set runtime.distributed.reply_ns=0
exits 'hosts that would wait for ever' 2
contains 'are refused' "$err" 'say runtime.distributed.reply_ns'
fault 'kind: dead'
exits 'a fault that is none' 2
contains 'has a nearest name' "$err" "did you mean 'death'"
meshsim run hosts.yaml -o out.h5 --set 'model.fault={kind: slow, host: 0}' --set platform=n300 \
	--set 'runtime.mesh={shape: [1, 2]}'
exits 'a machine of one host' 0
contains 'has no such faults' "$err" 'model.fault.kind has no effect on a machine of one host'
finish
