# `meshsim layout' and `meshsim shard': tables, drawings, JSON, cases from files, exit codes.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# --- layout ---------------------------------------------------------------------------------
meshsim layout 'tensor<53x63xf32>' --grid 3x2 --tile 32x32 --element bfp_bf8 --index 52,62
exits 'a layout' 0
contains 'its text' "$out" 'memref<1x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>>>'
contains 'its padding' "$out" '2805 of 6144 places'
contains 'its last shard' "$out" '  2,1    0,0     2,1         0   527    0    49   448'
contains 'its drawing' "$out" '│██████████│█████████░│'
contains 'an element' "$out" 'shard (2,1), there (16,30); device 0,0, core 2,1, byte 846, exponent at 48'

# Its output is valid input.
text=$(printf '%s\n' "$out" | head -n 1)
printf '%s\n' "$text" >file.txt
meshsim layout "$text" --json
from_argument=$out
meshsim layout file.txt --json
equal 'a file and an argument' "$out" "$from_argument"

meshsim layout 'tensor<2x3x64x128xf32>' --grid 2x2x4 --tile 32x32
contains 'a grid of rank 3 keeps the batch apart' "$out" '-> (d0, d1 * 64 + d2, d3)'
meshsim layout 'tensor<2x8x32xf32>' --grid 1x2 --align 32
contains 'aligned rows' "$out" '(d0 * 32 + d1, d2)'
meshsim layout 'tensor<5x3x7x2x4x6x9xf32>' --grid 1x1x1x1 --collapse 0:3,-3:-1
contains 'intervals' "$out" '(d0 * 21 + d1 * 7 + d2, d3, d4 * 6 + d5, d6)'

meshsim layout 'tensor<53x63xf32>' --grid 3x2 --svg drawing.svg
contains 'a drawing' "$(cat drawing.svg)" '<rect class="grid"'
meshsim layout 'tensor<53x63xf32>' --grid 3x2 --svg -
equal 'a drawing in a pipe' "$out" "$(cat drawing.svg)"
printf 'notes\n' >notes.txt
meshsim layout 'tensor<53x63xf32>' --svg notes.txt
exits 'a drawing over another file' 2
equal 'the other file' "$(cat notes.txt)" notes

meshsim layout 'tensor<53x63xf32>' --grid 90x2
exits 'more shards than cores' 1
contains 'how many' "$err" '180 shards on 8 x 8 cores'
meshsim layout 'tensor<53x63xf23>'
exits 'an unknown type' 2
contains 'the nearest' "$err" "did you mean 'f32'?"
for wrong in '--element bf61:bf16' '--fill infs:inf' '--space dran:dram'; do
	meshsim layout 'tensor<53x63xf32>' ${wrong%:*}
	exits "$wrong" 2
	contains "the nearest of $wrong" "$err" "did you mean '${wrong##*:}'?"
done
meshsim layout "$text" --grid 1x1
exits 'two grids' 2
meshsim layout 'tensor<53x63xf32>' --index 53,0
exits 'an index outside' 2
meshsim layout 'tensor<53x63xf32>' --collapse 0:9
exits 'an interval outside' 2
contains 'which' "$err" 'collapse interval (0, 9) of a tensor of rank 2'

# --- shard ----------------------------------------------------------------------------------
meshsim shard --shape 4x3x32x32 --dims none,0
exits 'a mapper' 0
contains 'its mapper' "$out" 'ShardTensor2DMesh(dims=[None, 0]) of 4x3x32x32'
contains 'its shard' "$out" 'shard           (x = 0, y = 96); x is replicated'
contains 'a device' "$out" '  1,2     2,0    192..287  0..31'
meshsim shard --shape 4x8x32x32 --dim 1
exits 'a dimension that cannot be split' 1
contains 'its name' "$out" 'nd-sharding: dimension 1 can be split only if all before it are 1'
meshsim shard --shape 4x8x32x32 --dim 1 --pack
exits 'the same, packed' 0
contains 'its cost' "$out" '65536 B read and written once'
meshsim shard --shape 4x8x32x32 --dim 1 --json
contains 'a refusal as JSON' "$out" '"refused": "nd-sharding"'
meshsim shard --shape 4x8 --dim 1 --dims 0,1
exits 'both' 2
meshsim shard
exits 'neither' 2

