# Memory of a scenario's buffers: every kind of memory and layout returns the data in both worlds,
# results show how much of which memory is used, and impossible buffers are rejected with their
# place. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >memory.yaml <<'EOF'
meshsim: 1
name: memory
platform: t3k
runtime: {mesh: {shape: [1, 2]}, sizes: {l1_small_bytes: 32KiB}}
workload:
  - write_buffer: {buffer: h, bytes: 122880, page_bytes: 512, memory: l1, layout: height-sharded, page_matrix: [30, 8], shard_pages: [4, 8], bottom_up: true}
  - write_buffer: {buffer: w, bytes: 61440, page_bytes: 512, memory: l1, layout: width-sharded, page_matrix: [2, 60], shard_pages: [2, 7], orientation: column-major}
  - write_buffer: {buffer: b, bytes: 122880, page_bytes: 512, memory: l1-small, layout: block-sharded, page_matrix: [15, 16], shard_cores: [3, 2], orientation: column-major}
  - write_buffer: {buffer: d, bytes: 61440, page_bytes: 512, layout: block-sharded, page_matrix: [12, 10], shard_pages: [5, 3], spread: sharded}
  - read_buffer: {buffer: h}
  - read_buffer: {buffer: w}
  - read_buffer: {buffer: b}
  - finish
EOF
sed -i 's/page_matrix: \[12, 10\]/page_matrix: [6, 10]/; s/finish/read_buffer: {buffer: d}/' memory.yaml

# column NAME FILE: the column of all rows of the memory table
column() {
	"$binary" show "$2" --json | awk -v name="\"$1\":" '
		$1 == "\"memory\":" { on = 1 }
		on && $1 == name { printf "%s%s", separator, $2 + 0; separator = " " }
		on && /\]/ { exit }'
}
for world in sim native; do
	meshsim run memory.yaml -o $world.h5 --world $world
	exits "four layouts, $world" 0
	contains "they are compared, $world" "$(printf '%s\n' "$out" | grep -A 3 'whole run' | tail -n 1)" '    4'
	# In a bank: a shard of 15 pages. In a worker: shards of 32 and of 14 pages, and one of 8 x 6 of
	# those of 3 x 2 cores.
	equal "taken of DRAM, L1 and small L1, $world" "$(column taken $world.h5)" \
		"$((15 * 512)) $(((32 + 14) * 512)) $((8 * 6 * 512))"
	equal "blocks, $world" "$(column allocations $world.h5)" '1 2 1'
	equal "at most, $world" "$(column peak $world.h5)" "$(column taken $world.h5)"
done

# With allocations at both ends, free memory is one block that does not start at the bottom; for
# small L1, the rest is reported.
equal 'free blocks' "$(column free_blocks sim.h5)" '1 1 1'
equal 'the small region' "$(column total sim.h5 | cut -d ' ' -f 3)" 32768
equal 'what is left of it' "$(column free sim.h5 | cut -d ' ' -f 3)" "$((32768 - 8 * 6 * 512))"
low=$(column lowest sim.h5 | cut -d ' ' -f 2)
meshsim run memory.yaml -o down.h5 --set workload.0.write_buffer.bottom_up=false
high=$(column lowest down.h5 | cut -d ' ' -f 2)
equal "bottom up $low is below top down $high" "$((low < high))" 1

meshsim show sim.h5
contains 'show has a table' "$out" 'Memory of every bank or worker, at the end of the steps'

# System memory has 64-bit addresses: the first buffer is above 4 GiB. In a DRAM bank of 4 GiB, such as a
# Blackhole's, buffers fill the range from the last bytes with 32-bit addresses down to the first.
cat >far.yaml <<'EOF'
meshsim: 1
name: far
platform:
  extends: n150
  chip: {host_window_size: {value: 16, unit: GiB, kind: assumed, source: hugepages}}
  memory: {dram_bank: {value: 4, unit: GiB, kind: assumed, source: a Blackhole}}
