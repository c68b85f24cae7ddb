# A model binary that is divided over four chips, also of two hosts, has the values that were computed apart. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/run_model.sh"

graphs=$source_directory/scenarios/graphs
meshsim model build "$graphs/decoder-layer-x4.yaml" -o decoder-layer-x4.bin
exits "build: $err" 0
for world in sim native; do
	scenario t3k 1 '[1, 4]' 'binary: decoder-layer-x4.bin, times: 2'
	run $world
	equal "$world: outputs of four chips" "$(figure outputs_compared)" 2
	scenario t3k 2 '[1, 4]' 'binary: decoder-layer-x4.bin, times: 5, window: 2, queues: 2, trace: true'
	run $world
	equal "$world: replays of four chips, whose first runs in two slots are no replays" "$(figure replays)" 3
done

# Two hosts, whose chips links join: the all-reduces cross them.
sed -e 's/platform: t3k/platform: galaxy-x2-joined/' -e 's/^mesh: .*/mesh: [4, 1]/' "$graphs/decoder-layer-x4.yaml" >joined.yaml
meshsim model build joined.yaml -o joined.bin
for world in sim native; do
	scenario galaxy-x2-joined 1 '[4, 1], offset: [2, 0]' 'binary: joined.bin, times: 3, trace: true'
	sed -i 's/command_queues: 1/sizes: {trace_region_bytes: 4194304}, command_queues: 1/' run.yaml
	run $world
	equal "$world: outputs of two hosts" "$(figure outputs_compared) $(figure replays)" "3 2"
done

scenario t3k 1 '[1, 2]' 'binary: decoder-layer-x4.bin'
meshsim run run.yaml -o run.h5
exits "another mesh" 2
contains "another mesh" "$err" "4 columns of devices, here 2"
finish
