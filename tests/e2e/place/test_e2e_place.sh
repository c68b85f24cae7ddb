# From cables to a mesh: `meshsim place` finds placements, writes the files for ranks, draws, checks the
# files of other tools, and names missing cables; the script for real files processes a folder of them.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
files=$source_directory/tests/real/fixtures
pair=$files/mgd/pair_of_boards.textproto
boards=$files/cluster_descriptors/two_dual_boards.yaml
hosts=$files/psd/two_hosts.textproto

# ---- placed ----
meshsim place --mgd "$pair" --cluster "$boards" -o out --svg out.svg
exits placed 0
contains "the table" "$out" "   1     1    0       1  host0               2     0       1  17716556166399396846"
contains "the drawing" "$out" "  A1.0-2-A1.1"
contains "bindings" "$(cat out/rank_bindings.yaml)" '  - rank: 1
    mesh_id: 1
    mesh_host_rank: 0
    env_overrides:
      TT_VISIBLE_DEVICES: "1"'
equal "rank file" "$(cat out/rankfile.txt)" "rank 0=host0 slot=0
rank 1=host0 slot=1"
equal "visible devices" "$(cat out/visible_devices.txt)" "# rank host TT_VISIBLE_DEVICES
0 host0 0
1 host0 1"
contains "SVG" "$(cat out.svg)" "<title>chip 0: ASIC 12</title>"
cp out/rank_bindings.yaml first.yaml
meshsim place --mgd "$pair" --cluster "$boards" -o out
exits again 0
equal "the same bytes again" "$(cat out/rank_bindings.yaml)" "$(cat first.yaml)"

# ---- checked ----
meshsim place --mgd "$pair" --cluster "$boards" --check out/rank_bindings.yaml --rankfile out/rankfile.txt
exits "bindings that were written" 0
meshsim place --mgd "$pair" --cluster "$boards" --check out/rank_bindings.yaml --json
free=$out
sed 's/"1"/"0"/' out/rank_bindings.yaml >same.yaml
meshsim place --mgd "$pair" --cluster "$boards" --check same.yaml
exits "two ranks on one board" 1
sed 's/"1"/"5"/' out/rank_bindings.yaml >none.yaml
meshsim place --mgd "$pair" --cluster "$boards" --check none.yaml
exits "a device that is not there" 2
contains "a device that is not there" "$err" "none.yaml:8:5: error: rank 1: no device 5"
sed 's/mesh_id: 1/mesh_id: 3/' out/rank_bindings.yaml >mesh.yaml
meshsim place --mgd "$pair" --check mesh.yaml
exits "a mesh that is not there" 2
contains "a mesh that is not there" "$err" "rank 1: mesh_id 3 is not in the descriptor"

# ---- files that bindings name ----
mkdir named
sed 's/^mesh_graph.*/mesh_graph_desc_path: "far\/pair_of_boards.textproto"/' out/rank_bindings.yaml >named/a.yaml
sed 's/"1"/"5"/' named/a.yaml >named/none.yaml
sed 's/pair_of_boards/other/' named/a.yaml >named/other.yaml
sed 's/rank: 1/rank: x/' named/a.yaml >named/broken.yaml
# contexts FILE...: the file of each sub-context
contexts() {
	echo subcontext_id_to_rank_bindings: >named/map.yaml
	id=0
	for file; do
		echo "  $id: $file" >>named/map.yaml
		id=$((id + 1))
	done
}
contexts a.yaml "$work/named/a.yaml"
meshsim place --check named/map.yaml
exits "sub-contexts" 0
contains "sub-contexts" "$out" "bindings     of sub-context 1: 2"
meshsim place --mgd "$pair" --cluster "$boards" --check named/map.yaml --json
exits "sub-contexts, placed" 0
equal "sub-contexts, placed" "$(printf '%s\n' "$out" | sed 's/"bindings": 2/"bindings": 0/')" \
	"$(printf '%s\n' "$free" | sed 's/"bindings": 2/"bindings": 0/')"
