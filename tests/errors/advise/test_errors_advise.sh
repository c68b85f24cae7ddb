# Exact messages for input of `meshsim advise` that is wrong, all with exit code 2. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# refused NAME MESSAGE ARGUMENT...: the first line of the message, and nothing on standard output
refused() {
	name=$1 message=$2
	shift 2
	meshsim advise "$@"
	exits "$name" 2
	equal "$name: message" "$(printf '%s\n' "$err" | head -1)" "$message"
	equal "$name: standard output" "$out" ""
}

# scenario STEPS: good.yaml with these steps
scenario() {
	printf 'meshsim: 1\nname: x\nplatform: n150\nworkload: %s\n' "$1" >good.yaml
}

refused "no file" "meshsim advise: no model file, report or scenario given"
refused "a file that is missing" "nowhere.yaml: error: cannot read: No such file or directory" nowhere.yaml
refused "a folder" ".: error: cannot read: it is a directory" .

printf 'a,b\n1,2\n' >table.csv
refused "a table of something else" "table.csv:1:1: error: none of the known formats: a profiler's report is a CSV file whose first line names the columns, among them 'OP CODE'; a Chakra trace is files NAME.RANK.et" table.csv

printf 'aaaaMSMB and more' >damaged.bin
meshsim advise damaged.bin
exits "a damaged binary" 2
contains "a damaged binary" "$err" "damaged.bin: error: "
scenario '[{run_model: {binary: nowhere.bin}}]'
refused "a binary that is missing" "good.yaml:4:33: error: model binary 'nowhere.bin': No such file or directory" good.yaml

scenario '[finsh]'
refused "an unknown step" "good.yaml:4:12: error: unknown step 'finsh', did you mean 'finish'?" good.yaml
scenario '[{repeat: 3, do: finish}]'
refused "a loop without steps" "good.yaml:4:28: error: 'do': expected a list, found the string 'finish'" good.yaml
scenario '[{write_buffer: {buffer: b, bytes: 64, page_bytes: 64}}, finish]'
refused "no programs" "meshsim: good.yaml: no two launches of programs follow each other" good.yaml

scenario '[{repeat: 3, do: [{enqueue_workload: {program: p, kernel_bytes: 64, run_ns: 9}}, finish]}]'
refused "a key that does not exist" "--set runtime.completon:1:9: error: unknown key 'completon', did you mean 'completion'?" \
	good.yaml --set runtime.completon=table
refused "a key without a value" "error: --set runtime: expected KEY=VALUE" good.yaml --set runtime
refused "a change that does not exist" "meshsim: good.yaml: no change has one of the given names" good.yaml --only flying
refused "an unknown platform" "meshsim: good.yaml: today's design does not run: unknown platform 'nowhere' (see meshsim list)" good.yaml --platform nowhere

cat >model.yaml <<'END'
meshsim_model: 1
name: bad
description: d
source: s
platform: t3k
layer: [{matmul: {name: m, shape: [32, hiden, 32]}}]
END
refused "a model with an unknown size" "model.yaml:6:40: error: size 'hiden': no size 'hiden'" model.yaml
refused "a machine that is missing" "error: unknown platform 'nowhere' (see meshsim list)" model.yaml --platform nowhere

# an option has its bounds
refused "too few rounds" "meshsim advise: --rounds: '1' is no number from 4 to 1000" good.yaml --rounds 1
finish
