# Hosts that links join give the same bytes as one host with the same chips, in both worlds: collectives
# and gathers on devices. Natively each host is a process: forked, or a command of its own, also on
# machines of their own. A process that dies in the middle of a collective is named, and nothing hangs.
# label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

# joined NAME COUNT TRANSPORT [REPEATS]: NAME.yaml, with eight chips on COUNT hosts; 1: one host, without links
joined() {
	rows=$((4 / $2))
	platform="{extends: galaxy-x2-joined, hosts: {count: $2}, topology: {mesh: [$rows, 2], wrap: [false, false]}}"
	[ "$2" != 1 ] || platform='{extends: galaxy, topology: {mesh: [4, 2], wrap: [false, false]}}'
	cat >"$1.yaml" <<EOF2
meshsim: 1
name: $1
platform: $platform
limits: {wall_s: 60}
runtime: {gather: device$([ "$2" = 1 ] || printf ', distributed: {transport: %s}' "$3")}
workload:
  - write_buffer: {buffer: a, bytes: 131072, page_bytes: 2048, spread: sharded}
  - read_buffer: {buffer: a}
  - repeat: ${4:-2}
    do:
      - collective: {op: all_gather, size_bytes: 65536, links: 2, blocking: true}
      - collective: {op: reduce_scatter, size_bytes: 65536}
      - collective: {op: all_reduce, size_bytes: 65536}
      - collective: {op: all_to_all, size_bytes: 65536}
      - collective: {op: broadcast, size_bytes: 65536, root: 5}
  - finish
EOF2
}

# verified FILE: number of successful comparisons
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}

joined one 1 tcp
meshsim run one.yaml -o one.h5
exits 'one host' 0
right=$(verified one.h5)
equal 'one host compares the gather and ten collectives' "$right" 11
for hosts in 2 4; do
	joined two $hosts tcp
	meshsim run two.yaml -o two.h5
	exits "$hosts hosts: $err" 0
	equal "$hosts hosts, simulated" "$(verified two.h5)" "$right"
	for transport in unix tcp zeromq; do
		! "$binary" list | grep -A2 "^    $transport " | grep -q 'not in this build' || continue
		joined two $hosts $transport
		meshsim run two.yaml -o two.h5 --world native
		exits "$hosts hosts, natively, $transport: $err" 0
		equal "$hosts hosts, natively, $transport" "$(verified two.h5)" "$right"
	done
done
equal 'no socket is left, and no folder' "$(ls -d "${TMPDIR:-/tmp}"/meshsim-hosts-* 2>/dev/null)" ''

# the hosts of a ring, over the links from the last to the first
joined ring 2 unix
sed 's/count: 2/&, wrap: true/; s/mesh: \[2, 2\]/mesh: [3, 1]/; s/op: [a-z_]*/&, topology: ring/
	s/^runtime: {/&fabric: {topology: ring}, /; s/root: 5/root: 4/; s/, links: 2//; s/131072/98304/; s/65536/98304/' ring.yaml >rings.yaml
for world in sim native; do
	[ $world = native ] || sed -i 's/transport: unix/transport: tcp/' rings.yaml
	meshsim run rings.yaml -o ring.h5 --world $world
	exits "hosts in a ring, $world: $err" 0
	equal "hosts in a ring, $world" "$(verified ring.h5)" "$right"
done

# ---- commands of their own ----
head -c 32 /dev/urandom | base64 >token
chmod 600 token
joined own 4 tcp
meshsim run own.yaml -o own.h5 --world native --listen 127.0.0.1:0 --token token --start "$(starter own)"
exits "four commands: $err" 0
equal 'four commands' "$(verified own.h5)" "$right"

# ---- a host that dies ----
joined long 2 unix 100000
"$binary" run long.yaml -o long.h5 --world native >out 2>err &
run=$!
host=$(executor_of "$run" host-1)
sleep 2
all="$run $(processes_below "$run")"
kill -KILL "$host"
ends "$run" 1 'a forked executor that is killed'
contains 'it is named' "$(cat err)" 'host-1 was ended by signal 9'
# shellcheck disable=SC2086
all_gone $all

joined far 2 tcp 100000
listens far
joins 0 far
joins 1 far
registered 0 1
sleep 2
kill -KILL $(processes_below "$executor_1")
ends "$run" 1 'a run of commands, of which one is killed'
contains 'the host is named' "$(cat run.err)" 'host-1'
lacks 'no bug of ours' "$(cat run.err 0.err)" 'a bug of meshsim'
code=0
wait "$executor_0" || code=$?
[ "$code" != 0 ] || fail 'the other command says that its run failed'
wait "$executor_1"
# shellcheck disable=SC2154
all_gone "$executor_0" "$executor_1"

# ---- machines of their own ----
apart() {
	unshare -rnm true 2>/dev/null && command -v ip >/dev/null || return 0
	starter own >starter
	cat >apart.sh <<'EOF2'
mount -t tmpfs none /run 2>/dev/null && ip link add switch type bridge 2>/dev/null || exit 77
ip address add 10.9.0.1/24 dev switch
ip link set switch up
ip link set lo up
for host in 0 1 2 3; do
	ip netns add machine$host 2>/dev/null || exit 77
	ip link add port$host type veth peer name eth0 netns machine$host
	ip link set port$host master switch up
	ip -n machine$host address add 10.9.0.1$host/24 dev eth0
	ip -n machine$host link set eth0 up
done
"$1" run own.yaml -o apart.h5 --world native --listen 10.9.0.1:7000 --token token \
	--start "ip netns exec machine\$MESHSIM_HOST $(cat starter)"
EOF2
	code=0
	unshare -rnm --kill-child sh apart.sh "$binary" >out 2>err || code=$?
	[ "$code" != 77 ] || return 0
	equal "four machines: $(cat err)" "$code" 0
	equal 'four machines' "$(verified apart.h5)" "$right"
}
apart
finish