# --- cases ----------------------------------------------------------------------------------
cat >cases.json <<'EOF'
{"source": "mesh shape 2x4 throughout",
 "config_validation": [
  {"global": [64, 128], "shard": [32, 120], "datum_B": 2, "expect": "throw (does not divide)"},
  {"global": [64, 128], "shard": [16, 16], "datum_B": 2, "expect": "throw (32 shards > 8 devices)"},
  {"global": [64, 128], "shard": [32, 32], "datum_B": 2, "global_size_B": 16384, "expect": "ok",
   "device_local_size_B": 2048},
  {"layout": "replicated", "size_B": 16384, "expect": "ok", "device_local_size_B": 16384},
  {"call": "get_device_buffer(2,4)", "expect": "throw (out of mesh)"},
  {"call": "get_device_buffer(1,3)", "expect": "ok"},
  {"call": "alloc, free, alloc same size", "expect": "same address again"}],
 "sweep_shard_and_concat_uint32_roundtrip": [{"global": [128, 128], "shard": [32, 64]}],
 "sweep_orientations": ["ROW_MAJOR", "COL_MAJOR"],
 "device_local_sharding_sweep": {"pages_per_core": [[1, 1], [3, 137]],
  "page_shape": [[1, 4], [32, 32]], "layouts": ["HEIGHT", "WIDTH", "BLOCK"]},
 "mapper": [
  {"shape": [4, 3, 32, 32], "dims": [null, 0], "expect": "ok", "global": [384, 32],
   "shard": [96, 0], "orientation": "ROW_MAJOR", "device_shape": [1, 3, 32, 32]},
  {"shape": [4, 8, 32, 32], "dim": -3, "expect": "throw (nd-sharding)"},
  {"shape": [4, 8, 32, 32], "dim": -3, "packing": true, "expect": "ok"}],
 "expected_placement_derived_from_rule": [
  {"global": [64, 64], "shard": [32, 0], "orientation": "COL_MAJOR", "placement_shard_to_device":
   {"0,0": [[0, 0], [0, 1], [0, 2], [0, 3]], "1,0": [[1, 0], [1, 1], [1, 2], [1, 3]]}}]}
EOF
meshsim shard --cases cases.json
exits 'cases that agree' 0
equal 'counts' "$(printf '%s\n' "$out" | sed 's/  */ /g')" "config_validation 7 agree
sweep_shard_and_concat_uint32_roundtrip 2 agree
device_local_sharding_sweep 12 agree
mapper 3 agree
expected_placement_derived_from_rule 1 agree"

# Each modified case is detected.
spoiled() {
	sed "$1" cases.json >spoiled.json
	equal "the pattern '$1' changes something" "$(cmp -s cases.json spoiled.json && echo same)" ""
	meshsim shard --cases spoiled.json
	exits "spoiled by $1" 1
	contains "what differs, spoiled by $1" "$out" "$2"
}
spoiled 's/"shard": \[32, 120\]/"shard": [32, 64]/' 'expected throw (does not divide)'
spoiled 's/32 shards > 8/ok/; s/"throw (ok devices)"/"ok"/' 'do not fit on 2 x 4 devices'
spoiled 's/"device_local_size_B": 2048/"device_local_size_B": 4096/' 'expected 4096 B on a device'
spoiled 's/"size_B": 16384, "expect"/"size_B": 16, "expect"/' 'expected 16384 B on a device'
spoiled 's/buffer(2,4)/buffer(1,3)/' 'expected throw (out of mesh)'
spoiled 's/"global": \[128, 128\], "shard": \[32, 64\]/"global": [128, 128], "shard": [32, 60]/' \
	'expected data that come back'
spoiled 's/"shard": \[96, 0\]/"shard": [96, 32]/' 'seen     shard 96x0'
spoiled 's/(nd-sharding)/(uneven)/' 'seen     refused: nd-sharding'
spoiled 's/\[0, 3\]\], "1,0"/[1, 3]], "1,0"/' 'shards elsewhere: 0,0'
spoiled 's/\[0, 2\], \[0, 3\]\]/[0, 2]]/' 'expected 7 places'

