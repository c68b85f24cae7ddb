# Replays of recorded operations on several devices: `meshsim validate --fabric-traces`. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# cables A:CHANNEL:B:CHANNEL...: the list of cables
cables() {
	first=
	for cable in "$@"; do
		IFS=: read -r a ac b bc <<LINE
$cable
LINE
		printf '%s{"local_device_id":%s,"local_eth_channel":%s,"remote_device_id":%s,"remote_eth_channel":%s}\n' \
			"$first" "$a" "$ac" "$b" "$bc"
		first=,
	done
}

# topology FOLDER "CABLES" DEVICE...: devices hand packets from channel 0 to 1
topology() {
	folder=$1
	mkdir -p "$folder"
	{
		echo '{"inter_device_channel_pairs":['
		# shellcheck disable=SC2086 # a word for each cable
		cables $2
		echo '],"forwarding_channel_pairs":['
		shift 2
		first=
		for device in "$@"; do
			printf '%s{"device_id":%s,"channels":[0,1]}\n' "$first" "$device"
			first=,
		done
		echo '],"eth_chan_to_coord":{"0":[9,0],"1":[1,0]}}'
	} >"$folder/topology.json"
}

# at TYPE X Y BYTES TIME [MORE]: an event of core (1, 1), NoC 1
at() {
	printf ',{"proc":"BRISC","noc":"NOC_1","sx":1,"sy":1,"type":"%s","dx":%s,"dy":%s,"num_bytes":%s,"timestamp":%s%s}\n' \
		"$1" "$2" "$3" "$4" "$5" "${6-}"
}
zone() {
	printf '%s{"proc":"BRISC","zone":"BRISC-KERNEL","zone_phase":"%s","sx":1,"sy":1,"timestamp":%s}\n' "$3" "$1" "$2"
}

# sender FILE CHANNEL X HOPS TYPE: sends 24 packets of 4096 B, one each 100 cycles, and increments
sender() {
	{
		echo '['
		zone begin 5000 ''
		for i in $(seq 0 23); do
			at WRITE_ "$3" 0 4096 $((5100 + 100 * i))
			at "$5" 1 1 32 $((5150 + 100 * i)) ",\"fabric_send\":{\"eth_chan\":$2,\"hops\":$4}"
		done
		at WRITE_ "$3" 0 32 7500
		at SEMAPHORE_INC 1 1 0 7600
		zone end 7700 ,
		echo ']'
	} >"$1"
}

# receiver FILE CHANNEL X: sends one packet to the first neighbour, waits, ends
receiver() {
	{
		echo '['
		zone begin 0 ''
		at WRITE_ "$3" 0 64 100
		at FABRIC_UNICAST_WRITE 1 1 32 150 ",\"fabric_send\":{\"eth_chan\":$2,\"hops\":1}"
		at WRITE_BARRIER_START -1 -1 0 250
		at WRITE_BARRIER_END -1 -1 0 300
		at SEMAPHORE_INC 1 1 0 400
		at WRITE_FLUSH -1 -1 0 50000
		zone end 50100 ,
		echo ']'
	} >"$1"
}

# line FOLDER: devices 7, 3 and 5 on a line, the first of which sends to the last
line() {
	topology "$1" '7:1:3:0 3:1:5:0' 3
	sender "$1/noc_trace_dev7_Gather_ID3.json" 1 1 2 FABRIC_UNICAST_WRITE
	receiver "$1/noc_trace_dev5_Gather_ID1.json" 0 9
	receiver "$1/noc_trace_dev3_Gather_ID2.json" 0 9
}

# figure OPERATION DEVICE KEY WAY: a figure of a device; WAY "" if the key has no ways
figure() {
	printf '%s' "$out" | python3 -c '
import json, sys
replay = json.load(sys.stdin)
operation = next(o for o in replay["operations"] if o["name"] == sys.argv[1])
device = next(d for d in operation["devices"] if d["device"] == int(sys.argv[2]))
value = device[sys.argv[3]]
print(round(value[replay["ways"].index(sys.argv[4])] if sys.argv[4] else value))' "$1" "$2" "$3" "$4"
}

mkdir sets scenarios
line sets/line
meshsim validate --fabric-traces sets/line --scenarios scenarios
exits 'a line' 0
contains 'the head' "$out" 'Durations of 1 recorded operation, replayed on chips of t3k-endpoints'
contains 'the operation' "$out" 'line/Gather                             3       26       2700'
equal 'nothing else' "$err" ''
meshsim run scenarios/line-Gather.yaml -o line.h5
exits 'the scenario of a replay' 0

# The sender was launched last. The others wait until its increment arrives behind its packets.
meshsim validate --fabric-traces sets/line --json
exits 'json' 0
equal 'launched last' "$(figure line/Gather 7 launched_after_cycles '')" 47400
equal 'measured' "$(figure line/Gather 5 cycles '')" 50100
sent=$(figure line/Gather 7 predicted_cycles packet)
waited=$(figure line/Gather 5 predicted_wait_cycles packet)
equal "the sender waits for slots of its router: $sent cycles" "$((sent > 2700 + 3000 && sent < 2700 + 12000))" 1
# 24 packets of 4096 B take 8,380 cycles over a link of 11.74 GB/s.
equal "the last device waits until they have arrived: $waited cycles" \
	"$((waited > 47000 + 8380 && waited < 47000 + 8380 + 3500))" 1
equal 'the first device on the way waits less' \
	"$(($(figure line/Gather 3 predicted_wait_cycles packet) < waited))" 1

