/* A random program on one host and on several (see hosts_same.h). */
#include "hosts_same.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/stream.h"
#include "check.h"
#include "deadline.h"
#include "hosts_divided.h"
#include "hosts_tensors.h"
#include "world/native/native.h"

enum {
	STEPS = 60,
	BUFFERS = 6,
	BYTES = 1 << 15,
	SEEN = 3,	  /* number of reads of the trace */
	REGION = 1 << 18, /* number of bytes of each bank, and of L1, that are compared */
	WORKERS = 12,
	BANKS = 4,
};

/* ---- the program ---- */

struct run {
	struct device_handle *device;
	const struct handle_ops *ops;
	struct stream stream;
	struct handle_buffer *buffers[BUFFERS];
	struct program *programs[2];
	struct workload *workloads[2];
	struct handle_trace *trace;
	struct handle_event captured; /* event that the trace captured */
	uint8_t *data, *back, *seen[SEEN];
	uint64_t reads;
};

static uint64_t hash_of(const void *bytes, size_t count, uint64_t hash)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = hash_mix(hash ^ at[i]);
	return hash;
}

/* Returns the layout of buffer `index`. Layout 0 is replicated. Layouts 1 and 2 have shards in both
 * directions. Layouts 3 and 4 are replicated along one direction. In layouts from number 5 on, some
 * rows or columns of devices have no shard. */
static struct mesh_layout layout_of(uint32_t index)
{
	struct mesh_layout layout = {.sharded = index > 0, .size_bytes = BYTES};

	if (index > 0) {
		layout.global_height = 16;
		layout.global_width = BYTES / 16 / 4;
		layout.shard_height = 4;
		layout.shard_width = layout.global_width / 4;
		layout.orientation = index % 2 ? ORIENTATION_ROW_MAJOR : ORIENTATION_COLUMN_MAJOR;
	}
	if (index >= 5) { /* a row or column of devices has no shard */
		layout.shard_height = 8;
		layout.shard_width = layout.global_width / 4;
	} else if (index == 3) {
		layout.shard_height = 0;
	} else if (index == 4) {
		layout.shard_width = 0;
	}
	return layout;
}

static void make_buffers(struct run *run)
{
	for (uint32_t i = 0; i < BUFFERS; i++) {
		const struct mesh_layout layout = layout_of(i);
		const struct buffer_config config = {
			.type = i == 2 ? BUFFER_L1 : BUFFER_DRAM, .page_bytes = 128};
		struct text why = {0};
		enum status status =
			run->ops->buffer_new(run->device, &layout, &config, &why, &run->buffers[i]);

		check(status == STATUS_OK, "buffer %u: %s", i, text_string(&why));
	}
}

/* Makes two workloads. The first runs on the upper half of the rows. So if the rows are divided
 * among the hosts, some hosts do not run this workload. The second workload runs on all devices;
 * the devices in the middle get other arguments than the rest. */
static void make_workloads(struct run *run)
{
	const struct device_range upper = {0, 0, HOSTS_SAME_ROWS / 2 - 1, HOSTS_SAME_COLUMNS - 1};
	const struct device_range middle = {1, 1, HOSTS_SAME_ROWS - 2, HOSTS_SAME_COLUMNS - 2};
	const struct cores cores = {.kind = CORES_ALL},
			   some = {.kind = CORES_RECTANGLE, .rect = {0, 1, 2, 1}};
	struct kernel_config kernel = {
		.cores = cores, .bytes = 600, .cycles = 10, .unique_args = 3, .common_args = 2};
	uint32_t index;

	for (uint32_t i = 0; i < 2; i++) {
		run->programs[i] = run->ops->program_new(run->device, i ? "second" : "first");
		check_status(
			program_add_kernel(run->programs[i], &kernel, NULL, &index), STATUS_OK);
		check_status(program_add_circular_buffer(run->programs[i], some, 2, 64, NULL),
			STATUS_OK);
		check_status(program_add_semaphore(run->programs[i], some, i + 4, NULL, &index),
			STATUS_OK);
		run->workloads[i] = run->ops->workload_new(run->device);
		check_status(
			workload_add(run->workloads[i], run->programs[i],
				i ? device_range_all(run->ops->shape(run->device)) : upper, NULL),
			STATUS_OK);
	}
	check_status(workload_refresh_args(run->workloads[1], middle, 77, NULL), STATUS_OK);
}

static struct handle_call some_call(struct run *run)
{
	return (struct handle_call){.queue = (uint32_t)stream_below(&run->stream, 2),
		.blocking = stream_below(&run->stream, 4) == 0};
}

