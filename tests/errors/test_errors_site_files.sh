# Exact messages for files from users' systems: cluster descriptors, physical system descriptors,
# mesh graph descriptors. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# cluster KEY VALUE: a descriptor of two chips with one line changed
cluster() {
	cat <<END | sed "s|^$1:.*|$1: $2|" >cluster.yaml
arch: {0: wormhole_b0, 1: wormhole_b0}
chips: {0: [0, 0, 0, 0], 1: [1, 0, 0, 0]}
chips_with_mmio: [0: 0]
asic_locations: {0: 0, 1: 1}
harvesting: {0: {harvest_mask: 3}, 1: {harvest_mask: 3}}
ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}]]
boards: [[{board_id: 7}, {board_type: n300}, {chips: [0, 1]}]]
END
}

# refused KEY VALUE MESSAGE: the first message, with its line and caret
refused() {
	cluster "$1" "$2"
	meshsim place --cluster cluster.yaml
	exits "$1: $2" 2
	equal "$1: $2" "$err" "$3"
}

refused chips '{0: [0, 0, 0, nan], 1: [1, 0, 0, 0]}' \
"cluster.yaml:2:22: error: '0[3]': expected an integer, found the string 'nan'
chips: {0: [0, 0, 0, nan], 1: [1, 0, 0, 0]}
                     ^"
refused chips '{0: [0, "", 0, 0], 1: [1, 0, 0, 0]}' \
"cluster.yaml:2:16: error: '0[1]': expected an integer, found the string ''
chips: {0: [0, \"\", 0, 0], 1: [1, 0, 0, 0]}
               ^"
refused chips '{0: [~, 0, 0, 0], 1: [1, 0, 0, 0]}' \
"cluster.yaml:2:13: error: '0[0]': expected an integer, found null
chips: {0: [~, 0, 0, 0], 1: [1, 0, 0, 0]}
            ^"
refused chips '{0: [0, 0, 1e400, 0], 1: [1, 0, 0, 0]}' \
"cluster.yaml:2:19: error: '0[2]': expected an integer, found the number 1e400
chips: {0: [0, 0, 1e400, 0], 1: [1, 0, 0, 0]}
                  ^"
refused chips '{0: [0, 0, 0, -1], 1: [1, 0, 0]}' \
"cluster.yaml:2:22: error: '0[3]': -1 is too small, at least 0
chips: {0: [0, 0, 0, -1], 1: [1, 0, 0]}
                     ^
cluster.yaml:2:30: error: '1': expected 4 items, found 3
chips: {0: [0, 0, 0, -1], 1: [1, 0, 0]}
                             ^"
refused chips '{0: [65536, 0, 0, 0], 1: 3}' \
"cluster.yaml:2:13: error: '0[0]': 65536 is too big, at most 65535
chips: {0: [65536, 0, 0, 0], 1: 3}
            ^
cluster.yaml:2:33: error: '1': expected a list, found the integer 3
chips: {0: [65536, 0, 0, 0], 1: 3}
                                ^"
refused harvesting '{0: {harvest_mask: -1}}' \
"cluster.yaml:5:32: error: 'harvest_mask': -1 is too small, at least 0
harvesting: {0: {harvest_mask: -1}}
                               ^"
refused harvesting '{0: {harvest_mask: 1, eth_harvesting_mask: nan}}' \
"cluster.yaml:5:56: error: 'eth_harvesting_mask': expected an integer, found the string 'nan'
harvesting: {0: {harvest_mask: 1, eth_harvesting_mask: nan}}
                                                       ^"
refused harvesting '{0: {harvest_mask: 4096}}' \
"cluster.yaml:5:32: error: 'harvest_mask': 4096 has bit 12, but there is no such row of Tensix tiles: WORMHOLE_B0 has 10, bits 0 to 9
harvesting: {0: {harvest_mask: 4096}}
                               ^"
refused harvesting '{5: {harvest_mask: 1}}' \
"cluster.yaml:5:17: error: harvesting: no chip '5' in this file
harvesting: {5: {harvest_mask: 1}}
                ^"
refused asic_locations '{0: 0, 1: 1e400}' \
"cluster.yaml:4:27: error: '1': expected an integer, found the number 1e400
asic_locations: {0: 0, 1: 1e400}
                          ^"
refused ethernet_connections '[[{chip: 0, chan: 8}, {chip: 1, chan: 0}], [{chip: 0, chan: 8}, {chip: 1, chan: 0}]]' \
"cluster.yaml:6:67: error: the link between channels 8 and 0 of these two chips is there twice
ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}], [{chip: 0, chan: 8}, {chip: 1, chan: 0}]]
                                                                  ^"
