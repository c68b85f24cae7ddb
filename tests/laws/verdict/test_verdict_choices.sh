#!/bin/sh
# label: slow
# The list of choices (lists/choice.def) is complete, and true: a run with another value of a choice moves time mostly in
# the stages that the list names for the two values.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

/usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/verdict/verdict_choices.py" "$binary" \
	"$MESHSIM_SOURCE_DIR/runtime/lists/include/lists" >choices.txt 2>&1 || fail "$(cat choices.txt)"

finish
