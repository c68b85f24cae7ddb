# A scenario on several hosts runs natively, with one process per host: data read back and cores'
# results equal those of the simulation, for the same work. More in test_e2e_hosts_rows.sh.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
TMPDIR=$work
export TMPDIR

small_hosts hosts
meshsim run hosts.yaml -o sim.h5
exits 'simulated' 0
meshsim run hosts.yaml -o native.h5 --world native --set runtime.distributed.transport=unix
exits 'natively' 0
equal 'nothing is said' "$err" ''
work_of sim.h5 >sim.work
work_of native.h5 >native.work
equal 'the same work, the same data verified' "$(cat native.work)" "$(cat sim.work)"
equal 'something was verified' "$(sed -n 's/^ok verified //p' native.work)" 51
equal 'no socket is left, and no folder' "$(ls -d meshsim-hosts-* 2>/dev/null)" ''
meshsim show native.h5
contains 'the result says whose times these are' "$out" 'native: functional'
contains 'processes are among the threads, with their CPU time' "$out" 'process host-1'
contains 'show says what joining cost the hosts' "$out" 'Hosts that joined, once at the start'
contains 'and the proof of the key in it' "$out" 'proof: the part'
equal 'hosts joined, the proof took a part of that, the most is no less than the mean' \
	"$("$binary" show native.h5 --json | /usr/bin/python3 -c '
import json, sys
(row,) = json.load(sys.stdin)["runs"][0]["opening"]
print(row["hosts"], 0 < row["proof"] <= row["opening"] <= row["opening_most"],
      row["proof"] <= row["proof_most"] <= row["opening_most"])')" '2 True True'
meshsim run hosts.yaml -o again.h5 --world native --set runtime.distributed.transport=unix
contains 'run prints it, too' "$out" 'Hosts that joined, once at the start'
meshsim report native.h5 --no-errors -o native.html
contains 'and the report has it' "$(cat native.html)" '"opening": {"hosts": 2,'
meshsim show sim.h5
lacks 'a simulated run says nothing of it' "$out" 'Hosts that joined'

long=$work/$(printf '%0100d' 0)
mkdir "$long"
TMPDIR=$long meshsim run hosts.yaml -o long.h5 --world native --set runtime.distributed.transport=unix
exits 'a folder whose name is too long for a socket' 0
finish
