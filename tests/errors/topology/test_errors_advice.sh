# The messages of `meshsim place` if a mesh does not fit: they name the violated constraint and a change that was
# tried and makes the mesh fit. Untried changes are never given as advice.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
files=$source_directory/tests/real/fixtures
hosts=$files/psd/two_hosts.textproto
boards=$files/cluster_descriptors/two_dual_boards.yaml

# graph ROWS COLUMNS COUNT [MORE]: COUNT meshes without connections
graph() {
	{
		echo "mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 device_topology { dims: [ $1, $2 ] }"
		echo "  host_topology { dims: [ 1, 1 ] } channels { count: 2 } }"
		echo 'graph_descriptors { name: "G" type: "FABRIC"'
		for i in $(seq 0 $(($3 - 1))); do
			echo "  instances { mesh { mesh_descriptor: \"M\" mesh_id: $i } }"
		done
		echo '}'
		echo 'top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }'
		[ -z "${4:-}" ] || echo "$4"
	} >graph.textproto
}

# advised WHAT EXPECTED: the advice of the last run
advised() {
	exits "$1" 1
	equal "$1" "$(printf '%s\n' "$out" | sed -n '/^obstacle\|^nearest\|^no advice/,$p')" "$2"
}

graph 1 1 3
meshsim place --mgd graph.textproto --cluster "$boards"
advised "boards" 'obstacle: boards (two ranks may not have chips of one board): it fits with --split-boards
nearest: the first 2 of 3 instances of graph G fit together'
meshsim place --mgd graph.textproto --cluster "$boards" --json
contains "boards, in JSON" "$(printf '%s' "$out" | tr -d ' \n')" \
	'{"obstacle":"boards","text":"itfitswith--split-boards","changes":[{"change":"option","option":"--split-boards"}]}'

meshsim place --mgd "$files/mgd/ring_of_eight.textproto" --psd "$hosts"
advised "hosts" 'obstacle: hosts (a rank may not have chips of two hosts): it fits with --any-host
obstacle: hosts (a rank may not have chips of two hosts): it fits with host_topology { dims: [ 1, 2 ] } in mesh descriptor RING
nearest: 1x4 LINE x RING fits'

meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts"
advised "channels" 'obstacle: policy (STRICT needs every channel): it fits with --relaxed
obstacle: policy (STRICT needs every channel): it fits with policy RELAXED in mesh descriptor GRID
obstacle: channels: it fits with channels { count: 1 } in mesh descriptor GRID
obstacle: channels: it fits with the channels that are lacking here:
  link of mesh 0 chip 5 and chip 6: 2 channels needed, 1 found between node0 tray 1 asic 3 and node1 tray 1 asic 2
nearest: 2x2 LINE x LINE fits'

graph 1 2 1
meshsim place --mgd graph.textproto --cluster "$boards" --pin 0:0=1:0 --pin 0:1=2:0
advised "pins, either of two" 'obstacle: pins: it fits without the pin of mesh 0 chip 0
obstacle: pins: it fits without the pin of mesh 0 chip 1
obstacle: channels: it fits with the channels that are lacking here:
  link of mesh 0 chip 0 and chip 1: 2 channels needed, 0 found between host0 tray 1 asic 0 and host0 tray 2 asic 0'
graph 1 2 1 'pinnings { logical_fabric_node_id { mesh_id: 0 chip_id: 1 } physical_asic_position { tray_id: 9 } }'
meshsim place --mgd graph.textproto --cluster "$boards"
advised "a pin of the descriptor" 'obstacle: pins: it fits without the pin of mesh 0 chip 1 in line 7'

meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --relaxed --groupings "$files/groupings/patterns.textproto"
advised "groupings" 'obstacle: groupings (a mesh goes onto a group as a whole): it fits without --groupings
nearest: 2x2 LINE x LINE fits'

graph 1 2 2
cat >bindings.yaml <<'EOF'
rank_bindings:
  - {rank: 0, mesh_id: 0, env_overrides: {TT_VISIBLE_DEVICES: "0"}}
  - {rank: 1, mesh_id: 1, env_overrides: {TT_VISIBLE_DEVICES: "0"}}
EOF
meshsim place --mgd graph.textproto --cluster "$boards" --check bindings.yaml
contains "bindings" "$out" "obstacle: bindings (ranks have the devices that they bind): it fits without --check"

# ---- several changes at once, and none ----
graph 1 1 3
meshsim place --mgd graph.textproto --cluster "$boards" --pin 0:0=9:0
advised "several" 'obstacle: several: it fits with --split-boards, without the pin of mesh 0 chip 0'
graph 1 5 1
meshsim place --mgd graph.textproto --cluster "$boards"
contains "larger than the machine" "$out" "it is larger than the machine: 5 chips needed, 4 found"
advised "larger than the machine" 'nearest: 1x2 LINE x LINE fits'
graph 1 1 1
meshsim place --mgd graph.textproto --cluster "$boards" --pin 0:0=9:0 --pin 0:3=1:0
advised "two pins that cannot be" 'obstacle: pins: it fits without the pin of mesh 0 chip 0, without the pin of mesh 0 chip 3'

# ---- a descriptor that the reader would reject is not given as advice ----
graph 1 3 1
sed -i 's/ } }$/ } express_connections { src: 0 dst: 2 } }/; 2!s/ express_connections { src: 0 dst: 2 }//' graph.textproto
meshsim place --mgd graph.textproto --cluster "$boards"
exits "an express link" 1
lacks "an express link of a smaller mesh" "$out" "nearest"

# ---- undecided cases are reported as such, without advice ----
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --budget 1
advised "no budget" 'no advice: nothing that was tried makes it fit
not decided: policy, within the steps of a trial
not decided: cables, within the steps of a trial
not decided: several constraints at once, within the steps of a trial
not decided: smaller shapes, within the steps of a trial'
finish
