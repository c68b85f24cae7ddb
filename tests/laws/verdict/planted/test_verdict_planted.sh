# label: slow  timeout: 300  long: 6000
# Verdicts on runs whose truth is known without them (planted/README.md), and how often their 95 % intervals hold the
# truth, simulated over seeds and natively over repetitions. The long test takes all rows, this one a sixth.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

planted=$source_directory/tests/laws/verdict/planted
every=6 simulated=8 prove=
[ -z "${MESHSIM_LONG:-}" ] || every=1 simulated=58 prove=--prove

# judge WHAT ARGUMENT...
judge() {
	what=$1
	shift
	python3 "$planted/planted.py" "$binary" "$@" --errors "$source_directory/bench/reference/errors.yaml" \
		>seen.txt 2>&1 || fail "$what: $(cat seen.txt)"
	cat seen.txt
}

judge 'verdicts on runs' verdicts --every $every $prove "$planted/closed.yaml" "$planted/choices.yaml" \
	"$planted/runs.yaml" "$planted/mixed.yaml" "$planted/native.yaml"
judge 'intervals over seeds' cover --every $every --groups $simulated "$planted/closed.yaml" "$planted/choices.yaml" \
	"$planted/runs.yaml"
# four intervals say nothing of 95 %
[ -z "${MESHSIM_LONG:-}" ] || judge 'intervals over repetitions' native --groups 40 "$planted/native.yaml"
finish
