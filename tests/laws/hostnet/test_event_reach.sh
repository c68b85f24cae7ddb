#!/bin/sh
# label: full
# The three reaches of an event on several hosts (spec 4.5), each more expensive than the one before: between devices,
# to their hosts, to the controller. Work after a wait on executors comes after the event; the controller does not wait,
# and is not notified.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >reach.yaml <<'END'
meshsim: 1
name: reach
platform: {extends: [n150, _transports, _ethernet-100g], hosts: {count: 2, along: rows}}
runtime: {command_queues: 2}
model: {noise: none}
workload:
  - write_buffer: {buffer: a, bytes: 4096, page_bytes: 1024, spread: sharded}
  - finish
  - repeat: 16
    do:
      - write_buffer: {buffer: a}
      - record_event: {event: e}
      - wait_event: {event: e, queue: 1}
      - read_buffer: {buffer: a, queue: 1, blocking: true}
END

# reach NAME RECORD WAIT: runs with these keys and leaves the time that it took, in ns
reach() {
	meshsim run reach.yaml -o "$1.h5" --set "workload.2.do.1={record_event: {event: e$2}}" \
		--set "workload.2.do.2={wait_event: {event: e, queue: 1$3}}"
	exits "$1" 0
	took=$("$binary" show "$1.h5" --json | sed -n 's/.*"simulated": \([0-9]*\)[0-9]\{3\},*$/\1/p')
}

reach devices '' ''
devices=$took
reach executors ', to_executors: true' ', executors: true'
executors=$took
reach controller ', to_host: true' ', host: true'
controller=$took
[ "$devices" -lt "$executors" ] || fail "devices alone take $devices ns, and with their hosts $executors ns"
[ "$executors" -lt "$controller" ] || fail "executors take $executors ns, and the controller $controller ns"

# refuses WHAT MESSAGE ARGUMENT...: expects an error with its place
refuses() {
	what=$1 message=$2
	shift 2
	meshsim run reach.yaml -o no.h5 "$@"
	exits "$what" 2
	contains "$what" "$err" "$message"
}
refuses 'a record for one host' 'to_executors: a machine of one host has no executors' \
	--set platform=n300 --set workload.2.do.1.record_event.to_executors=true
refuses 'a wait on one host' 'executors: a machine of one host has no executors' \
	--set platform=n300 --set workload.2.do.2.wait_event.executors=true
refuses 'an event for both' 'an event to the host goes over its executors: say to_host alone' \
	--set 'workload.2.do.1={record_event: {event: e, to_executors: true, to_host: true}}'
refuses 'a wait of both' 'either the executors wait or the host does' \
	--set 'workload.2.do.2={wait_event: {event: e, executors: true, host: true}}'
refuses 'an event of devices alone' "event 'e' does not notify executors: record it with to_executors: true" \
	--set workload.2.do.2.wait_event.executors=true
refuses 'an event that no step has recorded' "executors wait for event 'f', which no step has recorded" \
	--set 'workload.2.do.2={wait_event: {event: f, executors: true}}'
refuses 'the host for one of executors' "event 'e' does not notify the host: record it with to_host: true" \
	--set 'workload.2.do.1={record_event: {event: e, to_executors: true}}' \
	--set 'workload.2.do.2={wait_event: {event: e, host: true}}'
finish
