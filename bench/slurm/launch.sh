#!/bin/sh
# Starts a rank of a job that the fabric manager has placed (initialization specification 6.4, steps 7 to 9):
#   srun sh launch.sh COMMAND...
# Asks the manager which rank this task is, sets the rank's environment (TT_MESH_ID, TT_MESH_HOST_RANK,
# TT_VISIBLE_DEVICES, MESHSIM_RANK), and becomes COMMAND. A task on a node where the job has no rank ends.
# MESHSIM_MANAGER is the command that asks; `meshsim manager` by default.
set -eu
: "${MESHSIM_MANAGER:=meshsim manager}"
job=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/.*Comment=mgd=[^ ]* job=\([^ ]*\).*/\1/p')
[ -n "$job" ] || {
	echo "launch.sh: Slurm's job $SLURM_JOB_ID was not placed by the fabric manager" >&2
	exit 1
}
# shellcheck disable=SC2086 # a command and its options
environment=$($MESHSIM_MANAGER env "$job" --host="$SLURMD_NODENAME" --task="${SLURM_LOCALID:-0}")
eval "$environment"
exec "$@"
