# Collectives that are lists of sends and receives: each device gets the data that were sent, in both worlds; a ring of
# them takes the time of the collective that goes the same way; lists that cannot end are refused. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# scenario PLATFORM SHAPE TOPOLOGY < lists, one a line
scenario() {
	printf 'meshsim: 1\nname: messages\nplatform: %s\nruntime: {mesh: {shape: %s}}\nworkload:\n' "$1" "$2"
	printf '  - collective:\n      op: messages\n      topology: %s\n      ranks:\n' "$3"
	sed 's/.*/        - do: [&]/'
	echo '  - finish'
}
verified() {
	"$binary" show messages.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
latency() { # of the first step, in ps
	"$binary" show "$1" --json | sed -n '/"latency": {/,/}/s/.*"p50": \([0-9][0-9]*\).*/\1/p' | head -n 1
}

# ---- values, tags in another order than they come, signals, routes over several chips, several senders ----
scenario t3k '[2, 4]' line >several.yaml <<'END'
{send: 7, bytes: 5000, tag: 1}, {send: 7, bytes: 100, tag: 2}, {receive: 7, tag: 9}, {busy_ns: 300}
{send: 7, bytes: 40000}, {send: 3, bytes: 0}
{send: 7, bytes: 4096}, {send: 3, bytes: 64}, {receive: 3}
{receive: 2}, {receive: 1}, {send: 2, bytes: 2048}
{send: 5, bytes: 30000}, {send: 5, bytes: 20000}
{receive: 4}, {receive: 4}

{receive: 0, tag: 2}, {receive: 0, tag: 1}, {receive: 2}, {receive: 1}, {send: 0, bytes: 70000, tag: 9}
END
for world in sim native; do
	meshsim run several.yaml -o messages.h5 --world $world
	exits "messages, $world: $err" 0
	equal "messages are compared, $world" "$(verified)" 1
done
equal "no key is without effect" "$err" ""
for set in 'workload=[{repeat: 3, do: [{collective: {op: messages, ranks: [{do: [{send: 1, bytes: 9000}]}, {do: [{receive: 0}]}]}}]}, finish]' \
	'workload=[{trace: 2, replays: 3, do: [{collective: {op: messages, ranks: [{do: [{send: 1, bytes: 9000}]}, {do: [{receive: 0}]}]}}]}, finish]'; do
	for world in sim native; do
		meshsim run several.yaml -o messages.h5 --world $world --set "$set"
		exits "again and again, $world: $err" 0
		equal "launches are compared, $world" "$(verified | sed 's/[36]/many/')" many
	done
done

# ---- steps share semaphores: a fast sender is a step ahead of a receiver that is busy ----
step() {
	printf '  - collective: {op: messages, topology: ring, ranks: [%s]}\n' "$1"
}
{
	printf 'meshsim: 1\nname: ahead\nplatform: t3k\nruntime: {mesh: {shape: [1, 4]}}\nworkload:\n'
	step '{do: [{send: 1, bytes: 2048}]}, {do: [{busy_ns: 50us}, {receive: 0}]}, {do: []}, {do: []}'
	step '{do: [{send: 2, bytes: 6000}, {send: 1, bytes: 4096}]}, {do: [{receive: 3}, {receive: 0}]}, {do: [{receive: 0}]}, {do: [{send: 1, bytes: 100}]}'
	step '{do: [{send: 1, bytes: 2048}]}, {do: [{receive: 0}]}'
	printf '  - finish\n'
} >ahead.yaml
for world in sim native; do
	meshsim run ahead.yaml -o messages.h5 --world $world
	exits "steps ahead, $world: $err" 0
	equal "all steps are compared, $world" "$(verified)" 3
done

# ---- a ring by hand, and the collective that goes the same way, a part at a time ----
ring() { # ring RANKS BYTES
	awk -v n="$1" -v bytes="$2" 'BEGIN {
		for (r = 0; r < n; r++) {
			line = ""
			for (s = 0; s < 2 * (n - 1); s++) {
				line = line (s ? ", " : "") "{send: " (r + 1) % n ", bytes: " bytes "}, {receive: " (r + n - 1) % n "}"
				if (s < n - 1)
					line = line ", {busy_ns: 7us}"
			}
			print line
		}
	}'
}
ring 8 131072 | scenario t3k '[2, 4]' ring >ring.yaml
meshsim run ring.yaml -o messages.h5
exits "a ring by hand: $err" 0
equal "a ring by hand is compared" "$(verified)" 1
by_hand=$(latency messages.h5)
meshsim run ring.yaml -o one.h5 --set 'workload=[{collective: {op: all_reduce, topology: ring, ways: 1, size_bytes: 1048576, chunk_pages: 64, workers: 1}}, finish]'
exits "the collective: $err" 0
collective=$(latency one.h5)
apart=$(((by_hand - collective) * 100 / collective))
[ "${apart#-}" -le 10 ] || fail "a ring by hand takes $by_hand ps, the collective $collective ps: $apart %"

# ---- errors ----
refused() { # refused WHAT MESSAGE LIST...
	what=$1 message=$2
	shift 2
	printf '%s\n' "$@" | scenario t3k '[1, 2]' line >bad.yaml
	meshsim run bad.yaml -o bad.h5
	exits "$what" 2
	contains "$what" "$err" "$message"
}
refused "no receive" "bad.yaml:10:16: error: rank 1 does not receive this message of rank 0, tag 3" '{send: 1, bytes: 4, tag: 3}' ''
refused "another tag" "rank 1 does not receive this message of rank 0, tag 3" '{send: 1, bytes: 4, tag: 3}' '{receive: 0}'
refused "no send" "bad.yaml:10:16: error: rank 1 does not send this message to rank 0, tag 0" '{receive: 1}' ''
refused "a circle" "rank 0 waits for rank 1, which waits for it in turn" '{receive: 1}, {send: 1, bytes: 4}' \
	'{receive: 0}, {send: 0, bytes: 4}'
refused "no such rank" "rank 2 of 2" '{send: 2, bytes: 4}' ''
refused "itself" "a message of rank 0 to itself" '{send: 0, bytes: 4}, {receive: 0}'
refused "too many lists" "ranks: 3 lists for 2 devices" '' '' ''
refused "no bytes" "missing key 'bytes'" '{send: 1}' '{receive: 0}'
for key in links=2 ways=1 chunk_pages=4 workers=2 size_bytes=8 root=1; do
	meshsim run several.yaml -o bad.h5 --set workload.0.collective.$key
	exits "$key" 2
	contains "$key" "$err" "${key%%=*}"
done
meshsim run several.yaml -o bad.h5 --set 'workload=[{collective: {op: messages}}]'
contains "no lists" "$err" "op messages: missing key 'ranks'"
meshsim run several.yaml -o bad.h5 --set 'workload=[{collective: {op: all_gather}}]'
contains "no size" "$err" "collective: missing key 'size_bytes'"
meshsim run several.yaml -o bad.h5 --set 'workload=[{collective: {op: all_gather, size_bytes: 4096, ways: 1}}]'
contains "a line" "$err" "ways: 1 on a line, whose devices are reached both ways"
finish
