# label: full
# Pages of every size and alignment with programs of every shape: all combinations that the schema
# accepts run to the end, simulated and natively, traced or not, and written data are read back.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >sizes.yaml <<'END'
meshsim: 1
name: sizes
platform: n150
model: {noise: off}
runtime: {command_queues: 2}
workload:
  - write_buffer: {bytes: 15000, page_bytes: 1000}
  - repeat: 2
    do: [{enqueue_workload: {program: plain, kernel_groups: 2, kernel_bytes: 3000, run_ns: 100}}]
  - finish
  - trace: 2
    replays: 2
    do: [{enqueue_workload: {program: traced, processors: [brisc, ethernet]}}]
  - finish
  - read_buffer: {blocking: true}
sweep:
  runtime.sizes.page_alignment_bytes: [0, 16, 4096]
  runtime.sizes.binary_page_bytes: [33, 1000, 2048, 65536]
  workload.1.do.0.enqueue_workload.kernel_groups: [1, 3]
  workload.1.do.0.enqueue_workload.kernel_bytes: [16, 3000]
END
runs=48
for world in sim native; do
	meshsim run sizes.yaml -o $world.h5 --world=$world
	exits "pages of all sizes, $world" 0
	meshsim show $world.h5 --json
	equal "pages of all sizes, $world: good runs" \
		"$(printf '%s' "$out" | grep -c '"status": "ok"')" $runs
	equal "pages of all sizes, $world: reads that were compared" \
		"$(printf '%s' "$out" | grep -c '"verified": [1-9]')" $runs
done

# ---- pages are whole aligned ones ----
cat >one.yaml <<'END'
meshsim: 1
name: one
platform: n150
model: {noise: off}
workload:
  - repeat: 3
    do: [{enqueue_workload: {kernel_groups: 3, kernel_bytes: 3000}}]
  - finish
END
figures() {
	meshsim run one.yaml -o one.h5 "$@" && meshsim show one.h5 --json
	printf '%s' "$out" | grep '"p50"\|"events"'
}
rounded=$(figures --set runtime.sizes.binary_page_bytes=1000)
equal "pages of 1000 B take 1024 B" "$rounded" \
	"$(figures --set runtime.sizes.binary_page_bytes=1024)"
other=$(figures --set runtime.sizes.binary_page_bytes=512)
[ "$rounded" != "$other" ] || fail "pages of 512 B take another time"

# ---- the largest pages: too large for one ROUTE, or for one command of a prefetcher ----
cat >large.yaml <<'END'
meshsim: 1
name: large
platform: t3k
model: {noise: off}
runtime: {mesh: {shape: [1, 2]}}
workload:
  - write_buffer: {buffer: replicas, bytes: 2097152, page_bytes: 1048576}
  - write_buffer: {buffer: banks, bytes: 4194304, page_bytes: 1048576, layout: sharded}
  - write_buffer: {buffer: cores, bytes: 2097152, page_bytes: 1048576, memory: l1, spread: sharded}
  - write_buffer: {buffer: padded, bytes: 2089012, page_bytes: 1044506}
  - finish
  - read_buffer: {buffer: replicas, blocking: true}
  - read_buffer: {buffer: banks, blocking: true}
  - read_buffer: {buffer: cores, blocking: true}
  - read_buffer: {buffer: padded, blocking: true}
sweep:
  platform.tiles.harvested_by_chip: [[[10, 11], [1, 2], [3, 9], [5, 8]]]
END
for sets in "path=unicast coordinates=virtual" "path=unicast coordinates=physical" \
	"path=broadcast coordinates=virtual"; do
	for world in sim native; do
		path=${sets%% *}
		meshsim run large.yaml -o large.h5 --world=$world --set "runtime.forward.$path" \
			--set "runtime.${sets#* }"
		exits "large pages, $sets, $world" 0
		meshsim show large.h5 --json
		contains "large pages, $sets, $world: reads that were compared" "$out" \
			'"verified": 4'
	done
done

# ---- errors ----
for bytes in 0 31 65537; do
	meshsim run one.yaml --set runtime.sizes.binary_page_bytes=$bytes
	exits "pages of $bytes B" 2
	contains "pages of $bytes B" "$err" "error: 'binary_page_bytes': $bytes is out of range 32 to 65536"
done
finish
