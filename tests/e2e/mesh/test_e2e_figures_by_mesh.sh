# Figures are per mesh: operations that have the same name on several meshes, such as a finish or steps of one
# name, get separate rows in `run`, `show`, `compare` and baselines. A file of one mesh does not name it.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >two.yaml <<'END'
meshsim: 1
name: two
platform: n300
model: {noise: off}
runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}
workload:
  - repeat: 5
    do:
      - {mesh: left, as: decode, enqueue_workload: {run_ns: 1000}}
      - {mesh: right, as: decode, enqueue_workload: {run_ns: 50000}}
      - finish
END
cat >one.yaml <<'END'
meshsim: 1
name: one
platform: n300
workload:
  - {repeat: 5, do: [{as: decode, enqueue_workload: {}}, finish]}
END

meshsim run two.yaml -o two.h5
exits "two meshes" 0
for name in "enqueue_workload/decode of left" "enqueue_workload/decode of right" \
	"finish/workload/0/do/2 of left" "finish/workload/0/do/2 of right"; do
	contains "run prints $name" "$out" "
$name
"
done

# latency NAME: median in whole us, from `show`
latency() {
	printf '%s\n' "$out" | awk -v name="Operation $1" '$0 == name { on = 1 } on && $2 == "latency" {
		printf "%d", $4; exit }'
}
meshsim show two.h5
left=$(latency "enqueue_workload/decode of left")
right=$(latency "enqueue_workload/decode of right")
[ "${left:-99}" -lt 20 ] && [ "${right:-0}" -gt 50 ] ||
	fail "each mesh has its own latency: left ${left:-?} us, right ${right:-?} us"

meshsim check two.h5 --baseline two-baseline.yaml --update
exits "a baseline" 0
contains "its figures" "$(cat two-baseline.yaml)" "decode of left"
meshsim check two.h5 --baseline two-baseline.yaml
exits "which it keeps" 0

meshsim run one.yaml -o one.h5
exits "one mesh" 0
contains "one mesh has no name: one row for each kind" "$out" "
enqueue_workload
"
contains "of both kinds" "$out" "
finish
"
finish
