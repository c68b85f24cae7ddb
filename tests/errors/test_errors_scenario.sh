# Bad scenarios: a message with its place, exit code 2, within a second, and nothing left behind.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# refused NAME EXPECTED: runs bad.yaml, which stands in the directory
refused() {
	code=0
	timeout 1 "$binary" run bad.yaml -o out.h5 >"$work.out" 2>"$work.err" || code=$?
	out=$(cat "$work.out")
	err=$(cat "$work.err")
	rm -f "$work.out" "$work.err"
	exits "$1" 2
	equal "$1: message" "$err" "$2"
	equal "$1: standard output" "$out" ""
	rm -f bad.yaml
	equal "$1: files left behind" "$(ls -A)" ""
}

# scenario: the good part of a file; the rest follows from standard input
scenario() {
	printf 'meshsim: 1\nname: bad\nplatform: %s\n' "$1"
	cat
}

scenario n150 >bad.yaml <<'END'
runtime: {comand_queues: 1}
workload: [finish]
END
refused "unknown key" "bad.yaml:4:11: error: unknown key 'comand_queues', did you mean 'command_queues'?
    runtime: {comand_queues: 1}
              ^"

finish
