# Executors that are commands of their own: sourced behind cli.sh and hosts_worlds.sh.

# three_hosts NAME REPEATS [LIMITS]: writes NAME.yaml for three hosts, with data that are written,
# launched on, read back and verified, and a token for its executors
three_hosts() {
	cat >"$1.yaml" <<EOF2
meshsim: 1
name: $1
platform: {extends: galaxy-x2, hosts: {count: 3}, topology: {mesh: [1, 2], wrap: [false, false]}}
limits: {wall_s: 60, ${3:-silent_s: 30}}
runtime: {command_queues: 2, distributed: {transport: tcp}}
workload:
  - write_buffer: {buffer: all, bytes: 98304, page_bytes: 512, spread: sharded}
  - write_buffer: {buffer: each, bytes: 6144}
  - repeat: $2
    do: [{enqueue_workload: {runtime_args: 4}}]
  - record_event: {event: done}
  - wait_event: {event: done, queue: 1}
  - read_buffer: {buffer: all, queue: 1}
  - read_buffer: {buffer: each, queue: 1}
  - finish
EOF2
	head -c 32 /dev/urandom | base64 >token
	chmod 600 token
}

# listens NAME ARGUMENT...: starts a run of NAME.yaml, sets $run to it and $at to its address, which
# is $listen, or a free one
listens() {
	name=$1
	shift
	rm -rf "$name".h5*
	: >run.err
	"$binary" run "$name.yaml" -o "$name.h5" --world native --listen "${listen:-127.0.0.1:0}" \
		--token token "$@" \
		>run.out 2>run.err &
	run=$!
	at=
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		at=$(sed -n 's/.*waits at \([0-9.:]*\) for.*/\1/p' run.err)
		[ -z "$at" ] || return 0
		sleep 0.1
	done
	fail "the run listens: $(cat run.err)"
}

# joins HOST NAME ARGUMENT...: starts the executor of a host, with its errors in HOST.err
joins() {
	host=$1 name=$2
	shift 2
	: >"$host.err"
	"$binary" executor "$name.yaml" --controller "$at" --token token --host "$host" --wait 30 \
		"$@" 2>"$host.err" &
	eval "executor_$host=\$!"
}

# ends PROCESS CODE WHAT: waits for it, and compares its exit code
ends() {
	code=0
	wait "$1" || code=$?
	equal "$3: exit code" "$code" "$2"
}

# starter NAME ARGUMENT...: the command that starts the executor of a host, for --start
starter() {
	echo "'$binary' executor $* --token token --host \$MESHSIM_HOST --controller \$MESHSIM_CONTROLLER" |
		sed "s/executor $1/&.yaml/"
}

# registered HOST...: waits until their executors are, ten seconds at most
registered() {
	for host in "$@"; do
		for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			! grep -q registered "$host.err" || break
			sleep 0.5
		done
	done
}

# other_version FILE: makes it this program, but for the last character of its version
other_version() {
	/usr/bin/python3 - "$binary" "$1" <<'EOF2'
import re, subprocess, sys
said = subprocess.run([sys.argv[1], "--version"], capture_output=True, text=True).stdout
commit = re.search(r"\((.*?)\)", said).group(1).encode()
program = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(program.replace(commit + b"\0", commit[:-1] + b"~\0"))
EOF2
	chmod +x "$1"
}
