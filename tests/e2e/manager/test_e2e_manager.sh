# The fabric manager over gRPC: agents report, a job gets the same places again after the manager was
# killed, and strangers (no credential, another cluster's, another user's manager) are refused at both
# ends. label: full  timeout: 120
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v munged >/dev/null || skip "munged is not installed"

slurm=$source_directory/bench/slurm
address=127.0.0.1:$((21000 + $$ % 9000))
manager=
# munge NAME: starts a daemon with a key of its own, whose socket is NAME.socket
munge() {
	head -c 1024 /dev/urandom >"$1.key"
	chmod 400 "$1.key"
	munged --force --key-file="$work/$1.key" --socket="$work/$1.socket" --pid-file="$work/$1.pid" \
		--log-file="$work/$1.log" --seed-file="$work/$1.seed" || fail "munged did not start"
}
all_ended() {
	for file in ours.pid theirs.pid; do
		[ ! -f "$work/$file" ] || kill "$(cat "$work/$file")"
	done
	[ -z "$manager" ] || kill -9 "$manager" 2>/dev/null
	ended
}
trap all_ended EXIT
# asks ARGUMENT...: asks the manager with our credential
asks() {
	meshsim manager "$@" --address "$address" --munge-socket "$work/ours.socket"
}
serves() {
	"$binary" manager serve --address "$address" --munge-socket "$work/ours.socket" \
		--state jobs.db >serve.out 2>serve.err &
	manager=$!
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		! grep -q listening serve.out || break
		sleep 0.1
	done
}
reports() {
	for host in node1 node2 node3 node4; do
		asks agent --once --psd "$slurm/four_hosts.textproto" --host $host
		exits "agent of $host" 0
	done
}

munge ours
munge theirs
serves
asks status
contains "a manager without agents" "$out" "0 of 0 chips are free"
reports
asks place first --mgd "$slurm/rows_2x2.textproto" -o files
exits "place" 0
contains "places" "$out" "   0  node1                 0,1
   1  node2                 0,1"
contains "rank file" "$(cat files/rankfile.txt)" "rank 1=node2"
places=$out

# --- the manager is killed between the placement and the launch
kill -9 "$manager"
wait "$manager" 2>/dev/null
asks status
exits "no manager" 2
contains "no manager" "$err" "$address: nobody answers there"
serves
asks place first --mgd "$slurm/rows_2x2.textproto"
equal "the same places after a restart" "$out" "$places"
asks place second --mgd "$slurm/rows_2x2.textproto"
exits "agents have not reported again" 1
reports
asks place second --mgd "$slurm/rows_2x2.textproto"
exits "agents have reported again" 0
contains "places beside the first job" "$out" "   0  node3                 0,1"
asks place third --mgd "$slurm/rows_2x2.textproto"
exits "no room" 1
contains "no room" "$err" "no-room: "
asks advise third --mgd "$slurm/rows_2x2.textproto"
exits "advice" 1
asks env second --host node4
contains "environment" "$out" "export MESHSIM_RANK=1
export TT_MESH_ID=0
export TT_MESH_HOST_RANK=1
export TT_VISIBLE_DEVICES=0,1"
asks env second --host node1
exits "a host without a rank" 1
asks agent --once --psd "$slurm/four_hosts.textproto" --host node9
contains "a host that is not there" "$err" "has no host 'node9'; its hosts are: node1 node2 node3 node4"

# --- a second agent of a host; one that is older is not believed while the first is heard
asks agent --once --psd "$slurm/four_hosts.textproto" --host node1
contains "a second agent" "$out" "another agent reports for host node1"

# --- strangers
meshsim manager release first --address "$address" --munge-socket "$work/theirs.socket"
exits "another cluster's credential" 2
contains "another cluster's credential" "$err" "the request was refused"
contains "the manager's log" "$(cat serve.err)" "munge: Invalid credential"
meshsim manager release first --address "$address" --munge-socket "$work/none.socket"
exits "no credential" 2
contains "no credential" "$err" "munge: "
asks status
contains "the first job is still there" "$out" "first"

# --- what was kept belongs to one manager
meshsim manager serve --address 127.0.0.1:0 --munge-socket "$work/ours.socket" --state jobs.db
exits "a second manager" 2
contains "a second manager" "$err" "jobs.db: another process has it open"
meshsim manager serve --address "$address" --munge-socket "$work/ours.socket"
contains "an address that is taken" "$err" "somebody listens there"

asks release first
asks release second
asks status
contains "all is released" "$out" "8 of 8 chips are free"
kill "$manager"
wait "$manager"
equal "the manager's exit code" "$?" 0
manager=
finish
