#!/bin/sh
# Runs the flagship scenarios and compares their figures with the baselines beside this file, or, as
# `update.sh` alone, writes these anew: sh bench/baselines/update.sh [--check] [SCENARIO...]
# Without names: all that have a baseline; another scenario that is named gets one. Uses
# $MESHSIM_BINARY, or builds meshsim. Exit codes are those of `meshsim check`, the worst of all.
set -eu
cd "$(dirname "$0")/../.."
mode=--update
[ "${1-}" != --check ] || {
	mode=--exact
	shift
}
[ "$#" -gt 0 ] || set -- $(cd bench/baselines && ls ./*.yaml | sed 's/^\.\/\(.*\)\.yaml$/\1/')
binary=${MESHSIM_BINARY:-}
[ -n "$binary" ] || {
	. bench/setup.sh
	build_packages
	build meshsim
	binary=build/meshsim
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

worst=0
results=
for scenario in "$@"; do
	if "$binary" run "scenarios/$scenario.yaml" -o "$folder/$scenario.h5" >"$folder/log" 2>&1; then
		results="$results $folder/$scenario.h5"
	else
		code=$?
		cat "$folder/log" >&2
		[ "$code" -le "$worst" ] || worst=$code
	fi
done
code=0
# shellcheck disable=SC2086 # several files
[ -z "$results" ] || "$binary" check $results --baseline bench/baselines "$mode" || code=$?
[ "$code" -le "$worst" ] || worst=$code
[ "$worst" -ne 1 ] || echo 'intended? sh bench/baselines/update.sh, and commit its diff with the change' >&2
exit "$worst"
