# Helpers of tests that run bad scenarios, to be sourced. Refuses to judge what a message should say.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# Sanitizers take their time.
case $("$binary" --version) in
*sanitizer* | *NOT*) seconds=20 ;;
esac

# refused NAME EXPECTED: runs bad.yaml, which stands in the directory
refused() {
	code=0
	timeout "${seconds:-1}" "$binary" run bad.yaml -o out.h5 >"$work.out" 2>"$work.err" || code=$?
	out=$(cat "$work.out")
	err=$(errors_of "$work.err")
	rm -f "$work.out" "$work.err" bad.yaml
	exits "$1" 2
	equal "$1: message" "$err" "$2"
	equal "$1: standard output" "$out" ""
	equal "$1: files left behind" "$(ls -A)" ""
}

# scenario PLATFORM: the head of a file; the rest follows from standard input
scenario() {
	printf 'meshsim: 1\nname: bad\nplatform: %s\n' "$1" >bad.yaml
	cat >>bad.yaml
}
