#!/bin/sh
# A test script with a failed expectation fails, whether or not its last line reports it.
set -u
aside=$(mktemp -d "${TMPDIR:-/tmp}/meshsim-test-XXXXXX") || exit 2
trap 'rm -rf "$aside"' EXIT
failures=0

# ends CODE TEXT: a script of cli.sh and these lines exits with CODE and leaves nothing behind
ends()
{
	printf '. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"\n%b\n' "$2" >"$aside/script.sh"
	mkdir -p "$aside/left"
	TMPDIR=$aside/left sh "$aside/script.sh" >"$aside/said" 2>&1
	code=$?
	[ "$code" -eq "$1" ] && [ -z "$(ls -A "$aside/left")" ] && return
	failures=$((failures + 1))
	echo "FAILED: '$2' ends with $code, expected $1; left behind: $(ls -A "$aside/left")"
	cat "$aside/said"
}

ends 0 'equal same a a'
ends 0 'equal same a a\nfinish'
ends 1 'equal other a b'
ends 1 'equal other a b\nfinish'
ends 1 'equal other a b\ntrue'
ends 77 'skip "nothing to see"'
ends 1 'kill -TERM $$'
ends 1 'meshsim list >/dev/null\nexits "a list" 3'

[ "$failures" -eq 0 ]
