# label: slow  timeout: 60  long: 6000
# Verdicts on runs whose truth is known without them (planted/README.md), and how often their 95 % intervals hold the
# truth, simulated over seeds and natively over repetitions. The long test takes all rows, this one a third.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

[ -n "${MESHSIM_LONG:-}" ] || exit 77 # its time is not bounded yet, so only the long part runs it

planted=$source_directory/tests/laws/verdict/planted
every=3 simulated=8 native=4 prove=
[ -z "${MESHSIM_LONG:-}" ] || every=1 simulated=52 native=40 prove=--prove

# judge WHAT ARGUMENT...
judge() {
	what=$1
	shift
	python3 "$planted/planted.py" "$binary" "$@" --errors "$source_directory/bench/reference/errors.yaml" \
		>seen.txt 2>&1 || fail "$what: $(cat seen.txt)"
	cat seen.txt
}

judge 'verdicts on runs' verdicts --every $every $prove "$planted/closed.yaml" "$planted/choices.yaml" "$planted/native.yaml"
judge 'intervals over seeds' cover --every $every --groups $simulated "$planted/closed.yaml" "$planted/choices.yaml"
judge 'intervals over repetitions' native --every $every --groups $native "$planted/native.yaml"
finish
