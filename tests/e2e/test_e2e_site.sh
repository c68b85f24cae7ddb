# Scenarios on machines of a site: platforms from cluster and physical system descriptors, with missing
# links and chips, harvested rows, and a placed mesh. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# Four n300 boards wired as a T3000: chips 0 to 3 with PCIe in the middle columns; each is linked to
# chip + 4 on its board. $1: lines of links to omit, as a pattern.
cluster() {
	printf 'arch: {0: wormhole_b0, 1: wormhole_b0, 2: wormhole_b0, 3: wormhole_b0, 4: wormhole_b0, '
	printf '5: wormhole_b0, 6: wormhole_b0, 7: wormhole_b0}\n'
	printf 'chips: {0: [1, 0, 0, 0], 1: [2, 0, 0, 0], 2: [1, 1, 0, 0], 3: [2, 1, 0, 0], '
	printf '4: [0, 0, 0, 0], 5: [3, 0, 0, 0], 6: [0, 1, 0, 0], 7: [3, 1, 0, 0]}\n'
	printf 'chips_with_mmio: [0: 0, 1: 1, 2: 2, 3: 3]\n'
	printf 'harvesting: {0: {harvest_mask: 768}, 1: {harvest_mask: 768}, 2: {harvest_mask: 768}, 3: {harvest_mask: 768}, '
	printf '4: {harvest_mask: 768}, 5: {harvest_mask: 768}, 6: {harvest_mask: 768}, 7: {harvest_mask: 768}}\n'
	printf 'ethernet_connections:\n'
	for pair in 4,0 4,6 0,1 0,2 1,5 1,3 5,7 6,2 2,3 3,7; do
		a=${pair%,*} b=${pair#*,}
		for link in 0 1; do
			printf -- '- [{chip: %s, chan: %s}, {chip: %s, chan: %s}]\n' "$a" $((b * 2 + link)) "$b" $((a * 2 + link))
		done
	done | grep -v -- "$1"
}

scenario() {
	cat <<END
meshsim: 1
name: site
platform: $1
runtime:
  forward: {path: broadcast, initiators: 1}
workload:
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 1024, runtime_args: 4, run_ns: 1000}
      - finish
model: {noise: off}
END
}

mkdir site
cluster none >site/whole.yaml
cluster 'chip: 0, .*chip: 1,' >site/cut.yaml
cluster 'chip: 7,' >site/lost.yaml

# The descriptor of a whole T3000 gives the shipped T3000.
scenario '{cluster: site/whole.yaml}' >found.yaml
meshsim run found.yaml -o found.h5
exits 'a machine from a file' 0
found=$(printf '%s' "$out" | sed -n '/^enqueue_workload/,/^$/p')
contains 'its times' "$found" 'latency p50'
scenario t3k >shipped.yaml
meshsim run shipped.yaml -o shipped.h5
exits 'the shipped machine' 0
equal 'times on the machine from the file' "$found" "$(printf '%s' "$out" | sed -n '/^enqueue_workload/,/^$/p')"

# In a platform file of its own, displayed by `platform show`.
printf 'extends: t3k\ncluster: site/whole.yaml\n' >machine.yaml
meshsim platform show ./machine.yaml
contains 'what is shown' "$out" 'wiring       8 chips, 10 connections, one by one'
meshsim run shipped.yaml -o shipped.h5 --set platform=machine.yaml
equal 'times on the machine of the file' "$found" "$(printf '%s' "$out" | sed -n '/^enqueue_workload/,/^$/p')"

# Without the links in the middle of a row, the tree takes a detour: more time, but everything sent
# arrives.
scenario '{cluster: site/cut.yaml}' >cut.yaml
for world in sim native; do
	meshsim run cut.yaml -o cut.h5 --world $world
	exits "a machine without links, $world" 0
done
meshsim run cut.yaml -o cut.h5
cut=$(printf '%s' "$out" | sed -n '/^enqueue_workload/,/^$/p')
[ "$cut" != "$found" ] || fail 'missing links change nothing'
meshsim report cut.h5 -o cut.html --no-errors
exits 'its report' 0
contains 'places in the report' "$(cat cut.html)" '"places": [0,0,0,1,0,2,0,3,1,0,1,1,1,2,1,3]'

# A chip without links is left out, with a warning; its place is a hole.
scenario '{cluster: site/lost.yaml}' >lost.yaml
meshsim run lost.yaml -o lost.h5
exits 'a mesh with a hole' 2
contains 'the warning' "$err" 'no links lead from a chip with PCIe to host0 tray'
contains 'the hole' "$err" 'platform t3k has no chip at row 1, column 3 of its mesh'
meshsim run lost.yaml -o lost.h5 --set 'runtime.mesh={shape: [2, 3]}'
exits 'a mesh beside the hole' 0

# A descriptor chooses the chips.
cat >site/four.textproto <<'END'
mesh_descriptors {
  name: "M" arch: WORMHOLE_B0 device_topology { dims: [2, 2] } host_topology { dims: [1, 1] }
  channels { count: 2 policy: STRICT }
}
top_level_instance { mesh { mesh_descriptor: "M" mesh_id: 0 } }
END
scenario '{cluster: site/cut.yaml, mgd: site/four.textproto}' >four.yaml
meshsim run four.yaml -o four.h5
exits 'a mesh that is placed' 0
sed 's/2, 2/2, 4/' site/four.textproto >site/eight.textproto
meshsim run four.yaml -o four.h5 --set platform.mgd=site/eight.textproto
exits 'a mesh that does not fit' 2
contains 'why' "$err" '--set platform.mgd:1:14: error: the descriptor does not fit the machine: mesh 0'
meshsim run found.yaml -o four.h5 --set platform.mesh=0
contains 'a mesh of no descriptor' "$err" "error: 'mesh' needs 'mgd', which is not given"
meshsim run found.yaml -o four.h5 --set platform.psd=site/whole.yaml
contains 'two machines' "$err" "error: a machine is found in 'cluster' or in 'psd', not both"
meshsim run found.yaml -o four.h5 --set 'platform.topology.missing.connections=1 %'
contains 'missing twice' "$err" "error: with 'cluster' or 'psd', missing chips and links are those missing in the files"
meshsim run found.yaml -o four.h5 --set platform.cluster=none.yaml
exits 'no such file' 2

# A physical system descriptor: its chips have no places, so the largest rectangle is searched.
psd() {
	printf 'system_graph { asic_connectivity_graph { host_name: "h"\n'
	for pair in 0,1 1,2 3,4 4,5 0,3 1,4 2,5; do
		a=${pair%,*} b=${pair#*,}
		for end in "$a $b" "$b $a"; do
			set -- $end
			printf 'asic_topologies { asic_id: 10%s topology { asic_connections { dst_asic_id: 10%s eth_connections { src_chan: %s dst_chan: %s is_local: true } } } }\n' "$1" "$2" "$2" "$1"
		done
	done
	printf '} }\n'
	for a in 0 1 2 3 4 5; do
		printf 'asic_descriptors { asic_id: 10%s asic_descriptor { tray_id: 1 asic_location: %s board_type: 1 unique_id: 10%s host_name: "h" } }\n' $a $a $a
	done
}
psd >site/six.textproto
scenario '{psd: site/six.textproto, extends: galaxy}' >six.yaml
meshsim run six.yaml -o six.h5 --set 'runtime.mesh={shape: [2, 3]}'
exits 'a machine of six chips' 0
finish
