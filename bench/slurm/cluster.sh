#!/bin/sh
# A whole cluster on one machine, to try Slurm with the fabric manager: munge, the manager with an agent for each
# host, slurmctld, a slurmd for each host, and reap.sh. Needs root, as slurmd does, and the packages munge, slurmctld,
# slurmd and slurm-client.
#   sh cluster.sh start DIR PSD [HOST...]   files, logs and sockets go to DIR; agents only for these hosts, or for all
#   sh cluster.sh stop DIR
# MESHSIM is the program; `meshsim` by default. Then: . DIR/env; srun --comment=mgd=FILE ...
set -eu
: "${MESHSIM:=meshsim}"
here=$(cd "$(dirname "$0")" && pwd)

die() {
	echo "cluster.sh: $*" >&2
	exit 1
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for() {
	tries=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || die "this did not succeed in time: $*"
		sleep 0.1
	done
}

stop() {
	cd "$1" 2>/dev/null || die "there is no $1"
	for file in reap.pid agent-*.pid slurmd-*.pid slurmctld.pid manager.pid munge.pid; do
		[ -f "$file" ] || continue
		process=$(cat "$file")
		kill "$process" 2>/dev/null || true
		tries=100
		while kill -0 "$process" 2>/dev/null && [ $tries -gt 0 ]; do
			tries=$((tries - 1))
			sleep 0.1
		done
		rm -f "$file"
	done
}

# slurm_settings NODES PORT: slurm.conf for these nodes; daemons listen at PORT and those that follow
slurm_settings() {
	name=$(hostname -s)
	cat <<END
ClusterName=meshsim
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$2
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket
CredType=cred/munge
JobSubmitPlugins=lua
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool-%n
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd-%n.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
SlurmdParameters=config_overrides
END
	port=$2
	for node in $1; do
		port=$((port + 1))
		echo "NodeName=$node NodeHostname=$name NodeAddr=127.0.0.1 Port=$port CPUs=4 State=UNKNOWN"
	done
	echo "PartitionName=galaxy Nodes=$(echo "$1" | tr ' ' ,) Default=YES MaxTime=60 State=UP"
}

start() {
	psd=$(realpath "$2")
	mkdir -p "$1"
	cd "$1"
	shift 2
	nodes=$(sed -n 's/.*host_name: *"\([^"]*\)".*tray_id.*/\1/p' "$psd" | sort -u | tr '\n' ' ' | sed 's/ $//')
	[ -n "$nodes" ] || die "$psd names no hosts"
	[ $# -gt 0 ] || eval "set -- $nodes"
	port=$((20000 + $$ % 10000))

	chmod 755 .
	head -c 1024 /dev/urandom >munge.key
	chmod 400 munge.key
	munged --force --key-file="$PWD/munge.key" --socket="$PWD/munge.socket" --pid-file="$PWD/munge.pid" \
		--log-file="$PWD/munge.log" --seed-file="$PWD/munge.seed"
	asks="--munge-socket=$PWD/munge.socket --address=127.0.0.1:$port"
	# shellcheck disable=SC2086 # options
	"$MESHSIM" manager serve $asks --state="$PWD/manager.db" >manager.log 2>&1 &
	echo $! >manager.pid
	cat >./env <<END
export SLURM_CONF='$PWD/slurm.conf' MESHSIM='$MESHSIM' MESHSIM_MANAGER='$MESHSIM manager $asks'
export MESHSIM_SLURM_SETTINGS='$PWD/meshsim.lua'
END
	echo "meshsim_manager = \"'$MESHSIM' manager $asks %s\"" >meshsim.lua
	# shellcheck disable=SC1091 # written above
	. ./env
	# shellcheck disable=SC2086
	wait_for 20 "$MESHSIM" manager status $asks
	for host in "$@"; do
		# shellcheck disable=SC2086
		"$MESHSIM" manager agent $asks --psd="$psd" --host="$host" >"agent-$host.log" 2>&1 &
		echo $! >"agent-$host.pid"
	done

	slurm_settings "$nodes" $((port + 1)) >slurm.conf
	cp "$here/job_submit.lua" .
	mkdir -p state
	slurmctld -f "$SLURM_CONF"
	for node in $nodes; do
		mkdir -p "spool-$node"
		slurmd -f "$SLURM_CONF" -N "$node"
	done
	sh "$here/reap.sh" 2 >reap.log 2>&1 &
	echo $! >reap.pid
	wait_for 30 sh -c "[ \"\$(sinfo -h -t idle -o %D)\" = $(echo "$nodes" | wc -w) ]"
	wait_for 30 sh -c "$MESHSIM manager status $asks --json | grep -q '\"free_chips\": [1-9]'"
}

case "${1:-}" in
start)
	[ $# -ge 3 ] || die "start needs DIR and PSD"
	shift
	start "$@"
	;;
stop)
	[ $# -eq 2 ] || die "stop needs DIR"
	stop "$2"
	;;
*) die "start or stop?" ;;
esac
