# A platform whose hosts are processes of one machine: the network's links are unused, libraries for one
# machine carry its commands, and its cores are shared. With one shared core a run takes longer than with one
# core per host. label: full  timeout: 120
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >loopback.yaml <<'EOF2'
meshsim: 1
name: loopback
platform: {extends: loopback, host: {cores_per_socket: 1}}
runtime: {distributed: {transport: unix}}
workload:
  - repeat: 10
    do: [{record_event: {event: seen, to_host: true}}, {wait_event: {event: seen, host: true}}]
  - finish
EOF2

# simulated FILE: time of its run, in ps
simulated() {
	"$binary" show "$1" --json | sed -n 's/.*"simulated": \([0-9][0-9]*\).*/\1/p' | head -1
}
# moved FILE: bytes on links of the network
moved() {
	/usr/bin/python3 - "$1" <<'EOF2'
import sys
import h5py
links = next(iter(h5py.File(sys.argv[1])["runs"].values()))["links"]
rows = [row for row in links if b"NIC" in row["name"]]
assert rows
print(sum(row["busy"] for row in rows))
EOF2
}

meshsim run loopback.yaml -o one.h5
exits 'one machine, sockets of one machine' 0
equal 'nothing is on the network' "$(moved one.h5)" 0
meshsim run loopback.yaml -o one.h5 --set runtime.distributed.transport=tcp
exits 'one machine' 0
equal 'nothing is on the network' "$(moved one.h5)" 0
meshsim run loopback.yaml -o each.h5 --set runtime.distributed.transport=tcp --set platform.hosts.machines=each \
	--set 'platform.host_network={nic_latency: 0, switch_latency: 0, bandwidth: 1000}'
exits 'a machine each' 0
[ "$(simulated one.h5)" -gt "$(simulated each.h5)" ] ||
	fail "hosts that share a core take longer: $(simulated one.h5) ps, $(simulated each.h5) ps with one each"
meshsim platform show loopback
contains 'it says so' "$out" 'all are processes of one machine'

# With a core for each process: the same time if all get the same core, less if there are enough.
own() {
	meshsim run loopback.yaml -o own.h5 --set platform.hosts.cores=own --set platform.host.sockets=1 \
		--set "platform.host.cores_per_socket=$1"
	exits "a core each of $1" 0
}
meshsim run loopback.yaml -o one.h5 --set platform.host.sockets=1
exits 'one core' 0
own 1
equal 'time when all have the same one' "$(simulated own.h5)" "$(simulated one.h5)"
own 3
[ "$(simulated own.h5)" -lt "$(simulated one.h5)" ] ||
	fail "who has a core of its own is faster: $(simulated own.h5) ps, $(simulated one.h5) ps on one"
meshsim run loopback.yaml -o native.h5 --world native --set platform.hosts.cores=own
exits 'natively, a core each' 0
meshsim platform show loopback-apart
contains 'it says so, too' "$out" 'each on a core of its own'
finish
