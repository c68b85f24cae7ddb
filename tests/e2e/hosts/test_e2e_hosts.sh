# A scenario on a machine of several hosts: data written over all of them are read back and compared,
# programs run on all of their devices, chips and links are numbered across hosts, the links include the
# network, and the same file gives the same figures. label: full  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/hosts_worlds.sh"

small_hosts small
sed -e 's/^platform: .*/platform: galaxy-x2/' -e 's/bytes: 131072/bytes: 983040/' -e 's/shard: \[3, 1\]/shard: [5, 3]/' \
	-e 's/shape: \[2, 2\], offset: \[1, 0\]/shape: [2, 8], offset: [3, 0]/' small.yaml >hosts.yaml

# figures FILE: figures of its runs, without those of this machine's own time
figures() {
	"$binary" show "$1" --json | sed '/"host"/,$d'
}
# verified FILE: number of successful comparisons
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
# column FILE TABLE COLUMN: distinct values of the column in the first run
column() {
	/usr/bin/python3 - "$@" <<'EOF2'
import sys
import h5py
file, table, column = sys.argv[1:]
print(*sorted({str(value) for value in next(iter(h5py.File(file)["runs"].values()))[table][column]}), sep="\n")
EOF2
}

meshsim run hosts.yaml -o one.h5
exits 'two hosts' 0
equal 'nothing is said' "$err" ''
# three read-backs, and up to sixteen cores of each of three programs
equal 'what is read and what cores saw is compared' "$(($(verified one.h5) > 30))" 1
meshsim run hosts.yaml -o two.h5
figures one.h5 >one.json
figures two.h5 | cmp - one.json || fail 'the same file gives the same figures'

meshsim show one.h5
contains 'the network is a link' "$out" 'NIC from the controller'
contains 'the controller has threads' "$out" 'controller resolves'
contains 'executors do' "$out" 'executor 1'
# Debian's packages belong to Debian's python3, which may not be the first in PATH.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	equal 'chips are numbered over all hosts' "$(column one.h5 cores chip | grep -c .)" 64
	equal 'servers are those of two hosts and the controller' "$(column one.h5 threads host | tr '\n' ' ')" '0 1 2 '
fi

# The controller's share of the hosts' time.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	meshsim run hosts.yaml -o swept.h5 --set 'sweep={runtime.distributed.codec: [packed, msgpack]}'
	meshsim compare swept.h5 --json --metric host_cpu
	printf '%s\n' "$out" >compared.json
	/usr/bin/python3 - swept.h5 compared.json <<'EOF2' || fail 'the controller is part of the host CPU that compare prints'
import json
import sys
import h5py
runs = h5py.File(sys.argv[1])["runs"]
for point in json.load(open(sys.argv[2]))["points"]:
    threads = runs["%06d" % point["run"]]["threads"][:]
    of_controller, of_all = (sum(int(rows[part].sum()) for part in ("busy", "spinning", "switching"))
                             for rows in (threads[threads["host"] == 2], threads))
    share = point["controller_cpu"] / point["host_cpu"]
    print("by the table", of_controller / of_all, "by compare", share)
    assert abs(share * of_all / of_controller - 1) < 0.001
EOF2
fi

# runs WHAT ARGUMENT...: the scenario with other keys, with all comparisons
runs() {
	what=$1
	shift
	meshsim run hosts.yaml -o other.h5 "$@"
	exits "$what" 0
	equal "it is compared, $what" "$(($(verified other.h5) > 30))" 1
}
for set in distributed.resolution=executors distributed.resolution=controller distributed.pipeline=main \
	distributed.pipeline=pair distributed.executor_threads=true distributed.message_bytes=4096 \
	distributed.window=1 distributed.transport=tcp distributed.transport=rdma \
	forward.path=broadcast completion=aggregator; do
	runs "two hosts, $set" --set "runtime.$set"
done

# Meshes on parts of both hosts, and on part of one; a machine of one executor with its controller
# elsewhere; and one of four.
for set in 'runtime.mesh.shape=[5, 3]' 'runtime.mesh={shape: [2, 2], offset: [3, 6]}' \
	'runtime.mesh={shape: [2, 8], offset: [5, 0]}' 'runtime.mesh={shape: [3, 5], offset: [1, 3]}' \
	platform.hosts.count=1 platform.hosts.count=4; do
	runs "$set" --set "$set" --set 'workload.2.write_buffer.shard=[1, 1]' --set 'workload.8.read_buffer.shard=[1, 1]' \
		--set workload.4.enqueue_workload.devices='{shape: [2, 2]}'
done
finish
