# Programs of the library in scenarios: in both worlds their buffers equal those of their reference,
# on all devices or some, repeatedly and in traces. Programs that do not fit are rejected with their
# place, and so are queues that would race for a buffer. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >copy.yaml <<'YAML'
meshsim: 1
name: copy
platform: tgg
runtime: {mesh: {shape: [2, 2]}, command_queues: 2, traces: replicated}
workload:
  - write_buffer: {buffer: a, bytes: 57344, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 57344, page_bytes: 2048, memory: l1}
  - write_buffer: {buffer: c, bytes: 229376, page_bytes: 2048, spread: sharded, memory: l1}
  - write_buffer: {buffer: d, bytes: 229376, page_bytes: 2048, spread: sharded}
  - repeat: 3
    do:
      - enqueue_workload: {library: copy, buffers: {from: a, to: b}, cores: 5}
      - read_buffer: {buffer: b}
      - write_buffer: {buffer: a}
  - enqueue_workload: {library: copy, buffers: {from: b, to: a}, cores: [3, 2], devices: {shape: [1, 2], offset: [1, 0]}}
  - read_buffer: {buffer: a, shard: [1, 1]}
  - read_buffer: {buffer: a, shard: [0, 1]}
  - trace: 1
    replays: 3
    do:
      - enqueue_workload:
          programs:
            - {library: copy, buffers: {from: c, to: d}, devices: {shape: [2, 1]}, cores: 7}
            - {program: filler, devices: {shape: [2, 1], offset: [0, 1]}}
      - read_buffer: {buffer: d}
  - record_event: {event: copied}
  - wait_event: {event: copied, queue: 1}
  - enqueue_workload: {library: copy, buffers: {from: d, to: c}, queue: 1}
  - read_buffer: {buffer: c, queue: 1, blocking: true}
YAML
verified() {
	printf '%s\n' "$out" | grep -A 3 'whole run' | awk 'END { print $NF }'
}
for world in sim native; do
	meshsim run copy.yaml -o $world.h5 --world $world --set measure.verify_cores=1
	exits "programs of the library, $world" 0
	equal "9 reads and 5 workers that were compared, $world" "$(verified)" 14
	meshsim run copy.yaml -o $world.h5 --world $world
	exits "launches are counted, $world" 0
done
for network in ideal fluid; do
	meshsim run copy.yaml -o network.h5 --set model.network=$network --set measure.verify_cores=1
	equal "9 reads and 5 workers that were compared, $network" "$(verified)" 14
done

# The kernels' work takes time on the NoC.
copied() {
	meshsim run copy.yaml -o cores.h5 --json --set model.noise=none --set platform.chip.noc_hop.value=$1
	printf '%s\n' "$out" | sed -n 's/.*"simulated": \([0-9]*\),*$/\1/p'
}
near=$(copied 9) far=$(copied 90)
equal "long ways take longer: $near, $far ps" "$((far > near + 1000000))" 1

# Tiles: a matrix product, for an element type.
cat >tiles.yaml <<'YAML'
meshsim: 1
name: tiles
platform: n150
workload:
  - write_buffer: {buffer: a, bytes: 49152, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 49152, page_bytes: 2048}
  - write_buffer: {buffer: c, bytes: 32768, page_bytes: 2048}
  - enqueue_workload: {library: matmul, element: bf16, tiles: [4, 4, 6], cores: 4, buffers: {left: a, right: b, to: c}}
  - read_buffer: {buffer: c, blocking: true}
YAML
for world in sim native; do
	meshsim run tiles.yaml -o tiles.h5 --world $world
	exits "a product, $world" 0
done
# On a grid, a product uses at most as many of its cores as it has blocks.
for world in sim native; do
	meshsim run tiles.yaml -o grid.h5 --world $world --set workload.3.enqueue_workload.library=matmul_grid \
		--set 'workload.3.enqueue_workload.cores=[4, 4]' --set measure.verify_cores=1000
	exits "a product on a grid that is smaller than its cores, $world" 0
done
# A layer of a transformer: six results, and cores of every program.
for world in sim native; do
	meshsim run "$MESHSIM_SOURCE_DIR/scenarios/transformer.yaml" -o layer.h5 --world $world
	exits "a layer of a transformer, $world: $err" 0
	equal "its results were compared, $world" "$(($(verified) >= 6))" 1
done
# A convolution: its result, at the end.
for world in sim native; do
	meshsim run "$MESHSIM_SOURCE_DIR/scenarios/convolution.yaml" -o image.h5 --world $world
	exits "a convolution, $world: $err" 0
	equal "its result was compared, $world" "$(($(verified) >= 1))" 1
