#!/bin/sh
# Releases the manager's jobs that Slurm no longer has: those that ended, were cancelled while they waited, or were
# lost. A job is released when two looks in a row do not find it, because a new one has its place before Slurm has it.
#   sh reap.sh SECONDS     between looks; runs until it is killed
# MESHSIM_MANAGER is the command that asks; `meshsim manager` by default.
set -u
: "${MESHSIM_MANAGER:=meshsim manager}"
missing=
while sleep "$1"; do
	known=$(squeue -h -o %k) || continue
	# shellcheck disable=SC2086 # a command and its options
	placed=$($MESHSIM_MANAGER status --json | sed -n 's/.*"job": "\(slurm-[^"]*\)".*/\1/p') || continue
	again=
	for job in $placed; do
		case "$known" in *"job=$job"*) continue ;; esac
		case " $missing " in
		*" $job "*)
			# shellcheck disable=SC2086
			$MESHSIM_MANAGER release "$job" && echo "released $job"
			;;
		*) again="$again $job" ;;
		esac
	done
	missing=$again
done
