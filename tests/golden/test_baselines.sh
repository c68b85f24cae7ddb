# Our own gate: the flagship scenarios give the figures of bench/baselines to the picosecond.
# label: full  timeout: 600  needs: simgrid
# Intended? `sh bench/baselines/update.sh` takes new baselines; their diff is part of the change.
set -u
: "${MESHSIM_BINARY:?}" "${MESHSIM_SOURCE_DIR:?}"
exec sh "$MESHSIM_SOURCE_DIR/bench/baselines/update.sh" --check
