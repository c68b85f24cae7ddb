#!/bin/sh
# label: slow  timeout: 600  long: 1800
# A loop has the same verdicts whether it is a `repeat` or is written out.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

count=12
[ -z "${MESHSIM_LONG:-}" ] || count=200
python3 "$source_directory/tests/laws/verdict/unrolled_steps.py" "$binary" 1 "$count" >unrolled.txt 2>&1 ||
	fail "unrolled: $(cat unrolled.txt)"
finish
