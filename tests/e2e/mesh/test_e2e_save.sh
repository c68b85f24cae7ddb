# Steps save what they read: the result file has a table of the values, which are those that programs
# computed, in both worlds. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || skip "no h5py"

cat >saves.yaml <<'YAML'
meshsim: 1
name: saves
platform: n150
workload:
  - write_buffer: {buffer: a, bytes: 8192, page_bytes: 2048, values: bf16}
  - write_buffer: {buffer: b, bytes: 8192, page_bytes: 2048, values: bf16}
  - write_buffer: {buffer: c, bytes: 8192, page_bytes: 2048, values: bf16}
  - enqueue_workload: {library: add, element: bf16, buffers: {left: a, right: b, to: c}}
  - read_buffer: {buffer: a, save: left, blocking: true}
  - read_buffer: {buffer: b, save: right, blocking: true}
  - repeat: 2
    do: [{read_buffer: {buffer: c, save: sum, blocking: true}}]
  - write_tensor: {tensor: t, layout: "tensor<2x3xi32, #tt.layout<(d0, d1) -> (d0, d1), zero, <1x1>, memref<1x1x!tt.tile<32 x 32, i32>, #tt.memory_space<dram>>>>"}
  - read_tensor: {tensor: t, save: out-1}
YAML
meshsim run saves.yaml -o sim.h5
exits "sim" 0
meshsim run saves.yaml -o native.h5 --world native
exits "native" 0

seen=$(/usr/bin/python3 - <<'PYTHON'
import h5py
import numpy

runs = [h5py.File(name)["runs/000000"] for name in ("sim.h5", "native.h5")]
left, right, total = (runs[0]["saved_" + name]["value"] for name in ("left", "right", "sum"))
print("elements", len(left), len(right), len(total), len(runs[0]["saved_out-1"]), numpy.count_nonzero(runs[0]["saved_out-1"]["value"]))
print("different", len(set(left)) > 1000)
step = 2.0 ** (numpy.floor(numpy.log2(numpy.maximum(numpy.abs(total), 2.0 ** -100))) - 7)  # of bf16
print("sums", bool((numpy.abs(left + right - total) <= step / 2).all()))
for name in ("left", "right", "sum", "out-1"):
    print(name, numpy.array_equal(*(run["saved_" + name]["value"] for run in runs)))
print([[cell.decode() if isinstance(cell, bytes) else int(cell) for cell in row] for row in runs[0]["saved"]])
PYTHON
)
equal "values" "$seen" "elements 4096 4096 4096 6 6
different True
sums True
left True
right True
sum True
out-1 True
[['left', 'bf16', '4096', 4096], ['right', 'bf16', '4096', 4096], ['sum', 'bf16', '4096', 4096], ['out-1', 'i32', '2 x 3', 6]]"
meshsim show sim.h5
contains "show names it" "$out" "saved_out-1: i32 2 x 3"

# bad input: a name with a path, a name twice, a read in flight, too much
sed 's/save: left/save: ..\/left/; s/save: right, blocking: true/save: right/; s/out-1/sum/' saves.yaml >bad.yaml
meshsim run bad.yaml
exits "bad names" 2
contains "no path" "$err" "bad.yaml:9:36: error: a name in the result file has 1 to 32 letters"
contains "in flight" "$err" "bad.yaml:10:36: error: a read that is saved has to be blocking"
contains "twice" "$err" "saves as 'sum', too"
sed 's/bytes: 8192/bytes: 16777216/' saves.yaml >bad.yaml
meshsim run bad.yaml
contains "too much" "$err" "8388608 elements to save, at most 4194304"
meshsim run saves.yaml --set 'workload.4.read_buffer.pages=[0, 1]'
contains "some pages" "$err" "a read of some pages is not saved"
meshsim run saves.yaml --set model.elide_above_bytes=4096
contains "elided" "$err" "none are simulated"

# a tensor in tiles is saved row by row, and what fills its tiles up is left out
cat >tiles.yaml <<'YAML'
meshsim: 1
name: tiles
platform: n150
workload:
  - write_buffer: {buffer: a, shape: [2, 64, 96], element: bf16, values: bf16}
  - write_buffer: {buffer: row, shape: [64], element: bf16, values: bf16}
  - write_buffer: {buffer: c, bytes: 24576, page_bytes: 2048, values: bf16}
  - enqueue_workload: {library: copy, buffers: {from: a, to: c}}
  - read_buffer: {buffer: a, save: a, blocking: true}
  - read_buffer: {buffer: row, save: row, blocking: true}
  - read_buffer: {buffer: c, save: c, blocking: true}
YAML
meshsim run tiles.yaml -o tiles.h5
exits "tiles: $err" 0
seen=$(/usr/bin/python3 - <<'PYTHON'
import h5py

run = h5py.File("tiles.h5")["runs/000000"]
rows, tiles = (run["saved_" + name]["value"] for name in ("a", "c"))
# image, tile down, row of faces, row, tile along, column of faces, column
order = rows.reshape(2, 2, 2, 16, 3, 2, 16).transpose(0, 1, 4, 2, 5, 3, 6).reshape(-1)
print(bool((order == tiles).all()), bool((rows == tiles).all()), len(run["saved_row"]))
print([[cell.decode() if isinstance(cell, bytes) else int(cell) for cell in row] for row in run["saved"]])
PYTHON
)
equal "in rows" "$seen" "True False 64
[['a', 'bf16', '2 x 64 x 96', 12288], ['row', 'bf16', '64', 64], ['c', 'bf16', '12288', 12288]]"
