# The capacity of one bank and of one link bounds a run on each network with contention.
# label: full  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# lasts FILE LEAST MOST WHAT OPTION...: the run takes between LEAST and MOST picoseconds on each
# network; WHAT would take longer
lasts() {
	file=$1 least_ps=$2 most_ps=$3 what=$4
	shift 4
	for network in packet fluid; do
		meshsim run "$file.yaml" -o "$file.h5" --set model.network=$network "$@"
		exits "$file with $network" 0
		meshsim show "$file.h5" --json
		simulated_ps=$(printf '%s\n' "$out" | sed -n 's/^ *"simulated": \([0-9][0-9]*\),*$/\1/p')
		[ "${simulated_ps:-0}" -ge "$least_ps" ] || fail "$file, $network: $simulated_ps ps"
		[ "$simulated_ps" -le "$most_ps" ] || fail "$file, $network: $simulated_ps ps, as of $what"
	done
}

# A DRAM bank takes its time for every request, however small: pages of 64 B over all banks. The
# banks work in parallel; other resources on the way are not busy for that time.
cat >banks.yaml <<'EOS'
meshsim: 1
name: banks
platform: n150
workload:
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 64, blocking: true}
model: {noise: off}
measure: {warmup: 0}
EOS
# 1,024 requests of 2 us, over 12 banks
lasts banks 170666667 230000000 "one bank after the other" \
	--set platform.chip.dram_request.value=2000

# A link carries at most as many packets at once as its receiver has slots: two, at a latency of 10
# us.
sed '/^workload:/,$d; s/n150/n300/; s/banks/slots/' banks.yaml >slots.yaml
cat >>slots.yaml <<'EOS'
workload:
  - fabric_traffic: {pattern: unidir_linear_multicast, packet_bytes: 16, packets: 101, warmup: 1}
model: {noise: off}
EOS
lasts slots 505000000 1000000000 "one packet after the other" \
	--set platform.chip.router_receiver_slots.value=2 --set platform.chip.ring_free_slots.value=2 \
	--set platform.chip.ethernet_latency.value=10000

finish