done
# Block formats: a tile of bfp_bf8 has 64 exponents and 1,024 bytes, of bfp_bf4 half of these.
for format in bfp_bf8:1088 bfp_bf4:576; do
	bytes=${format#*:}
	sed "s/49152/$((24 * bytes))/; s/32768/$((16 * bytes))/; s/2048/$bytes/; s/bf16/${format%:*}/" tiles.yaml >blocks.yaml
	for world in sim native; do
		meshsim run blocks.yaml -o blocks.h5 --world $world
		exits "a product of $format, $world: $err" 0
	done
done
meshsim run tiles.yaml -o tiles.h5 --set 'workload.3.enqueue_workload.tiles=[4, 4]'
contains 'tiles that are missing' "$err" 'error: library: matmul takes tiles: [rows, columns, inner]'
meshsim run copy.yaml -o tiles.h5 --set workload.4.do.0.enqueue_workload.element=bf16
contains 'an element of a copy' "$err" "error: element of program 'program', which computes nothing"

# The example of the specification (3.7), on two virtual meshes: multiply on the first, with data on
# queue 1 and the program on queue 0, ordered by events, then add on the second.
example() {
	cat <<YAML
meshsim: 1
name: end-to-end
platform: $1
runtime:
  command_queues: 2
  meshes: {first: {shape: $2}, second: {shape: $2, offset: $3}}
workload:
  - {mesh: first, write_buffer: {buffer: mul0, bytes: 131072, page_bytes: 4096, queue: 1}}
  - {mesh: first, write_buffer: {buffer: mul1, bytes: 131072, page_bytes: 4096, queue: 1}}
  - {mesh: first, write_buffer: {buffer: product, bytes: 131072, page_bytes: 4096, queue: 1}}
  - {mesh: first, record_event: {event: written, queue: 1}}
  - {mesh: first, wait_event: {event: written, queue: 0}}
  - {mesh: first, enqueue_workload: {program: mul, library: multiply, buffers: {left: mul0, right: mul1, to: product}, queue: 0}}
  - {mesh: first, record_event: {event: multiplied, queue: 0}}
  - {mesh: first, wait_event: {event: multiplied, queue: 1}}
  - {mesh: first, read_buffer: {buffer: product, queue: 1, blocking: true}}
  - {mesh: second, write_buffer: {buffer: add0, bytes: 131072, page_bytes: 4096}}
  - {mesh: second, write_buffer: {buffer: add1, bytes: 131072, page_bytes: 4096}}
  - {mesh: second, write_buffer: {buffer: sum, bytes: 131072, page_bytes: 4096}}
  - {mesh: second, enqueue_workload: {program: add, library: add, buffers: {left: add0, right: add1, to: sum}}}
  - {mesh: second, read_buffer: {buffer: sum, blocking: true}}
YAML
}
example tgg '[8, 4]' '[0, 4]' >example.yaml
meshsim run example.yaml -o example.h5
exits 'multiply on 8x4 devices, add on 8x4 others' 0
equal 'both results, and workers' "$(($(verified) >= 2))" 1
example t3k '[2, 2]' '[0, 2]' >example.yaml
for world in sim native; do
	meshsim run example.yaml -o example.h5 --world $world
	exits "on 2x2 and 2x2 devices, $world" 0
done

# refused NAME SCRIPT MESSAGE
refused() {
	sed "$2" copy.yaml >refused.yaml
	meshsim run refused.yaml -o refused.h5
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'a program that the library does not have' 's/library: copy, buffers: {from: a/library: cope, buffers: {from: a/' \
	"error: 'library': unknown value 'cope', did you mean 'copy'?"
refused 'a buffer that the program does not have' 's/{from: a, to: b}/{frm: a, to: b}/' \
	"refused.yaml:12:58: error: program 'copy' of the library has no buffer 'frm', did you mean 'from'?"
refused 'a buffer that it has' 's/{from: a, to: b}/{to: b}/' \
	"error: library: copy takes a buffer 'from' (any pages): name it under \`buffers\`"
refused 'a buffer that nobody has written' 's/{from: a, to: b}/{from: e, to: b}/' \
	"error: no step before this one writes buffer 'e'"
refused 'a buffer that is read and written' 's/{from: a, to: b}/{from: a, to: a}/' \
	"error: buffer 'a' is written as 'to', and cannot be 'from' at once"
refused 'keys of filler' 's/, cores: 5/, run_ns: 5, runtime_args: 3/' \
	"error: runtime_args beside library: copy, which brings its own"
refused 'buffers of filler' 's/program: filler/buffers: {from: a}/' \
	'error: buffers of a program of filler: say which of the library it is (`library`)'
refused 'buffers that do not fit each other' 's/{from: a, to: b}/{from: c, to: b}/; s/229376/245760/' \
	"error: program 'program': 30 pages of 2048 B are copied to 28 of 2048 B"
refused 'a buffer in system memory' \
	's/page_bytes: 2048, memory: l1}/page_bytes: 2048, memory: system}/; s/2, traces/2, sizes: {system_memory_bytes: 1048576}, traces/' \
	"error: buffer 'b' lies in system memory, which kernels do not reach"
refused 'data that are not simulated' '$a model: {elide_above_bytes: 4096}' \
	"error: kernels act on buffer 'a', but of its 57344 bytes per device none are simulated"
refused 'queues that race' '/_event/d' \
	"error: buffer 'd' is read through queue 1 while queue 0 may still write it"
refused 'a mesh that was closed' 's/  - enqueue_workload: {library: copy, buffers: {from: d.*/  - close_mesh\n  - open_mesh\n&/; s/, queue: 1}/}/; s/, queue: 1, /, /' \
	"error: buffer 'd' was not written since the mesh was opened"

# Concurrent programs of sub-devices: each gives the result of its reference, from shared buffers and
# from those in its own L1. Accesses of two of them to one buffer must be ordered.
cat >sides.yaml <<'END'
meshsim: 1
name: sides
platform: t3k
runtime:
  mesh: {shape: [2, 2]}
  command_queues: 2
  traces: replicated
  sub_device_l1_bytes: 65536
  sub_devices: {left: {cores: [4, 7]}, right: {cores: [3, 7], offset: [4, 0]}}
workload:
  - write_buffer: {buffer: a, bytes: 57344, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 57344, page_bytes: 2048, memory: l1}
  - write_buffer: {buffer: c, bytes: 57344, page_bytes: 2048, memory: l1, sub_device: right}
  - write_buffer: {buffer: d, bytes: 57344, page_bytes: 2048}
  - write_buffer: {buffer: e, bytes: 57344, page_bytes: 2048, memory: l1, layout: width-sharded, page_matrix: [4, 7], shard_pages: [4, 2], sub_device: left}
  - repeat: 3
    do:
      - enqueue_workload: {library: copy, buffers: {from: a, to: b}, sub_device: left, cores: [2, 3]}
      - enqueue_workload: {library: copy, buffers: {from: a, to: c}, sub_device: right}
      - read_buffer: {buffer: c}
      - enqueue_workload: {library: add, element: bf16, buffers: {left: a, right: b, to: e}, sub_device: left}
      - record_event: {event: added}
      - enqueue_workload: {library: multiply, element: bf16, buffers: {left: c, right: b, to: d}, sub_device: right}
      - read_buffer: {buffer: e}
      - read_buffer: {buffer: d, blocking: true}
      - write_buffer: {buffer: a}
  - trace: 1
    replays: 2
    do:
      - enqueue_workload: {library: copy, buffers: {from: a, to: c}, sub_device: right}
      - read_buffer: {buffer: c}
  - finish
END
for world in sim native; do
	meshsim run sides.yaml -o sides.h5 --world $world --set measure.verify_cores=1
	exits "programs of two sub-devices, $world: $err" 0
	equal "11 reads and 4 workers that were compared, $world" "$(verified)" 15
done
order=workload.5.do.4
for between in 'read_buffer: {buffer: e}' 'record_event: {event: part, devices: {shape: [1, 1]}}' 'finish: {queue: 1}'; do
	meshsim run sides.yaml -o sides.h5 --set "$order={$between}"
	exits "not in order: $between" 2
	contains "not in order: $between" "$err" "sides.yaml:23:9: error: buffer 'b' is read on sub-device 'right' \
while 'left' may still write it (sides.yaml:18): launches of sub-devices are in no order, so have an event, a finish, a \
write or a read of queue 0 come in between"
done
for between in 'read_buffer: {buffer: b, shard: [0, 0]}' 'read_buffer: {buffer: d}'; do
	meshsim run sides.yaml -o sides.h5 --set "$order={$between}"
	exits "the first device alone is waited for: $between" 2
done
for between in 'write_buffer: {buffer: d}' 'finish: {queue: 0}'; do
	meshsim run sides.yaml -o sides.h5 --set "$order={$between}"
	exits "in order: $between, $err" 0
done
meshsim run sides.yaml -o sides.h5 --set workload.5.do.0.enqueue_workload.buffers.to=c
exits "another sub-device's L1" 2
contains "another sub-device's L1" "$err" "error: buffer 'c' lies in the L1 of sub-device 'right', and program \
'program' is of 'left': no other may use it"

# Values that a closed mesh left in words of tiles do not affect the next one: the packer waits
# again.
cat >again.yaml <<'END'
meshsim: 1
name: again
platform: n150
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: l2, bytes: 12288, queue: 1}
  - write_buffer: {buffer: r2, bytes: 4096, queue: 1}
  - write_buffer: {buffer: t2, bytes: 6144, queue: 1}
  - enqueue_workload: {library: matmul, buffers: {left: l2, right: r2, to: t2}, element: bf16, tiles: [3, 1, 2], queue: 1}
  - close_mesh
  - open_mesh
  - write_buffer: {buffer: l3, bytes: 49152, page_bytes: 4096}
  - write_buffer: {buffer: r3, bytes: 24576, page_bytes: 4096}
  - write_buffer: {buffer: t3, bytes: 32768, page_bytes: 4096}
  - enqueue_workload: {library: matmul, buffers: {left: l3, right: r3, to: t3}, tiles: [4, 2, 3]}
  - read_buffer: {buffer: t3}
END
meshsim run again.yaml -o again.h5
exits "a product behind another mesh's: $err" 0

meshsim list
contains 'the list' "$out" 'copies a buffer page by page'

finish
