# The results of a scenario's collective on every device are compared with its reference, whether
# called or replayed, in both worlds. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >collective.yaml <<'EOF'
meshsim: 1
name: collective
platform: t3k
workload:
  - collective: {op: all_gather, size_bytes: 65536, links: 2, blocking: true}
  - trace: 2
    replays: 3
    blocking: true
    do:
      - collective: {op: all_gather, size_bytes: 65536}
      - enqueue_workload: {cores: 8, run_ns: 1000}
  - finish
measure: {verify_cores: 16}
EOF
verified() {
	"$binary" show collective.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
for world in sim native; do
	meshsim run collective.yaml -o collective.h5 --world $world
	exits "all_gather, $world: $err" 0
	least=$(verified)
	for op in reduce_scatter all_reduce all_to_all broadcast; do
		case $op in
		*reduce*) more=2 workers=4 ;; # they use more of the workers that are drawn
		*) more=0 workers=0 ;;
		esac
		meshsim run collective.yaml -o collective.h5 --world $world \
			--set workload.0.collective.op=$op --set workload.1.do.0.collective.op=$op \
			--set workload.0.collective.workers=$workers --set workload.1.do.0.collective.workers=$workers
		exits "$op, $world: $err" 0
		equal "launches and workers compared, $op, $world" "$(verified)" $((least + more))
	done
done
# An even ring: one half of the opposite device's data ends where the other half goes on.
for op in all_gather all_reduce broadcast; do
	meshsim run collective.yaml -o collective.h5 --set "workload=[{collective: {op: $op, size_bytes: 65536, \
topology: ring}}]"
	exits "$op in a ring: $err" 0
	equal "$op in a ring is compared" "$(verified)" 1
done
# Lines and rings of 64: each core gets the parts of all.
for op in all_gather reduce_scatter all_reduce; do
	for topology in line ring; do
		meshsim run collective.yaml -o collective.h5 --set platform=tgg --set "workload=[{collective: {op: $op, \
size_bytes: 40000, topology: $topology}}]"
		exits "$op in a $topology of 64: $err" 0
		equal "$op in a $topology of 64 is compared" "$(verified)" 1
	done
done

# More collectives than a core has semaphores for: those of one kind share them, one after the other.
cat >many.yaml <<'END'
meshsim: 1
name: many
platform: t3k
workload:
  - collective: {op: all_gather, size_bytes: 163840}
  - collective: {op: broadcast, size_bytes: 16384, root: 3}
  - collective: {op: all_reduce, size_bytes: 98304}
  - collective: {op: all_gather, size_bytes: 114688}
  - collective: {op: reduce_scatter, size_bytes: 65536}
  - collective: {op: all_reduce, size_bytes: 16384}
  - collective: {op: broadcast, size_bytes: 49152}
  - collective: {op: all_gather, size_bytes: 32768}
  - collective: {op: all_gather, size_bytes: 212992}
  - collective: {op: all_gather, size_bytes: 4096}
  - collective: {op: all_reduce, size_bytes: 32768}
  - collective: {op: reduce_scatter, size_bytes: 131072}
  - collective: {op: all_reduce, size_bytes: 65536, links: 2}
  - collective: {op: all_gather, size_bytes: 65536, topology: ring}
  - collective: {op: all_reduce, size_bytes: 65536, topology: ring}
  - collective: {op: all_to_all, size_bytes: 65536}
  - collective: {op: all_to_all, size_bytes: 131072}
  - collective: {op: all_to_all, size_bytes: 65536, page_bytes: 1024}
  - collective: {op: all_reduce, size_bytes: 131072}
  - finish
END
for world in sim native; do
	meshsim run many.yaml -o collective.h5 --world $world
	exits "many collectives, $world: $err" 0
	equal "all of many are compared, $world" "$(verified)" 19
done

