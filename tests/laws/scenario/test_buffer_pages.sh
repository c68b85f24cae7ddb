# Steps that write and read some pages of each part of a buffer (`pages`), in both worlds: what was not written stays, every
# read is compared, and as many bytes move as the pages have. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# pages SPREAD: writes and reads parts of a buffer of 32 pages, 4 on each device, whole, by device, in loops, in a trace
pages() {
	cat <<YAML
meshsim: 1
name: pages
platform: t3k
measure: {warmup: 0}
workload:
  - write_buffer: {buffer: a, bytes: 32768, page_bytes: 1024, $1}
  - write_buffer: {buffer: a, pages: [1, 2]}
  - {as: whole, read_buffer: {buffer: a, blocking: true}}
  - {as: half, read_buffer: {buffer: a, pages: [0, 2], blocking: true}}
  - write_buffer: {buffer: a, pages: [3, 1], shard: [1, 2]}
  - read_buffer: {buffer: a, pages: [2, 2], shard: [1, 2]}
  - read_buffer: {buffer: a, shard: [1, 2]}
  - repeat: 3
    do:
      - write_buffer: {buffer: a, pages: [0, 1]}
      - read_buffer: {buffer: a, pages: [0, 3]}
  - {trace: 2, do: [write_buffer: {buffer: a, pages: [2, 2]}, read_buffer: {buffer: a, pages: [1, 2]}]}
  - read_buffer: {buffer: a}
  - finish
YAML
}

# bytes_of STEP: those of its operations
bytes_of() {
	printf '%s\n' "$out" | sed -n "s/^ .*\"$1.bandwidth\": *\([0-9.]*\).*/\1/p" | head -n 1
}

for spread in 'spread: sharded' 'spread: matrix, global_shape: [64, 256], shard_shape: [32, 64]' \
	'spread: sharded, layout: block-sharded, page_matrix: [2, 2], shard_pages: [2, 1], memory: l1'; do
	pages "$spread" >pages.yaml
	for world in sim native; do
		meshsim run pages.yaml --world $world -o pages.h5 --json
		exits "$spread, $world" 0
		lacks "$spread, $world: keys without effect" "$err" "no effect"
		contains "$spread, $world: every read is compared" "$out" '"verified": 10,'
	done
done

# of a replicated buffer one device is read
sed 's/spread: [^}]*}/spread: replicated}/; s/32768/4096/' pages.yaml >replicated.yaml
meshsim run replicated.yaml -o replicated.h5 --json
exits "replicated" 0
contains "replicated: every read is compared" "$out" '"verified": 10,'

# the figures are those of the bytes that move
/usr/bin/python3 - pages.h5 <<'END' || fail "bytes of operations"
import h5py, sys
ops = h5py.File(sys.argv[1])["ops"]
names = ops.dtype.names if hasattr(ops, "dtype") and ops.dtype.names else list(ops)
bytes_of = list(ops["bytes"][:])
print(bytes_of)
wanted = [32768, 16384, 32768, 16384, 1024, 2048, 4096] + [8192, 24576] * 3
sys.exit(bytes_of[:13] != wanted)
END
finish