refused ethernet_connections '[[{chip: 0, chan: 8}, {chip: 1, chan: 0}], [{chip: 1, chan: 0}, {chip: 0, chan: 8}]]' \
"cluster.yaml:6:67: error: the link between channels 0 and 8 of these two chips is there twice
ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}], [{chip: 1, chan: 0}, {chip: 0, chan: 8}]]
                                                                  ^"
refused ethernet_connections '[[{chip: 0, chan: nan}, {chip: 1, chan: 0}]]' \
"cluster.yaml:6:41: error: 'chan': expected an integer, found the string 'nan'
ethernet_connections: [[{chip: 0, chan: nan}, {chip: 1, chan: 0}]]
                                        ^"
refused boards '[[{board_id: 7}, {chips: [0, 1]}], [{board_id: 8}, {chips: [1]}]]' \
"cluster.yaml:7:60: error: boards: chip 1 is on two boards
boards: [[{board_id: 7}, {chips: [0, 1]}], [{board_id: 8}, {chips: [1]}]]
                                                           ^"

# ---- a physical system descriptor: both ends of a link must list it ----
# psd LIST-OF-102: two pairs of chips with the given list of chip 102; 103 lists channels 0 and 1
psd() {
	cat <<END >system.textproto
system_graph { asic_connectivity_graph { host_name: "h"
asic_topologies { asic_id: 100 topology { asic_connections { dst_asic_id: 101 eth_connections { } eth_connections { src_chan: 1 dst_chan: 1 } } } }
asic_topologies { asic_id: 101 topology { asic_connections { dst_asic_id: 100 eth_connections { } eth_connections { src_chan: 1 dst_chan: 1 } } } }
asic_topologies { asic_id: 102 topology { $1 } }
asic_topologies { asic_id: 103 topology { asic_connections { dst_asic_id: 102
eth_connections { src_chan: 0 dst_chan: 0 }
eth_connections { src_chan: 1 dst_chan: 1 } } } }
} }
END
	for chip in 0 1 2 3; do
		echo "asic_descriptors { asic_id: 10$chip asic_descriptor { tray_id: 1 asic_location: $chip unique_id: 10$chip host_name: \"h\" } }"
	done >>system.textproto
}
cat >pairs.textproto <<'END'
mesh_descriptors { name: "M" arch: WORMHOLE_B0 device_topology { dims: [1, 2] } host_topology { dims: [1, 1] } channels { count: 2 } }
graph_descriptors { name: "G" type: "FABRIC" instances { mesh { mesh_descriptor: "M" mesh_id: 0 } } instances { mesh { mesh_descriptor: "M" mesh_id: 1 } } }
top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }
END
psd 'asic_connections { dst_asic_id: 103 eth_connections { } eth_connections { src_chan: 1 dst_chan: 1 } }'
meshsim place --psd system.textproto --mgd pairs.textproto
exits "links that both ends list" 0
equal "links that both ends list" "$err" ""
psd ''
meshsim place --psd system.textproto --mgd pairs.textproto
exits "links that one end lists" 1
equal "links that one end lists" "$err" \
"system.textproto:6:19: warning: only ASIC 103 lists 2 links to ASIC 102 (channels 0 to 0, 1 to 1): ASIC 102 does not list them, so they do not count
eth_connections { src_chan: 0 dst_chan: 0 }
                  ^"
psd 'asic_connections { dst_asic_id: 103 eth_connections { } }'
meshsim place --psd system.textproto --mgd pairs.textproto
exits "one of two links that one end lists" 1
contains "one of two links that one end lists" "$err" \
	"system.textproto:7:19: warning: only ASIC 103 lists 1 link to ASIC 102 (channels 1 to 1): ASIC 102 does not list it, so it does not count"
