#!/bin/sh
# label: full, timeout: 900
# needs: simgrid
# Programs on tiles at 1,000 seeds: 500 of them in either world, over all rows of the library.

programs=8
MESHSIM_PROGRAM_SEEDS=$((500 / programs + 1)) MESHSIM_MORE_SEEDS=1000 \
	"$MESHSIM_BUILD_DIR/tests/test_program_tiles"
