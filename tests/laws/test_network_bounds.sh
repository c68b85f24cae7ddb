# A bank of DRAM takes its time for every request, however small: pages of 64 B over all banks of a
# chip, in each network that has contention. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >banks.yaml <<'EOF'
meshsim: 1
name: banks
platform: n150
workload:
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 64, blocking: true}
model: {noise: off}
measure: {warmup: 0}
EOF
# 1,024 requests of 2 us, over 12 banks
for network in packet fluid; do
	meshsim run banks.yaml -o banks.h5 --set model.network=$network \
		--set platform.chip.dram_request.value=2000
	exits "run with $network" 0
	meshsim show banks.h5 --json
	simulated_ps=$(printf '%s\n' "$out" | sed -n 's/^ *"simulated": \([0-9][0-9]*\),*$/\1/p')
	[ "${simulated_ps:-0}" -ge 170666667 ] || fail "$network: $simulated_ps ps"
	# and the banks work side by side: nobody else on the way is busy for them
	[ "$simulated_ps" -le 230000000 ] || fail "$network: $simulated_ps ps, of one bank after the other"
done

finish
