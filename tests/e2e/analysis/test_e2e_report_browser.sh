# Pages in headless Chromium: no errors on the console, every chart drawn, tooltips, legends, zoom,
# themes, hundreds of runs (a thousand in the long test). label: slow  timeout: 600  long: 900  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python=/usr/bin/python3
"$python" -c 'import selenium' 2>/dev/null || skip 'no selenium (package python3-selenium)'
command -v chromedriver >/dev/null || skip 'no chromedriver (package chromium-driver)'

meshsim run "$source_directory/scenarios/tgg-broadcast-grid.yaml" -o grid.h5
exits 'flagship' 0
meshsim report grid.h5 -o grid.html
exits 'report of the flagship' 0
size=$(wc -c <grid.html)
[ "$size" -lt 3000000 ] || fail "the flagship's page has $size bytes"

seeds=1,2,3,4,5
[ -n "${MESHSIM_LONG-}" ] && seeds=$(seq -s, 20)
runs=$((50 * $(printf '%s\n' $seeds | tr ',' '\n' | wc -l)))
cat >many.yaml <<END
meshsim: 1
name: many
platform: n150
workload:
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: 1, kernel_bytes: 1024, runtime_args: 1, run_ns: 1000}
  - finish
sweep:
  workload.0.do.0.enqueue_workload.runtime_args: [1, 2, 4, 8, 16]
  workload.0.do.0.enqueue_workload.run_ns: [1000, 2000, 5000, 10000, 20000]
  runtime.completion: [table, per-device]
seeds: [$seeds]
END
meshsim run many.yaml -o many.h5
exits "$runs runs" 0
meshsim report many.h5 -o many.html --no-errors
exits "report of $runs runs" 0
size=$(wc -c <many.html)
[ "$size" -lt 3000000 ] || fail "the page of $runs runs has $size bytes"

cat >limit.yaml <<'END'
meshsim: 1
name: "<script>document.title = 'taken over'"
description: "</script><script>document.title = 'taken over'</script>"
platform: t3k
runtime: {mesh: {shape: [2, 4]}}
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 1024, runtime_args: 1, run_ns: 1000}
  - finish
sweep:
  limits.events: [0, 3000]
END
meshsim run limit.yaml -o limit.h5
exits 'a run that reaches a bound' 4
meshsim report limit.h5 -o limit.html --no-errors
exits 'report of a failed run' 0

cat >holes.yaml <<'END'
meshsim: 1
name: holes
platform:
  extends: tgg
  topology:
    missing:
      chips: [[6, 6]]
      connections: [[[2, 3], [3, 3]], [[0, 5], [1, 5]]]
      links: [[[1, 1], [1, 2]]]
runtime:
  mesh: {shape: [6, 8]}
  forward: {path: broadcast}
workload:
  - enqueue_workload: {program: p, cores: 1, kernel_bytes: 1024, runtime_args: 1, run_ns: 1000}
  - finish
END
meshsim run holes.yaml -o holes.h5
exits 'a machine with holes' 0
meshsim report holes.h5 -o holes.html --no-errors
exits 'report of a machine with holes' 0

cat >traced.yaml <<'END'
meshsim: 1
name: traced
platform: t3k
runtime: {mesh: {shape: [2, 4]}, forward: {path: broadcast}, completion: table}
workload:
  - repeat: 6
    do:
      - enqueue_workload: {program: p, cores: all, kernel_bytes: 8192, run_ns: 20000}
      - finish
measure: {trace: {slowest: 2}}
END
meshsim run traced.yaml -o traced.h5
exits 'operations over time' 0
meshsim report traced.h5 -o traced.html --no-errors
exits 'report of operations over time' 0

"$python" "$source_directory/tests/e2e/analysis/report_browser.py" grid.html many.html limit.html \
	holes.html traced.html "$(command -v chromedriver)" "$runs" || fail 'in the browser'
finish
