# A scenario on several hosts runs natively, a process for each host: what is read back and what cores
# saw is what the simulation leaves, for the same work. All else of it: test_e2e_hosts_rows.sh.
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

long=$work/$(printf '%0100d' 0)
mkdir "$long"
TMPDIR=$long meshsim run hosts.yaml -o long.h5 --world native --set runtime.distributed.transport=unix
exits 'a folder whose name is too long for a socket' 0
finish
