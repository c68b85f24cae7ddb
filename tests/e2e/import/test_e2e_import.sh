# `meshsim import`: profiler's reports become scenarios that run. Columns are found by name in any vintage, what is missing is
# named, and bad reports are refused with their place. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

report=$MESHSIM_SOURCE_DIR/scenarios/reports/layers.csv

# ---- a report of one device ----
meshsim import "$report" -o layers.yaml
exits "a report is imported" 0
contains "operations are counted" "$err" "note: 20 operations of 5 programs on 1 device, as 20 calls, on n150"
contains "assumed arguments are named" "$err" "assumed 12 for each core and kernel (--runtime-args)"
contains "an assumed imbalance is named" "$err" "assumed that the shortest core runs 30 % shorter (--imbalance)"
lacks "no column is missing" "$err" "no HOST START TS"
scenario=$(cat layers.yaml)
contains "the first use has the keys of the program" "$scenario" "program: LayerNorm, cores: 1, processors: [brisc, ncrisc, trisc0, trisc1, trisc2], processor_bytes: {brisc: 1100, ncrisc: 2700, trisc0: 4800, trisc1: 3800, trisc2: 5400}, runtime_args: 12, run_ns: 23000}"
contains "tensors are comments" "$scenario" "# in 1[1]x1[1]x32[19]x1280[1280] TILE BFLOAT16 DEV_0_DRAM_INTERLEAVED"
contains "a program of two processors" "$scenario" "processors: [brisc, ncrisc], processor_bytes: {brisc: 1800, ncrisc: 1100}"
contains "the second use has its own time" "$scenario" "run_ns: 23010}"
contains "the pace is absolute" "$scenario" "think: {until_ns: 4516000}"
contains "signposts are comments" "$scenario" "# signpost measured"
equal "every call is a step" "$(grep -c enqueue_workload layers.yaml)" 20
equal "each program is described once" "$(grep -c 'cores:' layers.yaml)" 5
meshsim run layers.yaml -o layers.h5
exits "the scenario runs" 0
equal "it has no keys without effect" "$err" ""
meshsim run layers.yaml --world native -o native.h5
exits "the scenario runs natively" 0

# ---- a window, and options ----
meshsim import "$report" --from measured --to end --platform n300 --runtime-args 3 --imbalance 20
exits "a part is imported" 0
contains "of three iterations" "$err" "note: 10 operations of 5 programs on 1 device, as 10 calls, on n300"
contains "arguments as asked" "$out" "runtime_args: 3,"
contains "imbalance as asked" "$out" "imbalance: 0.200"
contains "a program that is used once more has an identity" "$out" "identity: Matmul-"
meshsim import "$report" --from measured --to nowhere
exits "a signpost that is not there" 2
contains "signposts are named" "$err" "no signpost 'nowhere' behind the first; the report has 'measured', 'end'"

# ---- another vintage: two devices, traces, no host times ----
traced=$MESHSIM_SOURCE_DIR/tests/fuzz/corpus/op_report/traced.csv
meshsim import "$traced" -o traced.yaml
exits "an older vintage" 0
for lack in "no hashes of kernels" "no HOST START TS" "no DEVICE ARCH" "a call of several devices takes the median" \
	"2 replays take the times of the capture"; do
	contains "a lack is named: $lack" "$err" "$lack"
done
contains "the clock tells the machine" "$err" "on 2 devices, as 9 calls, on p300"
scenario=$(cat traced.yaml)
contains "a trace is captured" "$scenario" "  - trace: 1
    name: trace-7-0
    do:
      - enqueue_workload: {program: Op0, cores: 20, processors: [brisc], processor_bytes: {brisc: 700}, runtime_args: 12, run_ns: 1500, imbalance: 0.200}"
contains "and replayed" "$scenario" "  - replay_trace: {trace: trace-7-0}"
contains "devices with other cores have programs of their own" "$scenario" "{program: Op2, cores: 21,"
meshsim run traced.yaml -o traced.h5
exits "it runs" 0
equal "and has no keys without effect" "$err" ""

# ---- columns in another order, and unknown ones ----
awk -F, 'BEGIN { OFS = "," } { print (NR == 1 ? "NEW COLUMN" : "?"), $3, $2, $1, $6, $11 }' "$report" >other.csv
meshsim import other.csv -o other.yaml
exits "other columns" 0
contains "sizes are assumed" "$err" "no MAX KERNEL SIZE: assumed kernel_bytes of 1024 on all processors"