contains "the other counts" "$out" "2 channels needed, 1 found"
psd 'asic_connections { dst_asic_id: 103 eth_connections { } eth_connections { } }'
meshsim place --psd system.textproto
exits "a channel that a chip lists twice" 2
contains "a channel that a chip lists twice" "$err" \
	"system.textproto:4:117: error: ASIC 102 lists channel 0 to channel 0 of ASIC 103 twice"

# ---- pins of a mesh graph descriptor ----
pin() {
	cp pairs.textproto pins.textproto
	echo "pinnings { $1 }" >>pins.textproto
	psd 'asic_connections { dst_asic_id: 103 eth_connections { } eth_connections { src_chan: 1 dst_chan: 1 } }'
	meshsim place --psd system.textproto --mgd pins.textproto
}
pin 'logical_fabric_node_id { mesh_id_regex: "7" chip_id: 0 } physical_asic_position { tray_id: 1 asic_location: 3 }'
exits "a pin to no mesh" 2
contains "a pin to no mesh" "$err" \
	"pins.textproto:4:37: error: Pinned node not found: mesh_id_regex '7' matches the id of no mesh"
pin 'logical_fabric_node_id { mesh_ids: 1 chip_id: 0 } physical_asic_position { tray_id: 1 asic_location: 3 }'
exits "a pin that is not understood" 2
contains "a pin that is not understood" "$err" \
	"pins.textproto:4:37: error: a pinning is not understood without its 'mesh_ids'"
pin 'logical_fabric_node_id { mesh_id: 0 chip_id: 2 } physical_asic_position { tray_id: 1 asic_location: 3 }'
exits "a pin of no chip" 2
contains "a pin of no chip" "$err" \
	"pins.textproto:4:37: error: Pinned node not found: chip 2 of mesh 0, which has 2"
pin 'logical_fabric_node_id { mesh_id_regex: "0|1" chip_id: 0 } physical_asic_position { tray_id: 1 asic_location: 3 }
physical_asic_position { tray_id: 1 asic_location: 1 }'
exits "several positions" 0
contains "several positions, mesh 0" "$out" "   0     0    0       0  h                   1     1"
contains "several positions, mesh 1" "$out" "   1     0    0       0  h                   1     3"
pin 'logical_fabric_node_id [{ mesh_id: 1 chip_id: 0 }, { mesh_id: 1 chip_id: 0 }] physical_asic_position { tray_id: 1 asic_location: 3 }'
exits "a device pinned twice" 2
contains "a device pinned twice" "$err" "error: Duplicate pinning: chip 0 of mesh 1 is pinned in line 4 already"

# ---- connections and switches ----
sed 's/type: "FABRIC"/& connections { nodes { mesh { mesh_descriptor: "M" mesh_id: 0 } } nodes { mesh { mesh_descriptor: "M" mesh_id: 1 device_id: 0 } } channels { count: 1 } }/' \
	pairs.textproto >mixed.textproto
meshsim place --mgd mixed.textproto
exits "a mesh and a device" 2
contains "a mesh and a device" "$err" \
	"mixed.textproto:2:60: error: Connection has mixed endpoints: a device of mesh 1, and mesh 0 as a whole (Graph: G)"
cat >switches.textproto <<'END'
switch_descriptors { name: "S" arch: WORMHOLE_B0 device_topology { dims: [1, 2] } channels { count: 2 } host_topology { dims: [1, 1] } }
top_level_instance { switch { switch_descriptor: "S" switch_id: 0 } }
END
meshsim place --mgd switches.textproto
exits "switches alone" 0
equal "switches alone" "$err" ""
sed 's/\[1, 1\]/[1, 2]/' switches.textproto >hosts.textproto
meshsim place --mgd hosts.textproto
exits "a switch of two hosts" 2
contains "a switch of two hosts" "$err" "error: A switch belongs to one host: host_topology (Switch: S)"
cat >old.yaml <<'END'
ChipSpec: {arch: wormhole_b0}
Mesh: [{id: 0, host_ranks: [[0]]}]
END
meshsim place --mgd old.yaml
exits "an old descriptor" 2
equal "an old descriptor" "$err" \
"old.yaml:1:1: error: an old mesh graph descriptor, in YAML: write it anew in text format, as mesh_descriptors { ... }
ChipSpec: {arch: wormhole_b0}
^"

