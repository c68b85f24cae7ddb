# label: full
# h5py, pandas and h5dump open a result file without plugins, and find units on every column. All
# operations are in one table, with Python names, and missing values are marked as missing.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v h5dump >/dev/null || skip "hdf5-tools is not installed"
# Debian's packages belong to Debian's python3, which may not be the first in PATH.
python=/usr/bin/python3
"$python" -c 'import h5py, pandas' 2>/dev/null ||
	skip "python3-h5py or python3-pandas is not installed"

meshsim run "$source_directory/scenarios/quickstart.yaml" -o q.h5
exits "quickstart" 0

h5dump -H q.h5 >header.txt || fail "h5dump opens the file"
contains "h5dump shows the summary" "$(cat header.txt)" 'DATASET "summary"'

"$python" - <<'END' || fail "h5py and pandas read the file"
import h5py, pandas
f = h5py.File("q.h5", "r")
assert f.attrs["layout_version"] == 10, f.attrs["layout_version"]
assert isinstance(f.attrs["meshsim_version"], str)
tables = []
f.visititems(lambda name, o: tables.append(name) if isinstance(o, h5py.Dataset) and o.dtype.names else None)
expected = {"summary", "ops", "host/runs"} | {"runs/000000/" + t for t in
    "metrics kinds histograms links threads work queues memory cores paths stages charges left".split()}
assert set(tables) == expected, set(tables) ^ expected
for name in tables:
    for column in f[name].dtype.names:
        assert "unit:" + column in f[name].attrs, (name, column)
