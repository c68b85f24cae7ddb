# Replays of recorded transfers: `meshsim validate --noc-traces`. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# event CORE_X CORE_Y PROCESSOR NOC TYPE X Y BYTES TIME
event() {
	printf ',{"proc":"%s","noc":"NOC_%s","sx":%s,"sy":%s,"type":"%s","dx":%s,"dy":%s,"num_bytes":%s,"timestamp":%s}\n' \
		"$3" "$4" "$1" "$2" "$5" "$6" "$7" "$8" "$9"
}

# reader CORE_X PROCESSOR NOC: a kernel of a core in row 1 reads 16 KiB from core (4, 4)
reader() {
	printf ',{"proc":"%s","zone":"%s-KERNEL","zone_phase":"begin","sx":%s,"sy":1,"timestamp":1000}\n' "$2" "$2" "$1"
	for i in 0 1 2 3; do
		event "$1" 1 "$2" "$3" READ 4 4 4096 $((1100 + 50 * i))
	done
	event "$1" 1 "$2" "$3" READ_BARRIER_START -1 -1 0 1300
	event "$1" 1 "$2" "$3" READ_BARRIER_END -1 -1 0 2000
}

# trace NAME READERS: the text of a trace
trace() {
	name=$1
	shift
	{
		echo '[{"proc":"","zone":"PROFILER","zone_phase":"begin","sx":1,"sy":1,"timestamp":900}'
		for arguments in "$@"; do
			# shellcheck disable=SC2086 # three words
			reader $arguments
		done
		echo ']'
	} >"traces/$name.json"
}

mkdir traces scenarios
trace alone '1 NCRISC 0'
trace one-noc '1 NCRISC 0' '2 NCRISC 0'
trace two-nocs '1 NCRISC 0' '2 BRISC 1'

meshsim validate --noc-traces traces --scenarios scenarios
exits 'a folder of traces' 0
contains 'the head' "$out" 'Kernel times of 3 recorded traces, replayed on n150-endpoints'
contains 'a trace' "$out" 'alone                                 4      1000'
equal 'nothing else' "$err" ''

# The scenario of a replay runs by itself.
meshsim run scenarios/alone.yaml -o alone.h5
exits 'a scenario of a replay' 0

# figure NAME WAY: the predicted cycles of a trace
meshsim validate --noc-traces traces --json
exits 'json' 0
figure() {
	printf '%s' "$out" | python3 -c '
import json, sys
replay = json.load(sys.stdin)
trace = next(t for t in replay["traces"] if t["name"] == sys.argv[1])
way = next(i for i, w in enumerate(replay["ways"]) if w["name"] == sys.argv[2])
print(round(trace["predicted_cycles"][way]))' "$1" "$2"
}
alone=$(figure alone links)
equal "alone, over links and interfaces: $alone, $(figure alone interfaces) cycles" \
	"$((alone == $(figure alone interfaces)))" 1
# 16 KiB and headers leave their tile at 28.1 B a cycle, from the first read on.
equal "alone: $alone cycles" "$((alone > 100 + 583 && alone < 100 + 583 + 400))" 1
one=$(figure one-noc links) two=$(figure two-nocs links)
equal "two readers over one NoC: $one, alone $alone cycles" "$((one > alone + 540 && one < alone + 620))" 1
equal "two readers over two NoCs: $two, alone $alone cycles" "$((two < alone + 60))" 1
equal "two readers by the plain formula" "$(figure one-noc 'plain formula')" "$(figure alone 'plain formula')"

# Writes, and reads of a bank of DRAM: 16 KiB leave the core at 28.1 B a cycle, the bank at 22.3.
sed 's/READ/WRITE/' traces/alone.json >traces/written.json
sed 's/"dx":4,"dy":4/"dx":0,"dy":1/' traces/alone.json >traces/bank.json
meshsim validate --noc-traces traces --json
exits 'writes, and reads of DRAM' 0
written=$(figure written links) bank=$(figure bank links)
equal "written: $written cycles" "$((written > 100 + 583 && written < 100 + 583 + 400))" 1
equal "of a bank: $bank cycles" "$((bank > 100 + 730 && bank < 100 + 730 + 400))" 1
meshsim validate --noc-traces traces/written.json --scenarios scenarios
contains 'a write' "$(cat scenarios/written.yaml)" 'write r6, r4, 4096'
contains 'a barrier of writes' "$(cat scenarios/written.yaml)" 'wait_writes'

# A machine in a file of its own, which is slower.
cat >slow.yaml <<YAML
extends: n150-endpoints
name: slow
description: an n150 whose tiles send slowly
chip:
  noc_injection_rate: {value: 14, unit: B/cycle, kind: assumed, source: this test}
YAML
meshsim validate --noc-traces traces --platform ./slow.yaml --json
exits 'a machine in a file' 0
slow=$(figure alone links)
equal "slow tiles: $slow, others $alone cycles" "$((slow > alone + 500))" 1

# A replay that cannot run has a reason and no figures.
{
	sed '/^]/d; /BARRIER/d' traces/alone.json
	awk 'BEGIN {
		for (i = 0; i < 6000; i++)
			printf ",{\"proc\":\"NCRISC\",\"noc\":\"NOC_0\",\"sx\":1,\"sy\":1,\"type\":\"READ\"," \
				"\"dx\":4,\"dy\":4,\"num_bytes\":32,\"timestamp\":%d}\n", 1300 + 50 * i
	}'
	echo ']'
} >large.json
meshsim validate --noc-traces large.json
exits 'a kernel larger than the config ring' 1
contains 'why' "$out" 'config ring'
contains 'no figures' "$out" "links                                -       -       -        -                       -"

# refused NAME SCRIPT MESSAGE: a changed trace is rejected
refused() {
	sed "$2" traces/alone.json >bad.json
	meshsim validate --noc-traces bad.json
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'a barrier without a begin' '/BARRIER_START/d' 'error: a barrier ends that has not begun'
refused 'an event of no kernel' 's/"proc":"NCRISC","noc"/"proc":"TRISC","noc"/' \
	"error: no kernel begins on 'TRISC' of core (1, 1)"
refused 'both NoCs' '5s/NOC_0/NOC_1/' 'NCRISC of core (1, 1) uses both NoCs, which kernels here cannot'
refused 'no place' 's/"dx":4,//' "this event has no 'dx'"
refused 'a wrong place' 's/"dx":4/"dx":four/' "'dx' is a whole number from 0 to 255"
refused 'a tile that is no worker' 's/"dx":4/"dx":0/' 'do not reach the tile at (0, 4)'
refused 'a tile that is nowhere' 's/"dx":4/"dx":40/' 'no tile of the machine is at (40, 4)'
refused 'no transfers' '/READ"/d' 'error: this trace has no transfers'
refused 'no list' '1s/.*/events: [{}/' 'error: expected a list of events'
meshsim validate --noc-traces scenarios
exits 'a folder without traces' 2
contains 'a folder without traces' "$err" 'scenarios: error: the folder has no files *.json'
meshsim validate --noc-traces traces --rows
exits 'another option' 2
meshsim validate --platform n150
exits 'a platform alone' 2
contains 'a platform alone' "$err" '--platform is for --noc-traces'
meshsim validate --noc-traces traces --platform n15
exits 'an unknown platform' 2

finish