# ---- bad reports ----
# bad WHAT MESSAGE: bad.csv is refused with it
bad() {
	meshsim import bad.csv
	exits "$1" 2
	contains "$1" "$err" "$2"
	equal "$1: nothing is written" "$out" ""
}
names="OP CODE,OP TYPE,CORE COUNT,DEVICE KERNEL DURATION [ns],HOST START TS"
: >bad.csv
bad "an empty file" "bad.csv:1:1: error: none of the known formats"
printf 'PK\003\004\000\000' >bad.csv
bad "no CSV" "bad.csv:1:1: error: none of the known formats"
printf 'OP CODE,OP TYPE\nA,tt_dnn_device\n' >bad.csv
bad "columns are missing" "bad.csv:1:1: error: no column 'CORE COUNT', which a profiler's report needs"
printf '%s\nA,tt_dnn_device,8,1e9,1\n' "$names" >bad.csv
bad "no number" "bad.csv:2:19: error: DEVICE KERNEL DURATION [ns]: '1e9' is no number"
printf '%s\nA,tt_dnn_device,8,99999999999,1\n' "$names" >bad.csv
bad "an absurd time" "bad.csv:2:19: error: DEVICE KERNEL DURATION [ns]: 99999999999 is more than 1000000000"
printf '%s\nA,tt_dnn_device,8,9,99999999999999999999999\n' "$names" >bad.csv
bad "a number of more than 64 bits" "bad.csv:2:21: error: HOST START TS: 99999999999999999999999 is more than"
printf '%s\nA,tt_dnn_device,8,9,1\nA,tt_dnn_device,8,9,9000000000000000\n' "$names" >bad.csv
bad "a pause of days" "bad.csv:3:21: error: HOST START TS is days after the first operation"
printf '%s\nA,tt_dnn_device,8,,1\n' "$names" >bad.csv
bad "no time" "bad.csv:2:19: error: an operation without a time of its kernels"
printf '%s\nA,tt_dnn_device,8,9,1\nA,tt_dnn_dev' "$names" >bad.csv
bad "cut in mid-line" "bad.csv:3:1: error: 2 cells, but the first line names 5 columns: is the file cut off?"
printf '%s\n"A,tt_dnn_device,8,9,1\n' "$names" >bad.csv
bad "an open quote" "bad.csv:2:1: error: the quote is not closed in this line"
printf '%s\nhost,python,,,1\n' "$names" >bad.csv
bad "no operation" "error: no operation on a device (OP TYPE tt_dnn_device)"
printf '%s,DEVICE ID\nA,tt_dnn_device,8,9,1,40\n' "$names" >bad.csv
bad "more devices than there are" "bad.csv: error: DEVICE ID 40, but platform galaxy has 32 devices (--platform)"
{
	printf '%s\n' "$names"
	head -c 2000000 /dev/zero | tr '\0' 'x'
} >bad.csv
bad "a line without end" "bad.csv:2:1: error: a line of more than 1048576 bytes"
meshsim import bad.csv --format csv
exits "an unknown format" 2
contains "formats are named" "$err" "there is no format 'csv': op-report, chakra"
meshsim import missing.csv
exits "no file" 2
contains "no file" "$err" "missing.csv: error: cannot read: No such file or directory"

# ---- a large report: bounded, and quick ----
{
	head -1 "$report"
	awk 'NR > 1' "$report" | grep -v signpost >rows
	i=0
	while [ $i -lt 5000 ]; do
		cat rows
		i=$((i + 1))
	done
} >large.csv
began=$(date +%s)
meshsim import large.csv -o large.yaml
exits "100,000 rows" 0
contains "more steps than a scenario may have are named" "$err" "choose a part with --from and --to"
[ $(($(date +%s) - began)) -le 20 ] || fail "100,000 rows took more than 20 s"
{
	cat large.csv
	sed 1d large.csv
	sed 1d large.csv
} >larger.csv
meshsim import larger.csv -o larger.yaml
exits "more operations than are kept" 2
contains "a bound" "$err" "larger.csv:200002:1: error: more than 200000 operations: choose a part with --from and --to"
finish
