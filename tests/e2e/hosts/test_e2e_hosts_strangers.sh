# label: full
# Strangers at a native run, of this user and, as root, of another, while it opens, runs and closes:
# nobody joins, nobody reads a command, the run ends as without them. A few tries here; by hand
# MESHSIM_STRANGERS=200 for so many on all transports, for each phase and user.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
TMPDIR=$work
export TMPDIR
chmod 755 "$work" # another user's strangers come as far as the folder of the sockets

small_hosts hosts
sed 's/repeat: 3$/repeat: 3000/' hosts.yaml >long.yaml
if [ -n "${MESHSIM_STRANGERS:-}" ]; then
	transports='tcp unix zeromq zeromq-router nng grpc ucx-tcp ucx-shm mpi'
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

# A host that does not come, while strangers do.
code=0
/usr/bin/python3 "$source_directory/tests/e2e/hosts/strangers.py" "$binary" long.yaml late tcp \
	2>late.err || code=$?
exits 'strangers came, and a host did not' 1
contains 'the last stranger is named, and what it did' "$(cat late.err)" \
	'the last of a stranger: 127.0.0.1:'
contains 'and the host' "$(cat late.err)" 'host host-'

meshsim list
contains 'it is said what keeps strangers out' "$out" 'strangers: both ends'
finish
