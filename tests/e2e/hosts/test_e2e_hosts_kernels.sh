# Kernels with instructions run on machines of several hosts as on one: programs of the library compute
# the values of their references over every codec and in both worlds, and a kernel's own text is sent to
# all hosts. A kernel with an illegal access, or one that waits forever, is named.
# label: full  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >library.yaml <<'EOF2'
meshsim: 1
name: library
platform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}
runtime: {mesh: {shape: [2, 2], offset: [1, 0]}}
workload:
  - write_buffer: {buffer: a, bytes: 65536, page_bytes: 4096, spread: sharded}
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 4096, spread: sharded}
  - write_buffer: {buffer: c, bytes: 65536, page_bytes: 4096, spread: sharded}
  - repeat: 2
    do:
      - enqueue_workload: {program: sum, library: add, buffers: {left: a, right: b, to: c}}
      - enqueue_workload: {program: product, library: matmul_grid, cores: [2, 2], tiles: [2, 2, 2],
          buffers: {left: a, right: b, to: c}}
      - read_buffer: {buffer: c}
  - finish
EOF2
# verified FILE: number of successful comparisons
verified() {
	"$binary" show "$1" --json | sed -n 's/.*"verified": \([0-9][0-9]*\).*/\1/p'
}

sed 's/galaxy-x2/galaxy/; s/, offset: \[1, 0\]//' library.yaml >alone.yaml
meshsim run alone.yaml -o alone.h5
exits 'one host' 0
for codec in packed flatbuffers protobuf msgpack; do
	meshsim run library.yaml -o "$codec.h5" --set "runtime.distributed.codec=$codec"
	exits "two hosts, $codec" 0
	equal "as much is compared as on one host, $codec" "$(verified "$codec.h5")" "$(verified alone.h5)"
done
meshsim run library.yaml -o native.h5 --world native --set runtime.distributed.transport=unix
exits 'natively' 0
equal 'as much is compared natively' "$(verified native.h5)" "$(verified alone.h5)"

cat >text.yaml <<'EOF2'
meshsim: 1
name: text
platform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}
measure: {prints: 100}
workload:
  - enqueue_workload:
      cores: 1
      circular_buffers: 1
      circular_buffer_bytes: 2048
      circular_buffer_pages: 2
      kernels:
        - processor: brisc
          text: |
            add r1, r0, 42
            print r1, 7
  - finish
EOF2
# printed WHAT ARGUMENT...: each of the eight chips prints once
printed() {
	what=$1
	shift
	meshsim run text.yaml -o text.h5 "$@"
	exits "$what" 0
	meshsim show text.h5
	for chip in 0 1 2 3 4 5 6 7; do
		equal "$what: prints of chip $chip" "$(printf '%s\n' "$out" |
			grep -Ec "^ +[0-9.]+ +$chip +[0-9]+ +brisc +1 +1 +r1 +7 +42\$")" 1
	done
}
printed 'all hosts print'
printed 'all hosts print, natively' --world native --set runtime.distributed.transport=unix

# stuck WHAT TEXT ARGUMENT...: expects a stall in both worlds
stuck() {
	what=$1 text=$2
	shift 2
	meshsim run stuck.yaml -o stuck.h5 "$@"
	exits "$what" 4
	contains "$what" "$err" "$text"
	meshsim run stuck.yaml -o stuck.h5 --world native --set runtime.distributed.transport=unix "$@"
	exits "$what, natively" 4
	contains "$what, natively" "$err" "$text"
}
sed 's/print r1, 7/write r1, r1, 2048/' text.yaml >stuck.yaml
stuck 'a wild address' 'instruction 1: halted: a write outside what kernels reach'
# one host alone, whose chips have the same names as in the whole machine
sed 's/^  - enqueue_workload:/&\n      program: far\n      devices: {shape: [1, 1], offset: [3, 1]}/' stuck.yaml >far.yaml
mv far.yaml stuck.yaml
stuck 'a wild address on the second host' 'brisc of chip 7, tile'
sed 's/print r1, 7/await 0, 1/' text.yaml >stuck.yaml
stuck 'a wait for ever' 'brisc at instruction 1 (await buffer 0, 1) waits for 1 pages in circular buffer 0, which has 0' \
	--set runtime.distributed.reply_ns=1s
meshsim show stuck.h5
contains 'the file says what cores of all hosts were at' "$out" '0-7'
finish
