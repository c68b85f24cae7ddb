# Three executors in network name spaces of their own, behind a bridge, as on three machines: they
# reach the controller by its address, and leave the same data and work as forked ones. One of another
# version, strangers and dead ones are named at both ends, and nothing hangs. Skipped where the kernel
# gives no name spaces.
# label: slow
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

# ---- faults of one machine ----
# starts NAME WHAT: as --start, on all machines but the second as usual, and there with WHAT
starts() {
	echo "case \$MESHSIM_HOST in 1) ip netns exec machine1 $2 ;; *) ip netns exec machine\$MESHSIM_HOST $(starter "$1") ;; esac"
}
MESHSIM_PLATFORMS=$source_directory/platforms
export MESHSIM_PLATFORMS
other_version other
meshsim run own.yaml -o none.h5 --world native --listen 10.9.0.1:7000 --token token --wait 20 \
	--start "$(starts own "$PWD/other executor own.yaml --token token --host 1 --controller \$MESHSIM_CONTROLLER")"
exits 'another version on one machine' 1
contains 'the executor says so' "$err" '~, and the controller is meshsim '
contains 'the controller says so' "$err" 'refused the executor '
contains 'the command is named' "$err" 'the command of host-1 failed (--start) with exit code 1'

head -c 32 /dev/urandom | base64 >other.token
chmod 600 other.token
meshsim run own.yaml -o none.h5 --world native --listen 10.9.0.1:7000 --token token --wait 20 \
	--start "$(starts own "'$binary' executor own.yaml --token other.token --host 1 --controller \$MESHSIM_CONTROLLER")"
exits 'another token on one machine' 1
contains 'said' "$err" 'has another token, or is no meshsim of this version'

# a stranger that writes something else, from the machine of the second host, whose executor comes behind it
cat >stranger.py <<'EOF2'
import socket, sys
address, port = sys.argv[1].split(":")
stranger = socket.create_connection((address, int(port)))
stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" + bytes(40))
try:
    heard = len(stranger.recv(100))
except ConnectionResetError:
    heard = 0
open("stranger.out", "w").write(str(heard))
EOF2
meshsim run own.yaml -o own.h5 --world native --listen 10.9.0.1:7000 --token token \
	--start "$(starts own "/usr/bin/python3 stranger.py \$MESHSIM_CONTROLLER && ip netns exec machine1 $(starter own)")"
exits "a stranger on one machine: $err" 0
equal 'it is told nothing' "$(cat stranger.out)" 0
work_of own.h5 >own.work
equal 'behind a stranger: the same data verified, the same work' "$(cat own.work)" "$(cat forked.work)"

# one whose machine is gone in the middle: its link goes down, and then it is killed
three_hosts endless 100000 'silent_s: 1, lost_s: 3'
: >run.err
"$binary" run endless.yaml -o endless.h5 --world native --listen 10.9.0.1:7000 --token token \
	--start "ip netns exec machine\$MESHSIM_HOST $(starter endless)" >run.out 2>run.err &
run=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ "$(grep -c 'registered at' run.err)" -lt 3 ] || break
	sleep 0.2
done
sleep 1
all="$run $(processes_below "$run")"
ip link set port1 down
ends "$run" 4 'a machine that is cut off'
contains 'it is named' "$(cat run.err)" 'host-1 has not answered for 3 s (limits.lost_s)'
ip link set port1 up
# shellcheck disable=SC2086
all_gone $all
finish
