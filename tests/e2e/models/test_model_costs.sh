# Each shipped model file becomes a binary whose operations have costs; it runs in both worlds, and takes as long as the
# scenario of the file. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/run_model.sh"

models=$source_directory/scenarios/models
for file in "$models"/*.yaml; do
	name=$(basename "$file" .yaml)
	meshsim model build "$file" -o "$name.bin"
	exits "$name: build: $err" 0
	meshsim model verify "$name.bin"
	exits "$name: verify: $err" 0
	meshsim model show "$name.bin"
	exits "$name: show" 0
	equal "$name: lines wider than a terminal" "$(printf '%s\n' "$out" | awk 'length($0) > 80')" ""
done
meshsim model build "$models/70b-decode.yaml" -o again.bin
cmp again.bin 70b-decode.bin || fail "the same model gave other bytes"
meshsim model show 70b-decode.bin
equal "a layer has one row, with its number" "$(printf '%s\n' "$out" | sed -n 's/^ *attention  *\([0-9]* .*DRAM\)$/\1/p' | tr -s ' ')" \
	"80 attention all 123.359 DRAM"
meshsim model show 8b-stream.bin
equal "each phase has a program" "$(printf '%s\n' "$out" | grep '^program' | tr '\n' ' ')" "program prompt program token "

# the loader refuses other devices, newer files and truncated ones
meshsim model verify mlp-block.bin --platform galaxy
exits "another device" 2
contains "another device" "$err" "mlp-block.bin: error: it was built for another machine (t3k, here galaxy): "
head -c 4000 mlp-block.bin >cut.bin
meshsim model verify cut.bin
exits "a truncated file" 2
contains "a truncated file" "$err" "it is damaged or truncated"

# Both worlds. In each of two runs, 28 launches of seven programs.
for world in sim native; do
	scenario t3k 1 '[2, 4]' 'binary: mlp-block.bin, times: 2'
	run $world
	equal "$world: operations" "$(figure operations)" 56
	equal "$world: programs made" "$(figure program_misses)" 7
	equal "$world: outputs compared, which have no values" "$(figure outputs_compared)" 0
	scenario t3k 2 '[2, 4]' 'binary: mlp-block.bin, times: 6, queues: 2, window: 2, trace: true'
	run $world
	equal "$world: replays" "$(figure replays)" 4
done

# programs side by side, and collectives that send packets
sed 's/^layers: .*/layers: 1/' "$models/moe-decode.yaml" >moe.yaml
meshsim model build moe.yaml -o moe.bin
exits "moe: build: $err" 0
for world in sim native; do
	scenario t3k 1 '[2, 4]' 'binary: moe.bin'
	run $world
	equal "$world: operations of a mixture of experts" "$(figure operations)" 19
	scenario t3k 1 '[2, 4]' 'binary: decoder-layer.bin'
	run $world
	equal "$world: operations with all-reduces" "$(figure operations)" 28
done

# The time of an iteration is that of the model's scenario, within what only the binary does: it looks up programs, and the
# host gets an event. rounds FILE: the time of the iterations from the second on, in ps
rounds() {
	meshsim run "$1" -o rounds.h5 --set model.noise=off
	exits "$1: $err" 0
	meshsim show --json rounds.h5
	printf '%s' "$out" | tr -d '\n' | sed 's/.*"read_buffer": *{//' | sed -n 's/.*"round": *{[^}]*"max": *\([0-9]*\).*/\1/p' | head -1
}
sed '/^sweep:/,$d' "$models/mlp-block.yaml" >mlp.yaml
printf 'measure: {warmup: 2}\n' >>mlp.yaml
meshsim model mlp.yaml -o file.yaml
exits "model" 0
printf 'meshsim: 1\nname: run\nplatform: t3k\nruntime: {command_queues: 1, mesh: {shape: [2, 4]}}\nmeasure: {warmup: 2}\n' >binary.yaml
printf 'workload: [{repeat: 6, do: [{run_model: {binary: mlp-block.bin}}]}]\n' >>binary.yaml
by_file=$(rounds file.yaml) by_binary=$(rounds binary.yaml)
[ "$by_binary" -gt "$by_file" ] && [ $((by_binary - by_file)) -lt 3000000 ] ||
	fail "an iteration of the binary takes $by_binary ps, one of the model file $by_file ps"

# its programs are filler, so that chips can be modelled as wholes, with the same times
meshsim run binary.yaml -o chip.h5 --set model.cores=chip --set model.noise=off
equal "no warning about model.cores" "$err" ""
meshsim show --json chip.h5
contains "the same times with model.cores: chip" "$out" "\"max\": $by_binary"

# what a binary cannot have
sed 's/op: all_reduce/op: all_to_all/' "$models/decoder-layer.yaml" >exchange.yaml
meshsim model build exchange.yaml -o exchange.bin
exits "a collective that binaries do not have" 2
contains "a collective that binaries do not have" "$err" "binaries have no all_to_all that sends packets; say \`collectives: time\`"
finish
