# The rule of matmul_auto: a product whose one side is more than 8 times the other is computed on a line of cores, one of
# exactly 8 times on a grid (a ratio, not whole numbers). It takes as long as the form that it chooses. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# latency PROGRAM COLUMNS: of a product of 2 x COLUMNS tiles
latency() {
	cat >rule.yaml <<YAML
meshsim: 1
name: rule
platform: n150
measure: {warmup: 0}
workload:
  - write_buffer: {buffer: a, bytes: 8192}
  - write_buffer: {buffer: b, bytes: $((2 * $2 * 2048))}
  - write_buffer: {buffer: c, bytes: $((2 * $2 * 2048))}
  - enqueue_workload: {library: $1, element: bf16, tiles: [2, $2, 2], buffers: {left: a, right: b, to: c}}
  - finish
YAML
	meshsim run rule.yaml -o rule.h5 --json
	exits "$1 of 2 x $2 tiles" 0
	took=$(printf '%s\n' "$out" | sed -n 's/^ .*"simulated": *\([0-9][0-9]*\).*/\1/p')
}

# rule COLUMNS FORM OTHER: matmul_auto takes FORM
rule() {
	latency matmul_auto "$1" && auto=$took
	latency "$2" "$1" && chosen=$took
	latency "$3" "$1" && other=$took
	equal "2 x $1 tiles: matmul_auto as $2" "$auto" "$chosen"
	[ "$chosen" != "$other" ] || fail "2 x $1 tiles: $2 and $3 take equally long, $chosen"
}

rule 16 matmul_grid matmul_line
rule 17 matmul_line matmul_grid

finish
