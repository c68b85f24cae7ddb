# The GitHub Actions workflow of docs/ci.md is valid YAML with the expected steps, and its check does on
# real results as promised: a summary, valid JUnit, the exit code. label: full
# timeout: 300  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"

awk '/^```yaml/ { in_block = 1; next } /^```/ { in_block = 0 } in_block' "$source_directory/docs/ci.md" |
	awk '/^name: performance/ { on = 1 } on' >workflow.yml
cat >read.py <<'EOF'
import yaml

workflow = yaml.safe_load(open("workflow.yml"))
# YAML 1.1 reads the key `on` as a truth value
assert set(workflow) == {"name", True, "jobs"}, workflow
for job in workflow["jobs"].values():
    assert "runs-on" in job and job["steps"], job
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
        if step.get("run", "").startswith("build/meshsim"):
            print(step["run"])
uses = [s["uses"].split("@")[0] for j in workflow["jobs"].values() for s in j["steps"] if "uses" in s]
assert uses == ["actions/checkout", "actions/upload-artifact"], uses
EOF
python3 read.py >commands || fail 'the workflow'
equal 'calls of meshsim' "$(wc -l <commands | tr -d ' ')" 1

mkdir build bench results
ln -s "$binary" build/meshsim
cp -r "$source_directory/bench/baselines" bench/
meshsim run "$source_directory/scenarios/tgg-broadcast-grid.yaml" -o results
exits run 0
GITHUB_STEP_SUMMARY=$work/summary.md
export GITHUB_STEP_SUMMARY
sh -e commands
equal 'an unchanged tree' "$?" 0
contains 'the summary' "$(cat summary.md)" 'tgg-broadcast-grid'

meshsim run "$source_directory/scenarios/tgg-broadcast-grid.yaml" -o results --set platform.firmware.dispatch_go.value=200
exits run 0
: >summary.md
sh -e commands
equal 'a slower go signal' "$?" 1
contains 'the summary names the stage' "$(cat summary.md)" 'through dispatch (+140 ns an operation)'
cat >junit.py <<'EOF'
import xml.etree.ElementTree as tree

suites = tree.parse("results/check.xml").getroot()
assert suites.tag in ("testsuites", "testsuite"), suites.tag
cases = list(suites.iter("testcase"))
failures = list(suites.iter("failure"))
assert cases and failures, (len(cases), len(failures))
assert any("dispatch +140.000 ns" in (f.get("message") or "") + (f.text or "") for f in failures)
for suite in suites.iter("testsuite"):
    assert int(suite.get("tests")) == len(list(suite.iter("testcase")))
    assert int(suite.get("failures")) == len(list(suite.iter("failure")))
EOF
python3 junit.py || fail 'JUnit'
finish
