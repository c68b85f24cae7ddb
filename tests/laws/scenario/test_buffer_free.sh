# Buffers that steps free: the memory that is left is in pieces, which `show` tells, a new buffer takes the piece that it
# fits best, and what fits nowhere is refused although there is enough in all. In both worlds. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# fragments MORE: b, the middle one of three buffers of 400 KiB in every L1, is freed; MORE follows
fragments() {
	cat >free.yaml <<YAML
meshsim: 1
name: free
platform: n150
measure: {warmup: 0}
workload:
  - write_buffer: {buffer: a, bytes: 25600KiB, page_bytes: 4096, memory: l1}
  - write_buffer: {buffer: b, bytes: 25600KiB, page_bytes: 4096, memory: l1}
  - write_buffer: {buffer: c, bytes: 25600KiB, page_bytes: 4096, memory: l1}
  - read_buffer: {buffer: b}
  - free_buffer: {buffer: b}
YAML
	[ -z "$1" ] || printf '%s\n' "$1" >>free.yaml
	echo '  - read_buffer: {buffer: c}' >>free.yaml
}

# l1: taken, largest free block and free blocks of L1
l1() {
	meshsim show free.h5 --wide
	printf '%s\n' "$out" | grep 'worker L1'
}

for world in sim native; do
	fragments ''
	meshsim run free.yaml --world $world -o free.h5 --json
	exits "freed, $world" 0
	contains "freed, $world: two pieces" "$out" '"free_blocks": 2,'
	contains "freed, $world: what is taken" "$out" '"taken": 819200,'
	contains "freed, $world: read before and behind" "$out" '"verified": 2,'

	fragments "  - write_buffer: {buffer: d, bytes: 12800KiB, page_bytes: 4096, memory: l1}
  - read_buffer: {buffer: d}
  - write_buffer: {buffer: b, bytes: 6400KiB, page_bytes: 4096, memory: l1}
  - read_buffer: {buffer: b}
  - repeat: 3
    do:
      - write_buffer: {buffer: e, bytes: 6400KiB, page_bytes: 4096, memory: l1}
      - read_buffer: {buffer: e}
      - free_buffer: {buffer: e}"
	meshsim run free.yaml --world $world -o free.h5 --json
	exits "taken again, $world" 0
	contains "taken again, $world: what is taken" "$out" '"taken": 1126400,'
	contains "taken again, $world: never more than the three at the start" "$out" '"peak": 1228800,'
	contains "taken again, $world: every read is compared" "$out" '"verified": 7,'
done

l1
fragments '  - write_buffer: {buffer: d, bytes: 28800KiB, page_bytes: 4096, memory: l1}'
meshsim run free.yaml -o free.h5
exits "enough in all, but nowhere" 2
contains "enough in all, but nowhere" "$err" "free.yaml:11:38: error: buffer 'd'"

finish
