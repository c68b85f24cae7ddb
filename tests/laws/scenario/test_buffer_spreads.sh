# Distribution of a buffer's parts over devices (spec 3.3.3): shards in both orders over the mesh, strips along rows and
# columns, with uneven last shards in both orders within each device, in DRAM, L1 and the trace region. Every part is
# read back alone, and a write to one device changes a read of the whole buffer. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# each device's 7 x 5 pages in shards of 3 x 2: the last ones of rows and columns are smaller
matrix='page_matrix: [7, 5], shard_pages: [3, 2]'

# steps NAME SPREAD PARTS KEYS: writes and reads a buffer of so many parts, as a whole and per device
steps() {
	echo "  - write_buffer: {buffer: $1, bytes: $((35 * 256 * $3)), page_bytes: 256, spread: $2, $4}"
	echo "  - read_buffer: {buffer: $1}"
	for device in '[0, 0]' '[0, 2]' '[1, 0]' '[1, 3]'; do
		echo "  - read_buffer: {buffer: $1, shard: $device}"
	done
	echo "  - write_buffer: {buffer: $1, shard: [0, 2]}"
	for device in '[0, 2]' '[1, 2]' '[0, 1]'; do
		echo "  - read_buffer: {buffer: $1, shard: $device}"
	done
	echo "  - read_buffer: {buffer: $1}"
}

{
	cat <<'END'
meshsim: 1
name: spreads
platform: t3k
runtime: {sizes: {trace_region_bytes: 1048576}}
workload:
END
	number=0
	for memory in dram l1 trace; do
		for inner in interleaved "block-sharded, $matrix" "block-sharded, $matrix, orientation: column-major"; do
			case $memory,$inner in dram,*column*|trace,*column*) continue ;; esac # banks have no order
			for spread in "sharded 8" "sharded,spread_order:column-major 8" "per-row 2" "per-column 4" \
				"replicated 1"; do
				number=$((number + 1))
				steps "b$number" "$(echo "${spread% *}" | sed 's/,/, /; s/:/: /')" "${spread##* }" \
					"memory: $memory, layout: $inner"
			done
		done
	done
	echo '  - finish'
} >spreads.yaml
equal "buffers" $number 35

for world in sim native; do
	for path in unicast broadcast; do
		meshsim run spreads.yaml --world $world --set runtime.forward.path=$path -o spreads.h5 --json
		exits "$world, $path" 0
		lacks "$world, $path: keys without effect" "$err" "no effect"
		contains "$world, $path: every read is compared" "$out" "\"verified\": $((number * 9))"
	done
done

meshsim show spreads.h5
contains "what the trace region has given out" "$out" "trace region of a DRAM bank"

finish
