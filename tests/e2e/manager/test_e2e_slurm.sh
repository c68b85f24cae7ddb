# A job of Slurm asks for a mesh, gets its chips from the fabric manager, and runs four ranks up to their
# first dispatch; with two of four hosts silent, a job gets the other two; a job without room is refused;
# all chips are free afterwards. Needs root and Slurm. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

[ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
for program in munged slurmctld slurmd sbatch srun; do
	command -v $program >/dev/null || skip "$program is not installed"
done

code=0
MESHSIM=$binary sh "$source_directory/bench/slurm/try.sh" >seen.out 2>seen.err || code=$?
out=$(cat seen.out) err=$(cat seen.err)
exits "the trial" 0
for rank in 0 1 2 3; do
	contains "rank $rank of the first job" "$out" \
		"rank $rank on node$((rank + 1)): mesh 0, host rank $rank, devices 0,1"
done
contains "the first job's dispatch" "$out" "Operation enqueue_workload"
contains "a job without room" "$err" "8 chips needed, 4 found"
contains "a file that is no descriptor" "$err" "see meshsim place --mgd="
lacks "a file that is no descriptor" "$err" "a secret of root"
contains "the job beside silent hosts" "$out" "rank 0 on node3: devices 0,1
rank 1 on node4: devices 0,1"
contains "chips after the jobs" "$out" "4 of 4 chips are free"
finish
