/* Fixture for mesh tests (see mesh_case.h). */
#include "test.h"

#include "mesh_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "deadline.h"
#include "world/native/native.h"

enum { ARGS_MAX = 256, SCAN_BYTES = 48 << 10 };

void mesh_case_init(struct mesh_case *test, uint16_t rows, uint16_t columns, enum test_pcie pcie)
{
	memset(test, 0, sizeof(*test));
	test->cluster_config =
		(struct test_cluster){.rows = rows, .columns = columns, .pcie = pcie};
	firmware_limits_plain(&test->limits);
	mesh_config_init(&test->config);
	test->config.shape = (struct mesh_shape){rows, columns};
	test->config.command_queues = 2;
	test->config.costs = &test->costs;
	test->config.limits = &test->limits;
	test->config.host.caller_wait = WAIT_SPIN_THEN_PARK;
	test->config.sizes.issue_queue_bytes = 1 << 20;
	test->config.sizes.completion_queue_bytes = 256 << 10;
}

void mesh_case_choose(struct mesh_case *test, const char *forward, uint32_t initiators,
	const char *completion, const char *threads)
{
	test->config.forward.path = forward_find(forward);
	test->config.forward.initiators = initiators;
	test->config.completion = completion_find(completion);
	test->config.host.threads = threads_find(threads);
}

const struct completion_ops *sound_row(size_t index)
{
	for (size_t i = 0; completion_row(i) != NULL; i++)
		if (completion_row(i)->entry.hazard == NULL && index-- == 0)
			return completion_row(i);
	return NULL;
}

const char *sound_name(size_t index)
{
	return sound_row(index) ? sound_row(index)->entry.name : NULL;
}

void mesh_case_each_combination(void (*run)(const char *forward, const char *completion,
	const char *threads, enum test_pcie pcie, bool cache))
{
	for (size_t f = 0; forward_row(f) != NULL; f++)
		for (size_t c = 0; sound_row(c) != NULL; c++)
			for (size_t t = 0; threads_row(t) != NULL; t++)
				for (int pcie = 0; pcie < 3; pcie++)
					run(forward_name(f), sound_name(c), threads_name(t),
						(enum test_pcie)pcie, (f + c + t) % 2 == 0);
}

void mesh_case_open(struct mesh_case *test)
{
	deadline_start("a case on a native mesh");
	world = &native_world;
	device_row = &native_device;
	native_world_start(NULL);
	test->info = test_cluster_info_new(&test->cluster_config);
	test->cluster = native_cluster_new(test->info);
	assert_non_null(test->cluster);
	mesh_case_attach(test);
}

void mesh_case_attach(struct mesh_case *test)
{
	struct text why = {0};
	enum status status;

	test->system = mesh_system_new(test->cluster);
	status = mesh_open(test->system, &test->config, &why, &test->mesh);
	assert_string_equal(text_string(&why), "");
	assert_int_equal(status, STATUS_OK);
	text_fini(&why);
}

void mesh_case_close(struct mesh_case *test)
{
	mesh_close(test->mesh);
	native_cluster_free(test->cluster);
	mesh_system_free(test->system);
	test_cluster_info_free(test->info);
	deadline_stop();
}

static const struct chip_geometry *geometry_of(const struct mesh_case *test)
{
	return device_row->info(test->cluster)->chips[0].geometry;
}

void mesh_case_inspect(struct mesh_case *test, uint32_t device, uint16_t tile, uint32_t address,
	uint32_t length, void *out)
{
	uint32_t columns = test->config.shape.columns;
	uint16_t chip = mesh_device_chip(
		test->mesh, (uint16_t)(device / columns), (uint16_t)(device % columns));

	assert_int_equal(device_row->drain(test->cluster, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(device_row->inspect(
				 device_row->chip(test->cluster, chip), tile, address, length, out),
		STATUS_OK);
}

struct launch_message mesh_case_message(struct mesh_case *test, uint32_t device, uint16_t tile)
{
	static uint8_t bytes[SCAN_BYTES];
	struct launch_message message, last = {.operation = 0};

	mesh_case_inspect(test, device, tile, 0, sizeof(bytes), bytes);
	for (uint32_t at = 0; at + LAUNCH_BYTES <= sizeof(bytes); at += COMMAND_ALIGN)
		if (launch_decode(bytes + at, &message) == STATUS_OK &&
			message.operation >= last.operation)
			last = message;
	assert_true(last.operation > 0);
	return last;
}

struct launch_result mesh_case_result(struct mesh_case *test, uint32_t device, uint32_t core)
{
	const struct chip_geometry *geometry = geometry_of(test);
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	struct launch_result result;

	mesh_case_inspect(test, device, geometry->worker_tiles[core],
		mesh_worker_result(test->mesh), sizeof(bytes), bytes);
	launch_result_decode(bytes, &result);
	return result;
}

struct program *mesh_case_program(
	struct mesh_case *test, const char *name, struct cores cores, uint32_t bytes, uint32_t args)
{
	struct program *program = program_new(test->mesh, name);
	uint32_t index;

	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		struct kernel_config config = {.processor = (enum processor)i,
			.cores = cores,
			.bytes = bytes,
			.cycles = 100};

		if (i == PROCESSOR_BRISC)
			config.unique_args = config.common_args = args;
		assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
	}
	assert_int_equal(program_add_circular_buffer(program, cores, 2, 2048, NULL), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, cores, 7, NULL, &index), STATUS_OK);
	return program;
}

