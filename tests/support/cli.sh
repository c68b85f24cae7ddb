# For tests of the command line: runs $MESHSIM_BINARY in a directory of its own and compares what it
# said. Sourced by tests/*/test_*.sh; prints what was seen when an expectation fails.

set -u
binary=${MESHSIM_BINARY:?}
source_directory=${MESHSIM_SOURCE_DIR:?}
failures=0
work=$(mktemp -d "${TMPDIR:-/tmp}/meshsim-test-XXXXXX")
trap ended EXIT
trap 'exit 1' HUP INT TERM

# ended: however the script ends, nothing is left and what failed is not forgotten
ended() {
	code=$?
	rm -rf "$work" "$work.out" "$work.err"
	[ "$code" -ne 0 ] || [ "$failures" -eq 0 ] || exit 1
}

cd "$work" || exit 1

# errors_of FILE: what meshsim said there. AddressSanitizer does not know the stacks SimGrid switches
# to, and says so when an actor ends by an exception; that is nobody's error.
errors_of() {
	sed '/WARNING: ASan is ignoring requested __asan_handle_no_return/,/For details see https:/d' "$1"
}

# meshsim ARGUMENT...: runs it; leaves $code, ../out and ../err of the directory "seen"
meshsim() {
	code=0
	"$binary" "$@" >"$work.out" 2>"$work.err" || code=$?
	out= err=
	[ ! -s "$work.out" ] || out=$(cat "$work.out")
	[ ! -s "$work.err" ] || err=$(errors_of "$work.err")
}

# few_figures: from here on meshsim stands in ./few beside platforms and every tenth of the reference
# figures, so that an error table takes a moment
few_figures() {
	mkdir -p few/share/meshsim/bench
	cp "$binary" few/
	cp -r "$source_directory/platforms" few/share/meshsim/
	cp -r "$source_directory/bench/reference" few/share/meshsim/bench/
	sed -n '1p; 2~10p' "$source_directory/bench/reference/figures.csv" \
		>few/share/meshsim/bench/reference/figures.csv
	binary=$work/few/${binary##*/}
}

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$1"
}

# equal WHAT SEEN EXPECTED
equal() {
	[ "$2" = "$3" ] && return 0
	fail "$1"
	printf -- '--- expected\n%s\n--- seen\n%s\n---\n' "$3" "$2"
}

# contains WHAT TEXT PART
contains() {
	case $2 in
	*"$3"*) return 0 ;;
	esac
	fail "$1"
	printf -- '--- expected to contain\n%s\n--- seen\n%s\n---\n' "$3" "$2"
}

# lacks WHAT TEXT PART
lacks() {
	case $2 in
	*"$3"*) ;;
	*) return 0 ;;
	esac
	fail "$1"
	printf -- '--- expected not to contain\n%s\n--- seen\n%s\n---\n' "$3" "$2"
}

# head_of NAME: writes NAME.yaml, a scenario on one chip; what follows its head is on standard input
head_of() {
	printf 'meshsim: 1\nname: %s\nplatform: n150\n' "$1" >"$1.yaml"
	cat >>"$1.yaml"
}

# exits WHAT EXPECTED: compares $code
exits() {
	equal "$1: exit code" "$code" "$2"
	[ "$code" = "$2" ] || printf '%s\n%s\n' "$out" "$err"
}

# skip REASON: this test cannot run here
skip() {
	printf 'SKIPPED: %s\n' "$1"
	exit 77
}

finish() {
	[ "$failures" -eq 0 ] || {
		printf '%d expectations failed\n' "$failures"
		exit 1
	}
	printf 'all expectations met\n'
	exit 0
}
