# label: slow
# Strangers at a native run, of this user and, as root, of another, while it opens, runs and closes:
# none of them joins or reads a command, and the run ends as without them. Only a few tries here;
# MESHSIM_STRANGERS=200, set by hand, makes so many on all transports, for each phase and user.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
TMPDIR=$work
export TMPDIR
chmod 755 "$work" # another user's strangers can reach the folder of the sockets

small_hosts hosts
sed 's/repeat: 3$/repeat: 3000/' hosts.yaml >long.yaml
if [ -n "${MESHSIM_STRANGERS:-}" ]; then
	transports=$("$binary" list --json | /usr/bin/python3 -c 'import json, sys
print(*(row["name"] for row in json.load(sys.stdin) if row["key"] == "transport"))')
else
	transports=zeromq
fi
# shellcheck disable=SC2086 # a list of words
if /usr/bin/python3 "$source_directory/tests/e2e/hosts/strangers.py" "$binary" long.yaml \
	"${MESHSIM_STRANGERS:-9}" $transports >seen; then
	cat seen
else
	fail 'strangers disturb a run, or read of it'
	cat seen
fi

# A host does not come, while strangers do.
code=0
/usr/bin/python3 "$source_directory/tests/e2e/hosts/strangers.py" "$binary" long.yaml late tcp \
	2>late.err || code=$?
exits 'strangers came, and a host did not' 1
contains 'the last stranger is named, and what it did' "$(cat late.err)" \
	'the last of a stranger: 127.0.0.1:'
contains 'and the host' "$(cat late.err)" 'host host-'

# UCX accepts data from any sender, so it runs in a network that strangers cannot reach, or not at
# all.
if "$binary" list | tr -s '\n ' ' ' | grep -q 'apt install libucx-dev'; then
	echo 'without UCX'
elif unshare -n true 2>/dev/null || unshare -Urn true 2>/dev/null; then
	"$binary" run long.yaml -o apart.h5 --world native --set runtime.distributed.transport=ucx-tcp \
		>/dev/null 2>&1 &
	run=$!
	host=$(executor_of $run host-1)
	network=$(readlink "/proc/$host/ns/net")
	wait $run || fail 'a run over UCX does not end well'
	[ -n "$network" ] || fail 'the network of a host is not seen'
	[ "$network" != "$(readlink /proc/self/ns/net)" ] || fail 'UCX runs where strangers are'
	code=0
	err=$(unshare -Ur sh -c "echo 0 >/proc/sys/user/max_net_namespaces; \"\$0\" run hosts.yaml \
		-o none.h5 --world native --set runtime.distributed.transport=ucx-tcp" "$binary" 2>&1) ||
		code=$?
	exits 'no network of its own' 2
	contains 'it is said why' "$err" 'ucx-tcp runs in a network of its own'
fi

meshsim list
contains 'it is said what keeps strangers out' "$out" 'strangers: both ends'
finish
