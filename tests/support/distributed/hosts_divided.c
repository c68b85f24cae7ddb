/* Sub-devices on one or several hosts (see hosts_divided.h). */
#include "test.h"

#include "hosts_divided.h"

#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "mesh_case.h"

enum { HALVES = 2, BUFFERS = 4, BYTES = 1 << 13, PAGE = 128, LOCAL = 1 << 14, STEPS = 16 };

struct divided {
	struct device_handle *device;
	const struct handle_ops *ops;
	struct stream *stream;
	struct handle_buffer *buffers[BUFFERS];
	struct program *programs[HALVES];
	struct workload *workloads[HALVES], *both;
	struct handle_trace *trace;
	uint64_t reads;
};

static const struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};

/* Each half has two columns of workers. The second half also has the Ethernet cores. */
static const struct sub_device_config halves[HALVES] = {
	{.cores = {.kind = CORES_RECTANGLE, .rect = {0, 0, 1, 2}}},
	{.cores = {.kind = CORES_RECTANGLE, .rect = {2, 0, 3, 2}}, .ethernet = true},
};

static const struct sub_devices_config division = {halves, HALVES, LOCAL};

/* ---- buffers ---- */

static enum status new_buffer(struct divided *run, struct buffer_config config, bool spread,
	struct handle_buffer **buffer)
{
	struct mesh_layout layout = {.size_bytes = BYTES};

	if (spread) {
		layout.sharded = true;
		layout.global_height = 16;
		layout.global_width = BYTES / 16 / 4;
		layout.shard_height = 4;
		layout.shard_width = layout.global_width / 4;
	}
	config.page_bytes = PAGE;
	return run->ops->buffer_new(run->device, &layout, &config, NULL, buffer);
}

/* Makes four buffers in L1. Buffer 0 is interleaved over the workers of the first half of each
 * device, and buffer 1 over the workers of the second half. Buffer 2 is in shards on cores of the
 * second half. Buffer 3 is in the L1 of all workers. */
static void make_buffers(struct divided *run)
{
	const struct shard_parameters shard = {.pages_high = BYTES / PAGE,
		.pages_wide = 1,
		.shard_pages_high = BYTES / PAGE / 2,
		.shard_pages_wide = 1,
		.cores = {3, 0, 3, 1}};
	struct buffer_config config = {.type = BUFFER_L1, .sub_device = 1};
	struct handle_buffer *refused;

	check_status(new_buffer(run, config, false, &run->buffers[0]), STATUS_OK);
	config.sub_device = 2;
	check_status(new_buffer(run, config, true, &run->buffers[1]), STATUS_OK);
	check_equal(run->ops->sub_device_usage(run->device, 0).allocations, 1);
	config.layout = LAYOUT_HEIGHT_SHARDED;
	config.shard = shard;
	check_status(new_buffer(run, config, false, &run->buffers[2]), STATUS_OK);
	check_equal(run->ops->sub_device_usage(run->device, 1).allocations, 2);
	config.sub_device = 1;
	check_status(new_buffer(run, config, false, &refused), STATUS_OUT_OF_RANGE);
	config.sub_device = 3;
	check_status(new_buffer(run, config, false, &refused), STATUS_NOT_FOUND);
	config = (struct buffer_config){.type = BUFFER_L1};
	check_status(new_buffer(run, config, true, &run->buffers[3]), STATUS_OK);
}

static void write_one(struct divided *run, uint32_t index)
{
	static uint8_t data[BYTES];

	mesh_case_fill(data, BYTES, stream_next(run->stream) % 100000);
	check_status(run->ops->write(run->device, now, run->buffers[index], data), STATUS_OK);
}

static void read_one(struct divided *run, uint32_t index)
{
	static uint8_t back[BYTES];

	check_status(run->ops->read(run->device, now, run->buffers[index], back), STATUS_OK);
	for (uint32_t i = 0; i < BYTES; i++)
		run->reads = hash_mix(run->reads ^ back[i]);
}

/* ---- programs ---- */

static struct program *program_of(struct divided *run, uint32_t half)
{
	struct program *made = run->ops->program_new(run->device, half ? "right" : "left");
	struct kernel_config kernel = {.cores = halves[half].cores, .bytes = 300, .cycles = 10};
	uint32_t index;

	check_status(program_add_kernel(made, &kernel, NULL, &index), STATUS_OK);
	kernel.cores = halves[1 - half].cores;
	kernel.processor = PROCESSOR_NCRISC;
	check_status(program_add_kernel(made, &kernel, NULL, &index), STATUS_INVALID);
	check_status(program_add_circular_buffer(made, halves[half].cores, 2, 64, NULL), STATUS_OK);
	return made;
}

