#!/bin/sh
# label: full, timeout: 900 long: 3600
# needs: simgrid
# The library at some 1,000 seeds, over all of its rows; the long test: 1,000 of every row in either
# world, which take 370 s of one processor. Each process of 50 seeds has an alarm of its own.

seeds=30
[ -z "${MESHSIM_LONG-}" ] || seeds=1000
export MESHSIM_PROGRAM_SEEDS="${MESHSIM_PROGRAM_SEEDS:-$seeds}"
export MESHSIM_MORE_SEEDS="${MESHSIM_MORE_SEEDS:-1000}"
"$MESHSIM_BUILD_DIR/tests/test_program_tiles" && "$MESHSIM_BUILD_DIR/tests/test_program_copy"
