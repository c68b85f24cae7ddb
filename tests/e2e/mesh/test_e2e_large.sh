# Buffers of more than 1 GiB on a device, and of more than 4 GiB, are written and read in pieces, in the time
# for their bytes; larger ones than a device's DRAM are rejected. Their data are elided. By hand, since it
# takes minutes: MESHSIM_LARGE="packed flatbuffers protobuf msgpack" sends a tensor of 12 GiB to 32 devices,
# and with each codec parts of more than 1 GiB to devices of two hosts, in 15 GiB of memory.
# label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >large.yaml <<'END'
meshsim: 1
name: large
platform: n150
model: {noise: off, elide_above_bytes: 1048576}
workload:
  - write_buffer: {buffer: b, bytes: 268435456, page_bytes: 65536}
  - read_buffer: {buffer: b, blocking: true}
END
# simulated BYTES: time of a run with a buffer of this size, in us
simulated() {
	sed "s/268435456/$1/" large.yaml >sized.yaml
	meshsim run sized.yaml -o large.h5
	exits "$1 bytes" 0
	contains "$1 bytes" "$err" "buffer 'b' is read but not compared: of its $1 bytes per device none"
	us=$(($("$binary" show large.h5 --json | sed -n 's/.*"simulated": \([0-9]*\).*/\1/p') / 1000000))
}

simulated 268435456
quarter=$us
for bytes in 1073807360 4295032832; do
	simulated $bytes
	expected=$((quarter * (bytes / 65536) / 4096))
	[ $us -gt $((expected * 99 / 100)) ] && [ $us -lt $((expected * 101 / 100)) ] ||
		fail "$bytes bytes take $us us, not $expected"
done

meshsim run large.yaml -o large.h5 --set workload.0.write_buffer.bytes=12884967424
exits 'more than DRAM' 2
contains 'more than DRAM' "$err" \
	"error: buffer 'b': DRAM bank: 1073807360 B wanted, 1073741824 of 1073741824 B free"

# verified FILE: number of compared reads
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}
cat >tensor.yaml <<'END'
meshsim: 1
name: tensor
platform: galaxy
model: {noise: off, elide_above_bytes: 1048576}
workload:
  - write_tensor:
      tensor: t
      layout: >-
        tensor<8x4x49152x4096xbf16, #tt.layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), undef, <8x4x12x1>,
        memref<1x1x4096x4096xbf16, #tt.memory_space<dram>>>>
  - read_tensor: {tensor: t}
END
cat >hosts.yaml <<'END'
meshsim: 1
name: hosts
platform: loopback
limits: {wall_s: 900, lost_s: 900}
workload:
  - write_buffer: {buffer: a, bytes: 2147614720, page_bytes: 65536, spread: sharded}
  - read_buffer: {buffer: a}
END
if [ -n "${MESHSIM_LARGE-}" ]; then
	meshsim run tensor.yaml -o large.h5
	exits 'a tensor of 12 GiB' 0
	contains 'a tensor of 12 GiB' "$err" 'of its 402653184 bytes per device none are simulated'
fi
for codec in ${MESHSIM_LARGE-}; do
	for world in sim native; do
		meshsim run hosts.yaml -o large.h5 --world $world --set runtime.distributed.codec=$codec
		exits "two hosts, $codec, $world" 0
		equal "two hosts, $codec, $world: verified" "$(verified large.h5)" 1
	done
done
finish
