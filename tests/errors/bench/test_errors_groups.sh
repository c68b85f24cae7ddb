# Groups of collectives that cannot be: errors at the group. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >groups.yaml <<'END'
meshsim: 1
name: groups
platform: t3k
workload:
  - collective: {op: all_gather, size_bytes: 65536, groups: [{places: [0, 1]}]}
END
refused() { # refused WHAT GROUPS MESSAGE [SET]
	meshsim run groups.yaml -o bad.h5 --set "workload.0.collective.groups=$2" ${4:+--set "$4"}
	exits "$1" 2
	contains "$1" "$err" "$3"
	lacks "$1 is no bug" "$err" "bug"
}
meshsim run groups.yaml -o good.h5
exits "a group of two: $err" 0
refused "a device in two groups" '[{places: [0, 1]}, {places: [1, 2]}]' "groups: place 1 is there twice"
refused "a device twice in a group" '[{places: [3, 3]}]' "groups: place 3 is there twice"
refused "groups of two sizes" '[{places: [0, 1]}, {places: [2, 3, 4]}]' "groups: one of 3 devices, but the first has 2"
refused "a place that is not there" '[{places: [0, 8]}]' "groups: place 8 of 8"
refused "a group of one" '[{places: [0]}]' "places: "
refused "a place below 0" '[{places: [0, -1]}]' "-1"
refused "no places" '[{}]' "missing key 'places'"
refused "a root outside the group" '[{places: [0, 1]}]' "root: 2 of 2 devices" "workload.0.collective={op: broadcast, root: 2, \
size_bytes: 65536, groups: [{places: [0, 1]}]}"
refused "messages in groups" '[{places: [0, 1]}]' "groups: op messages has none, a list may be empty" \
	"workload.0.collective={op: messages, ranks: [{do: []}], groups: [{places: [0, 1]}]}"
finish