summary = pandas.DataFrame(f["summary"][:])
assert summary.status[0] == b"ok", summary.status[0]
assert f["summary"].attrs["key:enqueue_workload_latency_p50"] == b"enqueue_workload.latency.p50"
ops = pandas.DataFrame(f["ops"][:])
kinds = ops.kind.str.decode("utf8")
assert (kinds == "enqueue_workload").sum() == 120, kinds.value_counts()
done = ops[kinds == "enqueue_workload"]
assert (done.workers_done_last > done.called_first).all()
p50 = summary.enqueue_workload_latency_p50[0]
kept = done[done.warmup == 0]
values = sorted(kept.workers_done_last - kept.called_first)
assert p50 == values[(len(values) + 1) // 2 - 1], (p50, values)
text = f["runs/000000/scenario"].asstr()[()]
assert "name: quickstart" in text and "sweep" not in text, text
END

# Two forward paths, one without initiators: missing values in every column.
cat >s.yaml <<'END'
meshsim: 1
name: s
platform: n300
workload:
  - write_buffer: {bytes: 4096, page_bytes: 1024}
  - repeat: 3
    do:
      - enqueue_workload: {program: first, cores: 2}
      - enqueue_workload: {program: second, cores: 2}
      - finish
measure: {warmup: 1}
sweep:
  runtime.forward: [{path: unicast}, {path: broadcast, initiators: 1}]
  runtime.completion: [table, per-device]
END
meshsim run s.yaml -o s.h5
exits "a sweep" 0
"$python" - <<'END' || fail "one table has the operations of all runs"
import h5py, keyword, os, pandas, re
f = h5py.File("s.h5", "r")
def texts(table):
    rows = pandas.DataFrame(table[:])
    return rows.apply(lambda c: c.str.decode("utf8") if c.dtype == object else c)
ops, summary = texts(f["ops"]), texts(f["summary"])
def check(o, name):
    for c in o.dtype.names or ():
        assert c.isidentifier() and not keyword.iskeyword(c), (name, c)
f.visititems(lambda name, o: check(o, name) if isinstance(o, h5py.Dataset) else None)

# rows are grouped by run, in order
assert list(ops.run) == sorted(ops.run) and len(ops) == 4 * 10, len(ops)
for run, group in f["runs"].items():
    first, count = group.attrs["ops_first"], group.attrs["ops_count"]
    rows = ops[first:first + count]
    assert (rows.run == int(run)).all() and count == (ops.run == int(run)).sum(), run
    assert list(rows.operation) == list(range(1, count + 1)), run

# swept keys are in every row, and missing if a run has none
swept = ["run", "status", "seed", "runtime_forward_path", "runtime_forward_initiators", "runtime_completion"]
assert list(ops.columns[:6]) == swept, list(ops.columns[:6])
both = ops.merge(summary[swept], on="run", suffixes=("", "_of_run"))
for c in swept[1:]:
    assert ((both[c] == both[c + "_of_run"]) | both[c].isna() & both[c + "_of_run"].isna()).all(), c
assert (ops.runtime_forward_initiators.isna() == (ops.runtime_forward_path == "unicast")).all()
assert ops.runtime_forward_initiators.dropna().eq(1).all()

# steps have place and kind, programs a name
names = {("workload.0 write_buffer", ""), ("workload.1.do.0 enqueue_workload", "first"),
    ("workload.1.do.1 enqueue_workload", "second"), ("workload.1.do.2 finish", "")}
assert set(zip(ops.step, ops.program)) == names, set(zip(ops.step, ops.program))
assert (ops.step.str.split().str[1] == ops.kind).all()
called = {("first", "first"), ("second", "second"), ("", "workload/0"), ("", "workload/1/do/2")}
assert set(zip(ops.program, ops.name)) == called, set(zip(ops.program, ops.name))

# times of events that never happened are missing, in computed columns too
writes = ops[ops.kind == "write_buffer"]
assert writes.go_first.isna().all() and writes.go_count.eq(0).all()
times = [c for c in ops.columns if f["ops"].attrs["unit:" + c] == b"ps"]
assert not (ops[times] < 0).any().any()
assert summary.write_buffer_reach_p50.dtype == float

# derived columns equal those of the metrics, and the marks
calls = ops[ops.kind == "enqueue_workload"]
assert (calls.host == calls.returned_last - calls.called_first).all()
assert (calls.reach == calls.go_last - calls.called_first).all()
assert (calls["skew"] == calls.go_last - calls.go_first).all()
assert (calls.done == calls.workers_done_last - calls.called_first).all()
assert (calls.latency == calls.done).all() and calls.seen_last.isna().all()
finishes = ops[ops.kind == "finish"]
assert (finishes.latency == finishes.seen_last - finishes.called_first).all()
after = calls.groupby(["run", "step"]).called_first.shift(-1) - calls.called_first
assert after.isna().sum() == 8 and (after.dropna() == calls["round"].dropna()).all()
assert (after.isna() == calls["round"].isna()).all()
seen = ops.groupby("run").seen_last.bfill()
assert (ops.completion.dropna() == (seen - ops.called_first).dropna()).all()
rows = open(os.environ["MESHSIM_SOURCE_DIR"] + "/analysis/metrics/include/analysis/metrics/metric.def").read()
named = re.findall(r'^X\(\w+, "(\w+)"', rows, re.M) + ["completion", "round"]
for (run, kind), rows in ops[ops.warmup == 0].groupby(["run", "kind"]):
    metrics = texts(f[f"runs/{run:06d}/metrics"])
    for metric in named:
        values = rows[metric].dropna().sort_values()
        said = metrics[(metrics.kind == kind) & (metrics.metric == metric)]
        assert len(said) == (len(values) > 0), (run, kind, metric)
        if len(values):
            assert said.p50.iloc[0] == values.iloc[(len(values) + 1) // 2 - 1], (run, kind, metric)
            assert said["count"].iloc[0] == len(values), (run, kind, metric)
END

# The table's metrics equal those that meshsim itself computes from the marks.
meshsim check q.h5 --baseline q.yaml --update
exits "a baseline" 0
"$python" - <<'END' || fail "meshsim sums the metrics that stand in the table"
import h5py, pandas, re
ops = pandas.DataFrame(h5py.File("q.h5")["ops"][:])
sums = re.findall(r"^ *(\w+)\.(\w+)\.sum: (\d+)$", open("q.yaml").read(), re.M)
assert {metric for kind, metric, value in sums} >= {"round", "completion", "latency", "host", "reach", "done", "skew"}, sums
for kind, metric, value in sums:
    seen = ops[(ops.kind == kind.encode()) & (ops.warmup == 0)][metric].sum()
    assert seen == int(value), (kind, metric, seen, value)
END

# Six lines from a file to a plot, shown in docs/results.md.
cat >plot.py <<'END'
import h5py, pandas
ops = pandas.DataFrame(h5py.File("grid.h5")["ops"][:])
ops = ops.apply(lambda column: column.str.decode("utf8") if column.dtype == object else column)
calls = ops[(ops.kind == "enqueue_workload") & (ops.warmup == 0)]
by = calls.groupby(["runtime_forward_path", "runtime_forward_initiators"], dropna=False)
by[["host", "reach", "latency"]].median().div(1e6).plot.barh(xlabel="us").figure.savefig("grid.png", bbox_inches="tight")
END
shown=$(sed -n '/^```python$/,/^```$/p' "$source_directory/docs/results.md" | sed '/^```/d')
equal "the lines of docs/results.md are those that are tried here" "$shown" "$(cat plot.py)"
cp s.h5 grid.h5
if "$python" -c 'import matplotlib' 2>/dev/null; then
	MPLBACKEND=Agg "$python" plot.py || fail "six lines plot a file"
	[ "$(head -c 4 grid.png | tail -c 3)" = PNG ] || fail "the plot is a picture"
fi
{
	sed '$d' plot.py
	echo 'medians = by.latency.median(); assert len(medians) == 2 and (medians > 0).all(), medians'
} | "$python" - || fail "five lines give a median for each forward path"

meshsim run q.h5
exits "a result file is no scenario" 2
finish
