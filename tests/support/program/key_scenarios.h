/* Scenarios for trying keys (tests/laws/scenario/test_scenario_keys.c). They are short. If noise
 * could hide the effect of a key, the scenario has no noise. */
#ifndef KEY_SCENARIOS_H
#define KEY_SCENARIOS_H

static const char chip[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"runtime: {command_queues: 2, completion: per-device}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 262144}\n"
	"  - read_buffer: {buffer: a}\n"
	"  - record_event: {event: e}\n"
	"  - wait_event: {event: e, queue: 1}\n"
	"  - repeat: 4\n"
	"    do:\n"
	"      - enqueue_workload: {cores: 8, kernel_bytes: 4096, runtime_args: 4}\n"
	"  - finish\n";
/* Replaces the finish at the end of a scenario by a trace. */
#define TRACED                                                                                     \
	"workload.5={trace: 2, replays: 2, do: [enqueue_workload: {cores: 8, runtime_args: 4}]}"
/* A trace. Later steps replay and release it by its name. */
#define NAMED                                                                                      \
	"workload.5={repeat: 1, do: [{trace: 2, name: decode, do: [enqueue_workload]}, "           \
	"{replay_trace: {trace: decode}}, {release_trace: {trace: decode}}]}"
/* A second division into sub-devices, which a step after the programs loads. */
#define DIVISIONS                                                                                  \
	"runtime.divisions={c: {sub_devices: {d: {cores: [2, 2]}}}};"                              \
	"workload.0={finish: {}};workload.3={repeat: 1, do: [load_sub_devices: c]}"
#define DIVISION_KEYS                                                                              \
	{"runtime.divisions", divided, DIVISIONS, ACTS},                                           \
		{"step.load_sub_devices", divided,                                                 \
			DIVISIONS ";workload.3.do.0.load_sub_devices=d", REFUSED},                 \
		{"step.enqueue_workload.image.dilation", image,                                    \
			"workload.4.enqueue_workload.image.dilation=[2, 1]", ACTS},                \
		{"step.enqueue_workload.image.groups", image,                                      \
			"workload=[{write_buffer: {buffer: a, bytes: 8192, page_bytes: 128}}, "    \
			"{write_buffer: {buffer: b, bytes: 36864, page_bytes: 2048}}, "            \
			"{write_buffer: {buffer: c, bytes: 4096, page_bytes: 2048}}, "             \
			"{write_buffer: {buffer: d, bytes: 8192, page_bytes: 2048}}, "             \
			"{enqueue_workload: {library: conv2d, element: bf16, cores: 4, image: "    \
			"{size: [8, 8], kernel: [3, 3], padding: [1, 1], groups: 2}, "             \
			"buffers: {from: a, weight: b, bias: c, to: d}}}, finish]",                \
			ACTS},                                                                     \
		{"step.read_buffer.save", chip,                                                    \
			"workload.1.read_buffer.blocking=true;workload.1.read_buffer.save=b",      \
			ACTS},                                                                     \
	{                                                                                          \
		"measure.log.trace", chip, TRACED ";measure.log.trace=debug", ACTS                 \
	}
static const char mesh[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: tgg\n"
	"runtime: {mesh: {shape: [2, 2]}, forward: {path: broadcast}, host: {threads: pool}}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536}\n"
	"  - repeat: 4\n"
	"    do:\n"
	"      - enqueue_workload: {cores: 8, kernel_bytes: 4096, runtime_args: 4, run_ns: 100}\n"
	"  - finish\n"
	"  - read_buffer: {buffer: a, blocking: true}\n";
static const char meshes[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n300\n"
	"runtime: {meshes: {left: {shape: [1, 1]}, right: {shape: [1, 1], offset: [0, 1]}}}\n"
	"workload:\n"
	"  - {mesh: left, enqueue_workload: {blocking: true}}\n"
	"  - {mesh: right, enqueue_workload: {blocking: true}}\n";
static const char divided[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"runtime: {sub_devices: {a: {cores: [4, 4]}, b: {cores: [4, 4], offset: [4, 0]}}, "
	"sub_device_l1_bytes: 65536}\n"
	"workload:\n"
	"  - write_buffer: {buffer: x, bytes: 8192, memory: l1, sub_device: a}\n"
	"  - enqueue_workload: {sub_device: a, run_ns: 20000}\n"
	"  - enqueue_workload: {sub_device: b, run_ns: 20000}\n"
	"  - finish\n";
/* Two hosts, each with one chip of the mesh, and more data than fits into a message. */
static const char hosts[] =
	"meshsim: 1\nname: keys\nplatform: galaxy-x2\n"
	"runtime: {mesh: {shape: [2, 1], offset: [3, 0]}}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 262144, spread: sharded}\n"
	"  - repeat: 8\n"
	"    do: [enqueue_workload: {kernel_bytes: 4096, runtime_args: 4, run_ns: 9000}]\n"
	"  - read_buffer: {buffer: a, blocking: true}\n";
/* Broadcasts and unicasts on one link between neighbours whose routers have few slots. */
static const char crowded[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: {extends: tgg, topology: {links: 1, gateways: {links: 1}}, "
	"chip: {router_receiver_slots: 1, ring_free_slots: 1}}\n"
	"runtime: {mesh: {shape: [2, 4]}, command_queues: 2, forward: {path: broadcast}}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 1048576, page_bytes: 4096, spread: sharded}\n"
	"  - repeat: 4\n"
	"    do:\n"
	"      - enqueue_workload: {cores: 8, kernel_bytes: 8192, queue: 1}\n"
	"  - finish\n";
static const char together[] = "meshsim: 1\n"
			       "name: keys\n"
			       "platform: t3k\n"
			       "runtime: {command_queues: 2}\n"
			       "workload:\n"
			       "  - collective: {op: all_gather, size_bytes: 524288}\n"
			       "  - enqueue_workload: {run_ns: 1000}\n"
			       "  - finish\n";
static const char fabric[] = "meshsim: 1\n"
			     "name: keys\n"
			     "platform: t3k\n"
			     "workload:\n"
			     "  - fabric_ping: {payload_bytes: 64, samples: 4}\n"
			     "  - fabric_traffic: {pattern: linear_multicast, packet_bytes: 2048, "
			     "packets: 20, warmup: 2}\n";
#define TENSOR(grid, tiles, space)                                                                 \
	"tensor<64x96xbf16, #tt.layout<(d0, d1) -> (d0, d1), zero, <" grid ">, memref<" tiles      \
	"x!tt.tile<32 x 32, bf16>, #tt.memory_space<" space ">>>>"
static const char tensors[] = "meshsim: 1\n"
			      "name: keys\n"
			      "platform: n150\n"
			      "runtime: {command_queues: 2}\n"
			      "workload:\n"
			      "  - write_tensor: {tensor: a, layout: '" TENSOR(
				      "2x3", "1x1", "l1") "'}\n"
							  "  - read_tensor: {tensor: a}\n";

/* Kernels with instructions, from the library. */
static const char acting[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536}\n"
	"  - write_buffer: {buffer: b, bytes: 65536}\n"
	"  - write_buffer: {buffer: c, bytes: 65536, memory: l1}\n"
	"  - enqueue_workload: {library: copy, buffers: {from: a, to: b}, cores: 4}\n"
	"  - read_buffer: {buffer: b}\n";
static const char matmul[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 49152, page_bytes: 2048}\n"
	"  - write_buffer: {buffer: b, bytes: 49152, page_bytes: 2048}\n"
	"  - write_buffer: {buffer: c, bytes: 32768, page_bytes: 2048}\n"
	"  - enqueue_workload: {library: matmul, element: bf16, tiles: [4, 4, 6], cores: 4, "
	"buffers: {left: a, right: b, to: c}}\n"
	"  - finish\n";
static const char image[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 8192, page_bytes: 128}\n"
	"  - write_buffer: {buffer: b, bytes: 36864, page_bytes: 2048}\n"
	"  - write_buffer: {buffer: c, bytes: 2048, page_bytes: 2048}\n"
	"  - write_buffer: {buffer: d, bytes: 4096, page_bytes: 2048}\n"
	"  - enqueue_workload: {library: conv2d, element: bf16, cores: 4, image: {size: [8, 8], "
	"kernel: [3, 3], padding: [1, 1]}, buffers: {from: a, weight: b, bias: c, to: d}}\n"
	"  - finish\n";
/* Kernels with instructions, which the scenario contains. */
static const char kernels[] =
	"meshsim: 1\n"
	"name: keys\n"
	"platform: n150\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536}\n"
	"  - enqueue_workload:\n"
	"      cores: 4\n"
	"      buffers: {from: a}\n"
	"      kernels:\n"
	"        - arguments: [core, 300]\n"
	"          text: \"argument r1, 1\\nargument r2, 0\\nbusy r1\\npage r4, r2, from\\n"
	"add r6, r0, 0x100000\\nread r6, r4, 64\"\n"
	"  - finish\n";

#endif