/* Queues are not ordered with each other. So each step ends with a synchronization of both. */
static void join_queues(struct run *run, uint32_t queue)
{
	struct device_range all = device_range_all(run->ops->shape(run->device));
	struct handle_event event;

	check_status(run->ops->record(
			     run->device, (struct handle_call){.queue = queue}, all, false, &event),
		STATUS_OK);
	check_status(run->ops->wait(run->device, (struct handle_call){.queue = 1 - queue}, &event),
		STATUS_OK);
}

static void synchronize(struct run *run, uint32_t queue)
{
	struct device_range all = device_range_all(run->ops->shape(run->device));
	struct device_range one = {1, 0, 1, 0};
	struct handle_event event;

	check_status(run->ops->record(run->device, (struct handle_call){.queue = queue},
			     stream_below(&run->stream, 2) ? all : one, true, &event),
		STATUS_OK);
	check_status(run->ops->synchronize(run->device, &event, DEADLINE_NEVER), STATUS_OK);
}

static void finish(struct run *run)
{
	for (uint32_t i = 0; i < 2; i++)
		check_status(run->ops->finish(run->device, i, 0, DEADLINE_NEVER), STATUS_OK);
}

static void write_some(struct run *run, struct handle_call call, struct handle_buffer *buffer)
{
	uint64_t part = run->ops->buffer_device_bytes(buffer);

	finish(run); /* previous writes have left the memory now */
	mesh_case_fill(run->data, BYTES, stream_next(&run->stream) % 100000);
	if (stream_below(&run->stream, 2)) {
		check_status(run->ops->write(run->device, call, buffer, run->data), STATUS_OK);
		return;
	}
	check(part <= BYTES, "a part of %llu B", (unsigned long long)part);
	check_status(run->ops->write_shard(run->device, call, buffer,
			     (uint16_t)stream_below(&run->stream, HOSTS_SAME_ROWS),
			     (uint16_t)stream_below(&run->stream, HOSTS_SAME_COLUMNS), run->data),
		STATUS_OK);
}

static void read_some(struct run *run, struct handle_call call, struct handle_buffer *buffer)
{
	uint64_t bytes = BYTES;

	memset(run->back, 0, BYTES);
	if (stream_below(&run->stream, 2)) {
		check_status(run->ops->read(run->device, call, buffer, run->back), STATUS_OK);
	} else {
		bytes = run->ops->buffer_device_bytes(buffer);
		check_status(run->ops->read_shard(run->device, call, buffer,
				     (uint16_t)stream_below(&run->stream, HOSTS_SAME_ROWS),
				     (uint16_t)stream_below(&run->stream, HOSTS_SAME_COLUMNS),
				     run->back),
			STATUS_OK);
	}
	if (!call.blocking)
		check_status(
			run->ops->finish(run->device, call.queue, 0, DEADLINE_NEVER), STATUS_OK);
	run->reads = hash_of(run->back, bytes, run->reads);
}

static void launch(struct run *run, struct handle_call call, uint32_t which)
{
	if (stream_below(&run->stream, 2))
		program_refresh_args(
			run->programs[which], (uint32_t)stream_below(&run->stream, 1000));
	if (which == 1 && stream_below(&run->stream, 2))
		check_status(
			workload_refresh_args(run->workloads[1], (struct device_range){0, 0, 0, 0},
				(uint32_t)stream_below(&run->stream, 1000), NULL),
			STATUS_OK);
	check_status(run->ops->run(run->device, call, run->workloads[which]), STATUS_OK);
}

/* Captures a read of a whole buffer, or of one device. Most hosts take no part in this read. */
static void capture_read(struct run *run, bool whole, uint8_t *seen)
{
	const struct handle_call later = {.queue = 0};
	struct handle_buffer *buffer = run->buffers[stream_below(&run->stream, BUFFERS)];

	if (whole)
		check_status(run->ops->read(run->device, later, buffer, seen), STATUS_OK);
	else
		check_status(
			run->ops->read_shard(run->device, later, buffer,
				(uint16_t)stream_below(&run->stream, HOSTS_SAME_ROWS),
				(uint16_t)stream_below(&run->stream, HOSTS_SAME_COLUMNS), seen),
			STATUS_OK);
}

