# label: full  timeout: 120
# Two hosts whose chips are joined by links, and one host with the same 16 chips and links: packets between chips of two
# hosts take the same time, to the picosecond, and streams over the links between hosts have the same bandwidth. In the
# native world, the hosts do the same work.
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

# Natively each host is a process, which makes the kernels of its own chips: operations pass the same points as often, on one
# mesh, and on two, of which both have chips of two hosts. Executors may be commands of their own.
passed() {
	/usr/bin/python3 - "$1" <<'END'
import sys, h5py
ops = h5py.File(sys.argv[1])["ops"]
counts = [name for name in ops.dtype.names if name.endswith("_count")]
for op in ops:
    print(op["kind"].decode(), op["bytes"], *("%s=%d" % (name, op[name]) for name in counts if op[name]))
END
}
cat >apart.yaml <<'END'
meshsim: 1
name: apart
platform: {extends: galaxy-x2-joined, hosts: {count: 3}, topology: {mesh: [2, 2], wrap: [false, false]}}
runtime: {distributed: {transport: tcp}, meshes: {a: {shape: [3, 2]}, b: {shape: [3, 2], offset: [3, 0]}}}
workload:
  - repeat: 3
    do:
      - {mesh: a, fabric_ping: {samples: 8, hops: 2}}
      - {mesh: b, fabric_ping: {samples: 8, hops: 3, op: fused_atomic_inc, payload_bytes: 4}}
      - {mesh: b, fabric_traffic: {pattern: linear_multicast, packets: 100, warmup: 10, op: fused_atomic_inc, links: 2}}
      - {mesh: a, fabric_traffic: {pattern: linear_multicast, packets: 100, warmup: 10, op: scatter_write}}
      - {mesh: b, enqueue_workload: {runtime_args: 4}}
END
for file in two apart; do
	meshsim run $file.yaml -o sim.h5
	exits "$file, simulated: $err" 0
	passed sim.h5 >sim.passed
	contains "$file is measured" "$(cat sim.passed)" 'workers_done_count='
	for transport in unix tcp; do
		meshsim run $file.yaml -o native.h5 --world native --set runtime.distributed.transport=$transport
		exits "$file, natively over $transport: $err" 0
		equal "$file, natively over $transport" "$(passed native.h5)" "$(cat sim.passed)"
	done
done
head -c 32 /dev/urandom | base64 >token
chmod 600 token
meshsim run apart.yaml -o own.h5 --world native --listen 127.0.0.1:0 --token token --start \
	"'$binary' executor apart.yaml --token token --host \$MESHSIM_HOST --controller \$MESHSIM_CONTROLLER"
exits "commands of their own: $err" 0
equal 'commands of their own' "$(passed own.h5)" "$(cat sim.passed)"
finish