runtime: {sizes: {system_memory_bytes: 6GiB, trace_region_bytes: 2GiB}}
workload:
  - write_buffer: {buffer: s, bytes: 1MiB, page_bytes: 65536, memory: system}
  - write_buffer: {buffer: t, bytes: 65536, page_bytes: 2048, memory: system, bottom_up: true}
  - write_buffer: {buffer: h, bytes: 786432, page_bytes: 65536, memory: trace}
  - write_buffer: {buffer: w, bytes: 786432, page_bytes: 2048, layout: width-sharded}
  - write_buffer: {buffer: l, bytes: 98304, page_bytes: 4096, bottom_up: true}
  - read_buffer: {buffer: s}
  - read_buffer: {buffer: t}
  - read_buffer: {buffer: h}
  - read_buffer: {buffer: w}
  - read_buffer: {buffer: l}
EOF
for world in sim native; do
	meshsim run far.yaml -o far.h5 --world $world
	exits "far addresses, $world" 0
	equal "far addresses, $world: compared" \
		"$("$binary" show far.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p')" 5
	meshsim run far.yaml -o no.h5 --world $world --set runtime.sizes.system_memory_bytes=100GiB
	exits "more system memory than the host window, $world" 2
	contains "more system memory than the host window, $world" "$err" \
		'--set runtime.sizes.system_memory_bytes:1:35: error: the host window of platform n150 does not hold the 107'
	meshsim run far.yaml -o no.h5 --world $world --set runtime.sizes.trace_region_bytes=4GiB
	exits "a trace region above 32 bits, $world" 2
	contains "a trace region above 32 bits, $world" "$err" '--set runtime.sizes.trace_region_bytes:1:34: error: 4294967296 B for traces and binaries leave nothing of a bank of 4294967296 B, whose addresses have 32 bits'
done

# refused NAME SET MESSAGE
refused() {
	meshsim run memory.yaml -o no.h5 --set "$2"
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'another number of pages' 'workload.0.write_buffer.page_matrix=[3, 8]' \
	"memory.yaml:6:83: error: buffer 'h': height-sharded buffer of 240 pages declared as a matrix of 3 x 8 pages"
refused 'shards that are no rows' 'workload.0.write_buffer.shard_pages=[4, 4]' \
	"error: buffer 'h': height-sharded: a shard is 4 pages wide, the buffer 8"
refused 'cores that are none' 'workload.2.write_buffer.shard_cores=[30, 2]' \
	"error: buffer 'b': block-sharded buffer on cores 0,0 to 29,1 of a grid of 8 x 7"
refused 'cores of DRAM' 'workload.3.write_buffer.shard_cores=[3, 2]' \
	"error: shard_cores: the pages of buffer 'd' are block-sharded over DRAM banks; that wants a sharded layout in L1"
refused 'pages in a row of a matrix' 'workload.3.write_buffer.contiguous_pages=3' \
	"error: contiguous_pages: the pages of buffer 'd' are block-sharded over DRAM banks; that wants layout: sharded"
refused 'no small L1' 'runtime.sizes.l1_small_bytes=0' \
	"error: buffer 'b': small L1 region: 24576 B wanted, and there is none (runtime.sizes.l1_small_bytes)"
refused 'too little small L1' 'runtime.sizes.l1_small_bytes=8192' \
	"error: buffer 'b': small L1 region: 24576 B wanted, 8192 of 8192 B free in 1 blocks, the largest has 8192 B (runtime.sizes.l1_small_bytes)"
refused 'no L1 left' 'runtime.sizes={l1_small_bytes: 1048576, config_ring_bytes: 524288}' \
	'error: a small L1 region of 1048576 B does not fit into the'
meshsim run memory.yaml -o idle.h5 --set workload.3.write_buffer.orientation=column-major
contains 'banks have no columns' "$err" 'warning: orientation has no effect without shards in L1'
finish
