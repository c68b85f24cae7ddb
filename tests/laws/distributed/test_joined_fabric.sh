# label: full  timeout: 120
# Two hosts whose chips are joined by links, and one host with the same 16 chips and links: packets between chips of two
# hosts take the same time, to the picosecond, and streams over the links between hosts have the same bandwidth.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

if ! /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	echo 'without h5py there is nothing to read results with'
	exit 77
fi

# fabric NAME PLATFORM SHAPE OFFSET PATTERN...: writes how long each ping took, and each pattern
fabric() {
	name=$1
	cat >"$name.yaml" <<END
meshsim: 1
name: $name
platform: $2
model: {noise: off}
runtime: {mesh: {shape: $3, offset: $4}}
workload:
  - fabric_ping: {samples: 8, hops: 3}
  - fabric_ping: {samples: 8, hops: 4, op: fused_atomic_inc, payload_bytes: 4}
END
	shift 4
	for pattern; do
		echo "  - fabric_traffic: {pattern: $pattern, packets: 200, links: 4}" >>"$name.yaml"
	done
	meshsim run "$name.yaml" -o "$name.h5"
	exits "fabric steps on $name" 0
	/usr/bin/python3 - "$name" >"$name.times" <<'END'
import sys, h5py
print(*("%s:%d" % (op["kind"].decode(), op["latency"]) for op in h5py.File(sys.argv[1] + ".h5")["ops"]))
END
	contains "fabric steps on $name are measured" "$(cat "$name.times")" fabric_traffic:
}

one='{extends: galaxy, topology: {mesh: [4, 4], wrap: [true, false]}}'
two='{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
for part in '[4, 4] [0, 0]' '[4, 2] [0, 1]' '[2, 4] [2, 0]'; do
	shape=${part%% \[[0-9], [0-9]\]} offset=${part#* \[}
	fabric one "$one" "$shape" "[$offset" linear_multicast mesh_multicast half_ring_multicast
	fabric two "$two" "$shape" "[$offset" linear_multicast mesh_multicast half_ring_multicast
	equal "$part: two hosts and one" "$(cat two.times)" "$(cat one.times)"
done

# Natively a host starts no kernels of others.
meshsim run two.yaml -o native.h5 --world native
exits 'natively' 2
contains 'natively' "$err" 'two.yaml:7:5: error: steps that measure the fabric of several hosts are simulated'
finish
