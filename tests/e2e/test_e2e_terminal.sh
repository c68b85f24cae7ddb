# Tables of `run` and `show` on terminals of several widths: no line is wider, every figure is
# present, and blocks begin with the columns that identify runs. Pipes get whole rows of `show`, and what
# fits into 80 columns of `run`, which says what it leaves out; --wide gets whole rows of both.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v script >/dev/null || skip "no script, which makes a terminal"

cat >wide.yaml <<'END'
meshsim: 1
name: wide
description: >-
  A question of many words, which are more than fit into any one line of a terminal of the width that
  is tried here, so that they have to be wrapped between words, wherever that may be.
platform: n150
runtime: {command_queues: 1}
workload:
  - repeat: 2
    do: [enqueue_workload: {cores: 2, run_ns: 500}]
  - repeat: 1
    do: [finish]
sweep:
  workload.0.repeat: [2, 3]
  workload.1.repeat: [1]
  limits.events: [0, 100000]
  runtime.host.caller_wait: [spin]
model: {noise: none}
END

# on COLUMNS ARGUMENT...: meshsim's output on a terminal of that width
on() {
	columns=$1
	shift
	script -qec "stty cols $columns; NO_COLOR=1 '$binary' $* 2>/dev/null" /dev/null </dev/null | tr -d '\r'
}

# words TEXT: its words, sorted, each once
words() {
	printf '%s\n' "$1" | tr -s ' ' '\n' | sort -u
}

# verdicts TEXT: the sentences of verdicts; tables leave out columns that do not fit
verdicts() {
	printf '%s\n' "$1" | awk '/^  [a-z]/ {on = 0} /^  verdict / {on = 1} /^$/ {on = 0} on'
}

# fits COLUMNS TEXT: no line is longer, except that of versions, which is alone, whatever its length
fits() {
	longest=$(printf '%s\n' "$2" | grep -v 'SimGrid' |
		awk '{if (length > most) most = length} END {print most}')
	[ "$longest" -le "$1" ] || fail "a line of $longest on $1 columns"
}

meshsim run wide.yaml -o wide.h5
exits "run" 0
fits 80 "$out"
contains "what run leaves out" "$out" 'not shown: skew p50, latency p99, host p50 (--wide)'
meshsim run wide.yaml -o wide.h5 --wide
exits "run --wide" 0
whole=$out
lacks "a whole table" "$whole" 'not shown'
meshsim show wide.h5
exits "show" 0
shown=$out
meshsim compare wide.h5
exits "compare" 0
compared=$out
meshsim compare wide.h5 --wide
exits "compare --wide" 0
wide=$out
for columns in 72 100 140; do
	text=$(on $columns show wide.h5)
	fits $columns "$text"
	equal "every word of show on $columns columns" "$(words "$text")" "$(words "$shown")"
	fits $columns "$(on $columns run wide.yaml -o wide.h5)"
	text=$(on $columns compare wide.h5)
	fits $columns "$text"
	equal "every word of verdicts on $columns columns" "$(words "$(verdicts "$text")")" \
		"$(words "$(verdicts "$compared")")"
	contains "compare --wide on $columns columns" "$(on $columns compare wide.h5 --wide)" \
		"$(printf '%s\n' "$wide" | grep '^  run ' | head -n 1)"
	equal "show --wide on $columns columns" "$(on $columns show wide.h5 --wide)" "$shown"
	equal "run --wide on $columns columns" "$(on $columns run wide.yaml -o wide.h5 --wide)" "$whole"
done
equal "a terminal that all fits into" "$(on 400 show wide.h5)" "$shown"

keys='run  0.repeat  1.repeat  limits.events  caller_wait'
blocks=$(on 140 show wide.h5 | grep -c "^  $keys  ")
[ "$blocks" -gt "$(printf '%s\n' "$shown" | grep -c "^  $keys  ")" ] || fail "blocks with all keys: $blocks"
contains "keys of half the width are not repeated" "$(on 72 show wide.h5)" "
  run  simulated  "

# ---- columns are told apart ----
equal "no column twice" "$(printf '%s\n' "$shown" "$whole" | grep '^  run  ' | sed 's/^  //; s/   */\n/g' |
	awk '/^run$/ {split("", seen)} seen[$0]++ {print "twice: " $0}')" ""
contains "two keys with one last part" "$whole" "0.repeat  1.repeat"
contains "a key that is called as a total" "$whole" "limits.events"

# a large sweep reports the progress of its check; an unwritable target keeps it from running
{
	grep -v '^sweep' wide.yaml | sed '/^  [a-z]*\.[a-z0-9.]*[a-z_]*: \[/d'
	printf 'sweep:\n  runtime.sizes.issue_queue_bytes: [%s]\n' "$(seq -s, 262144 4096 417792)"
	printf '  limits.events: [%s]\n' "$(seq -s, 100000 100099)"
} >large.yaml
script -qec "'$binary' run large.yaml -o none/large.h5" /dev/null </dev/null | tr '\r' '\n' >seen
contains "a large sweep" "$(cat seen)" "meshsim: cannot write none/large.h5"
grep -q 'checking .*wide.*: [0-9]* of 3900 runs' seen || fail "a large sweep says how far it is checked"
finish
