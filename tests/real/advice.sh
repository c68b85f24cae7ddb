# Follows every advice that `meshsim place` gives on a folder of real files, laid out as for run.sh: each
# descriptor is placed on each machine, with and without each file of groupings; of the cases those whose graphs
# are meshes are written as files. Where a placement is refused, each advice of --json is applied to files and
# options, and has to be accepted. Ends with 1 if one is not.
#
#     sh tests/real/advice.sh DIR [MESHSIM [DRAWS]]
#
# DRAWS: problems that are drawn as well, of two kinds; none if it is not given.

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
	echo "usage: sh tests/real/advice.sh DIR [MESHSIM [DRAWS]]" >&2
	exit 2
fi
exec python3 "$here/advice.py" "$1" "${2:-$here/../../build/meshsim}" "${3:-0}"
