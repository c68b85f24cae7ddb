# Output: a full disk behind standard output is an error in every command, and text from files
# neither controls a terminal nor breaks a table. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

[ -w /dev/full ] || skip "no /dev/full"
baseline=baseline.yaml
# A scenario puts no control characters into a result; a forged result may contain them
# (test_forged).
cat >bad.yaml <<'END'
meshsim: 1
name: "a|b`c`<b>"
description: "one\e]0;title\a two \u202e three\nfour"
platform: n150
workload:
  - enqueue_workload: {program: "p\e[31m"}
sweep: {workload.0.enqueue_workload.program: ["p|\e[31mq", "r\u0090"], measure.verify: [true, false]}
END
meshsim run bad.yaml -o s.h5
exits "control characters in values" 2
contains "control characters in values" "$err" \
	"bad.yaml:3:14: error: a text cannot hold the control character U+001B"
escape=$(printf '\033')
lacks "run" "$out$err" "$escape"

sed 's/[\]e[^ "]*//g; s/[\]u[0-9a-f]*//g' bad.yaml >good.yaml
meshsim run good.yaml -o s.h5
exits "a run" 0
meshsim check s.h5 --baseline $baseline --update
sed 's/[0-9][0-9]* *ps/1 ps/; s/: \([0-9]\{4,\}\)/: 1/' $baseline >worse.yaml

for command in "show s.h5" "show s.h5 --detail" "compare s.h5" "explain s.h5 0 1" \
	"check s.h5 --baseline worse.yaml" "check s.h5 --baseline worse.yaml --markdown"; do
	# shellcheck disable=SC2086 # words
	meshsim $command
	lacks "$command" "$out$err" "$escape"
	lacks "$command" "$out$err" "$(printf '\302\220')"
	lacks "$command" "$out$err" "$(printf '\342\200\256')"
done
contains "names in tables" "$out" 'a\|b\`c\`\<b\>'

meshsim run "$source_directory/scenarios/quickstart.yaml" -o c.h5 --set sweep='{runtime.completion: [table, per-device]}'
exits "designs to compare" 0
# shellcheck disable=SC2086 # words
for command in "run good.yaml -o s.h5" "show s.h5" "show s.h5 --json" "compare c.h5" \
	"explain s.h5 0 1" "report s.h5 --no-errors -o -" "timeline s.h5 0 -o -" \
	"check s.h5 --baseline $baseline" "list" "schema" "platform show n150" \
	"validate --family host_cost" "completion bash" "help" "help run" "run --help" --version; do
	"$binary" $command >/dev/full 2>said && fail "$command: a full disk is no error"
	errors_of said >errors
	contains "$command" "$(cat errors)" "cannot write to standard output: No space left on device"
	[ "$(grep -c 'standard output' errors)" -eq 1 ] || fail "$command: $(cat said)"
done
finish