# A link of half the rate: everything takes longer.
rate() {
	cat >"$1.yaml" <<YAML
extends: t3k-endpoints
name: $1
description: other links
chip:
  ethernet_bandwidth: {value: $2, unit: GB/s, kind: assumed, source: this test}
YAML
}
rate half 6.25
meshsim validate --fabric-traces sets/line --json --platform ./half.yaml
exits 'links of half the rate' 0
slow=$(figure line/Gather 5 predicted_wait_cycles packet)
slow_sent=$(figure line/Gather 7 predicted_cycles packet)
equal "links of half the rate: $slow cycles, others $waited" "$((slow > waited + 6000))" 1
equal "the sender: $slow_sent cycles, else $sent" "$((slow_sent > sent + 4000))" 1

# A ring: one hop over the cable that closes it; and two operations of a name.
topology sets/ring '0:1:1:0 1:1:2:0 2:1:3:0 3:1:0:0' 0 1 2 3
for id in 4 10; do
	sender sets/ring/noc_trace_dev3_Gather_ID$id.json 1 1 2 FABRIC_UNICAST_WRITE
	for device in 0 1; do
		receiver sets/ring/noc_trace_dev${device}_Gather_ID$id$device.json 0 9
	done
	receiver sets/ring/noc_trace_dev2_Gather_ID$id.json 1 1
done
meshsim validate --fabric-traces sets --json --scenarios scenarios
exits 'a folder of sets' 0
ring=$(figure ring/Gather 1 predicted_wait_cycles packet)
equal "along a ring: $ring cycles, along a line $waited" "$((ring > waited - 2000 && ring < waited + 2000))" 1
equal 'the second operation' "$(figure ring/Gather.2 1 predicted_wait_cycles packet)" "$ring"
contains 'over the cable that closes the ring' "$(cat scenarios/ring-Gather.yaml)" 'route: [3, 0, 1]'

# A multicast goes to each device of its range.
line sets/many
sed 's/UNICAST_WRITE/MULTICAST_WRITE/; s/"hops":2/"start_distance":1,"range":2/' sets/line/noc_trace_dev7_Gather_ID3.json \
	>sets/many/noc_trace_dev7_Gather_ID3.json
meshsim validate --fabric-traces sets/many --scenarios scenarios
exits 'a multicast' 0
contains 'a multicast' "$(cat scenarios/many-Gather.yaml)" 'fabric_multicast r8, r10, 4096'

# refused WHAT FILE SCRIPT MESSAGE: a changed file is rejected
refused() {
	line bad
	sed -i "$3" "bad/$2"
	meshsim validate --fabric-traces bad
	exits "$1" 2
	contains "$1" "$err" "$4"
	rm -r bad
}
trace=noc_trace_dev7_Gather_ID3.json
refused 'a packet without a way' $trace 's/,"fabric_send":{[^}]*}//' "$trace:4:2: error: this packet has no map 'fabric_send'"
refused 'too many hops' $trace 's/"hops":2/"hops":3/' 'error: 3 hops on a line of 3 devices'
refused 'no hops' $trace 's/"hops":2/"hops":0/' "'hops' is a whole number from 1 to 1023"
refused 'no cable' $trace 's/"eth_chan":1/"eth_chan":5/' 'error: channel 5 of device 7 has no cable in bad/topology.json'
refused 'a large packet' $trace 's/4096/9000/' 'error: a packet of 9000 bytes, but those of the machine have at most 4'
refused 'a channel' topology.json 's/"9":\[/"x":[/; s/"0":\[9/"x":[9/' 'a channel is a whole number from 0 to 63'
refused 'a device' topology.json 's/"local_device_id":7/"local_device_id":-7/' "'local_device_id' is a whole number from 0 to 1023"
refused 'a missing key' topology.json 's/"remote_eth_channel":0//; s/,}/}/' "'remote_eth_channel' is missing"
refused 'two cables' topology.json 's/"local_device_id":3,"local_eth_channel":1/"local_device_id":3,"local_eth_channel":0/' \
	'channel 0 of device 3 has two cables'
refused 'no hand-over' topology.json '/"device_id"/d' 'routers hand it on nowhere'
refused 'no list' topology.json 's/forwarding/sending/' "'forwarding_channel_pairs' must be a list"
refused 'a device apart' topology.json 's/"remote_device_id":5/"remote_device_id":7/' 'bad/noc_trace_dev5_Gather_ID1.json: error: bad/topology.json has no device 5'
line bad
sed -i '/FABRIC/d' bad/noc*
meshsim validate --fabric-traces bad
exits 'no packets' 2
contains 'no packets' "$err" "error: no device of operation 'Gather' sends a packet"
line bad
rm bad/noc_trace_dev5_Gather_ID1.json
meshsim validate --fabric-traces bad
exits 'a missing file' 2
contains 'a missing file' "$err" 'a packet goes to device 5, but the folder has no trace of it'
topology bad '7:1:3:0 3:1:5:0 3:2:6:0' 3
meshsim validate --fabric-traces bad
exits 'a star' 2
contains 'a star' "$err" 'device 3 has more than two neighbours'
rm bad/topology.json
meshsim validate --fabric-traces bad
exits 'no wiring' 2
contains 'no wiring' "$err" 'bad: error: neither the folder nor one in it has a topology.json'
meshsim validate --fabric-traces nowhere
exits 'no folder' 2
meshsim validate --fabric-traces sets --noc-traces sets
exits 'both kinds' 2
meshsim validate --fabric-traces sets --rows
exits 'another option' 2
contains 'another option' "$err" '--fabric-traces goes with --platform, --scenarios, --json and --jobs only'

finish
