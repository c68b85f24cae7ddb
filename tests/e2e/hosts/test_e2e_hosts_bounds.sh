# All workloads that a scenario may describe reach other hosts: every key at its largest value, 65 and
# 1,024 programs, simulated and natively, with every codec. A workload too large for a message is
# rejected with its place. label: slow  timeout: 900  long: 900
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# verifies WHAT COUNT FILE SET...: runs it in both worlds
verifies() {
	what=$1 count=$2 file=$3
	shift 3
	for world in sim native; do
		meshsim run "$file" -o out.h5 --world $world "$@"
		exits "$what, $world" 0
		equal "$what, $world: verified" \
			"$("$binary" show out.h5 --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p')" "$count"
	done
}
# programs COUNT KEYS: a scenario of so many programs, one per device
programs() {
	cat <<EOF2
meshsim: 1
name: many
platform: {extends: galaxy-x4, topology: {mesh: [$((($1 + 31) / 32)), 8], wrap: [false, false]}}
model: {cores: chip}
runtime: {mesh: {shape: [$((($1 + 7) / 8)), 8]}}
workload:
  - enqueue_workload:
      programs:
EOF2
	i=0
	while [ $i -lt "$1" ]; do
		echo "        - {program: p$i, cores: 8, devices: {shape: [1, 1], offset: [$((i / 8)), $((i % 8))]}$2}"
		i=$((i + 1))
	done
	echo '  - finish'
}
cat >fields.yaml <<EOF2
meshsim: 1
name: fields
platform: loopback
runtime: {mesh: {shape: [2, 1]}, command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 1MiB, page_bytes: 1048576, queue: 1}
  - enqueue_workload:
      program: $(printf '%0200d' 0)
      processors: [brisc, ncrisc, trisc0, trisc1, trisc2]
      kernel_groups: 8
      runtime_args: 341
      circular_buffers: 32
      circular_buffer_groups: 8
      circular_buffer_bytes: 16
      circular_buffer_pages: 64
      semaphores: 16
      pages: 65535
      run_ns: 10
      queue: 1
  - read_buffer: {buffer: a, queue: 1}
EOF2
programs 65 '' >few.yaml
programs 1024 ', processors: all, circular_buffers: 32, circular_buffer_bytes: 16, semaphores: 16, kernel_bytes: 64' >many.yaml
codecs='packed protobuf'
[ -z "${MESHSIM_LONG:-}" ] || codecs="$codecs flatbuffers msgpack"
for codec in $codecs; do
	verifies "every key at its most, $codec" 17 fields.yaml --set runtime.distributed.codec=$codec
	verifies "65 programs, $codec" 195 few.yaml --set runtime.distributed.codec=$codec
done
verifies '1,024 programs' 3072 many.yaml --set runtime.distributed.message_bytes=64MiB
[ -z "${MESHSIM_LONG:-}" ] || verifies '1,024 programs, msgpack' 3072 many.yaml --set runtime.distributed.message_bytes=64MiB \
	--set runtime.distributed.codec=msgpack

meshsim run many.yaml -o out.h5
exits 'a description that is longer than a message' 2
contains 'names the key' "$err" 'messages have 1048576 B at most (runtime.distributed.message_bytes)'
programs 1024 ', processors: all, circular_buffers: 32, kernel_groups: 8, circular_buffer_bytes: 16, semaphores: 16' >most.yaml
for world in sim native; do
	meshsim run most.yaml -o out.h5 --world $world
	exits "more parts than a message carries, $world" 2
	contains "at its place, $world" "$err" \
		'most.yaml:9:9: error: 90112 kernels, circular buffers and semaphores of all programs together, but other hosts are sent at most 65535'
done
finish