printf '{"config_validation": [{"global": [64], "shard": [1, 1], "expect": "ok"}]}' >bad.json
meshsim shard --cases bad.json
exits 'a case that cannot be read' 2
contains 'where' "$err" 'bad.json:1:35: error: expected global: 2 numbers'
cat >odd.json <<'EOF'
{"mesh": "8x4", "config_validation": [
  {"global": [4294967295, 4294967295], "shard": [1, 1], "expect": "fatal"},
  {"global": [64, 128], "shard": [null, 32], "orientation": "row_major", "expect": "ok",
   "device_local_size_B": 2048},
  {"global": [64, 128], "shard": [null, 16], "expect": "throw (8 shards > 4 columns)"}],
 "sweep_shard_uint16": [{"global": [64, 60], "shard": [64, 7], "expect": "TT_FATAL: uneven"},
  {"global": [64, 64], "shard": [8, 64], "datum_B": 1, "note": "rows"}],
 "device_local_sharding_sweep": {"pages_per_core": [[2, 3]], "page_shape": [[1, 32]],
   "layouts": ["BLOCK_SHARDED"], "datum_B": 4},
 "expected_placement": [{"global": [64, 64], "shard": [0, 0],
    "orientation": "ShardOrientation::COL_MAJOR", "mesh": [1, 2], "expect": "ok (no error)",
    "placement_shard_to_device": {"0,0": [[0, 0], [0, 1]]}}],
 "lowering": [{"tensor": [1, 1, 128, 256], "dims": [2, 3],
   "mapper": "ShardTensor2DMesh", "expect": {"global": [128, 256], "shard": [16, 64], "orientation": "ROW_MAJOR"}}]}
EOF
meshsim shard --cases odd.json
exits 'other spellings' 0
equal 'all of them are tried' "$(printf '%s\n' "$out" | sed 's/  */ /g')" "config_validation 3 agree
sweep_shard_uint16 2 agree
device_local_sharding_sweep 1 agree
expected_placement 1 agree
lowering 1 agree"

# Unknown parts are not skipped: they differ, with their place.
unknown() {
	printf '%s' "$2" >unknown.json
	meshsim shard --cases unknown.json
	exits "$1" 1
	contains "$1" "$out" "$3"
}
unknown 'a section' '{"lowerings": [], "mappers": [], "maper": ["fine"]}' \
	"unknown.json:1: maper differs: unknown section 'maper', did you mean 'mapper'?"
unknown 'a key of a case' '{"config_validation": [{"global": [64, 128], "shrad": [1, 1]}]}' \
	"unknown key 'shrad', did you mean 'shard'?"
unknown 'a call' '{"config_validation": [{"call": "free, free", "expect": "throw"}]}' \
	"unknown call 'free, free'"
unknown 'a layout on a device' '{"device_local_sharding_sweep":
	{"pages_per_core": [[1, 1]], "page_shape": [[1, 4]], "layouts": ["DEPTH"]}}' \
	"unknown layout 'DEPTH'"

# Deliberate deviations, and statements that cannot be tested.
printf '{"behaviour": ["reading a replicated buffer as sharded is fatal", "all is well"]}' >says.json
meshsim shard --cases says.json
exits 'statements' 0
contains 'they are counted' "$out" '0 agree  1 otherwise by design  1 not tried'
contains 'the reason' "$out" "a replicated buffer has no shards: reading it takes the first device's"
contains 'the other' "$out" 'expected all is well'

# malformed NAME TEXT MESSAGE
malformed() {
	printf '%s' "$2" >malformed.json
	meshsim shard --cases malformed.json
	exits "$1" 2
	contains "$1" "$err" "$3"
}
malformed 'no cases' '{}' 'malformed.json:1:1: error: no cases'
malformed 'a section that is no list' '{"mapper": {}}' '1:12: error: expected a list of cases'
malformed 'a case that is no map' '{"mapper": [3]}' '1:13: error: expected a case, a map'
finish
