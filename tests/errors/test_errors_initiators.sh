# Errors and warnings about the chips that initiate broadcasts: which chip, at which line and column, and which chip is
# nearest. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >named.yaml <<'END'
meshsim: 1
name: named
platform: tgg
runtime:
  forward:
    path: broadcast
    initiators: 2
    initiator_place: named
    initiator_chips: [[7, 0], [0, 0]]
workload:
  - enqueue_workload: {program: p, cores: all}
  - finish
END

# try WHAT CODE EXPECTED [OPTION...]
try()
{
	what=$1 code=$2 expected=$3
	shift 3
	meshsim run named.yaml -o named.h5 "$@"
	exits "$what" "$code"
	contains "$what" "$err" "$expected"
}

meshsim run named.yaml -o named.h5
exits "gateways by name" 0
lacks "gateways by name" "$err" "warning"
sed 's/\[0, 0\]/[0, 5]/' named.yaml >inner.yaml
meshsim run inner.yaml -o named.h5
exits "a chip without PCIe" 2
contains "a chip without PCIe" "$err" "inner.yaml:9:31: error: [0, 5] of the 8 x 8 chips of platform tgg has no chip with PCIe, and no gateway beside it; the nearest that has is [0, 0]"
sed 's/\[7, 0\]/[8, 2]/' named.yaml >outside.yaml
meshsim run outside.yaml -o named.h5
exits "a chip outside of the mesh" 2
contains "a chip outside of the mesh" "$err" "outside.yaml:9:23: error: [8, 2] is outside of the 8 x 8 chips of platform tgg, and has no chip with PCIe; the nearest that has is [7, 0]"
try "too few chips" 2 "named.yaml:9:22: error: initiator_chips names 2 chips, but there are 4 initiators: one chip for each" \
	--set runtime.forward.initiators=4
sed '/initiator_chips/d' named.yaml >none.yaml
meshsim run none.yaml -o named.h5
exits "no chips" 2
contains "no chips" "$err" "none.yaml:8:22: error: initiator_place: named needs initiator_chips, [row, column] of a chip for each of 2 initiators"
try "a chip twice" 2 "[7, 0] is named twice" --set 'runtime.forward.initiator_chips=[[7, 0], [7, 0]]'
try "one pair" 2 "initiator_chips: each chip is [row, column], of numbers from 0 to 32767, as in [[3, 0]], not the integer 3" \
	--set 'runtime.forward.initiator_chips=[3, 0]'
try "no list" 2 "initiator_chips must be a list of chips, as in [[3, 0]], not the integer 7" --set runtime.forward.initiator_chips=7
try "a place" 2 "unknown value 'center', did you mean 'centre'?" --set runtime.forward.initiator_place=center
try "several hosts" 2 "named.yaml:8:22: error: initiator_place: named takes a machine of one host" --set platform=tgg-2host
try "chips that are named and not used" 0 "runtime.forward.initiator_chips has no effect without initiator_place: named" \
	--set runtime.forward.initiator_place=corner
try "a gateway each" 0 "runtime.forward.initiator_place has no effect with initiators: per-gateway" \
	--set runtime.forward.initiators=per-gateway
try "unicasts" 0 "runtime.forward.initiator_place has no effect with forward path 'unicast'" \
	--set runtime.forward.path=unicast
# A warning is about the key: another place takes other chips.
meshsim run named.yaml -o named.h5 --set runtime.forward.initiators=1 --set 'runtime.forward.initiator_chips=[[3, 0]]'
exits "the chips of the centre" 0
lacks "the chips of the centre" "$err" "has no effect"
for place in corner least-loaded; do
	meshsim run none.yaml -o named.h5 --set platform=t3k --set runtime.forward.initiator_place=$place
	exits "where all places are one, $place" 0
	contains "where all places are one, $place" "$err" \
		"runtime.forward.initiator_place has no effect where every place takes the same chips"
done
try "one chip with PCIe" 0 "runtime.forward.initiator_place has no effect where every place takes the same chips" \
	--set platform=n300 --set runtime.forward.initiators=1 --set 'runtime.forward.initiator_chips=[[0, 0]]'
# Pieces of broadcasts, where each is one multicast.
try "one piece" 0 "runtime.forward.pieces has no effect where no initiator has more chips than multicast_members" \
	--set runtime.forward.pieces=rows
meshsim run named.yaml -o named.h5 --set runtime.forward.multicast_members=32
exits "a limit that none reaches" 0
lacks "a limit that none reaches, but another is" "$err" "has no effect"
for members in 1 32; do
	try "a limit of $members for one chip" 0 "runtime.forward.multicast_members has no effect where each initiator has one chip" \
		--set runtime.forward.multicast_members=$members --set runtime.mesh.shape='[1, 1]' \
		--set runtime.mesh.offset='[3, 0]' --set runtime.forward.initiators=1 \
		--set 'runtime.forward.initiator_chips=[[3, 0]]'
done
try "pieces of unicasts" 0 "runtime.forward.pieces has no effect with forward path 'unicast'" \
	--set runtime.forward.pieces=rows --set runtime.forward.path=unicast
try "a limit beyond the fabric's" 2 "'multicast_members': 1025 is out of range 1 to 1024" \
	--set runtime.forward.multicast_members=1025
meshsim run named.yaml -o named.h5 --set runtime.forward.pieces=rows --set runtime.forward.multicast_members=31
exits "several pieces" 0
lacks "several pieces" "$err" "has no effect"
finish
