# h5py, pandas and h5dump open a result file without plugins, and find units on every column.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

command -v h5dump >/dev/null || skip "hdf5-tools is not installed"
# Debian's packages belong to Debian's python3, which need not be the first in PATH.
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
assert f.attrs["layout_version"] == 2, f.attrs["layout_version"]
assert isinstance(f.attrs["meshsim_version"], str)
tables = []
f.visititems(lambda name, o: tables.append(name) if isinstance(o, h5py.Dataset) and o.dtype.names else None)
expected = {"summary", "host/runs"} | {"runs/000000/" + t for t in
    "ops metrics kinds histograms links threads work queues cores".split()}
assert set(tables) == expected, set(tables) ^ expected
for name in tables:
    for column in f[name].dtype.names:
        assert "unit:" + column in f[name].attrs, (name, column)
summary = pandas.DataFrame(f["summary"][:])
assert summary["status"][0] == b"ok", summary["status"][0]
ops = pandas.DataFrame(f["runs/000000/ops"][:])
kinds = ops["kind"].str.decode("utf8")
assert (kinds == "enqueue_workload").sum() == 120, kinds.value_counts()
done = ops[kinds == "enqueue_workload"]
assert (done["workers_done_last"] > done["called_first"]).all()
p50 = summary["enqueue_workload.latency.p50"][0]
kept = done[done["warmup"] == 0]
values = sorted(kept["workers_done_last"] - kept["called_first"])
assert p50 == values[(len(values) + 1) // 2 - 1], (p50, values)
text = f["runs/000000/scenario"].asstr()[()]
assert "name: quickstart" in text and "sweep" not in text, text
END

meshsim run q.h5
exits "a result file is no scenario" 2
finish
