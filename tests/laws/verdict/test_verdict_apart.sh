#!/bin/sh
# label: full  timeout: 300  long: 2400
# The verdict on a step stays as it is if the file gets other steps that have nothing to do with it; and a constant moves
# its margin by as much as the verdict says.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

steps=$source_directory/tests/laws/verdict/apart_steps.py

count=12
[ -z "${MESHSIM_LONG:-}" ] || count=200

# apart WHAT ARGUMENT...
apart() {
	what=$1
	shift
	python3 "$steps" "$binary" "$@" >apart.txt 2>&1 || fail "$what: $(cat apart.txt)"
}

apart 'a step that the error of the model leaves undecided' flip
apart 'a step without figures' once
apart 'the effect of constants' rests
apart 'a set-up before the go' preload
apart 'random scenarios' property 2 "$count"
finish
