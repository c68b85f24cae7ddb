#!/bin/sh
# A job of four ranks, up to its dispatch on the native world and back: the batch script is the controller of a run on
# four hosts, and each rank of the job is the executor of one of them, as a task that the fabric manager has placed.
#   sbatch --comment=mgd=rows_4x2.textproto job.sh DIR     files go to DIR, which all nodes see
# MESHSIM is the program, HERE the folder of this script; set both in the environment.
set -eu
: "${MESHSIM:=meshsim}"
cd "$1"
cat >rows.yaml <<END
meshsim: 1
name: rows
platform: {extends: galaxy-x2, hosts: {count: 4}, topology: {mesh: [1, 2], wrap: [false, false]}}
limits: {wall_s: 60, silent_s: 30}
runtime: {distributed: {transport: tcp}}
workload:
  - write_buffer: {buffer: data, bytes: 32768, page_bytes: 512}
  - enqueue_workload: {program: first, runtime_args: 4}
  - read_buffer: {buffer: data}
  - finish
END
head -c 32 /dev/urandom | base64 >token
chmod 600 token
"$MESHSIM" run rows.yaml -o rows.h5 --world native --listen 127.0.0.1:0 --token token >run.out 2>run.err &
run=$!
at=
while [ -z "$at" ] && kill -0 $run; do
	sleep 0.1
	at=$(sed -n 's/.*waits at \([0-9.:]*\) for.*/\1/p' run.err)
done
# shellcheck disable=SC2016 # the rank's own environment
AT=$at srun sh "$HERE/launch.sh" sh -c '
	echo "rank $MESHSIM_RANK on $SLURMD_NODENAME: mesh $TT_MESH_ID, host rank $TT_MESH_HOST_RANK, devices $TT_VISIBLE_DEVICES"
	exec "$MESHSIM" executor rows.yaml --controller "$AT" --token token --host "$MESHSIM_RANK"' >ranks
wait $run
sort ranks
"$MESHSIM" show rows.h5 | sed -n '/^Operation enqueue_workload/,/^$/p'
