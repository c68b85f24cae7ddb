#!/bin/sh
# Tries Slurm and the fabric manager together on this machine: starts all of it, runs a job of four ranks to its first
# dispatch, then lets two hosts fall silent and sees that the next job gets the other two. Needs root (cluster.sh).
#   sh bench/slurm/try.sh [DIR]     files and logs go to DIR, a new folder by default, which is then removed
# MESHSIM is the program; build/meshsim by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
MESHSIM=$(realpath "${MESHSIM:-$here/../../build/meshsim}")
export MESHSIM HERE="$here"
dir=${1:-$(mktemp -d /tmp/meshsim-slurm.XXXXXX)}
mkdir -p "$dir"
dir=$(realpath "$dir")
rm -f "$dir/job.out"
keep=${1:-}
finish() {
	code=$?
	sh "$here/cluster.sh" stop "$dir"
	[ $code -eq 0 ] || tail -n 5 "$dir"/*.log "$dir"/job.out "$dir"/run.err >&2 || true
	[ -n "$keep" ] || [ $code -ne 0 ] || rm -rf "$dir"
	exit $code
}
trap finish EXIT
sh "$here/cluster.sh" start "$dir" "$here/four_hosts.textproto"
# shellcheck disable=SC1091 # cluster.sh writes it
. "$dir/env"

echo "== a job of four ranks, to its first dispatch"
sbatch -W --open-mode=append -o "$dir/job.out" --comment=mgd="$here/rows_4x2.textproto" "$here/job.sh" "$dir" || {
	cat "$dir/job.out" >&2
	exit 1
}
cat "$dir/job.out"

echo "== no room: the same twice at a time"
# shellcheck disable=SC2086 # a command and its options
$MESHSIM_MANAGER place held --mgd="$here/rows_2x2.textproto" | tail -n 2
if sbatch --comment=mgd="$here/rows_4x2.textproto" -o /dev/null "$here/job.sh" "$dir"; then
	echo "a job without room was taken" >&2
	exit 1
fi
printf 'a secret of root\n' >"$dir/secret"
if sbatch --comment=mgd="$dir/secret" -o /dev/null "$here/job.sh" "$dir"; then
	echo "a job with a descriptor that is none was taken" >&2
	exit 1
fi
# shellcheck disable=SC2086
$MESHSIM_MANAGER release held

echo "== two hosts are silent: the job gets the other two"
kill "$(cat "$dir/agent-node1.pid")" "$(cat "$dir/agent-node2.pid")"
sleep 6 # a host is silent after five seconds
# shellcheck disable=SC2016 # the rank's own environment
srun --comment=mgd="$here/rows_2x2.textproto" sh "$here/launch.sh" \
	sh -c 'echo "rank $MESHSIM_RANK on $SLURMD_NODENAME: devices $TT_VISIBLE_DEVICES"' | sort
sleep 6 # reap.sh looks every two seconds
echo "== afterwards"
# shellcheck disable=SC2086
$MESHSIM_MANAGER status
