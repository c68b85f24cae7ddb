#!/bin/sh
# A description too large for a message is rejected at the key that sets the message length; data of
# the same length are sent in pieces.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >long.yaml <<'END'
meshsim: 1
name: long
platform: {extends: [n150, _transports, _ethernet-100g], hosts: {count: 2, along: rows}}
runtime:
  distributed: {message_bytes: 4096}
workload:
  - write_buffer: {buffer: a, bytes: 65536, spread: sharded, blocking: true}
  - enqueue_workload: {runtime_args: 200, blocking: true}
END

meshsim run long.yaml -o no.h5
exits 'arguments that no message holds' 2
contains 'are refused at its key' "$err" 'long.yaml:5:32: error: host host-0 cannot be sent a command of '
contains 'with its length' "$err" ' B: messages have 4096 B at most'
meshsim run long.yaml -o good.h5 --set runtime.distributed.message_bytes=1048576
exits 'longer messages hold them' 0
finish
