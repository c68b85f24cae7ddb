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
exits "several devices" 2
contains "several devices" "$err" "error: operations of 2 devices: gaps are predicted of one"
meshsim validate --op-report missing.csv
exits "no report" 2
contains "no report" "$err" "missing.csv: error: cannot read: No such file or directory"
finish
