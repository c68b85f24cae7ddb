# Three executors in network name spaces of their own, behind a bridge, as on three machines: they
# reach the controller by its address, and leave the same data and work as forked ones. Skipped where
# the kernel gives no name spaces.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

# all of it in a name space of this test, so nothing is left behind
if [ -z "${MESHSIM_TEST_APART:-}" ]; then
	command -v ip >/dev/null && command -v unshare >/dev/null || exit 77
	unshare -rnm true 2>/dev/null || exit 77
	MESHSIM_TEST_APART=1 unshare -rnm --kill-child sh "$0"
	exit
fi
mount -t tmpfs none /run 2>/dev/null && ip link add switch type bridge 2>/dev/null || exit 77
ip address add 10.9.0.1/24 dev switch
ip link set switch up
ip link set lo up
for host in 0 1 2; do
	ip netns add "machine$host" 2>/dev/null || exit 77
	ip link add "port$host" type veth peer name eth0 netns "machine$host"
	ip link set "port$host" master switch up
	ip -n "machine$host" address add "10.9.0.1$host/24" dev eth0
	ip -n "machine$host" link set eth0 up
done

three_hosts own 3
meshsim run own.yaml -o forked.h5 --world native
work_of forked.h5 >forked.work
meshsim run own.yaml -o own.h5 --world native --listen 10.9.0.1:7000 --token token \
	--start "ip netns exec machine\$MESHSIM_HOST $(starter own)"
exits 'three machines' 0
work_of own.h5 >own.work
equal 'the same data verified, the same work' "$(cat own.work)" "$(cat forked.work)"
contains 'one has registered from outside' "$err" 'registered at 10.9.0.1:7000 as host-2 of run 0'

# the address of another machine is no address to listen at
meshsim run own.yaml -o none.h5 --world native --listen 10.9.0.11:7000 --token token
exits 'an address that is not here' 2
contains 'said' "$err" '--listen 10.9.0.11:7000'
finish