# Groups of devices: neighbours, rings of four, devices that are far apart, some that are in none; one after the other,
# on the same cores.
cat >groups.yaml <<'END'
meshsim: 1
name: groups
platform: t3k
workload:
  - repeat: 2
    do:
      - collective: {op: all_reduce, size_bytes: 65536, groups: [{places: [0, 1, 2, 3]}, {places: [4, 5, 6, 7]}]}
      - collective: {op: all_gather, size_bytes: 65536, groups: [{places: [0, 7]}, {places: [1, 6]}, {places: [2, 5]}, {places: [3, 4]}]}
      - collective: {op: all_reduce, size_bytes: 65536, topology: ring, groups: [{places: [0, 1, 6, 7]}, {places: [2, 3, 4, 5]}]}
      - collective: {op: all_to_all, size_bytes: 65536, topology: ring, groups: [{places: [0, 2, 4, 6]}, {places: [1, 3, 5, 7]}]}
      - collective: {op: reduce_scatter, size_bytes: 65536, groups: [{places: [0, 5, 3]}]}
      - collective: {op: broadcast, size_bytes: 65536, root: 2, groups: [{places: [0, 5, 3]}, {places: [7, 4, 1]}]}
      - collective: {op: all_reduce, size_bytes: 65536, groups: [{places: [0, 1, 2, 3]}, {places: [7, 6, 5, 4]}]}
      - enqueue_workload: {cores: 8, run_ns: 1000}
  - finish
measure: {verify_cores: 448}
END
for world in sim native; do
	meshsim run groups.yaml -o collective.h5 --world $world
	exits "groups, $world: $err" 0
	[ "$(verified)" -gt 80 ] || fail "$(verified) launches and cores are compared of groups, $world"
done

# Also through two queues without order between them, in traces and as gathers: launches on a mesh
# have the same order on all devices, so that no device waits for a neighbour that has begun another
# launch.
cat >queues.yaml <<'END'
meshsim: 1
name: queues
platform: t3k
runtime: {command_queues: 2, gather: device, traces: replicated}
workload:
  - write_buffer: {buffer: a, bytes: 98304, page_bytes: 2048, spread: sharded}
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 1024, spread: per-row, queue: 1}
  - finish
  - trace: 1
    name: exchanged
    queue: 1
    replays: 1
    do:
      - collective: {op: reduce_scatter, size_bytes: 65536}
      - read_buffer: {buffer: b}
  - repeat: 10
    do:
      - collective: {op: all_gather, size_bytes: 65536}
      - collective: {op: all_to_all, size_bytes: 65536, topology: ring, queue: 1}
      - read_buffer: {buffer: a}
      - replay_trace: {trace: exchanged, queue: 1}
      - collective: {op: all_reduce, size_bytes: 32768}
      - read_buffer: {buffer: b, queue: 1}
  - finish
END
for world in sim native; do
	meshsim run queues.yaml -o collective.h5 --world $world
	exits "two queues, $world: $err" 0
	equal "reads and launches compared, two queues, $world" "$(verified)" 72
done

meshsim run collective.yaml -o collective.h5 --set platform=galaxy-x2 --set 'workload=[{collective: {op: all_gather, size_bytes: 4096}}]'
exits 'devices of two hosts' 2
contains 'devices of two hosts' "$err" 'error: collectives take devices with routes to each other, and no links join the hosts'
meshsim run collective.yaml -o collective.h5 --set runtime.traces=off
exits 'without traces' 0
equal 'as many are compared' "$(verified)" "$least"
meshsim run collective.yaml -o collective.h5 --set measure.verify=false
equal 'nothing is compared that nobody wants compared' "$(verified)" 0

# 1 and 6 launches, whose values are compared, and workers.
[ "$least" -gt 7 ] || fail "$least compared"

meshsim run collective.yaml -o collective.h5 --set workload.1.do.0.collective.blocking=true
exits 'a captured collective that blocks' 2
contains 'a captured collective that blocks' "$err" 'a step that is captured cannot block'
finish
