# For tests of figures measured on hardware (tests/laws/test_validate_*.sh): runs rows of reference
# figures and reads what is predicted. Sourced behind cli.sh; knows no experiment.

# at_most WHAT SMALLER LARGER
at_most() {
	[ "$2" -le "$3" ] || fail "$1: $2 is above $3"
}

# number JSON FAMILY KEY: an error of the family, in per mille, rounded down
number() {
	printf '%s\n' "$1" | sed -n "s/.*\"$2\": {.*\"$3\": \([-0-9.e]*\)[,}].*/\1/p" |
		awk '{printf "%d", $1 * 1000}'
}

# figures_of MACHINE...: writes the reference figures of these machines to figures.csv
figures_of() {
	head -1 "$MESHSIM_SOURCE_DIR/bench/reference/figures.csv" >figures.csv
	for machine; do
		grep "^[a-z_]*,$machine," "$MESHSIM_SOURCE_DIR/bench/reference/figures.csv" >>figures.csv ||
			fail "$machine: no figures"
	done
}

# stands FAMILY MACHINE: what errors.yaml says of the fit to these rows is what they show today, to half
# a percent; else it is out of date (HACKING.md). validate --by system --json has printed $out.
stands() {
	for key in median p90; do
		said=$(awk -v family="  $1:" -v machine="      $2:" -v key="$key:" '
			$0 == family { own = 1 }
			own && $0 == machine { own = 2 }
			own == 2 && $1 == "in_sample:" {
				for (i = 2; i < NF; i++)
					if ($i == key || $i == "{" key) printf "%d", $(i + 1) * 1000
				exit
			}' "$MESHSIM_SOURCE_DIR/bench/reference/errors.yaml")
		seen=$(printf '%s\n' "$out" | grep "\"family\": \"$1\", \"system\": \"$2\", \"n\"" |
			sed "s/.*\"$key\": \([-0-9.e]*\)[,}].*/\1/" | awk '{printf "%d", $1 * 1000}')
		[ "${said:-99999}" -le $((${seen:-0} + 5)) ] && [ "${said:-0}" -ge $((${seen:-9999} - 5)) ] ||
			fail "$1, $2: errors.yaml says $key ${said:-nothing} of the fit, it is ${seen:-unknown}, per mille"
	done
}

# predict NAME FIGURES START END [OPTION...]: rows of reference figures made of the lines on standard
# input with START before and END behind them; their predictions, times 1000, as $a to $f
predict() {
	echo 'family,system,params,metric,value,unit,spread,source' >rows.csv
	sed "s|^|$3|; s|\$|$4|" >>rows.csv
	name=$1
	figures=$2
	shift 4
	meshsim validate --reference rows.csv --json --rows "$@"
	exits "$name" 0
	set -- $(printf '%s\n' "$out" | sed -n 's/.*"predicted": \([0-9.e+]*\),.*/\1/p' |
		awk '{printf "%d ", $1 * 1000}')
	a=${1:-0} b=${2:-0} c=${3:-0} d=${4:-0} e=${5:-0} f=${6:-0}
	[ $# -eq "$figures" ] || fail "$figures figures wanted, $# seen"
}
