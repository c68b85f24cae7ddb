#!/bin/sh
# label: slow  long: 600
# `run` of a sweep ends with the best point, as `compare` does, in lines of at most 80 columns. `compare` says how far the
# platform and its model were measured, and gives commands to try next, which work.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# best_of FILE: the lines of the best points
best_of() {
	awk '/^best: /{on = 1; print; next} /^  /{if (on) print; next} {on = 0}' "$1"
}

# asked FILE EXPRESSION: a Python expression about the document j
asked() {
	"$binary" compare "$1" --json >compare.json 2>compare.err || fail "compare: $(cat compare.err)"
	/usr/bin/python3 -c "import json; j = json.load(open('compare.json')); print($2)"
}

for name in tgg-go coordinates tgg-order p150-broadcast; do
	meshsim run "$name" -o "$name.h5"
	exits "run $name" 0
	printf '%s\n' "$out" | sed '/^  to try/,$d' >run.txt
	best_of run.txt | grep -v '\.h5$' >run.best
	meshsim compare "$name.h5"
	printf '%s\n' "$out" | sed '/^to try next/,$d' >compare.txt
	best_of compare.txt >compare.best
	equal "$name: run and compare end with the same answer" "$(cat run.best)" "$(cat compare.best)"
	equal "$name: no line of the answer is wider than 80 columns" "$(awk 'length > 80' compare.best)" ''
	equal "$name: there is an answer" "$(grep -c '^best: run\|^best: at\|^best: for' compare.best | sed 's/^[1-9].*/some/')" some
	equal "$name: no figure of the answer is lost in the text" "$(asked "$name.h5" \
		"all(w['words'].split(';')[0] in ' '.join(open('compare.best').read().split()) for w in j['best'])")" True
done

# advised FILE: each command that is advised loads its scenario with its values; only its output cannot be written
advised() {
	asked "$1" "'\n'.join(a['command'] for a in j['advice'] if ' run ' in a['command'])" >commands
	sed 's/--output=[^ ]*/--output=nowhere\/x.h5/' commands >checked
	while read -r command; do
		[ -n "$command" ] || continue # nothing is advised
		sh -c "$command" >command.out 2>command.err </dev/null
		contains "$1: $command" "$(cat command.err)" 'cannot write nowhere/x.h5'
	done <checked
}
ln -s "$binary" meshsim
PATH=$PWD:$PATH
names='tgg-go coordinates tgg-order p150-broadcast'
if [ -n "${MESHSIM_LONG:-}" ]; then
	for file in "$MESHSIM_SOURCE_DIR"/scenarios/*.yaml; do
		name=$(basename "$file" .yaml)
		case $name in choices | hazard-*) continue ;; esac
		[ -f "$name.h5" ] || "$binary" run "$name" -o "$name.h5" >run.out 2>&1 || fail "run $name: $(cat run.out)"
		"$binary" compare "$name.h5" --json >compare.json 2>compare.err && names="$names $name"
	done
fi
for name in $names; do advised "$name.h5"; done
# options of the run are repeated as a shell reads them
meshsim run tgg-go --set 'measure={warmup: 2, seeds: 2}' -o quoted.h5
exits 'run with a value that holds blanks' 0
advised quoted.h5
contains 'the option is repeated in quotes' "$(cat commands)" "--set 'measure={warmup: 2, seeds: 2}'"

# a constant of a platform that the sweep itself sets cannot be set by a command
cat >swept.yaml <<END
meshsim: 1
name: swept
platform: n300
workload:
  - {repeat: 6, do: [{enqueue_workload: {program: p, cores: 8, kernel_bytes: 2048, run_ns: 1us}}, finish]}
sweep:
  platform: [{extends: n300, firmware: {dispatch_go: {value: 80}}}, {extends: n300, firmware: {dispatch_go: {value: 160}}}]
  runtime.command_cache: [true, false]
model: {noise: off}
END
meshsim run swept.yaml -o swept.h5
exits 'run of a swept platform' 0
equal 'the verdict rests on a constant' "$(asked swept.h5 "len(j['questions'][-1]['rests_on']) > 0")" True
advised swept.h5
lacks 'no constant is advised' "$(cat commands)" 'platform.'

# trust: what the platform says of its constants, and whether the machine was ever measured
meshsim compare tgg-go.h5
contains 'constants are counted by kind' "$out" 'constants of tgg: '
contains 'a machine that was never measured is named' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'no figure was measured on this machine'
contains 'its error is that of other machines' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'figures of other machines, none of tgg)'
equal 'all kinds are counted' "$(asked tgg-go.h5 "min(j['trust']['platforms'][0][k] for k in ('measured', 'fitted', 'published', 'assumed')) > 0")" True
meshsim compare p150-broadcast.h5
contains 'figures of a measured machine are counted' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'figures were measured on this machine'
equal 'its own error is quoted' "$(asked p150-broadcast.h5 "'figures of p150-x8)' in j['trust']['errors']")" True

# advice: each command works as it is printed
equal 'three commands are advised' "$(asked tgg-go.h5 "len(j['advice'])")" 3
asked tgg-go.h5 "'\n'.join(a['command'] for a in j['advice'])" >commands
while read -r command; do
	sh -c "$command" >command.out 2>command.err </dev/null || fail "advice: $command: $(cat command.err)"
done <commands
rm -f tgg-go-threads.h5 # else another name is advised
meshsim compare tgg-go.h5
# as printed, with its line ends
printf '%s\n' "$out" | sed -n '/^to try next/,$p' | sed -n '/^    meshsim run .*threads/,/[^\\]$/p' | sed '/^  -/,$d' >pasted.sh
sh pasted.sh >command.out 2>command.err || fail "pasted: $(cat pasted.sh command.err)"
equal 'what is pasted made its file' "$(ls tgg-go-threads.h5)" tgg-go-threads.h5

finish
