# Pages of result files without a browser: complete, identical on every run except for the host,
# small, without external resources; texts of the scenario are escaped; damaged files are rejected.
# label: slow  timeout: 300  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

python=/usr/bin/python3
[ -x "$python" ] || skip 'no python3'
cat >nasty.yaml <<'END'
meshsim: 1
name: "<script>alert(1)<b>&\"'"
description: "</script><script>alert(3)</script><img src=x onerror=alert(2)> {{model}} ]]> <!-- <script>"
platform: n150
workload:
  - repeat: 4
    do:
      - enqueue_workload: {program: "</script><i>", cores: 4, kernel_bytes: 1024, runtime_args: 8, run_ns: 3000}
  - finish
  - repeat: 3
    do:
      - finish
sweep:
  runtime.completion: [table, per-device]
  workload.0.repeat: [4]
  workload.2.repeat: [3]
END
meshsim run nasty.yaml -o nasty.h5
exits 'run' 0
meshsim report nasty.h5 -o nasty.html
exits 'report' 0
equal 'report: standard output' "$out" ''
meshsim run nasty.yaml -o again.h5 -j1
meshsim report again.h5 -o again.html
meshsim report nasty.h5 --no-errors --model -o nasty.json
exits 'report --model' 0
[ "$(ls)" = "$(printf '%s\n' again.h5 again.html nasty.h5 nasty.html nasty.json nasty.yaml)" ] ||
	fail "files besides those asked for: $(ls)"

"$python" - <<'END' || fail 'the page'
import html.parser, json, re, sys
bad = []

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts, self.title, self.tag = [], "", None
        self.tags = []
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.tag = tag
        if tag == "script":
            self.scripts.append([attributes, ""])
        for name in ("src", "href", "data", "action"):
            if name in attributes:
                bad.append("%s of %s: %s" % (name, tag, attributes[name]))
        bad.extend("handler in markup: " + n for n in attributes if n.startswith("on"))
    def handle_endtag(self, tag):
        self.tag = None
    def handle_data(self, data):
        if self.tag == "script":
            self.scripts[-1][1] += data
        if self.tag == "title":
            self.title += data

def read(name):
    page = Page()
    text = open(name, encoding="utf-8").read()
    page.feed(text)
    return text, page

text, page = read("nasty.html")
if [s[0].get("id") for s in page.scripts] != [None, "model", "host", None, None]:
    bad.append("scripts: %s" % [s[0] for s in page.scripts])
if "img" in page.tags or "b" in page.tags or "i" in page.tags:
    bad.append("markup of the scenario's texts")
model = json.loads(page.scripts[1][1])
name = "<script>alert(1)<b>&\"'"
if model["scenario"]["name"] != name or page.title != name + " · meshsim":
    bad.append("name: %s, title: %s" % (model["scenario"]["name"], page.title))
if model["scenario"]["description"] != "</script><script>alert(3)</script><img src=x onerror=alert(2)> {{model}} ]]> <!-- <script>":
    bad.append("description: " + model["scenario"]["description"])
if re.search(r"url\(|@import|<link", text.split("<script")[0]):
    bad.append("the style fetches something")

# two pages for two runs of one scenario differ only in the host
other, second = read("again.html")
for i in (0, 1, 3, 4):
    if page.scripts[i][1] != second.scripts[i][1]:
        bad.append("script %d differs between equal results" % i)
if page.scripts[2][1] == second.scripts[2][1]:
    bad.append("the host's part does not tell the two runs apart")

if model["short_keys"] != ["completion", "0.repeat", "2.repeat"]:
    bad.append("short names of keys that end alike: %s" % model["short_keys"])
# the error table
errors = model["errors"]
if errors["why"] is not None or len(errors["families"]) < 4 or errors["rows"]:
    bad.append("errors: %s" % errors)
alone = json.load(open("nasty.json"))
if alone["errors"] is not None or alone["runs"] != model["runs"]:
    bad.append("--model --no-errors")

# stages sum to the operation that they split
for paths, kind in ((p, p["metric"]) for p in model["paths"]):
    for row, run in enumerate(paths["runs"]):
        values = next(d for d in model["distributions"] if d["kind"] == paths["kind"] and d["metric"] == kind)["runs"][row]["v"]
        if sum(run["p50"]) not in values or sum(run["p99"]) != values[-1]:
            bad.append("stages of run %d do not sum to an operation" % row)
print("\n".join(bad))
sys.exit(bool(bad))
END

# ---- the error table is that of errors.yaml; without it the page says why ----
mkdir -p bare/share/meshsim/bench/reference
cp "$binary" bare/
cp -r "$source_directory/platforms" bare/share/meshsim/
cp "$source_directory/bench/reference/figures.csv" bare/share/meshsim/bench/reference/
meshsim report nasty.h5 --model -o full.json
bare/meshsim report nasty.h5 --model -o bare.json || fail 'report without errors.yaml'
"$python" - "$source_directory/bench/reference/errors.yaml" <<'END' || fail 'error tables'
import json, re, sys
text = open(sys.argv[1]).read()
page = json.load(open("full.json"))["errors"]
print([family["family"] for family in page["families"]], json.load(open("bare.json"))["errors"])
sys.exit(not (all("\n  %s:" % family["family"] in text for family in page["families"]) and
              json.load(open("bare.json"))["errors"]["why"]))
END
rm -r bare bare.json full.json

# ---- verdicts with --robust, with additional runs ----
sed '/^  - repeat: 3/,/^      - finish/d; /^  workload/d; s/^  - finish/      - finish/; s/repeat: 4/repeat: 12/' \
	nasty.yaml >wins.yaml
meshsim run wins.yaml -o wins.h5
meshsim report wins.h5 --robust --no-errors --model -o wins.json
exits 'report --robust' 0
"$python" - <<'END' || fail 'report --robust'
import json, sys
question = json.load(open("wins.json"))["compare"]["questions"][0]
robust = question["robust"] or {}
print(question["verdict"], robust)
sys.exit(not (robust.get("tried", 0) > 4 and robust["failures"] == [] and robust["held"] <= robust["tried"]))
END
rm wins.yaml wins.h5 wins.json

# ---- errors ----
cp nasty.html kept.html
printf 'no HDF5 at all' >none.h5
head -c 20000 nasty.h5 >cut.h5
for file in none.h5 cut.h5 missing.h5; do
	meshsim report "$file" -o kept.html
	exits "$file" 2
	contains "$file: message" "$err" "meshsim: $file: "
done
"$python" -c 'import h5py' 2>/dev/null && {
	cp nasty.h5 newer.h5
	"$python" -c 'import h5py; h5py.File("newer.h5", "r+").attrs["layout_version"] = 99'
	meshsim report newer.h5 -o kept.html
	exits 'a newer layout' 2
	contains 'a newer layout: message' "$err" 'newer'
}
meshsim report nasty.h5 -o no/such/folder.html --no-errors
exits 'a folder that is not there' 2
meshsim report nasty.h5 -o kept.html --by runtime.completio
exits 'no such key' 2
contains 'no such key: message' "$err" "did you mean 'runtime.completion'"
cmp -s nasty.html kept.html || fail 'a page that could not be made leaves the old one'
for usage in '' 'nasty.h5' '-o x.html' 'nasty.h5 nasty.h5 -o x.html' 'nasty.h5 -o x.html -j 0'; do
	# shellcheck disable=SC2086 # several arguments
	meshsim report $usage
	exits "usage '$usage'" 2
done
[ ! -e x.html ] || fail 'a page was written for bad usage'

finish
