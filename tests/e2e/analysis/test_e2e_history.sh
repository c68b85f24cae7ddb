# label: full
# Figures over a folder of result files: in order of creation; changes beyond chance with their stage
# and constant; other files are named and left out. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"

# look EXPRESSION: prints it; `h` is the history
look() {
	printf '%s' "$out" >seen.json
	python3 -c "import json; h = json.load(open('seen.json'))['history']; print($1)"
}

head_of series <<'END2'
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: 8, kernel_bytes: 1024, run_ns: 2000}
      - finish
sweep: {runtime.completion: [table, per-device]}
measure: {warmup: 2}
END2
mkdir folder empty
meshsim run series.yaml -o folder/b.h5
meshsim run series.yaml -o folder/c.h5
meshsim run series.yaml -o folder/a.h5 --set platform.firmware.dispatch_go.value=2060
printf 'no file of ours' >folder/d.h5
printf 'left alone' >folder/notes.txt

meshsim history folder --by-name --model -o -
exits 'history' 0
contains 'what cannot be read is named' "$err" 'folder/d.h5: not a result file'
equal 'by name' "$(look "[f['name'] for f in h['files']], h['unread']")" "['a.h5', 'b.h5', 'c.h5'] 1"
equal 'a chart for each figure of a kind' \
	"$(look "[(c['kind'], c['figure']) for c in h['scenarios'][0]['charts'] if c['kind'] == 'enqueue_workload']")" \
	"[('enqueue_workload', 'p50'), ('enqueue_workload', 'p99'), ('enqueue_workload', 'throughput')]"
equal 'nothing moves where nothing changed' "$(look "sorted({s['to'] for s in h['steps']})")" "[1]"
equal 'what moved, and by what' \
	"$(look "[(s['stage']['name'], s['constant']['name'], round(s['constant']['moved'])) for s in h['steps'] if s['run'].startswith('completion=table') and s['kind'] == 'enqueue_workload' and s['figure'] == 'p50']")" \
	"[('dispatch', 'firmware.dispatch_go', -2000000)]"
equal 'beyond chance' "$(look "all(s['low'] > 0 or s['high'] < 0 for s in h['steps'])")" True

sleep 1
meshsim run series.yaml -o folder/0.h5
meshsim history folder --model -o -
equal 'in the order in which they were made' "$(look "h['files'][-1]['name']")" 0.h5
meshsim history folder -o page.html
exits 'a page' 0
equal 'that fetches nothing' "$(grep -cE '<(script|link|img)[^>]* (src|href)=' page.html)" 0
contains 'with the figures' "$(cat page.html)" '"scenario": "series"'

meshsim history empty -o page.html
exits 'a folder without files' 2
contains 'a folder without files' "$err" 'empty: no result file of meshsim in it'
meshsim history missing -o page.html
exits 'no folder' 2
meshsim history folder -o series.yaml
exits 'a file of another kind' 2
finish
