# Model binaries run in both worlds, with the values that were computed apart; and the figures of kept programs, the pool,
# traces, windows and queues. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/run_model.sh"

graphs=$source_directory/scenarios/graphs
meshsim schema graph
equal "scenarios/graphs/schema.json (build/meshsim schema graph)" "$out" "$(cat "$graphs/schema.json")"
for name in decoder-layer decoder-layer-bfp8; do
	meshsim model build "$graphs/$name.yaml" -o "$name.bin"
	exits "$name: build" 0
	equal "$name: build" "$err" ""
done

# Values in both worlds; 31 programs are made in the first run, and kept.
for world in sim native; do
	scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, times: 3'
	run $world
	equal "$world: outputs that were compared" "$(figure outputs_compared)" 3
	equal "$world: operations" "$(figure operations)" 87
	equal "$world: conversions" "$(figure conversions)" 7
	equal "$world: programs made" "$(figure program_misses)" 31
	equal "$world: programs kept" "$(figure program_hits)" 56
	equal "$world: bytes of the pool" "$(figure pool) $(figure pool_peak) $(figure pool_tensors)" "434176 434176 984064"
	scenario n150 1 '[1, 1]' 'binary: decoder-layer-bfp8.bin, times: 2'
	run $world
	equal "$world: outputs of bfp8" "$(figure outputs_compared)" 2
	for keys in 'queues: 2, window: 3, trace: true' 'programs: 7' 'window: 3, blocking: false'; do
		scenario n150 2 '[1, 1]' "binary: decoder-layer.bin, times: 6, $keys"
		run $world
		equal "$world, $keys: outputs" "$(figure outputs_compared)" 6
	done
done

# The second run costs less: its programs are kept.
# time_of N: simulated time of N runs, in us
time_of() {
	scenario n150 1 '[1, 1]' "binary: decoder-layer.bin, times: $1"
	run sim
	meshsim show --json run.h5
	printf '%s' "$out" | tr -d '\n' | sed -n 's/.*"simulated": *\([0-9]*\)[0-9]\{6\},.*/\1/p'
}
one=$(time_of 1) two=$(time_of 2) three=$(time_of 3)
# sooner NAME LESS MORE
sooner() {
	[ "$2" -lt "$3" ] || fail "$1: $2 us, not less than $3 us"
}
sooner "a run with kept programs, six times over" $((6 * (three - two))) "$one"
sooner "later runs are alike" $((three - two)) $((two - one + 20))

# evictions: with 7 programs, each of 29 operations is made anew
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, times: 2, programs: 7'
run sim
equal "programs made" "$(figure program_misses)" 59
equal "programs given up" "$(figure program_evictions)" 52
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, times: 4, window: 2'
run sim
equal "runs that waited for the one before the last" "$(figure window_waits)" 2

# refused NAME MESSAGE
refused() {
	meshsim run run.yaml -o run.h5
	exits "$1" 2
	contains "$1" "$err" "$2"
}
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, times: 3, programs: 7, trace: true'
refused "a trace that would allocate" "run.yaml:5:33: error: model binary 'decoder-layer.bin': a trace may not allocate, but \
the program of operation 'normal' is not kept: keep more than 7 programs"
scenario p150 1 '[1, 1]' 'binary: decoder-layer.bin'
refused "another machine" "run.yaml:5:33: error: model binary 'decoder-layer.bin': it was built for another machine"
scenario n150 1 '[1, 1]' 'binary: none.bin'
refused "no file" "run.yaml:5:33: error: model binary 'none.bin': "
scenario n150 1 '[1, 1]' 'binary: run.yaml'
refused "a foreign file" "run.yaml:5:33: error: model binary 'run.yaml': it is no model binary"
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, program: foward'
refused "an unknown program" "error: binary 'decoder-layer.bin' has no program 'foward' that can be run, did you mean 'forward'?"
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, program: prepare'
refused "a constant program" "has no program 'prepare' that can be run"
scenario n150 1 '[1, 1]' 'binary: decoder-layer.bin, queues: 2'
refused "a queue that the mesh does not have" "queue 1"
head -c 100000 decoder-layer.bin >cut.bin
scenario n150 1 '[1, 1]' 'binary: cut.bin'
refused "a truncated file" "it is damaged or truncated: the checksum of its 100000 bytes is wrong"

# values that differ from the golden ones are found
sed 's/tolerance: 0.03/tolerance: 0.0001/' "$graphs/decoder-layer.yaml" >strict.yaml
meshsim model build strict.yaml -o strict.bin
scenario n150 1 '[1, 1]' 'binary: again.bin'
cp decoder-layer.bin again.bin
meshsim run run.yaml -o again.h5
exits "a binary: $err" 0
cp strict.bin again.bin
meshsim run run.yaml -o again.h5 --resume
exits "another binary of the same name is no reason to keep a result" 2
scenario n150 1 '[1, 1]' 'binary: strict.bin'
refused "values that differ too much" "run.yaml:5:33: error: model binary 'strict.bin': output 'y' of program 'forward': element "
finish
