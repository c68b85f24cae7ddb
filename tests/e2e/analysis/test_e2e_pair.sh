# label: full
# Two files of one scenario, branch A and branch B: which one is better, what differs between them,
# and which stage and constant cause it; runs that only one file has; files that are no pair.
# needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

# look EXPRESSION: prints it; `d` is the document, `q` its first question
look() {
	printf '%s' "$out" >seen.json
	python3 -c "import json; d = json.load(open('seen.json')); q = d.get('questions', [None])[0]; print($1)"
}

head_of branch <<'END2'
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 1024, run_ns: 2000}
      - finish
sweep: {runtime.completion: [table, per-device]}
measure: {warmup: 2, seeds: 3}
END2
meshsim run branch.yaml -o a.h5
exits 'branch A' 0
meshsim run branch.yaml -o b.h5 --set platform.firmware.dispatch_go.value=2060
exits 'branch B' 0
cp a.h5 same.h5

meshsim compare a.h5 b.h5 --json
exits 'compare two files' 0
equal 'the better file wins, in each context' \
	"$(look "q['question'], q['outcome'], q['winner'], len(q['contexts'])")" "a.h5 or b.h5 wins a.h5 2"
equal 'between seeds, paired' "$(look "q['seeds'], [p['seeds'] for p in d['points']]")" "3 [3, 3, 3, 3]"
equal 'the stage that makes it' "$(look "q['mechanism']['stage']")" dispatch
equal 'what differs between the files' "$(look "[(x['what'], x['first'], x['second']) for x in d['pair']['differences']]")" \
	"[('platform.firmware.dispatch_go.value', '60', '2060')]"
equal 'no run is alone' "$(look "d['pair']['alone']")" "[]"
meshsim compare a.h5 b.h5
contains 'it is said first' "$(printf '%s\n' "$out" | sed -n 1,3p)" 'platform.firmware.dispatch_go 60 -> 2060'
meshsim compare b.h5 a.h5 --json
equal 'the order of files changes nothing' "$(look "q['outcome'], q['winner']")" "wins a.h5"

meshsim compare a.h5 same.h5 --json
equal 'the same results twice' "$(look "q['outcome'], d['pair']['differences']")" "undecided []"

# A key that only one file sweeps is matched with the value in the other file's scenario.
meshsim run branch.yaml -o one.h5 --set 'sweep={model.cores: [each, chip]}' --set runtime.completion=table
meshsim compare a.h5 one.h5 --json
exits 'different sweeps' 0
equal 'the run with the same keys' "$(look "[c['keys']['runtime.completion'] for c in q['contexts']]")" "['table']"
equal 'runs that only one has are named' \
	"$(look "[x['what'] for x in d['pair']['alone'] if x['file'] == 'a.h5']")" \
	"['run 3 at completion=per-device, cores=each']"

meshsim explain a.h5 b.h5 --json
exits 'explain two files' 0
equal 'runs with the same keys and seed' "$(look "[m['runs'] for m in d['matched']]")" \
	"[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]"
meshsim explain a.h5 b.h5 0 0 --json
equal 'the constant comes first' "$(look "d['constants'][0]['name']")" firmware.dispatch_go
equal 'what it costs by operation' "$(look "round(d['constants'][0]['difference'])")" 2000000
meshsim explain a.h5 b.h5 0 3
exits 'explain two runs of two files' 0
contains 'where they are from' "$(printf '%s' "$out" | tr '\n' ' ' | tr -s ' ')" 'run 3 of b.h5: runtime.completion=per-device'
meshsim explain a.h5 0 3 --all
contains 'constants of two runs of one file' "$out" 'Constants on the way of an operation'

# A branch that is better at some points and worse at none wins at those points, even if the best
# points are equal.
meshsim run branch.yaml -o wake.h5 --set platform.host.wake_hot.value=0.1
meshsim compare a.h5 wake.h5
contains 'wins where it matters' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'wake.h5 wins in 1 of 2 contexts'

# Files that are no pair.
meshsim run branch.yaml -o other.h5 --set name=other
meshsim run branch.yaml -o none.h5 --set 'sweep={runtime.completion: [aggregator]}'
head -c 3000 a.h5 >cut.h5
# refused FILE MESSAGE
refused() {
	for command in compare explain; do
		meshsim $command a.h5 "$1"
		exits "$command $1" 2
		contains "$command $1" "$err" "$2"
	done
}
refused a.h5 'a.h5: is the same file as a.h5'
refused other.h5 "a.h5: of scenario 'branch', but other.h5 of 'other'"
refused cut.h5 'cut.h5: '
refused missing.h5 'missing.h5: cannot read'
refused none.h5 'none.h5'
meshsim compare a.h5 b.h5 --robust
exits 'no reruns of two programs' 2
finish
