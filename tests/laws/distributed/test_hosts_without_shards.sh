# A host without a shard of a buffer does nothing for a write of it, even if it is sent the whole data and is slow: the write ends
# when the others have told the host. In both worlds the data arrive.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >few.yaml <<'END'
meshsim: 1
name: few
platform: {extends: [p300, _transports, _ethernet-100g], hosts: {count: 4}}
runtime: {distributed: {transport: tcp}}
workload:
  - write_buffer: {buffer: two, bytes: 1288, page_bytes: 7, spread: matrix, global_shape: [23, 14], shard_shape: [0, 7], spread_order: column-major, blocking: true}
  - write_buffer: {buffer: two}
  - read_buffer: {buffer: two, blocking: true}
END
for resolution in controller mixed executors; do
	for how in '--world native' '--set model.fault={kind: slow, host: 3}'; do
		option=${how%% *} value=${how#* }
		meshsim run few.yaml -o few.h5 --set runtime.distributed.resolution=$resolution "$option" "$value"
		exits "$resolution, $value: $err" 0
		contains "$resolution, $value: the data are verified" "$("$binary" show few.h5 --json)" '"verified": 1'
	done
done
finish