/* Makes three workloads. The first runs on the left half of all devices. The second runs on the
 * right half of the devices in the first row. The third runs in two rows: on the left half of the
 * devices in the second row, and on the right half of the devices in the third row. */
static void make_workloads(struct divided *run)
{
	struct device_range all = device_range_all(run->ops->shape(run->device)), row = all;

	row.row1 = 0;
	run->both = run->ops->workload_new(run->device);
	for (uint32_t i = 0; i < HALVES; i++) {
		run->programs[i] = program_of(run, i);
		run->workloads[i] = run->ops->workload_new(run->device);
		check_equal(workload_add(run->workloads[i], run->programs[i], i ? row : all, NULL),
			STATUS_OK);
	}
	row.row0 = row.row1 = 1;
	check_status(workload_add(run->both, run->programs[0], row, NULL), STATUS_OK);
	row.row0 = row.row1 = 2;
	check_status(workload_add(run->both, run->programs[1], row, NULL), STATUS_OK);
}

static void capture(struct divided *run)
{
	check_status(run->ops->trace_begin(run->device, 0, NULL), STATUS_OK);
	check_status(run->ops->run(run->device, later, run->workloads[0]), STATUS_OK);
	check_status(run->ops->run(run->device, later, run->workloads[0]), STATUS_OK);
	check_status(run->ops->trace_end(run->device, 0, NULL, &run->trace), STATUS_OK);
}

/* ---- the run ---- */

static void step(struct divided *run)
{
	uint32_t index = (uint32_t)stream_below(run->stream, BUFFERS);

	switch (stream_below(run->stream, 5)) {
	case 0:
		write_one(run, index);
		break;
	case 1:
		read_one(run, index);
		break;
	case 2:
		check_status(run->ops->replay(run->device, later, run->trace, 0), STATUS_OK);
		break;
	case 3:
		check_status(run->ops->run(run->device, later, run->both), STATUS_OK);
		break;
	default:
		check_equal(run->ops->run(run->device, index % 2 ? now : later,
				    run->workloads[index / 2]),
			STATUS_OK);
	}
}

static void finish(struct divided *run)
{
	for (uint32_t i = 0; i < run->ops->queue_count(run->device); i++)
		check_status(run->ops->finish(run->device, i, 0, DEADLINE_NEVER), STATUS_OK);
}

/* Joins the sub-devices again, which is allowed only after a finish and after all releases. */
static void make_whole(struct divided *run)
{
	const struct handle_ops *ops = run->ops;
	struct text why = {0};

	finish(run); /* so that the program alone makes its queue busy */
	check_status(ops->run(run->device, later, run->workloads[0]), STATUS_OK);
	check_status(ops->sub_devices_clear(run->device, &why), STATUS_INVALID);
	check(strstr(text_string(&why), "finished"), "%s", text_string(&why));
	text_fini(&why);
	finish(run);
	ops->trace_free(run->trace);
	ops->workload_free(run->device, run->both);
	for (uint32_t i = 0; i < HALVES; i++) {
		check_status(ops->sub_devices_clear(run->device, NULL), STATUS_INVALID);
		ops->workload_free(run->device, run->workloads[i]);
		ops->program_free(run->device, run->programs[i]);
	}
	for (uint32_t i = 0; i < BUFFERS; i++) {
		check_status(ops->sub_devices_clear(run->device, NULL), STATUS_INVALID);
		ops->buffer_free(run->buffers[i]);
	}
	check_status(ops->sub_devices_clear(run->device, NULL), STATUS_OK);
	check_status(ops->sub_devices_clear(run->device, NULL), STATUS_NOT_FOUND);
}

uint64_t hosts_divided_run(struct device_handle *device, struct stream *stream)
{
	struct divided run = {.device = device, .ops = device->ops, .stream = stream};
	uint64_t whole = device->ops->memory_usage(device, BUFFER_L1).total_bytes;
	struct sub_devices_config too_much = division;

	too_much.local_l1_bytes = 1 << 30;
	check_status(run.ops->sub_devices_load(device, &too_much, NULL), STATUS_NO_SPACE);
	check_status(run.ops->sub_devices_load(device, &division, NULL), STATUS_OK);
	check_status(run.ops->sub_devices_load(device, &division, NULL), STATUS_EXISTS);
	check_equal(run.ops->memory_usage(device, BUFFER_L1).total_bytes,
		whole - division.local_l1_bytes);
	make_buffers(&run);
	make_workloads(&run);
	for (uint32_t i = 0; i < BUFFERS; i++)
		write_one(&run, i);
	capture(&run);
	for (uint32_t i = 0; i < STEPS; i++)
		step(&run);
	for (uint32_t i = 0; i < BUFFERS; i++)
		read_one(&run, i);
	make_whole(&run);
	check_equal(run.ops->memory_usage(device, BUFFER_L1).total_bytes, whole);
	return run.reads;
}
