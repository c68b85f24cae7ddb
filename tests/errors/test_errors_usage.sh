# Wrong usage of every command: one sentence about the error, exit code 2, no standard output; help
# names the required arguments. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# refused 'ARGUMENTS' SENTENCE
refused() {
	# shellcheck disable=SC2086  (words)
	meshsim $1
	exits "$1" 2
	equal "$1: standard output" "$out" ''
	equal "$1" "$(printf '%s\n' "$err" | head -n 1)" "meshsim ${1%% *}: $2"
}

refused 'run' 'no scenario given'
refused 'run s.yaml --world=sun' "--world: expected sim|native, not 'sun'"
refused 'run s.yaml --seed=-1' "--seed: '-1' is no number from 0 to 9223372036854775807"
refused 'run s.yaml -j 0' "--jobs: '0' is no number from 1 to 1024"
refused 'run s.yaml -j 2x' "--jobs: '2x' is no number from 1 to 1024"
refused 'run s.yaml --resume=yes' "option '--resume' doesn't allow an argument"
refused 'show' 'no result file given'
refused 'show a.h5 b.h5' 'one result file at a time'
refused 'compare a.h5 --metrc=latency' "unrecognized option '--metrc', did you mean '--metric'?"
refused 'compare a.h5 -j 2 --robst' "unrecognized option '--robst', did you mean '--robust'?"
refused 'compare a.h5 --nothing' "unrecognized option '--nothing'"
refused 'compare --step --metrc' 'no result file given'
refused 'compare' 'no result file given'
refused 'explain a.h5' 'give a result file and the numbers of one or two runs, or two result files'
refused 'explain a.h5 b.h5 1' 'give a result file and the numbers of one or two runs, or two result files'
refused 'explain a.h5 1 2 3' 'two runs at a time'
refused 'explain a.h5 1 two' "'two' is no number of a run"
refused 'report a.h5' 'give a name for the page: -o FILE.html'
refused 'report -o a.html' 'no result file given'
refused 'timeline a.h5 -o a.json' 'give a result file and the number of a run'
refused 'timeline a.h5 1' 'no file to write given: -o FILE'
refused 'timeline a.h5 1 2 -o a.json' 'one run at a time'
refused 'check' 'no result file given'
refused 'check a.h5' 'no --baseline given'
refused 'check a.h5 --baseline b --baseline c' 'one --baseline for all result files, or one for each'
refused 'check a.h5 --baseline b --json --markdown' '--json and --markdown exclude each other'
refused 'check a.h5 --baseline b --update --json' '--update compares nothing: no --junit, --markdown, --json'
refused 'check a.h5 --baseline b --tolerance 5' "'5' is not METRIC=PERCENT"
refused 'check a.h5 --baseline b --tolerance p99=x' "tolerance of 'p99': 'x' is no percentage"
refused 'check a.h5 --baseline b --wall --tolerance p99=5' '--wall has one metric: cpu_s'
refused 'list tgg' "unexpected argument 'tgg'"
refused 'schema sceanrio' "no schema 'sceanrio', did you mean 'scenario'?"
refused 'layout' "give a tensor, as in 'tensor<2x3x64x128xf32>', or a file with one"
refused 'shard' 'give --shape, or --cases'
refused 'shard --shape=4x4 --dim=0 --dims=0,1' 'give --dim or --dims, not both'
refused 'shard --cases=x --shape=4x4' '--cases goes with --mesh and --json only'
refused 'platform' "expected \`show NAME' or \`describe NAME'"
refused 'platform list tgg' "expected show|describe, not 'list'"
refused 'platform show tgg t3k' 'one platform at a time'
refused 'validate rows' "rows: a file of decisions needs --decisions, one of figures --reference"
refused 'validate --decisions --rows' "--decisions goes with FILE.csv, --set, --json and --jobs alone"
refused 'validate --decisions a.csv b.csv' 'one file of decisions at a time'
refused 'validate --family=nothing' "--family: there is no family 'nothing'"
refused 'validate --by=sistem' "--by: no row has a key 'sistem', did you mean 'system'?"
refused 'calibrate' 'say --fit, or --host'
refused 'calibrate --fit --host' '--fit and --host are two ways: give one'
refused 'calibrate --fit --quick' '--probe, --quick, --platform, --into and --json are about --host'
refused 'calibrate --host --folds=3' \
	'--reference, --family, --constant, --folds, --group and --errors are about --fit'
refused 'calibrate --host --probe=wakes' "--probe: no probe 'wakes', did you mean 'wake'?"
refused 'calibrate --host --probe=everything' "--probe: no probe 'everything' of machine, commands, \
queues, allocator, layout, copies, monitor, spin, switch, spawn, wake, codecs, transports"
refused 'calibrate --fit --evaluations=0' "--evaluations: '0' is no number from 1 to 100000"
refused 'completion' 'which shell? bash, zsh or fish'
refused 'completion tcsh' "expected bash|zsh|fish, not 'tcsh'"
refused 'help run show' 'one command at a time'

for command in run show compare explain report timeline check layout platform calibrate completion; do
	meshsim "$command" --help
	exits "$command --help" 0
	usage=$(printf '%s\n' "$out" | head -n 1)
	case $command in
	run) expected='SCENARIO...' ;;
	show) expected='FILE.h5' ;;
	compare) expected='FILE.h5 [OTHER.h5]' ;;
	explain) expected='FILE.h5 [OTHER.h5|RUN...]' ;;
	report) expected='FILE.h5 -o FILE.html' ;;
	timeline) expected='FILE.h5 RUN -o FILE' ;;
	check) expected='FILE.h5... --baseline=B' ;;
	layout) expected='TENSOR' ;;
	platform) expected='show|describe NAME' ;;
	calibrate) expected='' ;;
	completion) expected='bash|zsh|fish' ;;
	esac
	equal "$command --help" "$usage" "Usage: meshsim $command [OPTION...]${expected:+ $expected}"
	meshsim help "$command"
	contains "help $command" "$(printf '%s\n' "$out" | head -n 1)" "${expected:+ $expected}"
done

finish
