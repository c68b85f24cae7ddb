# Bad usage of executors that are commands of their own is refused before anything listens: options
# that do not fit together, tokens that others may read, addresses and transports that cannot do.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/own_executors.sh"

three_hosts own 1
printf short >short.token
cp token open.token
chmod 600 short.token
chmod 644 open.token
head -c 5000 /dev/zero >long.token
chmod 600 long.token

# refused TEXT ARGUMENT...: bad usage of `run`
refused() {
	text=$1
	shift
	meshsim run own.yaml -o own.h5 "$@"
	exits "$*" 2
	contains "$*" "$err" "$text"
}
native='--world native --listen 127.0.0.1:0'
refused '--listen is for --world native' --listen 127.0.0.1:0 --token token
refused '--listen takes a token, too: --token FILE' $native
refused '--token and --start are for --listen HOST:PORT' --world native --token token
refused '--token and --start are for --listen HOST:PORT' --world native --start true
refused '--listen takes HOST:PORT, as 10.0.0.1:7000' --world native --listen 7000 --token token
refused '--listen takes one run at a time, so no -j' $native --token token -j 2
refused 'cannot read the token in none' $native --token none
refused 'cannot read the token in .: it is a directory' $native --token .
refused 'the token in short.token has 5 bytes: it takes 16 to 4096' $native --token short.token
refused 'the token in long.token has 4097 bytes: it takes 16 to 4096' $native --token long.token
refused 'others may read or change the token in open.token: chmod 600 it' $native --token open.token
refused '--listen nowhere:7000: an address of tcp is like 127.0.0.1:7000' --world native \
	--listen nowhere:7000 --token token
refused '--listen 0.0.0.0:7000: name the address at which executors reach this machine' \
	--world native --listen 0.0.0.0:7000 --token token
refused 'unix stays in one network of one machine' $native --token token \
	--set runtime.distributed.transport=unix
refused '--listen waits for executors, and a platform of one host has none' $native --token token \
	--set platform=n150 --set runtime.distributed.transport=tcp

# bad TEXT ARGUMENT...: bad usage of `executor`
bad() {
	text=$1
	shift
	meshsim executor "$@"
	exits "$*" 2
	contains "$*" "$err" "$text"
}
bad 'no scenario given' --controller 127.0.0.1:7000 --token token
bad 'no controller given: --controller HOST:PORT' own.yaml --token token
bad 'no token given: --token FILE' own.yaml --controller 127.0.0.1:7000
bad 'none.yaml' none.yaml --controller 127.0.0.1:7000 --token token
bad 'nowhere: an address of tcp is like 127.0.0.1:7000' own.yaml --controller nowhere --token token
bad '127.0.0.1:99999: an address of tcp is like 127.0.0.1:7000' own.yaml --controller 127.0.0.1:99999 --token token
bad '127.0.0.1:0: name the port at which the controller waits' own.yaml --controller 127.0.0.1:0 --token token
# at once, since no controller is needed to know it
bad 'there is no host 3: the machine has 3, from 0 on' own.yaml --controller 127.0.0.1:7000 --token token --host 3
bad 'executors are of machines of several hosts' own.yaml --controller 127.0.0.1:7000 --token token \
	--set platform=n150 --set runtime.distributed.transport=tcp
bad 'set measure.seeds in its place' own.yaml --controller 127.0.0.1:7000 --token token --set 'measure.precision=1 %'
refused 'set measure.seeds in its place' $native --token token --set 'measure.precision=1 %'
# why a run is lost is said once, and notes fit into 80 columns
meshsim run own.yaml -o own.h5 $native --token token --wait 1
exits 'no executor comes' 1
equal 'no executor comes: said once' "$(printf '%s\n' "$err" | grep -c 'no executor of host-0, host-1, host-2 within 1 s')" 1
meshsim run own.yaml -o own.h5 --world native
exits 'forked executors' 0
equal 'forked executors: lines beyond 80 columns' "$(printf '%s\n' "$out" | awk 'length > 80')" ''
meshsim executor own.yaml --controller 127.0.0.1:7000 --token open.token
exits 'a token that others may read' 2
contains 'a token that others may read' "$err" 'others may read or change the token'
finish
