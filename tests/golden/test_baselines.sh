# Our own gate: the flagship scenarios give the figures of bench/baselines to the picosecond.
# label: slow  timeout: 600  needs: simgrid
# For intended changes, `sh bench/baselines/update.sh` makes new baselines; their diff is part of
# the change.
set -u
: "${MESHSIM_BINARY:?}" "${MESHSIM_SOURCE_DIR:?}"
exec sh "$MESHSIM_SOURCE_DIR/bench/baselines/update.sh" --check
