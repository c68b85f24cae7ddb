# Runs meshsim on everything in a folder of real files, laid out by kinds, and says per kind what was read,
# refused and wrong. Ends with 1 if an outcome differs from what an expected.json beside the files, or a case
# itself, expects, or if the program fails in another way than by refusing.
#
#     sh tests/real/run.sh DIR [MESHSIM]
#
# DIR/mgd*/*                      mesh graph descriptors, and the routes on machines that they ask for
# DIR/psd*/*                      physical system descriptors
# DIR/groupings*/*                physical groupings; here and above, *.txt and *.md are notes
# DIR/cluster_descriptors*/*.yaml UMD cluster descriptors
# DIR/rank_bindings*/*            rank bindings; *rankfile*: rank files
# DIR/topology_cases/*.json       cases: sharding_*.json of `meshsim shard`, others of `meshsim place`
#
# MESHSIM is build/meshsim of this checkout if it is not given.

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
	echo "usage: sh tests/real/run.sh DIR [MESHSIM]" >&2
	exit 2
fi
exec python3 "$here/real.py" "$1" "${2:-$here/../../build/meshsim}"
