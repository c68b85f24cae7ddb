# Buffers in system memory (spec 3.3.3): one copy for all devices, in reserved memory of the host. The host itself
# writes and reads it, after everything that was enqueued on the same queue, and waits for nothing else.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >system.yaml <<'END'
meshsim: 1
name: system
platform: t3k
model: {noise: off}
runtime: {command_queues: 2, sizes: {system_memory_bytes: 1048576}}
workload:
  - write_buffer: {buffer: s, bytes: 65536, memory: system}
  - write_buffer: {buffer: odd, bytes: 4000, page_bytes: 100, memory: system, bottom_up: true}
  - write_buffer: {buffer: gone, bytes: 65536}
  - finish
  - enqueue_workload: {run_ns: 500us}
  - {as: other, read_buffer: {buffer: odd, queue: 1}}
  - {as: behind, read_buffer: {buffer: s}}
  - {as: idle, read_buffer: {buffer: s}}
  - record_event: {event: e, queue: 1}
  - wait_event: {event: e}
  - write_buffer: {buffer: s}
  - read_buffer: {buffer: s, queue: 1, blocking: true}
  - read_buffer: {buffer: odd}
  - finish
END

# host NAME: whole us that the host thread spent in the call of a step
host() {
	printf '%s\n' "$out" | awk -v name="Operation read_buffer/$1" '$0 == name { on = 1 } on && $2 == "host" {
		printf "%d", $4; exit }'
}

for world in native sim; do
	for threads in main pool; do
		meshsim run system.yaml --world $world --set runtime.host.threads=$threads -o system.h5 --json
		exits "$world, $threads" 0
		# five reads, and the arguments of one program on every checked worker
		contains "$world, $threads: every read is compared" "$out" '"verified": 21'
	done
done
meshsim show system.h5
behind=$(host behind) idle=$(host idle) other=$(host other)
[ "${behind:-0}" -ge 500 ] || fail "a read behind a program of 500 us took ${behind:-?} us"
[ "${idle:-999}" -lt 50 ] || fail "a read behind nothing took ${idle:-?} us"
[ "${other:-999}" -lt 50 ] || fail "a read of a queue that has nothing to do took ${other:-?} us"
contains "what is taken" "$(printf '%s\n' "$out" | grep 'system memory of the host')" "1048576    70656"

# refused KEYS EXPECTED: a buffer with these keys is rejected
refused() {
	cat >bad.yaml <<END
meshsim: 1
name: bad
platform: t3k
runtime: {sizes: {system_memory_bytes: 65536}}
workload:
  - write_buffer: {buffer: b, bytes: 8192, memory: system}
  - $1
END
	meshsim run bad.yaml -o bad.h5
	exits "$1" 2
	contains "$1" "$err" "$2"
	contains "$1: its place" "$err" "bad.yaml:7:"
	contains "$1: its line" "$err" "  - $1
   "
}

common="buffer 'b' lies in system memory, which all devices have in common and the host copies itself"
refused "write_buffer: {buffer: b, shard: [0, 1]}" "shard: $common"
refused "read_buffer: {buffer: b, shard: [0, 1]}" "shard: $common"
refused "read_buffer: {buffer: b, pinned: true}" "pinned: $common"
refused "write_buffer: {buffer: b, layout: block-sharded}" "buffer 'b' was made with other keys"
refused "write_buffer: {buffer: c, bytes: 8192, memory: system, layout: sharded}" \
	"bad.yaml:7:68: error: buffer 'c': height-sharded buffer in system memory, which has no banks or cores"
refused "write_buffer: {buffer: c, bytes: 8192, memory: system, spread: sharded}" \
	"bad.yaml:7:68: error: buffer 'c': devices have system memory in common: no parts of it are theirs"
refused "write_buffer: {buffer: c, bytes: 131072, memory: system}" \
	"buffer 'c': system memory: 131072 B wanted, 57344 of 65536 B free in 1 blocks, the largest has 57344 B (runtime.sizes.system_memory_bytes)"
refused "{trace: 1, do: [{read_buffer: {buffer: b}}, enqueue_workload]}" \
	"buffer 'b' lies in system memory: the host copies it itself, and a trace holds commands of devices"

meshsim run system.yaml --set workload.0.write_buffer.blocking=true -o system.h5
contains "a call that blocks anyway" "$err" "blocking has no effect in system memory"
meshsim run system.yaml --set runtime.sizes.system_memory_bytes=4294967295 -o bad.h5
exits "more than the host maps" 2
contains "more than the host maps: the key" "$err" "system_memory_bytes"

# On several hosts each has a copy, which its executor writes and reads, whichever host gets the data of broadcasts.
# several WHAT ARGUMENT...: the run with these settings
several() {
	what=$1
	shift
	meshsim run system.yaml --set platform=galaxy-x2-joined "$@" -o hosts.h5 --json
	exits "$what" 0
	contains "$what: every read is compared" "$out" '"verified": 21'
}
for resolution in controller executors mixed; do
	several "hosts, $resolution" --set runtime.distributed.resolution=$resolution
	several "broadcasts to all hosts, $resolution" --set runtime.distributed.resolution=$resolution \
		--set runtime.forward.path=broadcast --set runtime.distributed.broadcast=machine
done
several 'broadcasts from the other host than data are read from' --set 'runtime.mesh={shape: [5, 8], offset: [3, 0]}' \
	--set runtime.forward.path=broadcast --set runtime.distributed.broadcast=machine
several 'hosts that pin what they receive' --set runtime.distributed.receive=pinned
several 'native hosts' --world native
several 'native hosts that pin what they receive' --world native --set runtime.distributed.receive=pinned \
	--set platform=loopback --set runtime.distributed.transport=unix
several 'native hosts that assemble nothing' --world native --set runtime.distributed.allocator=controller
several 'a call that does not block on several hosts' --set workload.0.write_buffer.blocking=true
equal 'has an effect' "$(printf '%s\n' "$err" | grep -c 'has no effect')" 0
meshsim show hosts.h5
behind=$(printf '%s\n' "$out" | awk '$0 == "Operation read_buffer/behind" { on = 1 } on && $2 == "latency" { printf "%d", $4; exit }')
[ "${behind:-0}" -ge 500 ] || fail "a read behind a program of 500 us on hosts took ${behind:-?} us"
contains "what is taken of each host's" "$(printf '%s\n' "$out" | grep 'system memory of the host')" "1048576    70656"
finish
