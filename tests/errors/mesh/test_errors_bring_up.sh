# Wrong options of bring-up, and platforms that cannot be brought up, are refused with what is allowed. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

boxes=$MESHSIM_SOURCE_DIR/tests/laws/bring_up/four_boxes.yaml

# refused WHAT TEXT OPTION...
refused() {
	what=$1 text=$2
	shift 2
	meshsim bring-up "$@"
	exits "$what" 2
	contains "$what" "$err" "$text"
}
refused 'no scenario' 'no scenario is given'
refused 'an unknown flow' "no flow 'automatc', did you mean 'automatic'" "$boxes" --flow automatc
refused 'an unknown fault' "no fault 'missing_cabel', did you mean 'missing_cable'" "$boxes" --fault missing_cabel
refused 'a fault and all' '--faults are all; give it or --fault' "$boxes" --fault missing_cable --faults
refused 'an unknown transport' "no transport 'tpc', did you mean 'tcp'" "$boxes" --transport tpc
refused 'a message that is needed' "no message 'launch' that can be left out" "$boxes" --without launch
refused 'too many hosts' 'hosts' "$boxes" --hosts 1025
refused 'a machine of one host' 'bring-up needs a platform with hosts:' quickstart
refused 'hosts that no cable joins' 'the meshes do not fit' "$boxes" --set platform=galaxy-x2
refused 'a machine as asked by nobody' '--asked takes the machine of --mgd' "$boxes" --asked
refused 'hosts of files' '--hosts is of the platform' "$boxes" --asked --mgd x --hosts 4
refused 'a descriptor that is not there' 'x.textproto' "$boxes" --mgd x.textproto
refused 'a machine that is not there' 'x.textproto' "$boxes" --psd x.textproto
refused 'a scenario that is not there' 'nothing.yaml' nothing.yaml

# step WHAT TEXT OPTION...: a scenario with the step is refused
step() {
	what=$1 text=$2
	shift 2
	meshsim run step.yaml -o step.h5 "$@"
	exits "$what" 2
	contains "$what" "$err" "$text"
}
cat >step.yaml <<'E2'
meshsim: 1
name: step
platform: n150
workload:
  - bring_up: {flow: assisted}
E2
step 'a platform without hosts' 'step.yaml:5:5: error: bring_up needs a platform with hosts:'
step 'an unknown flow' "did you mean 'automatic'" --set workload.0.bring_up.flow=automatc
step 'the native world' 'bring_up is simulated in runs' --set platform=galaxy-x2 --world native
finish