/* Captures a trace that ends with an event after all of its reads. */
static void capture(struct run *run)
{
	const struct handle_ops *ops = run->ops;
	const struct handle_call later = {.queue = 0};
	struct device_range all = device_range_all(ops->shape(run->device));
	struct text why = {0};

	finish(run);
	mesh_case_fill(run->data, BYTES, 5);
	check_status(ops->trace_begin(run->device, 0, NULL), STATUS_OK);
	capture_read(run, true, run->seen[0]);
	check_status(ops->write(run->device, later, run->buffers[1], run->data), STATUS_OK);
	memset(run->data, 0, BYTES); /* captured data are copied when they are captured */
	check_status(ops->run(run->device, later, run->workloads[0]), STATUS_OK);
	capture_read(run, false, run->seen[1]);
	check_status(ops->run(run->device, later, run->workloads[1]), STATUS_OK);
	capture_read(run, stream_below(&run->stream, 2), run->seen[2]);
	check_status(ops->record(run->device, later, all, true, &run->captured), STATUS_OK);
	check(ops->trace_end(run->device, 0, &why, &run->trace) == STATUS_OK, "%s",
		text_string(&why));
}

/* Replays several times in a row, without waiting for the data in between. */
static void replay(struct run *run, struct handle_call call)
{
	uint64_t times = 1 + stream_below(&run->stream, 3);
	struct handle_event event;

	call.queue = 0;
	if (run->trace == NULL) {
		capture(run);
		check_status(run->ops->trace_event(run->device, run->trace, &run->captured, &event),
			STATUS_NOT_FOUND);
	}
	for (uint32_t i = 0; i < SEEN; i++)
		memset(run->seen[i], 0, BYTES);
	for (uint64_t i = 0; i < times; i++)
		check_status(run->ops->replay(run->device, call, run->trace, 0), STATUS_OK);
	check_status(
		run->ops->trace_event(run->device, run->trace, &run->captured, &event), STATUS_OK);
	check_status(run->ops->synchronize(run->device, &event, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t i = 0; i < SEEN; i++)
		run->reads = hash_of(run->seen[i], BYTES, run->reads);
}

static void step(struct run *run)
{
	struct handle_call call = some_call(run);
	struct handle_buffer *buffer = run->buffers[stream_below(&run->stream, BUFFERS)];

	switch (stream_below(&run->stream, 6)) {
	case 0:
	case 1:
		write_some(run, call, buffer);
		break;
	case 2:
		read_some(run, call, buffer);
		break;
	case 3:
	case 4:
		launch(run, call, (uint32_t)stream_below(&run->stream, 2));
		break;
	default:
		replay(run, call);
		call.queue = 0;
	}
	join_queues(run, call.queue);
	if (stream_below(&run->stream, 5) == 0)
		synchronize(run, call.queue);
}

static uint64_t run_program(struct device_handle *device, uint64_t seed)
{
	struct run run = {.device = device,
		.ops = device->ops,
		.data = allocate(1, BYTES),
		.back = allocate(1, BYTES)};

	for (uint32_t i = 0; i < SEEN; i++)
		run.seen[i] = allocate(1, BYTES);
	stream_init(&run.stream, seed, "distributed");
	run.reads = hosts_divided_run(device, &run.stream);
	run.reads = hash_mix(run.reads ^ hosts_tensors_run(device, &run.stream));
	make_buffers(&run);
	make_workloads(&run);
	for (uint32_t i = 0; i < BUFFERS; i++) {
		mesh_case_fill(run.data, BYTES, 900 + i);
		check_status(run.ops->write(device, (struct handle_call){.blocking = true},
				     run.buffers[i], run.data),
			STATUS_OK);
	}
	for (uint32_t i = 0; i < STEPS; i++)
		step(&run);
	for (uint32_t i = 0; i < BUFFERS; i++)
		read_some(&run, (struct handle_call){.queue = i % 2, .blocking = i % 3 == 0},
			run.buffers[i]);
	finish(&run);
	run.ops->trace_free(run.trace);
	for (uint32_t i = 0; i < 2; i++) {
		run.ops->workload_free(device, run.workloads[i]);
		run.ops->program_free(device, run.programs[i]);
	}
	for (uint32_t i = 0; i < BUFFERS; i++)
		run.ops->buffer_free(run.buffers[i]);
	finish(&run); /* everything has completed */
	for (uint32_t i = 0; i < SEEN; i++)
		free(run.seen[i]);
	free(run.data);
	free(run.back);
	return run.reads;
}

/* ---- memory ---- */

static uint64_t look(struct device *chip, uint16_t tile, uint64_t end)
{
	uint8_t *bytes = allocate(1, REGION);
	uint64_t hash;

	check_status(device_row->inspect(chip, tile, (uint32_t)(end - REGION), REGION, bytes),
		STATUS_OK);
	hash = hash_of(bytes, REGION, tile);
	free(bytes);
	return hash;
}

/* Computes a hash of the memory of every DRAM bank and worker that contains buffers, and reads the
 * counters of the first worker. */
static void look_at(struct device *chip, const struct chip_geometry *geometry, uint64_t regions,
	struct hosts_outcome *outcome, uint32_t device)
{
	uint64_t dram_end = geometry->dram_bank_bytes - regions, hash = 0;

	for (uint32_t bank = 0; bank < BANKS; bank++)
		hash = hash_mix(hash ^ look(chip, geometry->dram_tiles[bank], dram_end));
	for (uint32_t core = 0; core < WORKERS; core++)
		hash = hash_mix(
			hash ^ look(chip, geometry->worker_tiles[core], geometry->l1_bytes));
	outcome->memory[device] = hash;
	outcome->results[device] = hosts_case_result_of(chip, geometry);
}

int hosts_same_begin(void **state)
{
	(void)state;
	hosts_case_learn_results();
	return 0;
}

/* True if binaries are allocated apart from buffers. */
static bool has_region(const struct hosts_choice *choice)
{
	return choice->allocation == NULL || allocation_find(choice->allocation)->region;
}

struct hosts_outcome hosts_same_one(uint64_t seed)
{
	return hosts_same_one_for((struct hosts_choice){0}, seed);
}

struct hosts_outcome hosts_same_one_for(struct hosts_choice choice, uint64_t seed)
{
	uint64_t region = has_region(&choice) ? 1 << 20 : 0;
	struct device_handle *device = NULL;
	struct hosts_outcome outcome = {0};
	struct mesh_case test;
	struct mesh_config config;

	mesh_case_init(&test, HOSTS_SAME_ROWS, HOSTS_SAME_COLUMNS, TEST_PCIE_LEFT);
	test.config.sizes.trace_region_bytes = 1 << 20;
	test.config.sizes.binary_region_bytes = region;
	hosts_case_choose(&test.config, &choice);
	config = test.config;
	world = &native_world;
	device_row = &native_device;
	native_world_start(NULL);
	deadline_start("the program on one host");
	test.info = test_cluster_info_new(&test.cluster_config);
	test.cluster = native_cluster_new(test.info);
	test.system = mesh_system_new(test.cluster);
	check_status(handle_row(0)->open(test.system, &config, NULL, &device), STATUS_OK);
	outcome.reads = run_program(device, seed);
	check_status(device_row->drain(test.cluster, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t i = 0; i < HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS; i++)
		look_at(device_row->chip(test.cluster, (uint16_t)i), test.info->chips[0].geometry,
			region + (1 << 20), &outcome, i);
	device->ops->close(device);
	native_cluster_free(test.cluster);
	mesh_system_free(test.system);
	test_cluster_info_free(test.info);
	deadline_stop();
	return outcome;
}

struct hosts_outcome hosts_same_many(struct hosts_choice choice, uint64_t seed)
{
	struct hosts_outcome outcome = {0};
	struct hosts_case hosts;

	choice.rows = HOSTS_SAME_ROWS;
	choice.columns = HOSTS_SAME_COLUMNS;
	hosts_case_init(&hosts, choice);
	hosts_counts_init(&hosts, &outcome.counts);
	hosts_case_open(&hosts);
	outcome.reads = run_program(hosts.handle, seed);
	hosts_case_drain(&hosts);
	for (uint16_t i = 0; i < HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS; i++)
		look_at(hosts_case_device(&hosts, i / HOSTS_SAME_COLUMNS, i % HOSTS_SAME_COLUMNS),
			hosts.executors[0].info->chips[0].geometry,
			has_region(&choice) ? 2 << 20 : 1 << 20, &outcome, i);
	hosts.handle->ops->counters(hosts.handle, &outcome.counts.mesh);
	hosts_case_close(&hosts, STATUS_OK);
	hosts_case_work(&hosts, &outcome.counts.work);
	return outcome;
}

void hosts_same_check(struct hosts_choice choice, const struct hosts_outcome *one,
	const struct hosts_outcome *many)
{
	const char *ground = choice.ground ? "simulated" : "native";
	const char *allocation = choice.allocation ? choice.allocation : "";
	const char *compile = choice.compile ? choice.compile : "";
	const char *receive = choice.receive ? choice.receive : "";

	check(one->reads == many->reads, "%s %s %s %s %s %s %s %s %u hosts: other bytes were read",
		ground, choice.transport, choice.codec, choice.resolution, choice.pipeline,
		allocation, compile, receive, choice.hosts);
	for (uint32_t i = 0; i < HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS; i++) {
		check(one->memory[i] == many->memory[i],
			"%s %s %s %s %s %s %s %s %u hosts: other memory on device %u", ground,
			choice.transport, choice.codec, choice.resolution, choice.pipeline,
			allocation, compile, receive, choice.hosts, i);
		check_equal(many->results[i].launches, one->results[i].launches);
		check_equal(many->results[i].program, one->results[i].program);
		check_equal(many->results[i].sum, one->results[i].sum);
	}
}