contains "sub-contexts, placed" "$err" "map.yaml:3:6: warning: sub-context 1 fits the descriptor; the placement is that of sub-context 0"
contexts a.yaml none.yaml
meshsim place --mgd "$pair" --cluster "$boards" --check named/map.yaml
exits "a sub-context without its device" 2
contains "a sub-context without its device" "$err" "none.yaml:8:5: error: rank 1: no device 5"
contexts broken.yaml map.yaml
meshsim place --check named/map.yaml
exits "bad files of sub-contexts" 2
contains "its line" "$err" "named/broken.yaml:8:"
contains "it names itself" "$err" "named/map.yaml: error: a file of a sub-context binds ranks"
contexts other.yaml a.yaml
meshsim place --mgd "$pair" --cluster "$boards" --check named/map.yaml
exits "a sub-context of another descriptor" 0
contains "a sub-context of another descriptor" "$err" \
	"map.yaml:2:6: warning: sub-context 0 is not checked: it is of the descriptor 'far/other.textproto'"
contexts a.yaml lost.yaml
meshsim place --check named/map.yaml
exits "a file that is not there" 0
contains "a file that is not there" "$err" "map.yaml:3:6: warning: sub-context 1: there is no file 'named/lost.yaml'"
meshsim place --mgd "$pair" --check named/map.yaml
exits "a file that is not there, checked" 2
contains "a file that is not there, checked" "$err" "map.yaml:3:6: error: sub-context 1: there is no file"
printf 'rank_to_cluster_mock_cluster_desc:\n  0: %s\n  1: a.yaml\n' "$boards" >named/map.yaml
meshsim place --check named/map.yaml
exits "cluster descriptors of ranks" 2
contains "cluster descriptors of ranks" "$err" "named/a.yaml: error: it lists no chip: arch"
lacks "cluster descriptors of ranks" "$err" "two_dual_boards.yaml"

# ---- pins ----
meshsim place --mgd "$pair" --cluster "$boards" --pin 0:1=asic:11 --json
exits pinned 0
contains pinned "$out" '"id": 11'
meshsim place --mgd "$pair" --cluster "$boards" --pin 0:0=9:9
exits "pinned to nothing" 1
contains "pinned to nothing" "$out" "chip 0 of mesh 0 is pinned to tray 9 asic 9: not found"
meshsim place --mgd "$pair" --cluster "$boards" --json
free=$out
meshsim place --mgd "$pair" --cluster "$boards" --pin 0:0=9:9,1:0,1:1,2:0,2:1 --json
exits "pinned to any of several" 0
equal "pinned to any of several" "$out" "$free"
meshsim place --mgd "$pair" --cluster "$boards" --pin 0:0=9:9,9:8
exits "pinned to none of several" 1
contains "pinned to none of several" "$out" "chip 0 of mesh 0 is pinned to tray 9 asic 9 or others: not found"
for pin in 0 0:0=9:9, 0:0=,9:9 0:0=9:9,9 0:0=9:9,host:9:8 0:0=asic:1,9:9 0:0=9:2147483648; do
	meshsim place --mgd "$pair" --cluster "$boards" --pin $pin
	exits "no pin: $pin" 2
done

# ---- does not fit ----
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts"
exits "a thin cable" 1
contains "a thin cable" "$out" "2 channels needed, 1 found between node0 tray 1 asic"
contains "the nearest" "$out" "nearest: "
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --relaxed
exits "one channel is enough" 0
grep -v 'exit_node: 103' "$hosts" >cut.textproto
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd cut.textproto --relaxed
exits "a missing cable" 1
contains "a missing cable" "$out" "a cable between node0 and node1 is missing"
meshsim place --mgd "$files/mgd/ring_of_eight.textproto" --psd "$hosts"
exits "a rank on two hosts" 1
contains "a rank on two hosts" "$out" "each of its 1x1 hosts needs 8 chips, the largest, node0, has 4"
meshsim place --mgd "$files/mgd/ring_of_eight.textproto" --psd "$hosts" --any-host
exits "hosts do not matter" 0

