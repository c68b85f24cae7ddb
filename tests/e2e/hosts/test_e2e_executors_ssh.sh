# The commands of docs/hosts.md that start executors over ssh and srun, as they are written there, with scripts in place
# of these programs: `ssh` gives its words to a shell in the home directory of another machine, without the variables of
# this one, and ends with 255 if it cannot; `srun -n N` starts N processes. The data and the work are those of forked
# executors. An executor that has registered waits for one that comes much later. label: full  long: 60
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

mkdir bin home
cat >bin/ssh <<'END'
#!/bin/sh
[ "$1 $2" = '-o BatchMode=yes' ] || exit 255
shift 2
[ "$1" != "$ABSENT" ] || { echo "ssh: connect to host $1 port 22: No route to host" >&2; exit 255; }
shift
exec env -i PATH="$PATH" HOME="$SSH_HOME" sh -c 'cd && '"$*"
END
cat >bin/srun <<'END'
#!/bin/sh
[ "$1" = -n ] || exit 1
count=$2 code=0
shift 2
for task in $(seq "$count"); do
	"$@" &
done
for task in $(seq "$count"); do
	wait || code=1
done
exit $code
END
ln -s "$binary" bin/meshsim
chmod +x bin/ssh bin/srun
SSH_HOME=$PWD/home PATH=$PWD/bin:$PATH ABSENT=
export SSH_HOME PATH ABSENT

# said PATTERN: the command of docs/hosts.md that has the words, for three hosts at this run's address
said() {
	grep -F -- "$1" "$MESHSIM_SOURCE_DIR/docs/hosts.md" | head -n 1 |
		sed "s/^  '//; s/'\$//; s/-n 2/-n 3/; s/10\.0\.0\.1:7000/$at/; s/mine\.yaml/own.yaml/"
}

three_hosts own 3
cp own.yaml token home
meshsim run own.yaml -o forked.h5 --world native
work_of forked.h5 >forked.work

at=127.0.0.1:0
start=$(said 'ssh -o BatchMode=yes node$MESHSIM_HOST')
meshsim run own.yaml -o ssh.h5 --world native --listen 127.0.0.1:0 --token token --start "$start"
exits "over ssh: $start: $err" 0
work_of ssh.h5 >own.work
equal 'over ssh: the same data verified, the same work' "$(cat own.work)" "$(cat forked.work)"

ABSENT=node1
meshsim run own.yaml -o none.h5 --world native --listen 127.0.0.1:0 --token token --start "$start"
exits 'a machine that is not there' 1
contains 'a machine that is not there' "$err" 'the command of host-1 failed (--start) with exit code 255'

listens own
line=$(said 'srun -n 2')
sh -c "$line" 2>srun.err || fail "$line: $(cat srun.err)"
ends "$run" 0 "$line"
work_of own.h5 >own.work
equal 'with srun: the same data verified, the same work' "$(cat own.work)" "$(cat forked.work)"

# executors that come long after the first one
[ -n "${MESHSIM_LONG:-}" ] || exit 0
listens own
joins 0 own
sleep 35
joins 1 own
joins 2 own
ends "$run" 0 'executors that come late'
ends "$executor_0" 0 'the executor that waits for them'
