#!/bin/sh
# label: full
# Where programs are judged by default, the answer of `run` and `compare` names the other kinds of operation that do work.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# also_of TEXT: the answer's line, joined
also_of() {
	printf '%s\n' "$1" | awk '/^also measured/ { on = 1 } on { print } on && /\)$/ { exit }' | tr -s '\n ' ' ' | sed 's/ $//'
}

# also STEP...: the line about other kinds, of a loop of these steps, from `run`; `compare` has the same
also() {
	{
		printf 'meshsim: 1\nname: kinds\nplatform: n300\nmodel: {noise: off}\nmeasure: {warmup: 1}\n'
		printf 'sweep: {runtime.completion: [table, per-device]}\nworkload:\n  - repeat: 4\n    do:\n'
		for step; do printf '      - %s\n' "$step"; done
	} >also.yaml
	meshsim run also.yaml -o also.h5
	exits "run" 0
	line=$(also_of "$out")
	meshsim compare also.h5
	equal "compare says the same" "$(also_of "$out")" "$line"
}

program='enqueue_workload: {program: p, cores: all, kernel_bytes: 1024, run_ns: 5us}'
write='write_buffer: {buffer: b, bytes: 64KiB}'
read='read_buffer: {buffer: b}'
also "$program" finish "$write" finish
equal "writes beside programs" "$line" "also measured: write_buffer (meshsim compare also.h5 --kind=write_buffer)"
meshsim compare also.h5 --json
contains "in JSON, too" "$(printf '%s' "$out" | tr -d ' \n')" '"also_measured":["write_buffer"]'
meshsim compare also.h5 --kind=write_buffer
equal "nothing, if the user chose" "$(printf '%s\n' "$out" | grep -c '^also measured')" 0
also "$program" finish "$write" "$read" finish
equal "of several" "$line" "also measured: write_buffer and read_buffer (meshsim compare also.h5 --kind=KIND)"
also "$program" '{record_event: {event: e}}' finish
equal "events and waits do no work" "$line" ""
also "$write" finish
equal "what is asked by default is not named again" "$line" ""
finish
