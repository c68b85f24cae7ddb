#!/bin/sh
# label: full
# The gate blames the constant that changed, also if it is one of several of a router and changes by a nanosecond.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

meshsim run fabric-packet-rate -o old.h5
exits 'run as it is' 0
meshsim check old.h5 --baseline=old.yaml --update
exits 'write a baseline' 0
for constant in router_send router_send_latency router_forward; do
	value=$(sed -n "/^  $constant:/,/}/s/.*{value: \([0-9.]*\).*/\1/p" "$MESHSIM_SOURCE_DIR/platforms/_wormhole.yaml" | head -1)
	meshsim run fabric-packet-rate -o new.h5 --set "platform.chip.$constant.value=$((value + 1))"
	exits "run with 1 ns more $constant" 0
	"$binary" check new.h5 --baseline=old.yaml --exact --json >check.json 2>check.err
	equal "$constant alone is blamed" "$(/usr/bin/python3 -c "
import json
print([c['constant'] for c in json.load(open('check.json'))['causes']])")" "['chip.$constant']"
done
finish
