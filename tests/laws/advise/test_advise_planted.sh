#!/bin/sh
# label: slow  timeout: 300  needs: simgrid
# Workloads in which a trace, a second queue, more threads or broadcast gains, ties or loses: advise
# says so, and by how much.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python3 "$source_directory/tests/laws/advise/advise_planted.py" "$binary" >planted.txt 2>&1 ||
	fail "planted: $(cat planted.txt)"
finish
