# label: slow, timeout: 300
# The fabric compared with figures measured on hardware: errors of the calibration rows, and the
# effects of its mechanisms: packet rates, rings, increments, links.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

figures_of t3k galaxy

# parts_off LIMIT: the parts of the rows of validate --rows --json, on standard input, whose median error is over LIMIT
parts_off() {
	python3 -c '
import json, statistics, sys
parts = {}
for row in json.load(sys.stdin)["rows"]:
    words = dict(word.split("=", 1) for word in row["params"].split(";"))
    parts.setdefault((row["system"], words.get("op"), words.get("topology")), []).append(row["error"])
for part, errors in parts.items():
    if len(errors) >= 3 and statistics.median(errors) > float(sys.argv[1]):
        print(*part, statistics.median(errors))' "$1"
}

# All latencies are within a few percent; one in ten bandwidths is not.
for family in fabric_latency fabric_bandwidth; do
	case $family in
	fabric_latency) median=9 p90=29 ranking=99 ;;
	*) median=49 p90=149 ranking=99 ;;
	esac
	meshsim validate --reference figures.csv --family $family --by system --rows --json
	exits "$family: calibration rows" 0
	equal "$family: machines, operations and topologies of three rows or more with a median error over 10 %" \
		"$(printf '%s\n' "$out" | parts_off 0.1)" ""
	at_most "$family: median error, per mille" "$(number "$out" $family median)" $median
	at_most "$family: nine of ten, per mille" "$(number "$out" $family p90)" $p90
	at_most "$family: 1000 less the ranking, per mille" \
		$((1000 - $(number "$out" $family ranking))) $ranking
	equal "$family: rows that did not run" "$(number "$out" $family not_run)" 0
	stands $family t3k
	stands $family galaxy
done

# predicted NAME: predictions for four rows on standard input, in MB/s
predicted() {
	predict "$1" 4 'fabric_bandwidth,' ',busiest_link_payload,1,GB/s,,x'
}

predicted "packet sizes" <<'END'
t3k,pattern=full_ring_multicast;op=write;topology=ring;devices=8;packet_bytes=2048
t3k,pattern=full_ring_multicast;op=write;topology=ring;devices=8;packet_bytes=4096
t3k,pattern=linear_multicast;op=write;topology=linear;devices=2x4;packet_bytes=2048
t3k,pattern=linear_multicast;op=fused_atomic_inc;topology=linear;devices=2x4;packet_bytes=2048
END
at_most "packets of 2 KB and 4 KB are nearly a factor of two apart" $((a * 18)) $((b * 10))
at_most "... and not much more than that" $((b * 100)) $((a * 205))
at_most "a ring is slower than a line" $((a * 2)) "$c"
at_most "increments at every receiver cost" $((d * 100)) $((c * 97))

predicted "links" <<'END'
galaxy,pattern=full_ring_multicast;op=write;topology=ring;devices=20;links=1;packet_bytes=4096
galaxy,pattern=full_ring_multicast;op=write;topology=ring;devices=20;links=2;packet_bytes=4096
galaxy,pattern=full_ring_multicast;op=write;topology=ring;devices=20;links=4;packet_bytes=4096
t3k,pattern=linear_multicast;op=scatter_write;topology=linear;devices=2x4;packet_bytes=2048
END
at_most "two links of a ring scale to within 7 %" $((a * 93)) $((b * 100))
at_most "four links do not: their routers share the NoC" $((c * 100)) $((a * 85))
at_most "a scattered packet is written twice at every receiver" "$d" 7900

predicted "streams of a sender" <<'END'
galaxy,pattern=linear_multicast;op=write;topology=linear;devices=4x8;packet_bytes=4096
galaxy,pattern=single_sender_mesh_unicast_all_devices;op=write;topology=mesh;devices=32;packet_bytes=2048
galaxy,pattern=full_ring_unicast;op=fused_atomic_inc;topology=ring;devices=20;packet_bytes=4096
galaxy,pattern=full_ring_unicast;op=write;topology=ring;devices=20;packet_bytes=4096
END
at_most "no sender of a line is left behind: its wire is full to the end" 11500 "$a"
at_most "a stream that waits for its router keeps the next one waiting" 4700 "$b"
at_most "what increments cost does not jam a ring" "$d" $((c * 16 / 10))

predicted "a ring that is full" <<'END'
galaxy,pattern=full_ring_multicast;op=write;topology=ring;devices=20;packet_bytes=2048
galaxy,pattern=full_ring_unicast;op=scatter_write;topology=ring;devices=20;packet_bytes=2048
galaxy,pattern=full_ring_unicast;op=scatter_write;topology=ring;devices=20;packet_bytes=4096
galaxy,pattern=full_ring_unicast;op=fused_atomic_inc;topology=ring;devices=20;packet_bytes=2048
END
at_most "it keeps the pace of its processors" 4300 "$b"
at_most "... whatever the size of packets" $((b * 19)) $((c * 10))
at_most "a router that waits for its write is passed by few" "$d" $((b * 8 / 10))

# Cycles of links that the topology does not name: around the edge, and rings of 2x4 without wraps.
predicted "cycles under other names" <<'END'
t3k,pattern=full_ring_multicast;op=write;topology=torus;devices=2x4;packet_bytes=4096
t3k,pattern=half_ring_multicast;op=write;topology=mesh;devices=2x4;packet_bytes=4096
t3k,pattern=torus_all_to_all_multicast;op=write;topology=torus;devices=2x4;packet_bytes=4096
galaxy,pattern=torus_all_to_all_multicast;op=write;topology=linear;devices=4x8;packet_bytes=4096
END
for figure in "$a" "$b" "$c" "$d"; do
	at_most "a cycle of links does not stall" 2000 "$figure"
done
at_most "a torus of 2x4 is no faster than its links" "$c" 12500

finish
