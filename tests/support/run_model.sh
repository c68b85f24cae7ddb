# Functions for tests that run model binaries; after cli.sh.

# Without FlatBuffers there are no model binaries.
printf 'aaaaMSMB' >magic
meshsim model verify magic
case $err in
*"without FlatBuffers"*) skip "no FlatBuffers" ;;
esac

# scenario PLATFORM QUEUES SHAPE KEYS: run.yaml with one run_model step
scenario() {
	printf 'meshsim: 1\nname: run\nplatform: %s\nruntime: {command_queues: %s, mesh: {shape: %s}}\n' "$1" "$2" "$3" >run.yaml
	printf 'workload: [{run_model: {%s}}]\n' "$4" >>run.yaml
}

# run WORLD: runs it; good unless its output differs from the golden values
run() {
	meshsim run run.yaml -o run.h5 --world "$1"
	exits "$1: $(sed -n 's/.*run_model: //p' run.yaml): $err" 0
	equal "$1: warnings" "$err" ""
}

# figure NAME: a figure of the binary in the last run
figure() {
	meshsim show --json run.h5
	printf '%s' "$out" | tr -d '\n' | sed 's/.*"models"//' | sed -n "s/.*\"$1\": *\([-0-9.e]*\).*/\1/p"
}
