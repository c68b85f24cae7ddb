# The messages of `meshsim place` if policy RELAXED accepts fewer channels than the descriptor requests: a
# connection of meshes without any link is mapped with a warning at its place; within a mesh a link is
# required.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# pair POLICY COUNT: two meshes of two chips, connected as wholes
pair() {
	cat >pair.textproto <<EOF
mesh_descriptors {
  name: "M" arch: WORMHOLE_B0 device_topology { dims: [ 1, 2 ] } host_topology { dims: [ 1, 1 ] }
  channels { count: 2 }
}
graph_descriptors {
  name: "G" type: "FABRIC"
  instances { mesh { mesh_descriptor: "M" mesh_id: 0 } }
  instances { mesh { mesh_descriptor: "M" mesh_id: 1 } }
  connections {
    nodes { mesh { mesh_descriptor: "M" mesh_id: 0 } }
    nodes { mesh { mesh_descriptor: "M" mesh_id: 1 } }
    channels { count: $2 policy: $1 }
  }
}
top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }
EOF
}

# boxes CABLE...: boards of two chips, 2i and 2i + 1, and cables between them
boxes() {
	cat >boxes.yaml <<EOF
arch: {0: Wormhole, 1: Wormhole, 2: Wormhole, 3: Wormhole, 4: Wormhole, 5: Wormhole}
chips: {}
chip_unique_ids: {0: 10, 1: 11, 2: 12, 3: 13, 4: 14, 5: 15}
ethernet_connections: [
  [{chip: 0, chan: 8}, {chip: 1, chan: 0}], [{chip: 0, chan: 9}, {chip: 1, chan: 1}],
  [{chip: 2, chan: 8}, {chip: 3, chan: 0}], [{chip: 2, chan: 9}, {chip: 3, chan: 1}],
EOF
	printf '  %s,\n' "$@" >>boxes.yaml
	cat >>boxes.yaml <<'EOF'
]
chips_with_mmio: [0: 0, 2: 1, 4: 2]
boards: [[{board_id: 7}, {board_type: n300}, {chips: [0, 1]}], [{board_id: 8}, {board_type: n300}, {chips: [2, 3]}],
         [{board_id: 9}, {board_type: n300}, {chips: [4, 5]}]]
EOF
}
third='[{chip: 4, chan: 8}, {chip: 5, chan: 0}], [{chip: 4, chan: 9}, {chip: 5, chan: 1}]'

# ---- no link between the meshes ----
boxes
sed -i '/^  ,$/d' boxes.yaml
pair RELAXED 2
meshsim place --mgd pair.textproto --cluster boxes.yaml
exits "RELAXED, no link between the meshes" 0
equal "RELAXED, no link between the meshes" "$err" "pair.textproto:10:5: warning: connection of mesh 0 and mesh 1: no link was found; policy RELAXED maps the meshes without it
    nodes { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }
    ^"
equal "RELAXED, no link, in the text" "$(printf '%s\n' "$out" | sed -n '/^placed/,$p')" \
	"placed: 4 devices on 6 chips; found by search
fewer channels than the descriptor asks for, as policy RELAXED allows:
  connection of mesh 0 and mesh 1: 2 channels wanted, 0 found on host host0"
meshsim place --mgd pair.textproto --cluster boxes.yaml --json
contains "RELAXED, no link, in JSON" "$(printf '%s' "$out" | tr -d ' \n')" \
	'"lacks":[{"what":"connection","ends":[{"mesh":0},{"mesh":1}],"needed":2,"found":0,'
pair STRICT 1
meshsim place --mgd pair.textproto --cluster boxes.yaml
exits "STRICT, no link between the meshes" 1
lacks "STRICT, no link between the meshes" "$err" "RELAXED maps"
meshsim place --mgd pair.textproto --cluster boxes.yaml --relaxed
exits "--relaxed, no link between the meshes" 0
contains "--relaxed, no link between the meshes" "$err" "pair.textproto:10:5: warning: connection of mesh 0 and mesh 1: no link"

# ---- fewer channels than requested ----
boxes '[{chip: 1, chan: 6}, {chip: 2, chan: 6}]'
pair RELAXED 2
meshsim place --mgd pair.textproto --cluster boxes.yaml
exits "RELAXED 2, 1 found" 0
equal "RELAXED 2, 1 found: no warning" "$err" ""
contains "RELAXED 2, 1 found" "$out" "connection of mesh 0 and mesh 1: 2 channels wanted, 1 found on host host0"

# ---- the mapping with the most channels is chosen ----
boxes "$third" '[{chip: 1, chan: 6}, {chip: 2, chan: 6}]' '[{chip: 3, chan: 6}, {chip: 4, chan: 6}]' \
	'[{chip: 3, chan: 7}, {chip: 4, chan: 7}]'
meshsim place --mgd pair.textproto --cluster boxes.yaml
exits "RELAXED 2, 1 and 2 found" 0
lacks "RELAXED 2, 1 and 2 found" "$out" "fewer channels"

# ---- as many connections as there are links ----
boxes "$third" '[{chip: 3, chan: 6}, {chip: 4, chan: 6}]'
cat >triple.textproto <<'EOF'
mesh_descriptors {
  name: "M" arch: WORMHOLE_B0 device_topology { dims: [ 1, 2 ] } host_topology { dims: [ 1, 1 ] }
  channels { count: 2 }
}
graph_descriptors {
  name: "G" type: "FABRIC"
  instances { mesh { mesh_descriptor: "M" mesh_id: 0 } }
  instances { mesh { mesh_descriptor: "M" mesh_id: 1 } }
  instances { mesh { mesh_descriptor: "M" mesh_id: 2 } }
  graph_topology { layout_type: ALL_TO_ALL channels { count: 1 policy: RELAXED } }
}
top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }
EOF
meshsim place --mgd triple.textproto --cluster boxes.yaml
exits "one of three connections has a link" 0
equal "one of three connections has a link" "$(printf '%s\n' "$out" | grep -c 'channel wanted, 0 found')" 2

# ---- within a mesh RELAXED requires a link ----
cat >line.textproto <<'EOF'
mesh_descriptors {
  name: "M" arch: WORMHOLE_B0 device_topology { dims: [ 1, 4 ] } host_topology { dims: [ 1, 1 ] }
  channels { count: 2 policy: RELAXED }
}
top_level_instance { mesh { mesh_descriptor: "M" } }
EOF
boxes '[{chip: 1, chan: 6}, {chip: 2, chan: 6}]'
meshsim place --mgd line.textproto --cluster boxes.yaml
exits "a thin link within a mesh" 0
contains "a thin link within a mesh" "$out" "link of mesh 0 chip 1 and chip 2: 2 channels wanted, 1 found between host0 tray 1 asic 1 and host0 tray 2 asic 0"
boxes
sed -i '/^  ,$/d' boxes.yaml
meshsim place --mgd line.textproto --cluster boxes.yaml
exits "no link within a mesh" 1
finish