# ---- a rank file: the cores of one rank are a list ----
printf 'rank 0=h slot=0,1,2\nrank 1=h slot=3-4\nrank 2=h slot=1:*\n' >ranks.txt
meshsim place --rankfile ranks.txt
exits "cores of a rank" 0
equal "cores of a rank" "$out" "rank file    3 ranks, on 3 cores each at most"
for slots in 0,1, x 3-1 0,,1 nan :1 99999999; do
	echo "rank 0=h slot=$slots" >ranks.txt
	meshsim place --rankfile ranks.txt
	exits "slots $slots" 2
	equal "slots $slots" "$err" "ranks.txt:1:15: error: expected slots, such as 0, 0-3, 0,1,2 or 1:0-3
rank 0=h slot=$slots
              ^"
done
echo 'rank 0=h slot=0 1' >ranks.txt
meshsim place --rankfile ranks.txt
contains "what follows slots" "$err" "ranks.txt:1:17: error: nothing follows the slots"

# ---- cases: an invalid case does not affect others ----
cat >cases.json <<'END'
{"cases": [
{"id": "new", "kind": "map", "expect": "map", "logical": {"nodes": 2, "edges": [[0, 1, 1]]}, "physical": {"nodes": 2, "edges": [[0, 1, 1]]}, "future": 1},
{"id": "nan", "kind": "map", "expect": "map", "logical": {"nodes": 2, "edges": [[0, 1, "nan"]]}, "physical": {"nodes": 2, "edges": [[0, 1, 1]]}},
{"id": "word", "kind": "solver", "expect": "map", "target": {"nodes": 2, "edges": [[0, 1, 1]]}, "host": {"nodes": 2, "edges": [[0, 1, 1]]}, "traits": {"target": "x", "host": 3}},
{"id": "ids", "kind": "solver", "expect": "map", "target": {"ids": "abcd", "edges": []}, "host": {"nodes": 4, "edges": []}},
"text",
{"id": "good", "kind": "map", "expect": "map", "logical": {"nodes": 2, "edges": [[0, 1, 1]]}, "physical": {"nodes": 2, "edges": [[0, 1, 1]]}}
]}
END
meshsim place --cases cases.json
exits "cases" 0
equal "cases" "$out" "new      not run: 'future' is not understood
nan      not run: 'edges': expected a list, of numbers if of lists, found a list
word     not run: 'target': expected a map, found the string 'x'
ids      not run: 'ids': expected numbers, found the string 'abcd'
         not run: a case is a map
good     good
1 good, 0 differ, 5 not run"
meshsim place --mgd pairs.textproto --psd system.textproto --pin 0:0=01:2
exits "an octal number in a pin" 2
meshsim place --mgd pairs.textproto --psd system.textproto --pin 0:0=asic:18446744073709551616
exits "an id that is too large" 2

# A host's name is written to rank files, where a blank or newline would forge a field or a rank.
for name in 'a slot=5' '::error::a' 'a\nrank 7=evil' 'a\033[31m'; do
	cat >psd.textproto <<END
asic_descriptors { asic_id: 1 asic_descriptor { unique_id: 1 host_name: "$name" board_type: 7 } }
host_to_rank { host_name: "$name" rank: 0 }
END
	meshsim place --psd psd.textproto
	exits "host name $name" 2
	case $name in
	*slot* | ::*)
		contains "host name" "$err" "psd.textproto:1:20: error: host name '$name': expected letters"
		equal "it is said once" "$(printf '%s\n' "$err" | grep -c 'host name')" 1
		;;
	*) contains "host name" "$err" "psd.textproto:1:73: error: a text cannot hold the control character U+00" ;;
	esac
done
finish
