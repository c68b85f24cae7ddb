# Two command queues and one buffer: unordered accesses are rejected as a race, with their place in the scenario.
# Accesses ordered by events, finishes or blocking steps run, and every read is correct. timeout: 300 label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# program PLATFORM: the steps follow from standard input; `a` and `b` are written and complete
program() {
	cat >order.yaml <<END
meshsim: 1
name: order
platform: $1
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 2048}
  - write_buffer: {buffer: b, bytes: 4194304, spread: sharded}
  - finish
END
	cat >>order.yaml
}

# races NAME PLACE BUFFER DONE QUEUE UNDONE OTHER LINE: checks that exactly one error is reported: BUFFER is DONE (read,
# written) through QUEUE at PLACE while OTHER may still UNDONE (read, write) it, at LINE
races() {
	meshsim run order.yaml
	exits "$1" 2
	equal "$1: message" "$(printf '%s\n' "$err" | grep '^order')" "order.yaml:$2: error: buffer '$3' is $4 \
through queue $5 while queue $7 may still $6 it (order.yaml:$8): have queue $5 wait for an event of queue \
$7, or finish queue $7, in between (measure.verify: false lets it be)"
	equal "$1: standard output" "$out" ""
	meshsim run order.yaml --set measure.verify=false
	exits "$1, not compared" 0
}

# ordered NAME READS: runs in both worlds and compares all reads
ordered() {
	for world in sim native; do
		meshsim run order.yaml --world $world --json
		exits "$1, $world" 0
		contains "$1, $world" "$out" "\"verified\": $2"
	done
}

program t3k <<'END'
  - write_buffer: {buffer: a}
  - read_buffer: {buffer: a, queue: 1}
END
races "a read beside a write" 10:5 a read 1 write 0 9

program t3k <<'END'
  - read_buffer: {buffer: b, queue: 1}
  - read_buffer: {buffer: a, queue: 1}
  - write_buffer: {buffer: a}
END
races "a write beside a read" 11:5 a written 0 read 1 10

program n150 <<'END'
  - write_buffer: {buffer: b}
  - write_buffer: {buffer: b, queue: 1}
  - finish
END
races "a write beside a write" 10:5 b written 1 write 0 9

program t3k <<'END'
  - write_buffer: {buffer: b}
  - read_buffer: {buffer: a, blocking: true}
  - read_buffer: {buffer: b, queue: 1}
END
races "a read behind a blocking read of the first device" 11:5 b read 1 write 0 9

program n150 <<'END'
  - repeat: 3
    do:
      - read_buffer: {buffer: a, queue: 1}
      - record_event: {event: e, queue: 1}
      - write_buffer: {buffer: b}
      - wait_event: {event: e, queue: 0}
      - write_buffer: {buffer: a}
END
races "a read beside the write of the round before" 11:9 a read 1 write 0 15

program n150 <<'END'
  - write_buffer: {buffer: a}
  - record_event: {event: e}
  - wait_event: {event: e, queue: 0}
  - read_buffer: {buffer: a, queue: 1}
END
races "an event that the other queue does not wait for" 12:5 a read 1 write 0 9

program t3k <<'END'
  - repeat: 4
    do:
      - write_buffer: {buffer: b}
      - record_event: {event: written}
      - wait_event: {event: written, queue: 1}
      - read_buffer: {buffer: b, queue: 1}
      - record_event: {event: read, queue: 1}
      - wait_event: {event: read, queue: 0}
END
ordered "events that hand a buffer to and fro" 4

program t3k <<'END'
  - write_buffer: {buffer: a}
  - read_buffer: {buffer: a, blocking: true}
  - write_buffer: {buffer: a, queue: 1}
  - read_buffer: {buffer: b, queue: 1}
  - write_buffer: {buffer: b, queue: 1, blocking: true}
  - read_buffer: {buffer: b}
  - read_buffer: {buffer: a, queue: 1}
END
ordered "blocking steps" 4

program t3k <<'END'
  - write_buffer: {buffer: b}
  - record_event: {event: written, to_host: true}
  - wait_event: {event: written, host: true}
  - read_buffer: {buffer: b, queue: 1}
  - finish: {queue: 1}
  - write_buffer: {buffer: b}
  - enqueue_workload: {cores: 1, blocking: true}
  - read_buffer: {buffer: b, queue: 1}
END
ordered "what the host waits for" 2

# ---- random programs ----

# steps SEED: a random program of the same kinds of steps; events are recorded before they are
# waited for
steps() {
	awk -v state="$1" '
	function draw(n) {
		state = (state * 16807) % 2147483647
		return int(state / 7) % n
	}
	function step(indent,    kind, queue, name) {
		kind = draw(10)
		queue = draw(2)
		name = draw(2) ? "a" : "b"
		blocking = draw(3) ? "false" : "true"
		if (kind < 2)
			print indent "- write_buffer: {buffer: " name ", queue: " queue ", blocking: " blocking "}"
		else if (kind < 6)
			print indent "- read_buffer: {buffer: " name ", queue: " queue ", blocking: " blocking "}"
		else if (kind < 7)
			print indent "- enqueue_workload: {cores: 2, queue: " queue ", blocking: " blocking "}"
		else if (kind < 8)
			print indent "- finish: {queue: " queue "}"
		else {
			print indent "- record_event: {event: e, to_host: true, queue: " queue "}"
			print indent "- wait_event: {event: e, " (kind < 9 ? "host: true" : "queue: " 1 - queue) "}"
		}
	}
	BEGIN {
		for (i = 0; i < 4; i++)
			step("  ")
		print "  - repeat: 3"
		print "    do:"
		for (i = 0; i < 5; i++)
			step("      ")
		for (i = 0; i < 3; i++)
			step("  ")
	}'
}

ran=0
seed=0
while [ "$seed" -lt "${ORDER_SEEDS:-30}" ]; do
	seed=$((seed + 1))
	steps $((seed * 7919)) | program "$([ $((seed % 3)) -eq 0 ] && echo n150 || echo t3k)"
	meshsim run order.yaml
	[ "$code" -eq 2 ] && contains "seed $seed is refused for a race" "$err" "through queue" && continue
	exits "seed $seed" 0
	ran=$((ran + 1))
	meshsim run order.yaml --world native
	exits "seed $seed, natively" 0
done
[ "$ran" -ge $((seed / 4)) ] || fail "only $ran of $seed programs at random have no race"

echo "$ran of $seed ran"
finish
