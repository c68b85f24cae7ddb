# label: slow, timeout: 300
# Blackhole machines compared with figures measured on hardware: errors of each family, of the machine
# that one constant was fitted to, and effects of what Blackhole's routers and chips do otherwise.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

figures_of p150 p150-x4 p150-x8 blackhole-galaxy
meshsim validate --reference figures.csv --by system --json
exits "rows of Blackhole machines" 0
for machine in p150-x4 p150-x8 blackhole-galaxy; do
	stands fabric_latency $machine
	stands fabric_bandwidth $machine
done
stands program_dispatch p150
stands buffer_transfer p150
for family in fabric_latency fabric_bandwidth program_dispatch buffer_transfer; do
	at_most "$family: median error, per mille" "$(number "$out" $family median)" 79
	at_most "$family: nine of ten, per mille" "$(number "$out" $family p90)" 199
	at_most "$family: 1000 less the ranking, per mille" \
		$((1000 - $(number "$out" $family ranking))) 119
	equal "$family: rows that did not run" "$(number "$out" $family not_run)" 0
done

# One constant was fitted to the Galaxy: the latency of its links.
galaxy=$(printf '%s\n' "$out" | sed -n 's/"family": "\([a-z_]*\)", "system": "blackhole-galaxy"/"\1": {/p')
at_most "Galaxy, latency: median, per mille" "$(number "$galaxy" fabric_latency median)" 99
at_most "Galaxy, bandwidth: median, per mille" "$(number "$galaxy" fabric_bandwidth median)" 99

# predicted NAME: predictions for four rows on standard input, in MB/s
predicted() {
	predict "$1" 4 'fabric_bandwidth,' ',busiest_link_payload,1,GB/s,,x'
}

predicted "streams of a sender" <<'END'
p150-x8,pattern=linear_multicast;op=write;topology=linear;devices=2x4;packet_bytes=2048
p150-x8,pattern=linear_multicast;op=write;topology=linear;devices=2x4;packet_bytes=4096
p150-x8,pattern=single_sender_linear_unicast_all_devices;op=write;topology=linear;devices=2x4;packet_bytes=2048
p150-x8,pattern=single_sender_mesh_unicast_all_devices;op=write;topology=mesh;devices=8;packet_bytes=2048
END
at_most "packets of 2 KB and 4 KB are as fast, on links of 50 GB/s" $((a * 198)) $((b * 100))
at_most "one worker waits for acknowledgements, where several do not" $((c * 10)) $((a * 9))
at_most "a sender of two directions does not issue more than one of one" $((d * 7)) $((c * 4 * 3 / 2))

predicted "rings with increments" <<'END'
p150-x8,pattern=full_ring_unicast;op=write;topology=ring;devices=8;packet_bytes=2048
p150-x8,pattern=full_ring_unicast;op=fused_atomic_inc;topology=ring;devices=8;packet_bytes=2048
p150-x8,pattern=single_sender_linear_unicast_all_devices;op=write;topology=linear;devices=2x4;packet_bytes=2048
p150-x8,pattern=single_sender_linear_unicast_all_devices;op=fused_atomic_inc;topology=linear;devices=2x4;packet_bytes=2048
END
at_most "a ring flushes them at every hop" $((b * 2)) "$a"
at_most "... and a line where they are delivered" "$c" $((d * 2))

finish
