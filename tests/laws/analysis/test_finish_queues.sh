#!/bin/sh
# label: full
# A finish of two command queues is two operations, one behind the other. The time between them is
# no round of a loop, and they are no reason to ask about finishes instead of work.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >two.yaml <<'END'
meshsim: 1
name: two
platform: n150
runtime: {command_queues: 2}
workload:
  - repeat: 20
    do:
      - write_buffer: {buffer: b, bytes: 65536, blocking: false}
      - finish
sweep: {runtime.host.threads: [per-device, main]}
model: {noise: "off"}
measure: {warmup: 2}
END
meshsim run two.yaml -o two.h5
exits 'a loop with a finish of two queues' 0
meshsim show two.h5 --json
equal 'a round of the finish is as long as one of the write' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
for run in json.load(sys.stdin)['runs']:
    rounds = [run['operations'][kind]['round']['p50'] for kind in ('write_buffer', 'finish')]
    print('alike' if abs(rounds[1] / rounds[0] - 1) < 0.02 else rounds)")" 'alike
alike'
meshsim compare two.h5 --json
equal 'questions are about writes' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
print({question['subject'].split('/')[0] for question in json.load(sys.stdin)['questions']})")" "{'write_buffer'}"
meshsim show two.h5 --json
equal 'a finish of two queues counts once' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
for run in json.load(sys.stdin)['runs']:
    rates = [run['operations'][kind]['throughput'] for kind in ('write_buffer', 'finish')]
    print('alike' if abs(rates[1] / rates[0] - 1) < 0.02 else rates)")" 'alike
alike'
meshsim compare two.h5 --kind finish
contains 'finishes if they are asked for' "$out" 'completion of finish'
meshsim explain two.h5 0 --kind finish --metric round
exits 'stages of a round' 0
contains 'stages of the whole round' "$(printf '%s' "$out" | tr -s ' \n' ' ')" 'wake-ups of host threads'

# A loop that writes through one queue and reads through the other is asked about both. Only the reads need longer with one
# reader for each device, so the round does, too.
cat >both.yaml <<'END'
meshsim: 1
name: both
platform: n150
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: y, bytes: 65536}
  - finish
  - repeat: 20
    do:
      - write_buffer: {buffer: x, bytes: 65536}
      - read_buffer: {buffer: y, queue: 1}
      - finish
sweep: {runtime.completion: [table, per-device]}
model: {noise: "off"}
END
meshsim run both.yaml -o both.h5
exits 'a loop over two queues' 0
meshsim compare both.h5 --json
equal 'the round first, then its writes, then its reads' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
seen = json.load(sys.stdin)
print(*dict.fromkeys(p['subject'] for p in seen['points']))
print(seen['best'][0]['subject'], seen['also_measured'])")" 'iteration write_buffer/workload/0 write_buffer/workload/2/do/0 read_buffer
iteration []'
meshsim compare both.h5 --metric bandwidth --json
equal 'a metric that the user chose is of one kind' "$(printf '%s' "$out" | /usr/bin/python3 -c "
import json, sys
print(*dict.fromkeys(p['subject'] for p in json.load(sys.stdin)['points']))")" \
	'write_buffer/workload/0 write_buffer/workload/2/do/0'
finish
