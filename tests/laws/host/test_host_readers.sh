#!/bin/sh
# label: full
# Readers that hand data to the pool take the data of several chips at once, as a thread for each chip does. One thread
# that takes them itself needs as long as for all of them one after the other. Without a pool they are refused.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >readers.yaml <<'END'
meshsim: 1
name: readers
platform: t3k
model: {noise: off}
runtime: {mesh: {shape: [2, 4]}, completion: per-device, host: {threads: pool, count: 8}}
workload:
  - write_buffer: {buffer: b, bytes: 8MiB, spread: sharded}
  - finish
  - repeat: 3
    do:
      - read_buffer: {buffer: b, blocking: true}
sweep: {runtime.host.readers: [per-device, per-mesh, pool]}
END
meshsim run readers.yaml -o readers.h5
exits "a read by all readers" 0

# faster LEFT RIGHT: how many times as long the second takes
faster() {
	"$binary" compare readers.h5 --kind read_buffer --json 2>compare.err | /usr/bin/python3 -c "
import json, sys
value = {p['keys']['runtime.host.readers']: p['value'] for p in json.load(sys.stdin)['points']}
print(round(value['$2'] / value['$1'], 2))"
}
ratio=$(faster pool per-mesh)
equal "one thread takes twice as long or more" "$(/usr/bin/python3 -c "print($ratio >= 2 or $ratio)")" True
ratio=$(faster pool per-device)
equal "a thread for each chip is as fast, within 5 %" "$(/usr/bin/python3 -c "print(abs($ratio - 1) <= 0.05 or $ratio)")" True

meshsim run readers.yaml -o main.h5 --set runtime.host.readers=pool --set runtime.host.threads=main --set 'sweep={}'
exits "readers without a pool" 2
contains "says why" "$err" "readers 'pool' hand what they read to a pool, and host threads 'main' have none"
contains "at its place" "$err" "runtime.host.readers"
meshsim run readers.yaml -o table.h5 --set runtime.host.readers=pool --set runtime.completion=table --set 'sweep={}'
exits "an event path without readers" 0
contains "the key is idle" "$err" "runtime.host.readers has no effect"
meshsim run readers.yaml -o native.h5 --world native
exits "natively" 0
finish