# ---- groups ----
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --relaxed --groupings "$files/groupings/ids.yaml"
exits "a group of both hosts" 0
contains "a group of both hosts" "$out" "meshes onto groups of chips"
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --relaxed --groupings "$files/groupings/counts.textproto"
exits "two trays" 0
meshsim place --mgd "$files/mgd/grid_2x4.textproto" --psd "$hosts" --relaxed --groupings "$files/groupings/patterns.textproto"
exits "squares only" 1
contains "squares only" "$out" "it fits the chips, but not the groups"

# A location names an ASIC of a tray, any ASIC of a tray, or that number on any tray.
located() {
	cat >located.textproto <<END
groupings { name: "board" preset_type: MESH
  instances: [ { id: 0 location { asic_location: ASIC_LOCATION_0 tray_id: TRAY_2 } }, { id: 1 location { $1 } } ]
  row_major_mesh { dims: [ 1, 2 ] } }
groupings { name: "other" preset_type: MESH
  instances: [ { id: 0 location { asic_location: ASIC_LOCATION_1 tray_id: TRAY_1 } }, { id: 1 location { tray_id: TRAY_1 } } ]
  row_major_mesh { dims: [ 1, 2 ] } }
END
	meshsim place --mgd "$pair" --cluster "$boards" --groupings located.textproto
}
for location in 'tray_id: TRAY_2' 'tray_id: 2' 'asic_location: ASIC_LOCATION_1' \
	'asic_location: ASIC_LOCATION_1 tray_id: TRAY_2'; do
	located "$location"
	exits "location { $location }" 0
	equal "location { $location }: tray and asic" "$(printf '%s\n' "$out" | awk 'NR > 1 && NR < 6 { print $6, $7 }')" \
		"$(printf '2 0\n2 1\n1 1\n1 0')"
done
for location in 'tray_id: TRAY_7' 'asic_location: ASIC_LOCATION_0'; do
	located "$location"
	exits "location { $location }" 1
	contains "location { $location }" "$out" "it fits the chips, but not the groups"
done
located ''
exits 'an empty location' 2
contains 'an empty location' "$err" 'located.textproto:2:107: error: a location has an asic_location, a tray_id or both (Grouping: board)'
located 'tray_id: TRAY_x'
exits 'no tray' 2
contains 'no tray' "$err" "located.textproto:2:115: error: 'tray_id': expected the number of a tray (Grouping: board)"

# ---- read only ----
meshsim place --mgd "$files/mgd_unit_tests/ring_of_two.textproto"
exits "an unknown field" 0
contains "an unknown field" "$err" "ring_of_two.textproto:8:3: warning: unknown key 'from_the_future'"
meshsim place --mgd "$files/mgd_unit_tests/ring_of_two.textproto" --strict
exits "an unknown field, strict" 2
contains "an unknown field, strict" "$err" ":8:3: error: unknown key 'from_the_future'"
meshsim place
exits "no file" 2

# ---- a folder of real files ----
seen=$(sh "$source_directory/tests/real/run.sh" "$files" "$binary") || fail "real files: $seen"
contains "real files" "$seen" "24 outcomes, 0 wrong"
cp -r "$files" spoiled
sed 's/"directed_intra_connections": 14/"directed_intra_connections": 13/' \
	"$files/mgd_unit_tests/expected.json" >spoiled/mgd_unit_tests/expected.json
sed 's/"expect": "fail", "error": "channel"/"expect": "map"/' \
	"$files/topology_cases/cases.json" >spoiled/topology_cases/cases.json
seen=$(sh "$source_directory/tests/real/run.sh" spoiled "$binary") && fail "what differs passes: $seen"
contains "a count that differs" "$seen" "directed_intra_connections: expected 13"
contains "a case that differs" "$seen" "thin     differs"
finish
