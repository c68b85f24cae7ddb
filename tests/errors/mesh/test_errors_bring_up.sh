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
