# label: slow  timeout: 300
# Two hosts whose chips are joined by links, and one host with the same 16 chips and links: collectives take the same
# time on the devices. Eight of them follow each other, so that chips do not wait for hosts; the time of one is from the
# end of the one before on the last chip. Where it settles, it is equal to the picosecond. Collectives whose chips fall
# into step with each other by chance, which adds and exchanges do, take the same time within 2 %.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

if ! /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	echo 'without h5py there is nothing to read results with'
	exit 77
fi

# joined NAME PLATFORM OP TOPOLOGY BYTES: the mean time in ps of all but the first, and the times of the seventh and sixth
joined() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: $2
model: {noise: off}
runtime: {mesh: {shape: $shape}, fabric: {topology: $fabric}}
workload:
  - repeat: 8
    do: [collective: {op: $3, topology: $4, page_bytes: 2048, size_bytes: $5, links: 4}]
  - finish
END
	meshsim run "$1.yaml" -o "$1.h5"
	exits "$3 $4 $5 on $1" 0
	contains "$3 $4 $5 on $1: results are right" "$out" ' 8'
	# shellcheck disable=SC2046 # three words
	set -- "$1" $(/usr/bin/python3 - "$1" <<'END'
import sys, h5py
done = [op["workers_done_last"] for op in h5py.File(sys.argv[1] + ".h5")["ops"] if op["kind"] == b"collective"]
steps = [int(b - a) for a, b in zip(done, done[1:])]
print(sum(steps[1:]) // (len(steps) - 1), steps[5], steps[4])
END
	)
	mean=$2 sixth=$3 fifth=$4
}

# same EXACT OP TOPOLOGY BYTES: compares both machines
same() {
	exact=$1
	shift
	joined one "$one" "$@"
	one_mean=$mean one_sixth=$sixth one_fifth=$fifth
	joined two "$two" "$@"
	if [ "$exact" = exact ]; then
		equal "$*: the sixth, in ps" "$sixth" "$one_sixth"
		equal "$*: the fifth, in ps" "$fifth" "$one_fifth"
	fi
	at_most "$*: two hosts take no longer, in ps" $((mean * 100)) $((one_mean * 102))
	at_most "$*: ... nor shorter" $((one_mean * 100)) $((mean * 102))
}

shape='[4, 4]' fabric=mesh
one='{extends: galaxy, topology: {mesh: [4, 4], wrap: [true, false]}}'
two='{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
same exact all_gather line 1048576
same exact all_to_all line 65536
same exact broadcast line 1048576
# hosts in a ring: the six chips of a column, over links that wrap around
shape='[6, 1]' fabric=ring
one='{extends: galaxy, topology: {mesh: [6, 1], wrap: [false, true]}}'
two='{extends: galaxy-x2-joined, hosts: {count: 2, wrap: true}, topology: {mesh: [3, 1], wrap: [false, false]}}'
same exact all_gather ring 1048576
same close reduce_scatter ring 1048576
meshsim run two.yaml -o open.h5 --set 'platform.hosts.wrap=false'
exits 'a ring of hosts in a line' 2
contains 'the reason' "$err" "fabric topology 'ring' takes links that wrap around"
shape='[4, 4]' fabric=mesh
one='{extends: galaxy, topology: {mesh: [4, 4], wrap: [true, false]}}'
two='{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
same close all_gather ring 1048576
same close reduce_scatter ring 1048576
same close all_reduce line 1048576

# A host broadcasts to its part as the one host does to the same chips: from the first packet to the last go, then between
# the goes of the first and the last chip of a later program.
broadcasts() {
	cat >"$1.yaml" <<END
meshsim: 1
name: $1
platform: $2
model: {noise: off}
runtime: {mesh: {shape: [2, 4], offset: [2, 0]}, forward: {path: broadcast}}
workload:
  - repeat: 4
    do: [enqueue_workload: {cores: 8, run_ns: 200000}]
  - finish
END
	meshsim run "$1.yaml" -o "$1.h5"
	exits "broadcasts on $1" 0
	/usr/bin/python3 - "$1" >"$1.times" <<'END'
import sys, h5py
ops = [op for op in h5py.File(sys.argv[1] + ".h5")["ops"] if op["kind"] == b"enqueue_workload"]
print(int(ops[0]["go_last"] - ops[0]["sent_first"]), int(ops[3]["go_last"] - ops[3]["go_first"]))
END
}
broadcasts cast-one '{extends: galaxy, topology: {mesh: [4, 4], wrap: [true, false]}}'
broadcasts cast-two '{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
equal 'broadcasts on two hosts and on one, in ps' "$(cat cast-two.times)" "$(cat cast-one.times)"

# One host broadcasts to the devices of both, whose links join them, in the time that one host takes with all devices: data
# and programs behind them, from the first packet to the last go, and from the first go to the last.
spans() {
	name=$1 platform=$2
	shift 2
	cat >"$name.yaml" <<END
meshsim: 1
name: $name
platform: $platform
model: {noise: off}
runtime: {mesh: {shape: [8, 4]}, forward: {path: broadcast}}
workload:
  - write_buffer: {buffer: w, bytes: 262144}
  - repeat: 4
    do: [enqueue_workload: {cores: 8, run_ns: 200000}]
  - finish
END
	meshsim run "$name.yaml" -o "$name.h5" "$@"
	exits "broadcasts to all devices on $name" 0
	/usr/bin/python3 - "$name" >"$name.times" <<'END'
import sys, h5py
ops = [op for op in h5py.File(sys.argv[1] + ".h5")["ops"] if op["kind"] == b"enqueue_workload"]
print(int(ops[0]["go_last"] - ops[0]["sent_first"]), *(int(op["go_last"] - op["go_first"]) for op in ops),
      *(int(op["sent_count"]) for op in ops), *(int(op["go_count"]) for op in ops))
END
}
spans span-one '{extends: galaxy, topology: {mesh: [8, 4], wrap: [true, false]}}'
spans span-two '{extends: galaxy-x2-joined, topology: {mesh: [4, 4]}}' --set runtime.distributed.broadcast=machine
equal 'one of two hosts broadcasts as one host does: ps, packets and goes' "$(cat span-two.times)" "$(cat span-one.times)"
spans span-four '{extends: galaxy-x2-joined, hosts: {count: 4}, topology: {mesh: [2, 4]}}' \
	--set runtime.distributed.broadcast=machine
equal 'one of four hosts, too' "$(cat span-four.times)" "$(cat span-one.times)"
spans span-apart '{extends: galaxy-x2-joined, topology: {mesh: [4, 4]}}'
[ "$(cat span-apart.times)" != "$(cat span-one.times)" ] || fail 'otherwise each host broadcasts to its own devices'

# It is the links between the hosts that they cross: there is no third one if only two join the hosts.
meshsim run two.yaml -o fewer.h5 --set platform.hosts.links=2
exits 'four links where two join the hosts' 2
contains 'the reason' "$err" 'link 2 of a route, but 2 join devices 4 and 8'
finish