struct workload *mesh_case_workload(struct mesh_case *test, struct program *program)
{
	struct workload *workload = workload_new(test->mesh);

	assert_int_equal(
		workload_add(workload, program, device_range_all(test->config.shape), NULL),
		STATUS_OK);
	return workload;
}

static uint32_t arg_value(uint32_t core, uint32_t index, uint32_t generation)
{
	return (uint32_t)hash_mix((uint64_t)generation << 40 | (uint64_t)core << 20 | index);
}

static void make_args(uint32_t core, uint32_t args, uint32_t generation, uint32_t *out)
{
	assert_true(args <= ARGS_MAX);
	for (uint32_t i = 0; i < args; i++)
		out[i] = arg_value(core, i, generation);
}

enum { COMMON = 1000 }; /* takes the place of the core number in the common arguments */

void mesh_case_set_args(struct mesh_case *test, struct program *program, struct cores cores,
	uint32_t args, uint32_t generation)
{
	const struct chip_geometry *geometry = geometry_of(test);
	uint32_t words[ARGS_MAX], count = 0;

	make_args(COMMON, args, generation, words);
	assert_int_equal(program_set_common_args(program, 0, words, args), STATUS_OK);
	for (uint32_t core = 0; core < (uint32_t)geometry->worker_columns * geometry->worker_rows;
		core++) {
		make_args(core, args, generation, words);
		count += program_set_args(program, 0, core, words, args) == STATUS_OK;
	}
	if (cores.kind == CORES_COUNT)
		assert_int_equal(count, cores.count);
}

uint32_t mesh_case_checksum(uint32_t core, uint32_t args, uint32_t generation)
{
	uint8_t unique[4 * ARGS_MAX], common[4 * ARGS_MAX];
	uint32_t words[ARGS_MAX];

	make_args(core, args, generation, words);
	for (uint32_t i = 0; i < args; i++)
		bytes_put32(unique + 4 * i, words[i]);
	make_args(COMMON, args, generation, words);
	for (uint32_t i = 0; i < args; i++)
		bytes_put32(common + 4 * i, words[i]);
	return launch_checksum(unique, 4 * args, common, 4 * args);
}

void mesh_case_check_parts(struct mesh_case *test, struct mesh_buffer *buffer, const uint8_t *data,
	const uint32_t *last, uint32_t bytes)
{
	struct mesh_shape shape = mesh_device_shape(test->mesh);
	uint32_t queues = mesh_queue_count(test->mesh);
	uint8_t *back = malloc(bytes);

	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++) {
		assert_int_equal(enqueue_read_shard(mesh_queue(test->mesh, device % queues), buffer,
					 (uint16_t)(device / shape.columns),
					 (uint16_t)(device % shape.columns), back, true, 0),
			STATUS_OK);
		assert_memory_equal(data + (size_t)last[device] * bytes, back, bytes);
	}
	free(back);
}

struct mesh_counters mesh_case_write_in_turns(struct mesh_case *test, uint32_t bytes)
{
	enum { ROUNDS = 12 };
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = bytes};
	struct mesh_shape shape = mesh_device_shape(test->mesh);
	uint32_t devices = mesh_device_count(test->mesh);
	uint32_t *last = calloc(devices, sizeof(*last));
	uint8_t *data = malloc((ROUNDS + 1) * bytes);
	struct command_queue *queue = mesh_queue(test->mesh, 1);
	struct mesh_counters counters;
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	mesh_case_fill(data, (ROUNDS + 1) * bytes, 1);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t device = 7 * i % devices;

		assert_int_equal(
			enqueue_write_buffer(queue, buffer, data + i * bytes, false, 0), STATUS_OK);
		for (uint32_t k = 0; k < devices; k++)
			last[k] = i;
		if (i % 3 == 0)
			continue;
		assert_int_equal(
			enqueue_write_shard(queue, buffer, (uint16_t)(device / shape.columns),
				(uint16_t)(device % shape.columns), data + (i + 1) * bytes, false,
				0),
			STATUS_OK);
		last[device] = i + 1;
	}
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test->mesh, &counters);
	mesh_case_check_parts(test, buffer, data, last, bytes);
	mesh_buffer_free(buffer);
	mesh_close(test->mesh);
	free(data);
	free(last);
	return counters;
}

void mesh_case_fill(void *bytes, size_t length, uint64_t seed)
{
	uint8_t *at = bytes;

	for (size_t i = 0; i < length; i++)
		at[i] = (uint8_t)hash_mix(seed * 1000003 + i);
}
