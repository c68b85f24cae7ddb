# `meshsim validate --op-report`: predicts the times between the operations of a report, without reading them. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

report=$MESHSIM_SOURCE_DIR/scenarios/reports/layers.csv

# number NAME CLASS: a number of the last JSON's score of a class, by meshsim, in whole ns
number() {
	echo "$out" | sed -n "s/.*\"class\": \"$2\", \"by\": \"meshsim\".*\"$1\": \([0-9]*\).*/\1/p"
}

mkdir kept changed
meshsim validate --op-report "$report" --scenarios kept
exits "a report is compared" 0
contains "the machine has a profiler" "$out" "op_gaps: 20 operations of 5 programs on n150-profiled; scored from operation 11 on"
contains "the formula stands beside" "$out" "formula: start = max(end before + 700 ns, call + lag), fitted to the first half."
meshsim validate --op-report "$report" --json
exits "as JSON" 0
equal "all steady operations are scored" "$(number rows device-bound)" 10
good=$(number median device-bound)
[ "$good" -le 200 ] || fail "median error of gaps: $good ns, expected at most 200"
skew=$(number skew_median device-bound)
[ "$skew" -le 200 ] || fail "median error of skews: $skew ns, expected at most 200"

whole=$(echo "$out" | sed -n 's/.*"whole": \(-\{0,1\}0\.0[0-9]*\).*/\1/p')
case $whole in
0.00* | 0.01* | 0.02* | -0.00* | -0.01* | -0.02*) ;;
*) fail "the whole is off by '$whole', expected at most 0.03" ;;
esac

# The report's gaps and skews are no input of the prediction.
awk -F, 'BEGIN { OFS = "," } NR > 1 && $2 != "signpost" { $10 = 900; $12 = 5 } { print }' "$report" >layers.csv
meshsim validate --op-report layers.csv --scenarios changed
exits "a report with other gaps" 0
cmp -s kept/op-report.yaml changed/op-report.yaml || fail "other gaps lead to another scenario"

# The mechanism: without preload, every core of an operation is set up after the go.
meshsim validate --op-report "$report" --json --set runtime.launch_preload=false
exits "without preload" 0
bad=$(number median device-bound)
[ "$bad" -gt $((good + 800)) ] || fail "without preload the median error is $bad ns, with it $good ns"

meshsim run kept/op-report.yaml -o kept.h5
exits "the scenario is kept" 0

meshsim validate --op-report "$report" --reference "$report"
exits "no figures beside a report" 2
meshsim validate --op-report "$MESHSIM_SOURCE_DIR/tests/fuzz/corpus/op_report/traced.csv"
exits "replays of traces" 2
contains "replays of traces" "$err" "traced.csv:2:1: error: an operation that trace 7 replays: gaps are predicted only where the host dispatches"

# Several devices: one row for each of them and each call. A device is scored by its own gaps, so two have as good a
# score as one, and the report of one device that ran other times is another report.
awk -F, 'BEGIN { OFS = "," } NR == 1 { print; next } { print; if ($2 != "signpost") { $4 = 1; $3 = $3 + 1; print } }' "$report" >two.csv
meshsim validate --op-report two.csv
exits "two devices: $err" 0
meshsim import two.csv -o two.yaml
contains "all cores of an n300 are used" "$(cat two.yaml)" "runtime: {mesh: {shape: [1, 2]}, dispatch_cores: ethernet}"
meshsim validate --op-report two.csv
contains "rows are calls" "$out" "op_gaps: 20 operations of 5 programs on n300; scored from operation 11 on
of 2 devices, as calls of all of them: 40 rows"
meshsim validate --op-report two.csv --json
equal "both devices are scored" "$(number rows device-bound)" 20
two=$(number median device-bound)
[ "$two" -le 200 ] || fail "median error of gaps on two devices: $two ns, expected at most 200"

# Arguments: programs that start as long after their calls as few arguments let them, in a report whose host is slow. A
# program of 64 cores starts 4 us later after its call than one of one core, with the guess it would be 8 us.
awk -F, 'BEGIN { OFS = "," }
function row(code, cores, at, gap, hash) {
	print code, "tt_dnn_device", 1024 * ++count, 0, "blackhole", cores, 64, sprintf("%.0f", at), 500, gap, 5000, 200, "1[1]", "1[1]", "32[32]", \
		"64[64]", "TILE", "BFLOAT16", "DEV_0_DRAM_INTERLEAVED", "", "", hash, hash, 1100, 1700, 1800, 1800, 1400
}
NR == 1 {
	print
	for (i = 0; i < 60; i++) {
		row("WideDeviceOperation", 64, 5000000000 + 60000 * i, 29000, "[1]")
		row("NarrowDeviceOperation", 1, 5000030000 + 60000 * i, 21000, "[2]")
	}
}' "$report" >slow.csv
mkdir slow other
meshsim validate --op-report slow.csv --json --scenarios slow
exits "a slow host: $err" 0
contains "arguments are fitted" "$out" '"fitted_programs": 1,'
slow=$(number median host-bound)
[ "$slow" -le 1500 ] || fail "median error of gaps of a slow host: $slow ns, expected at most 1500"
contains "few arguments" "$(cat slow/op-report.yaml)" "cores: 64, processors: [brisc, ncrisc, trisc0, trisc1, trisc2], \
processor_bytes: {brisc: 1100, ncrisc: 1700, trisc0: 1800, trisc1: 1800, trisc2: 1400}, runtime_args: "
lacks "fewer than the guess" "$(grep 'cores: 64' slow/op-report.yaml)" "runtime_args: 12"
# What is scored is no input: with other gaps in the second half, the scenario is the same.
sed 's/,21000,/,23000,/' slow.csv | awk 'NR <= 61 { sub(/,23000,/, ",21000,") } { print }' >other/slow.csv
cmp -s slow.csv other/slow.csv && fail "the second half did not change"
meshsim validate --op-report other/slow.csv --json --scenarios other
exits "other gaps in the second half: $err" 0
cmp -s slow/op-report.yaml other/op-report.yaml || fail "gaps that are scored lead to another scenario"
meshsim validate --op-report missing.csv
exits "no report" 2
contains "no report" "$err" "missing.csv: error: cannot read: No such file or directory"
finish
