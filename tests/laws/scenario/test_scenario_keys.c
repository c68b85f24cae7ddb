/* label: slow timeout: 900 long: 900
 * Tests every key of a scenario file. Another value of the key must change the simulation, or every
 * other value must be rejected. Most keys are tried with the values that the schema allows; the
 * table below has the others. The normal test tries every third key, the long test all keys. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/scenario.h"
#include "key_run.h"
#include "key_scenarios.h"
#include "seeds.h"
#include "shell.h"

enum effect {
	ACTS,	/* a different result */
	SAME,	/* the same result: the key only affects how it is computed or limited */
	REFUSED /* no other value is allowed */
};

struct key {
	const char *schema; /* schema path: "runtime.mesh.shape", "step.write_buffer.bytes" */
	const char *scenario;
	const char *set; /* the other value, or several changes separated by ';' */
	enum effect effect;
};

/* KEY is a key whose other value alone acts. STEP_KEY is a key of the step `at` of the workload. */
#define KEY(scenario, key, value, effect)                                                          \
	{                                                                                          \
		key, scenario, key "=" value, effect                                               \
	}
#define STEP_KEY(scenario, at, key, value, effect)                                                 \
	{                                                                                          \
		"step." key, scenario, at "." key "=" value, effect                                \
	}

static const struct key keys[] = {
	KEY(chip, "meshsim", "2", REFUSED),
	KEY(chip, "name", "other", SAME), /* only in the result file */
	KEY(chip, "description", "words", SAME),
	KEY(chip, "platform", "n300", ACTS),
	KEY(chip, "seed", "2", ACTS),
	KEY(chip, "seeds", "[1, 2]", ACTS),
	KEY(chip, "sweep", "{model.noise: [on, off]}", ACTS),
	KEY(chip, "workload", "[finish]", ACTS),
	{"runtime.preset", mesh, "runtime={mesh: {shape: [2, 2]}, preset: today}", ACTS},
	KEY(mesh, "runtime.mesh.shape", "[2, 3]", ACTS),
	KEY(mesh, "runtime.mesh.offset", "[2, 3]", ACTS),
#define MATRIX                                                                                     \
	"workload.0={write_buffer: {buffer: a, bytes: 262144, memory: l1, layout: block-sharded, " \
	"page_matrix: [16, 8]"
	STEP_KEY(chip, "workload.0", "write_buffer.bottom_up", "true", ACTS),
	STEP_KEY(chip, "workload.0", "write_buffer.values", "bf16", SAME), /* test_e2e_prints.sh */
	{"step.write_buffer.page_matrix", chip, MATRIX "}}", ACTS},
	{"step.write_buffer.shard_pages", chip, MATRIX ", shard_pages: [3, 5]}}", ACTS},
	{"step.write_buffer.shard_cores", chip, MATRIX ", shard_cores: [2, 2]}}", ACTS},
	{"step.write_buffer.orientation", chip, MATRIX ", orientation: column-major}}", ACTS},
	{"runtime.meshes", chip, "runtime={meshes: {one: {shape: [1, 1]}}, command_queues: 2}",
		ACTS}, /* only in the name of the mesh */
	{"runtime.sub_devices", divided,
		"runtime.sub_devices={a: {cores: [3, 4]}, b: {cores: [4, 4], offset: [4, 0]}}",
		ACTS},
	KEY(divided, "runtime.sub_device_l1_bytes", "32768", ACTS),
	STEP_KEY(divided, "workload.0", "write_buffer.sub_device", "b", ACTS),
	STEP_KEY(divided, "workload.2", "enqueue_workload.sub_device", "a", ACTS),
	{"runtime.host.clients", meshes, "runtime.host.clients=per-mesh", ACTS},
	{"step.mesh", meshes, "workload.0.mesh=right", ACTS},
	KEY(chip, "runtime.coordinates", "physical",
		SAME), /* for one chip; its effect: test_coordinates.c */
	KEY(mesh, "runtime.forward.initiators", "per-row", ACTS),
	{"runtime.forward.initiator_place", mesh,
		"runtime.mesh.shape=[4, 2];runtime.forward.initiator_place=corner", ACTS},
	{"runtime.forward.initiator_chips", mesh,
		"runtime.forward={path: broadcast, initiator_place: named, "
		"initiator_chips: [[3, 0]]}",
		ACTS},
	KEY(mesh, "runtime.forward.multicast_members", "2", ACTS),
	{"runtime.forward.pieces", mesh,
		"runtime.mesh.shape=[4, 4];runtime.forward.multicast_members=8;"
		"runtime.forward.pieces=rows",
		ACTS},
	KEY(mesh, "runtime.forward.go", "all", ACTS),
	{"runtime.gather", mesh, "workload.0.write_buffer.spread=sharded;runtime.gather=device",
		ACTS},
	{"runtime.lowering", mesh, "runtime.forward.path=unicast;runtime.lowering=breadth-first",
		ACTS},
	{"runtime.forward.feed", mesh, "runtime.forward.initiators=2;runtime.forward.feed=shared",
		ACTS},
	KEY(fabric, "runtime.fabric.topology", "ring", ACTS),
	KEY(hosts, "runtime.distributed.transport", "tcp", ACTS),
	KEY(hosts, "runtime.distributed.codec", "msgpack", ACTS),
	KEY(hosts, "measure.log.distributed", "debug", ACTS),
	{"measure.log.lines", chip, "measure.log.dispatch=debug;measure.log.lines=1", ACTS},
	KEY(hosts, "runtime.distributed.resolution", "executors", ACTS),
	KEY(hosts, "runtime.distributed.resolution", "controller", ACTS),
	{"runtime.distributed.broadcast", hosts,
		"platform=galaxy-x2-joined;runtime.forward.path=broadcast;runtime.distributed."
		"broadcast=machine",
		ACTS},
	KEY(hosts, "runtime.distributed.pipeline", "main", ACTS),
	KEY(hosts, "runtime.distributed.executor_threads", "true", ACTS),
	KEY(hosts, "runtime.distributed.stages.resolution", "merged", ACTS),
	KEY(hosts, "runtime.distributed.stages.serialization", "merged", ACTS),
	KEY(hosts, "runtime.distributed.stages.send", "merged", ACTS),
	KEY(hosts, "runtime.distributed.stages.deserialization", "merged", ACTS),
	KEY(hosts, "runtime.distributed.stages.read", "merged", ACTS),
	KEY(hosts, "runtime.distributed.stages.executor_receive", "own", ACTS),
	KEY(hosts, "runtime.distributed.stages.executor_send", "own", ACTS),
	KEY(hosts, "runtime.distributed.stages.receive", "merged", REFUSED),
	{"runtime.distributed.stages.receive", hosts,
		"runtime.distributed.pipeline=main;runtime.distributed.stages.receive=own", ACTS},
	KEY(hosts, "runtime.distributed.stages.executor_deserialization", "own", REFUSED),
	{"runtime.distributed.stages.executor_deserialization", hosts,
		"runtime.distributed.executor_threads=true;runtime.distributed.stages.executor_"
		"deserialization=own",
		ACTS},
	KEY(hosts, "runtime.distributed.receive", "pinned", ACTS),
	KEY(hosts, "runtime.distributed.completion_reader", "thread", ACTS),
	{"step.write_buffer.stored", hosts, "workload.0.write_buffer.stored=true", ACTS},
	{"step.write_buffer.stored", chip, "workload.0.write_buffer.stored=true", REFUSED},
	{"runtime.distributed.loading", hosts,
		"workload.0.write_buffer.stored=true;runtime.distributed.loading=executors", ACTS},
	KEY(hosts, "runtime.distributed.allocator", "requests", ACTS),
	KEY(hosts, "runtime.distributed.allocator", "controller", ACTS),
	{"runtime.distributed.allocator", hosts,
		"runtime.distributed.compile=executors;runtime.distributed.allocator=controller",
		REFUSED},
	KEY(hosts, "runtime.distributed.compile", "executors", ACTS),
	KEY(hosts, "runtime.distributed.compile", "controller", ACTS),
	KEY(hosts, "runtime.distributed.descriptor", "discovered", ACTS),
	{"runtime.distributed.descriptor_file", hosts,
		"runtime.distributed.descriptor=offline;runtime.distributed.descriptor_file=none",
		REFUSED},
	{"runtime.distributed.program_cache", hosts,
		"runtime.distributed.compile=controller;runtime.distributed.program_cache=false",
		ACTS},
	KEY(hosts, "runtime.distributed.window", "1", ACTS),
	KEY(hosts, "runtime.distributed.message_bytes", "8192", ACTS),
	KEY(hosts, "runtime.distributed.wait", "park", ACTS),
	KEY(hosts, "runtime.distributed.poll_ns", "50000", ACTS),
	{"runtime.distributed.look_ns", hosts,
		"runtime.distributed.pipeline=main;runtime.distributed.window=2;runtime."
		"distributed.look_ns=1000",
		ACTS},
#define EVENTS                                                                                     \
	"workload.1.do=[enqueue_workload: {run_ns: 9000}, record_event: {event: e}, "              \
	"wait_event: {event: e}]"
#define TO_EXECUTORS "workload.1.do.1.record_event.to_executors"
#define FAULT(keys)  "runtime.distributed.reply_ns=1000000000;model.fault={" keys "}"
#define CUT	     FAULT("kind: cut, host: 1, at_us: 100, for_us: 500")
	{"runtime.distributed.reply_ns", hosts,
		FAULT("kind: late, host: 1, at_us: 500") ";runtime.distributed.reply_ns=400000",
		ACTS},
	{"model.fault.kind", hosts, FAULT("kind: controller-death"), ACTS},
	{"model.fault.host", hosts, CUT ";model.fault.host=0", ACTS},
	{"model.fault.host", hosts, CUT ";model.fault.host=2", REFUSED},
	{"model.fault.at_us", hosts, CUT ";model.fault.at_us=900", ACTS},
	{"model.fault.for_us", hosts, CUT ";model.fault.for_us=400000", ACTS},
	KEY(mesh, "runtime.forward.packetizer", "fused", ACTS),
	{"runtime.forward.route", mesh, "runtime.mesh.shape=[2, 4];runtime.forward.route=ring",
		ACTS},
	{"runtime.forward.dispatcher", mesh,
		"runtime.forward.ordering=event;runtime.forward.dispatcher=dedicated", ACTS},
	KEY(mesh, "runtime.forward.ordering", "event", ACTS),
	KEY(mesh, "runtime.forward.credits", "off", ACTS),
	{"runtime.forward.trace_hold", mesh,
		"workload.1={trace: 4, do: [enqueue_workload: {cores: 8, runtime_args: 4}]};"
		"runtime.forward.trace_hold=swept",
		ACTS},
	KEY(crowded, "runtime.forward.channels", "own", ACTS),
	{"runtime.host.queues", mesh, "runtime.host.queues=own;runtime.forward.path=unicast", ACTS},
	{"runtime.host.queues", mesh, "runtime.host.queues=stealing;runtime.forward.path=unicast",
		ACTS},
	{"runtime.host.pool_tasks", mesh,
		"runtime.host.pool_tasks=batches;runtime.forward.path=unicast", ACTS},
	{"runtime.host.batch_devices", mesh,
		"runtime.host.pool_tasks=batches;runtime.host.batch_devices=2;"
		"runtime.forward.path=unicast",
		ACTS},
	{"runtime.host.readers", mesh,
		"runtime.host.readers=per-mesh;runtime.completion=per-device", ACTS},
	KEY(mesh, "runtime.host.pollers", "3", ACTS),
	{"runtime.host.create", mesh, "runtime.host.create=per-device;runtime.forward.path=unicast",
		ACTS},
	{"runtime.host.compile", mesh, "runtime.host.compile=per-mesh", ACTS},
	{"runtime.host.compile", hosts,
		"runtime.distributed.compile=executors;runtime.host.compile=per-mesh", ACTS},
	{"runtime.host.pin", mesh, "runtime.host.pin=spread;runtime.forward.path=unicast", ACTS},
	{"runtime.host.worker_wait", mesh,
		"runtime.forward.path=unicast;runtime.host.worker_wait=spin", ACTS},
	{"runtime.host.spin_ns", mesh,
		"runtime.forward.path=unicast;runtime.host.worker_wait=spin-then-park;"
		"runtime.host.spin_ns=100",
		ACTS},
	{"runtime.command_buffers", chip,
		"workload.0.write_buffer={buffer: a, bytes: 65536, page_bytes: 2048};"
		"runtime.command_buffers=1",
		ACTS},
	{"runtime.sizes.issue_queue_bytes", chip,
		"workload.0.write_buffer={buffer: a, bytes: 1048576, page_bytes: 64};"
		"runtime.sizes.issue_queue_bytes=262144",
		ACTS},
	/* too small for the trace */
	{"runtime.sizes.trace_region_bytes", chip, TRACED ";runtime.sizes.trace_region_bytes=32",
		REFUSED},
	{"runtime.sizes.page_alignment_bytes", chip,
		"runtime.sizes.page_alignment_bytes=4096;workload.0.write_buffer.page_bytes=1024",
		ACTS},
	{"model.cores", chip,
		"workload.4.do.0.enqueue_workload.pages=4;"
		"workload.4.do.0.enqueue_workload.processors=all;model.cores=chip",
		ACTS},
	KEY(chip, "model.noc", "links", ACTS),
	{"model.scheduler", chip,
		"platform.host.sockets=1;platform.host.cores_per_socket=1;model.scheduler=fair",
		ACTS},
	KEY(chip, "model.elide_above_bytes", "100000", ACTS),
	KEY(chip, "measure.metric", "reach", SAME), /* only affects compare */
	KEY(chip, "measure.objective", "[reach, host_cpu]", SAME),
	/* stored in tables of their own; figures stay the same: test_traced_operations.sh */
	KEY(chip, "measure.trace.operations", "[1]", ACTS),
	KEY(chip, "measure.trace.slowest", "1", ACTS),
	{"measure.prints", chip,
		"workload.4.do.0.enqueue_workload={kernels: [{text: \"print r0, 1\"}]};"
		"measure.prints=1",
		ACTS},
	KEY(chip, "measure.seeds", "2", ACTS),
	KEY(chip, "measure.precision", "1 %", ACTS),
	{"limits.simulated_ms", chip,
		"workload.4.do.0.enqueue_workload.run_ns=10000000;limits.simulated_ms=1", ACTS},
	KEY(chip, "limits.wall_s", "100", SAME), /* its effect: test_runs.sh */
	KEY(chip, "limits.silent_s", "7", SAME), /* test_e2e_hosts_silent.sh */
	KEY(chip, "limits.lost_s", "70", SAME),
	{"step.as", chip, "workload.0.as=name", SAME}, /* only the name of its figures */
	{"step.repeat", chip, "workload.4.repeat=5", ACTS},
	{"step.repeat.rate_per_s", chip, "workload.4.rate_per_s=1000", ACTS},
	{"step.repeat.arrivals", chip, "workload.4.rate_per_s=1000;workload.4.arrivals=poisson",
		ACTS},
	{"step.repeat.do", chip, "workload.4.do=[finish]", ACTS},
#include "buffer_keys.def"
	STEP_KEY(tensors, "workload.0", "write_tensor.tensor", "b", REFUSED),
	STEP_KEY(tensors, "workload.0", "write_tensor.layout", "'" TENSOR("1x1", "2x3", "dram") "'",
		ACTS),
	STEP_KEY(tensors, "workload.0", "write_tensor.queue", "1", ACTS),
	STEP_KEY(tensors, "workload.1", "read_tensor.tensor", "b", REFUSED),
	STEP_KEY(tensors, "workload.1", "read_tensor.queue", "1", ACTS),
	STEP_KEY(tensors, "workload.1", "read_tensor.save", "b", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.program", "other",
		SAME), /* only a name, which identifies binaries */
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.cores", "[3, 4]", ACTS),
	STEP_KEY(mesh, "workload.1.do.0", "enqueue_workload.devices", "{shape: [1, 2]}", ACTS),
	{"step.enqueue_workload.devices.offset", mesh,
		"workload.1.do.0.enqueue_workload.devices={offset: [1, 1], shape: [1, 1]}", ACTS},
	{"step.enqueue_workload.devices.shape", mesh,
		"workload.1.do.0.enqueue_workload.devices={shape: [2, 1]}", ACTS},
#define RECORD "workload.2={record_event: {devices: "
	{"step.record_event.devices", mesh, RECORD "{shape: [1, 2]}}}", ACTS},
	{"step.record_event.devices.offset", mesh, RECORD "{shape: [1, 1], offset: [1, 0]}}}",
		ACTS},
	{"step.record_event.devices.shape", mesh, RECORD "{shape: [2, 1]}}}", ACTS},
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.processors", "[ncrisc, trisc1]", ACTS),
	{"step.enqueue_workload.ethernet_cores", chip,
		"workload.4.do.0.enqueue_workload.processors=[brisc, ethernet];"
		"workload.4.do.0.enqueue_workload.ethernet_cores=2",
		ACTS},
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.kernel_bytes", "2048", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.runtime_args", "16", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.common_runtime_args", "16", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.arguments", "kept", ACTS),
	{"step.enqueue_workload.arguments_per", mesh,
		"workload.1.do.0.enqueue_workload.runtime_args=4;"
		"workload.1.do.0.enqueue_workload.arguments_per=column",
		ACTS},
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.kernel_groups", "4", ACTS),
	{"step.enqueue_workload.circular_buffer_groups", chip,
		"workload.4.do.0.enqueue_workload.circular_buffers=3;"
		"workload.4.do.0.enqueue_workload.circular_buffer_groups=4",
		ACTS},
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.circular_buffers", "3", ACTS),
	{"step.enqueue_workload.circular_buffer_bytes", chip,
		"workload.4.do.0.enqueue_workload.circular_buffers=3;"
		"workload.4.do.0.enqueue_workload.circular_buffer_bytes=2097152",
		REFUSED},
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.semaphores", "3", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.pages", "5", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.run_ns", "5000", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.imbalance", "0.2", ACTS),
	STEP_KEY(
		chip, "workload.4.do.0", "enqueue_workload.processor_bytes", "{brisc: 2048}", ACTS),
	{"step.enqueue_workload.identity", chip,
		"workload.5={enqueue_workload: {identity: a, cores: 8}};"
		"workload.4.do.0={enqueue_workload: {identity: a, cores: 8}}",
		REFUSED}, /* test_workload_identity.sh */
	{"step.bring_up.flow", hosts,
		"workload.2={bring_up: {meshes: each}};workload.2.bring_up.flow=automatic", ACTS},
	{"step.bring_up.meshes", hosts, "workload.2={bring_up: {meshes: each}}", ACTS},
	{"step.bring_up.fault", hosts,
		"workload.2={bring_up: {meshes: each, flow: assisted}};"
		"workload.2.bring_up.fault=missing_chip",
		ACTS},
	{"step.bring_up.warm", hosts,
		"workload.2={bring_up: {meshes: each, flow: automatic}};"
		"workload.2.bring_up.warm=true",
		ACTS},
	{"step.think.for_ns", chip, "workload.5={think: {for_ns: 9000}}", ACTS},
	{"step.think.until_ns", chip, "workload.5={think: {until_ns: 900000}}", ACTS},
	{"step.enqueue_workload.programs", mesh,
		"workload.1.do.0={enqueue_workload: {programs: [{devices: {shape: [1, 2]}}, "
		"{devices: {shape: [1, 1], offset: [1, 1]}, run_ns: 4000}]}}",
		ACTS},
	{"step.enqueue_workload.library", acting, "workload.3.enqueue_workload={cores: 4}", ACTS},
	STEP_KEY(matmul, "workload.3", "enqueue_workload.element", "f32", REFUSED),
	STEP_KEY(matmul, "workload.3", "enqueue_workload.tiles", "[4, 4, 7]", REFUSED),
	STEP_KEY(image, "workload.4", "enqueue_workload.image.size", "[4, 16]", ACTS),
	{"step.enqueue_workload.image.kernel", image,
		"workload.4.enqueue_workload.image={size: [8, 8], kernel: [1, 9], padding: [0, 4]}",
		ACTS},
	STEP_KEY(image, "workload.4", "enqueue_workload.image.stride", "[2, 1]", REFUSED),
	STEP_KEY(image, "workload.4", "enqueue_workload.image.padding", "[0, 1]", ACTS),
	STEP_KEY(matmul, "workload.3", "enqueue_workload.image",
		"{size: [8, 8], kernel: [3, 3], stride: [2, 2], padding: [1, 1]}", REFUSED),
	STEP_KEY(matmul, "workload.3", "enqueue_workload.slice", "[0, 0, 1, 1]", REFUSED),
	{"step.enqueue_workload.kernels", kernels,
		"workload.1.enqueue_workload={cores: 4, kernels: [{text: busy 7}]}", ACTS},
	{"step.enqueue_workload.kernels.processor", kernels,
		"workload.1.enqueue_workload.kernels.0.processor=ncrisc", ACTS},
	{"step.enqueue_workload.kernels.text", kernels,
		"workload.1.enqueue_workload.kernels.0.text=busy 400", ACTS},
	{"step.enqueue_workload.kernels.arguments", kernels,
		"workload.1.enqueue_workload.kernels.0.arguments=[core, 900]", ACTS},
	{"step.enqueue_workload.circular_buffer_pages", chip,
		"workload.4.do.0.enqueue_workload.circular_buffers=3;"
		"workload.4.do.0.enqueue_workload.circular_buffer_pages=2000",
		REFUSED},
	STEP_KEY(acting, "workload.3", "enqueue_workload.buffers", "{from: a, to: c}", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.queue", "1", ACTS),
	STEP_KEY(chip, "workload.4.do.0", "enqueue_workload.blocking", "true", ACTS),
	STEP_KEY(chip, "workload.2", "record_event.event", "other", ACTS),
	STEP_KEY(chip, "workload.2", "record_event.to_host", "true", ACTS),
	STEP_KEY(chip, "workload.2", "record_event.queue", "1", ACTS),
	STEP_KEY(chip, "workload.3", "wait_event.event", "other", ACTS),
	{"step.wait_event.host", chip,
		"workload.2.record_event.to_host=true;workload.3.wait_event.host=true", ACTS},
	STEP_KEY(chip, "workload.3", "wait_event.queue", "0", ACTS),
	STEP_KEY(chip, "workload.2", "record_event.to_executors", "true", REFUSED),
	{"step.record_event.to_executors", hosts, EVENTS ";" TO_EXECUTORS "=true", ACTS},
	{"step.wait_event.executors", hosts,
		EVENTS ";" TO_EXECUTORS "=true;workload.1.do.2.wait_event.executors=true", ACTS},
	{"step.finish.queue", chip, "workload.5={finish: {queue: 1}}", ACTS},
	{"step.finish.sub_device", divided, "workload.3={finish: {sub_device: a}}", ACTS},
	{"runtime.bring_up", chip, "runtime.bring_up=timed", ACTS},
	{"runtime.traces", chip, TRACED ";runtime.traces=off", ACTS},
	DIVISION_KEYS,
	{"step.trace", chip, TRACED ";workload.5.trace=3", ACTS},
	{"step.trace.do", chip, TRACED ";workload.5.do=[enqueue_workload: {cores: 3}]", ACTS},
	{"step.trace.replays", chip, TRACED ";workload.5.replays=3", ACTS},
	{"step.trace.queue", chip, TRACED ";workload.5.queue=1", ACTS},
	{"step.trace.blocking", chip, TRACED ";workload.5.blocking=true", ACTS},
	{"step.trace.name", chip, NAMED ";workload.5.do.0.name=other", REFUSED},
	{"step.replay_trace.trace", chip, NAMED ";workload.5.do.1.replay_trace.trace=other",
		REFUSED},
	{"step.replay_trace.times", chip, NAMED ";workload.5.do.1.replay_trace.times=3", ACTS},
	{"step.replay_trace.queue", chip, NAMED ";workload.5.do.1.replay_trace.queue=1", ACTS},
	{"step.replay_trace.blocking", chip, NAMED ";workload.5.do.1.replay_trace.blocking=true",
		ACTS},
	{"step.release_trace.trace", chip, NAMED ";workload.5.do.2.release_trace.trace=other",
		REFUSED},
	STEP_KEY(fabric, "workload.0", "fabric_ping.op", "fused_atomic_inc", ACTS),
	STEP_KEY(fabric, "workload.0", "fabric_ping.hops", "2", ACTS),
	STEP_KEY(fabric, "workload.0", "fabric_ping.payload_bytes", "4096", ACTS),
	STEP_KEY(fabric, "workload.0", "fabric_ping.samples", "5", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.pattern", "unidir_linear_multicast", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.op", "scatter_write", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.links", "2", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.packet_bytes", "4096", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.packets", "30", ACTS),
	STEP_KEY(fabric, "workload.1", "fabric_traffic.warmup", "5", ACTS),
#include "collective_keys.def"
};

enum { KEYS = sizeof keys / sizeof *keys, SETS_MAX = 4 };

/* Copies the changes without the last one, which is the change of the key itself. */
static void all_but_last(const char *sets, char *out, size_t size)
{
	const char *last = strrchr(sets, ';');

	snprintf(out, size, "%.*s", last ? (int)(last - sets) : 0, sets);
}

static bool as_expected(const struct key *key)
{
	char before[1024];
	struct key_end old, now = key_run(key->scenario, key->set);

	all_but_last(key->set, before, sizeof before);
	old = key_run(key->scenario, before);
	if (old.code != 0) {
		print_error("%s: the base with '%s' ends with %d\n", key->schema, before, old.code);
		return false;
	}
	if ((key->effect == REFUSED && now.code == 2) ||
		(key->effect == ACTS && (now.code == 0 || now.code == 4) && old.print != now.print))
		return true;
	if (key->effect == SAME && now.code == 0 && old.print == now.print)
		return true;
	print_error("%s: --set %s ends with %d and the result is %s\n", key->schema, key->set,
		now.code, old.print == now.print ? "the same" : "another");
	return false;
}

TEST(every_key_acts)
{
	uint32_t bad = 0;

	for (int i = 0; i < KEYS; i++)
		bad += share_has((uint32_t)i) && !as_expected(&keys[i]);
	assert_int_equal(bad, 0);
}

/* ---- every key of the schema acts: in a row of the table, or with another of its values ---- */

static bool is_listed(const char *path)
{
	for (int i = 0; i < KEYS; i++)
		if (strcmp(keys[i].schema, path) == 0)
			return true;
	return false;
}

/* True if another value of the key changes the result of some scenario. */
static bool acts_by_its_row(const char *path, const struct schema_field *field)
{
	static const char *const scenarios[] = {mesh, chip};
	static uint64_t unchanged[2];
	char value[128], set[512];
	struct key_end end;

	for (size_t s = 0; s < 2; s++) {
		if (unchanged[s] == 0)
			unchanged[s] = key_run(scenarios[s], NULL).print;
		assert_int_not_equal(unchanged[s], 0);
		for (uint32_t i = 0; key_other_value(field, i, value, sizeof value); i++) {
			snprintf(set, sizeof set, "%s=%s", path, value);
			end = key_run(scenarios[s], set);
			if ((end.code == 0 || end.code == 4) && end.print != unchanged[s])
				return true;
		}
	}
	print_error(
		"no value of '%s' alone changes anything: say in the table what it takes\n", path);
	return false;
}

static uint32_t missing(const struct schema_field *fields, size_t count, const char *prefix)
{
	static uint32_t tried;
	uint32_t found = 0;
	char path[256];

	for (size_t i = 0; i < count; i++) {
		const struct schema_field *field = &fields[i];
		bool map = field->kind == SCHEMA_KIND_MAP || field->kind == SCHEMA_KIND_MAP_PTR;

		snprintf(path, sizeof path, "%s%s", prefix, field->name);
		if (!map || field->kind == SCHEMA_KIND_MAP_PTR)
			found += !is_listed(path) && share_has(tried++) &&
				 !acts_by_its_row(path, field);
		if (!map)
			continue;
		strcat(path, ".");
		found += missing(field->schema->fields, field->schema->field_count, path);
	}
	return found;
}

TEST(every_key_is_tried)
{
	const struct schema *schema = scenario_schema();
	uint32_t found = missing(schema->fields, schema->field_count, "");
	char path[256];

	for (size_t i = 0; i < step_variants.variant_count; i++) {
		const struct schema_variant *variant = &step_variants.variants[i];

		found += missing(&variant->field, 1, "step.");
		snprintf(path, sizeof path, "step.%s.", variant->field.name);
		found += missing(variant->siblings, variant->sibling_count, path);
	}
	assert_int_equal(found, 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
