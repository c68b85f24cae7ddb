#!/bin/sh
# label: full, timeout: 900
# needs: simgrid
# The library at 1,000 seeds: 500 of them in either world, over all of its rows. So many of every
# row: MESHSIM_PROGRAM_SEEDS=1000 tests/contract/program/test_program_tiles_many.sh, in the
# environment that ctest gives it.

rows=9
export MESHSIM_PROGRAM_SEEDS="${MESHSIM_PROGRAM_SEEDS:-$((500 / rows + 1))}"
export MESHSIM_MORE_SEEDS="${MESHSIM_MORE_SEEDS:-1000}"
"$MESHSIM_BUILD_DIR/tests/test_program_tiles" && "$MESHSIM_BUILD_DIR/tests/test_program_copy"
