# A host does not count as silent while commands are still being sent to it, or while it sends the
# pieces of a large read, however long all of them take. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >hosts.yaml <<'END'
meshsim: 1
name: hosts
platform: loopback
model: {noise: off}
runtime: {distributed: {window: 2, message_bytes: 65536}}
workload:
  - write_buffer: {buffer: a, bytes: 16777216, page_bytes: 65536, spread: sharded}
  - finish
  - read_buffer: {buffer: a}
END
meshsim run hosts.yaml -o free.h5
exits 'without a deadline' 0
simulated() {
	"$binary" show "$1" --json | sed -n 's/.*"simulated": \([0-9][0-9]*\).*/\1/p'
}
[ "$(simulated free.h5)" -gt 8000000000 ] || fail "the run takes $(simulated free.h5) ps, too few"
meshsim run hosts.yaml -o bound.h5 --set runtime.distributed.reply_ns=2000000
exits 'with a deadline of 2 ms' 0
equal 'with a deadline of 2 ms: nothing is said' "$err" ''
meshsim run hosts.yaml -o bound.h5 --set runtime.distributed.reply_ns=100000
exits 'with a deadline that is too short' 2
contains 'with a deadline that is too short' "$err" 'reply_ns: 100000 is too short: no answer from host host-0, host-1'
finish
