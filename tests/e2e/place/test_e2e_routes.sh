# Routing tables of a placement: `meshsim place --routes` prints them, roles of routers and a check of both, for
# a machine that is given and for the one that a descriptor asks for.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
files=$source_directory/tests/real/fixtures
pair=$files/mgd/pair_of_boards.textproto
boards=$files/cluster_descriptors/two_dual_boards.yaml

# narrow WHAT: no line of the output behind the placement has more than 80 columns
narrow() {
	wide=$(printf '%s\n' "$out" | sed -n '/^routers /,$p' | awk 'length($0) > 80')
	equal "$1: lines of more than 80 columns" "$wide" ""
}

# torus ROWS COLUMNS TYPE: a mesh on one host
torus() {
	cat >torus.textproto <<END
mesh_descriptors { name: "M" arch: BLACKHOLE device_topology { dims: [ $1, $2 ] dim_types: [ $3, $3 ] }
  host_topology { dims: [ 1, 1 ] } channels { count: 4 } }
top_level_instance { mesh { mesh_descriptor: "M" mesh_id: 0 } }
END
}

# ---- a given machine ----
meshsim place --mgd "$pair" --cluster "$boards" --routes
exits "two boards" 0
narrow "two boards"
contains "two boards: roles" "$out" "routers      mesh 8, exit 2, idle 0; to other hosts 0"
contains "two boards: channels" "$out" "   0     1  west 0,1 z 6"
contains "two boards: ways and exits" "$out" "   0     0  .E 1:1/6"
contains "two boards: check" "$out" "routes: sound; all pairs are reached"
meshsim place --mgd "$pair" --cluster "$boards"
lacks "without --routes" "$out" "routes"

# ---- the machine that a descriptor asks for ----
torus 8 4 RING
meshsim place --mgd torus.textproto --routes
exits "a torus" 0
narrow "a torus"
contains "a torus" "$out" "tables       virtual channels 2, trees 1,"
contains "a torus" "$out" "   0  order      32    128        6       3.10"
contains "a torus: shorter ways around" "$out" "   0     0  .EEW SEEW SEEW SEEW SEEW NEEW NEEW NEEW"
meshsim place --mgd torus.textproto --routes --virtual-channels 1
exits "a torus with one virtual channel" 0
contains "a torus with one virtual channel" "$out" "   0  updown     32    128        8       3.35"
torus 16 8 LINE
meshsim place --mgd torus.textproto --routes
exits "a large mesh" 0
narrow "a large mesh"
contains "a large mesh" "$out" "ways of 128 chips of large meshes: --json has them"

# ---- channels that are lost ----
torus 4 4 LINE
meshsim place --mgd torus.textproto --routes
contains "a whole mesh" "$out" "   0     0  east 0,1,2,3 south 4,5,6,7"
meshsim place --mgd torus.textproto --routes --lost 1:1 --lost 2:3
exits "two of four channels" 0
contains "two of four channels" "$out" "   0     0  east 0,2 south 4,5,6,7 idle 1,3"
contains "two of four channels" "$out" "   0  order "
meshsim place --mgd torus.textproto --routes --lost 1:0 --lost 1:1 --lost 1:2 --lost 1:3
exits "all of a link" 0
narrow "all of a link"
contains "all of a link" "$out" "   0  layers "
contains "all of a link" "$out" "   0     0  .SSS SSSS SSSS SSSS"
contains "all of a link" "$out" "tables       virtual channels 2,"
meshsim place --mgd torus.textproto --routes --lost 1:0 --lost 1:1 --lost 1:2 --lost 1:3 \
	--lost 1:4 --lost 1:5 --lost 1:6 --lost 1:7
exits "a chip without links" 1
contains "a chip without links" "$out" "routes: none; no links of mesh 0 lead from chip 10 to chip 0"
for lost in 1 1: :1 1:256 x:1 1:1:1; do
	meshsim place --mgd torus.textproto --routes --lost "$lost"
	exits "no channel: $lost" 2
	contains "no channel: $lost" "$err" "--lost:1:1: error: '$lost' is not ID:CHANNEL"
done
meshsim place --mgd torus.textproto --routes --lost 17:0
exits "an id that no chip has" 2
contains "an id that no chip has" "$err" "--lost:1:1: error: no chip has the id 17"
meshsim place --mgd torus.textproto --routes --lost 1:8
exits "a channel without cable" 2
contains "a channel without cable" "$err" "no cable ends at channel 8 of the chip with id 1"
meshsim place --mgd torus.textproto --lost 1:1
exits "lost without routes" 2

# ---- too few virtual channels ----
meshsim place --mgd "$pair" --cluster "$boards" --routes --virtual-channels 1
exits "two meshes with one virtual channel" 1
contains "two meshes with one virtual channel" "$out" \
	"routes: none; routes between meshes need 2 virtual channels, 1 allowed"
meshsim place --mgd "$pair" --cluster "$boards" --routes --virtual-channels 1 --json
exits "the same in JSON" 1
contains "the same in JSON" "$out" '"why": "routes between meshes need 2 virtual channels, 1 allowed"'

# ---- usage ----
meshsim place --cluster "$boards" --routes
exits "no descriptor" 2
contains "no descriptor" "$err" "no meshes to route in: give --mgd"
meshsim place --mgd "$pair" --routes --virtual-channels 9
exits "too many virtual channels" 2
sed 's/count: 2/count: 300/' "$pair" >many.textproto
meshsim place --mgd many.textproto --routes
exits "more channels than a chip has" 2
contains "more channels than a chip has" "$err" "many.textproto: error: a machine with all chips and channels of the descriptor: does not fit"
finish
