/* label: full  needs: simgrid timeout: 300
 * Tests the device handle. The test uses only the handle, and runs on every kind of device, on one
 * device and on a mesh, in the native and the simulated world. Data and tensors are read back
 * unchanged; workloads, programs and traces run; events order queues; sub-devices divide a device;
 * queries, reports and inspection return the right values. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "layout/layout_text.h"
#include "mesh/handle.h"
#include "mesh_case.h"
#include "row.h"

enum { BYTES = 4096, LAUNCHES = 3, PART_BYTES = 16 * 32 * 4, DEVICES_MAX = 4 };

static const struct test_cluster device_cluster = {.rows = 1, .columns = 1};
static const struct test_cluster mesh_cluster = {.rows = 2, .columns = 2, .pcie = TEST_PCIE_LEFT};

static struct mesh_case test;
static struct device_handle *device;
static const struct handle_ops *ops; /* functions of the kind of device under test */

static enum status open_device(struct cluster *cluster, uint16_t more_rows, struct text *why)
{
	const struct cluster_info *info = device_row->info(cluster);
	uint16_t side = info->chip_count > 1 ? 2 : 1;

	mesh_case_init(&test, side, side, TEST_PCIE_LEFT);
	mesh_case_choose(&test, side > 1 ? "broadcast" : "unicast", 1, "table", "main");
	test.config.shape.rows = (uint16_t)(side + more_rows);
	test.cluster = cluster;
	test.system = mesh_system_new(cluster);
	return ops->open(test.system, &test.config, why, &device);
}

static void with_device(struct cluster *cluster, void (*body)(void))
{
	assert_int_equal(open_device(cluster, 0, NULL), STATUS_OK);
	body();
	ops->close(device);
}

static struct handle_buffer *buffer_new(bool sharded)
{
	struct mesh_shape shape = ops->shape(device);
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct mesh_layout layout = {.sharded = sharded, .size_bytes = BYTES};
	struct handle_buffer *buffer;

	if (sharded) {
		layout.global_height = shape.rows;
		layout.global_width = BYTES / 4u / shape.rows;
		layout.shard_height = 1;
		layout.shard_width = layout.global_width / shape.columns;
	}
	assert_int_equal(ops->buffer_new(device, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(ops->buffer_bytes(buffer), BYTES);
	return buffer;
}

/* ---- data ---- */

static void write_and_read(struct handle_buffer *buffer, uint32_t queue, uint64_t seed)
{
	struct handle_call later = {.queue = queue}, now = {.queue = queue, .blocking = true};
	static uint8_t data[BYTES], back[BYTES];

	mesh_case_fill(data, BYTES, seed);
	assert_int_equal(ops->write(device, later, buffer, data), STATUS_OK);
	assert_int_equal(ops->read(device, now, buffer, back), STATUS_OK);
	assert_memory_equal(back, data, BYTES);
	memset(back, 0, BYTES);
	assert_int_equal(ops->read(device, later, buffer, back), STATUS_OK);
	assert_int_equal(ops->finish(device, queue, 0, DEADLINE_NEVER), STATUS_OK);
	assert_memory_equal(back, data, BYTES);
}

static void write_and_read_pinned(struct handle_buffer *buffer)
{
	struct handle_call later = {.queue = 0};
	struct host_memory *from, *to;
	static uint8_t data[BYTES], back[BYTES];

	mesh_case_fill(data, BYTES, 5);
	assert_int_equal(ops->host_memory_new(device, BYTES, NULL, &from), STATUS_OK);
	assert_int_equal(ops->host_memory_new(device, BYTES, NULL, &to), STATUS_OK);
	host_memory_store(from, 0, data, BYTES);
	assert_int_equal(ops->write_pinned(device, later, buffer, from, 0), STATUS_OK);
	assert_int_equal(ops->read_pinned(device, later, buffer, to, 0), STATUS_OK);
	assert_int_equal(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(host_memory_load(to, 0, back, BYTES), STATUS_OK);
	assert_memory_equal(back, data, BYTES);
	host_memory_free(from);
	host_memory_free(to);
}

static void data(void)
{
	struct device_range all = device_range_all(ops->shape(device));

	for (int sharded = 0; sharded < 2; sharded++) {
		struct handle_buffer *buffer = buffer_new(sharded);

		assert_true(device_range_covers(all, ops->buffer_read_range(buffer)));
		assert_int_equal(ops->buffer_placement(buffer)->size_bytes,
			ops->buffer_device_bytes(buffer));
		for (uint32_t queue = 0; queue < ops->queue_count(device); queue++)
			write_and_read(buffer, queue, queue + 1);
		write_and_read_pinned(buffer);
		ops->buffer_free(buffer);
	}
}

/* Writes and reads only the last device's part of a sharded buffer. */
static void one_part(void)
{
	struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};
	struct mesh_shape shape = ops->shape(device);
	uint16_t row = (uint16_t)(shape.rows - 1), column = (uint16_t)(shape.columns - 1);
	struct handle_buffer *buffer = buffer_new(true);
	static uint8_t data[BYTES], part[BYTES], back[BYTES];
	uint64_t bytes = ops->buffer_device_bytes(buffer);

	mesh_case_fill(data, BYTES, 3);
	mesh_case_fill(part, bytes, 4);
	assert_int_equal(ops->write(device, later, buffer, data), STATUS_OK);
	assert_int_equal(ops->write_shard(device, later, buffer, row, column, part), STATUS_OK);
	assert_int_equal(ops->read_shard(device, now, buffer, row, column, back), STATUS_OK);
	assert_memory_equal(back, part, bytes);
	assert_int_equal(ops->read(device, now, buffer, back), STATUS_OK);
	assert_memory_equal(back, data, BYTES - bytes);
	assert_memory_equal(back + BYTES - bytes, part, bytes);
	assert_int_equal(
		ops->write_shard(device, now, buffer, shape.rows, 0, part), STATUS_OUT_OF_RANGE);
	ops->buffer_free(buffer);
}

static void a_part_is_written_and_read_alone(struct cluster *cluster)
{
	with_device(cluster, one_part);
}

static void what_is_written_comes_back(struct cluster *cluster)
{
	with_device(cluster, data);
}

/* ---- workloads and traces ---- */

/* Checks that core `core` of each device has run this number of launches. */
static void check_launches_of(uint32_t core, uint32_t launches)
{
	struct mesh_shape shape = ops->shape(device);
	struct launch_result result;

	assert_int_equal(ops->rest(device, DEADLINE_NEVER), STATUS_OK);
	for (uint16_t row = 0; row < shape.rows; row++)
		for (uint16_t column = 0; column < shape.columns; column++) {
			assert_int_equal(
				ops->core_result(device, row, column, core, &result), STATUS_OK);
			assert_int_equal(result.launches, launches);
		}
}

static void check_launches(uint32_t launches)
{
	check_launches_of(0, launches);
}

static void work(void)
{
	struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};
	struct device_range all = device_range_all(ops->shape(device));
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 100};
	struct program *program = ops->program_new(device, "handled");
	struct workload *workload = ops->workload_new(device);
	struct handle_trace *trace = NULL;
	uint32_t index;

	assert_int_equal(ops->workload_check(device, workload, NULL), STATUS_INVALID);
	assert_int_equal(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	assert_int_equal(workload_add(workload, program, all, NULL), STATUS_OK);
	assert_int_equal(ops->workload_check(device, workload, NULL), STATUS_OK);
	for (int i = 0; i < LAUNCHES; i++)
		assert_int_equal(ops->run(device, later, workload), STATUS_OK);
	assert_int_equal(ops->run(device, now, workload), STATUS_OK);
	check_launches(LAUNCHES + 1);
	assert_int_equal(ops->trace_begin(device, 0, NULL), STATUS_OK);
	assert_int_equal(ops->run(device, later, workload), STATUS_OK);
	assert_int_equal(ops->run(device, later, workload), STATUS_OK);
	assert_int_equal(ops->trace_end(device, 0, NULL, &trace), STATUS_OK);
	assert_int_equal(ops->replay(device, later, trace, 0), STATUS_OK);
	assert_int_equal(ops->replay(device, now, trace, 0), STATUS_OK);
	check_launches(LAUNCHES + 1 + 2 * 2);
	ops->trace_free(trace);
	ops->workload_free(device, workload);
	ops->program_free(device, program);
}

static void workloads_and_traces_run_on_all_devices(struct cluster *cluster)
{
	with_device(cluster, work);
}

static struct program *one_kernel(const char *name, struct cores cores)
{
	struct kernel_config kernel = {.cores = cores, .bytes = 64, .cycles = 100};
	struct program *program = ops->program_new(device, name);
	uint32_t index;

	assert_int_equal(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	return program;
}

/* Runs programs directly, without a workload. The mesh makes an internal workload for each program,
 * and uses it again for each later run of the program, also in a trace. */
static void programs(void)
{
	struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};
	struct program *empty = ops->program_new(device, "empty");
	struct program *first =
		one_kernel("first", (struct cores){.kind = CORES_COUNT, .count = 1});
	struct program *every = one_kernel("every", (struct cores){.kind = CORES_ALL});
	struct handle_trace *trace = NULL;
	struct mesh_counters before, after;

	assert_int_equal(ops->run_program(device, now, empty), STATUS_INVALID);
	assert_int_equal(ops->run_program(device, later, first), STATUS_OK);
	assert_int_equal(ops->run_program(device, now, every), STATUS_OK);
	check_launches_of(0, 2);
	check_launches_of(1, 1);
	ops->counters(device, &before);
	assert_int_equal(ops->run_program(device, now, first), STATUS_OK);
	ops->counters(device, &after);
	check_launches_of(0, 3);
	assert_int_equal(after.streams_built, before.streams_built);
	assert_true(after.streams_reused > before.streams_reused);
	assert_int_equal(ops->trace_begin(device, 0, NULL), STATUS_OK);
	assert_int_equal(ops->run_program(device, later, first), STATUS_OK);
	assert_int_equal(ops->trace_end(device, 0, NULL, &trace), STATUS_OK);
	assert_int_equal(ops->replay(device, now, trace, 0), STATUS_OK);
	check_launches_of(0, 4);
	check_launches_of(1, 1);
	ops->trace_free(trace);
	ops->program_free(device, every);
	ops->program_free(device, first);
	ops->program_free(device, empty);
	ops->program_free(device, NULL);
}

static void a_program_runs_on_all_devices_without_a_workload(struct cluster *cluster)
{
	with_device(cluster, programs);
}

static void halves(void)
{
	struct sub_device_config each[] = {
		{.cores = {.kind = CORES_RECTANGLE, .rect = {0, 0, 1, 2}}},
		{.cores = {.kind = CORES_RECTANGLE, .rect = {2, 0, 3, 2}}},
	};
	struct sub_devices_config config = {each, 2, 64 << 10};
	struct handle_call now = {.queue = 0, .blocking = true};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct buffer_config local = {.type = BUFFER_L1, .page_bytes = 256, .sub_device = 2};
	struct handle_buffer *buffer;
	struct program *right;
	uint64_t whole = ops->memory_usage(device, BUFFER_L1).total_bytes;

	assert_int_equal(ops->sub_devices_clear(device, NULL), STATUS_NOT_FOUND);
	assert_int_equal(ops->sub_devices_load(device, &config, NULL), STATUS_OK);
	assert_int_equal(ops->sub_devices_load(device, &config, NULL), STATUS_EXISTS);
	assert_int_equal(
		ops->memory_usage(device, BUFFER_L1).total_bytes, whole - config.local_l1_bytes);
	assert_int_equal(ops->buffer_new(device, &layout, &local, NULL, &buffer), STATUS_OK);
	assert_int_equal(ops->sub_device_usage(device, 0).allocations, 0);
	assert_int_equal(ops->sub_device_usage(device, 1).allocations, 1);
	right = one_kernel("right", each[1].cores);
	assert_int_equal(ops->run_program(device, now, right), STATUS_OK);
	check_launches_of(1, 0);
	check_launches_of(2, 1);
	ops->program_free(device, right);
	ops->buffer_free(buffer);
	for (uint32_t queue = 0; queue < ops->queue_count(device); queue++)
		assert_int_equal(ops->finish(device, queue, 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(ops->sub_devices_clear(device, NULL), STATUS_OK);
	assert_int_equal(ops->memory_usage(device, BUFFER_L1).total_bytes, whole);
}

static void sub_devices_run_programs_of_their_own(struct cluster *cluster)
{
	with_device(cluster, halves);
}

/* ---- tensors ---- */

/* A layout with a part of 16 x 32 elements on each device, in two banks of DRAM. */
static struct layout parts_of_all_devices(void)
{
	struct mesh_shape shape = ops->shape(device);
	struct diag *diag = diag_new();
	struct layout layout;
	char text[256];
	bool encoded;

	snprintf(text, sizeof text,
		"tensor<%ux%ux16x32xf32, #tt.layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), undef, "
		"<%ux%ux1x2>, memref<1x1x16x16xf32, #tt.memory_space<dram>>>>",
		shape.rows, shape.columns, shape.rows, shape.columns);
	assert_true(layout_parse("layout", text, strlen(text), diag, &layout, &encoded));
	diag_free(diag);
	return layout;
}

static void tensor(void)
{
	uint32_t bytes = PART_BYTES * mesh_shape_count(ops->shape(device));
	struct device_range all = device_range_all(ops->shape(device));
	struct layout layout = parts_of_all_devices();
	struct handle_call call = {.queue = 1};
	struct handle_tensor *made = NULL;
	struct handle_buffer *buffer;
	static uint8_t data[PART_BYTES * DEVICES_MAX], back[PART_BYTES * DEVICES_MAX];
	struct tensor_source source = {.bytes = data};
	struct tensor_sink sink = {.bytes = back};
	uint64_t left = ops->memory_usage(device, BUFFER_DRAM).free_bytes;

	mesh_case_fill(data, bytes, 6);
	assert_int_equal(ops->tensor_new(device, &layout, NULL, &made), STATUS_OK);
	buffer = ops->tensor_buffer(made);
	assert_int_equal(ops->buffer_bytes(buffer), bytes);
	assert_true(ops->memory_usage(device, BUFFER_DRAM).free_bytes < left);
	assert_int_equal(
		ops->buffer_address(buffer), ops->memory_usage(device, BUFFER_DRAM).lowest);
	assert_true(device_range_covers(ops->tensor_read_range(made), all));
	assert_int_equal(ops->write_tensor(device, call, made, &source), STATUS_OK);
	assert_int_equal(ops->read_tensor(device, call, made, &sink), STATUS_OK);
	assert_memory_equal(back, data, bytes);
	ops->tensor_free(made);
	ops->tensor_free(NULL);
	assert_int_equal(ops->memory_usage(device, BUFFER_DRAM).free_bytes, left);
}

static void a_tensor_comes_back(struct cluster *cluster)
{
	with_device(cluster, tensor);
}

/* ---- queries and inspection ---- */

static void queries(void)
{
	const struct chip_geometry *geometry = ops->geometry(device);
	const struct program_limits *limits = ops->limits(device);
	struct handle_machine machine = {.cluster = NULL};
	struct launch_result result;

	assert_int_equal(limits->worker_columns, geometry->worker_columns);
	assert_int_equal(limits->worker_rows, geometry->worker_rows);
	assert_int_equal(limits->l1_bytes, geometry->l1_bytes);
	assert_int_equal(ops->resources(device)->workers,
		(uint32_t)geometry->worker_columns * geometry->worker_rows);
	assert_int_equal(ops->memory_usage(device, BUFFER_TRACE).total_bytes, 0);
	assert_int_equal(ops->caller_place(device).core, -1);
	assert_int_equal(ops->core_result(device, 0, 0, ops->resources(device)->workers, &result),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(ops->core_result(device, ops->shape(device).rows, 0, 0, &result),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(ops->machine(device, &machine), STATUS_OK);
	assert_ptr_equal(machine.cluster, test.cluster);
	assert_int_equal(machine.shape.rows, ops->shape(device).rows);
	assert_int_equal(machine.shape.columns, ops->shape(device).columns);
}

static void queries_say_what_devices_have(struct cluster *cluster)
{
	with_device(cluster, queries);
}

/* ---- events ---- */

static void order(void)
{
	struct handle_call first = {.queue = 0}, second = {.queue = 1};
	struct device_range all = device_range_all(ops->shape(device));
	struct handle_buffer *buffer = buffer_new(false);
	struct handle_event written, done, quiet, foreign;
	static uint8_t data[BYTES], back[BYTES];

	mesh_case_fill(data, BYTES, 9);
	assert_int_equal(ops->write(device, first, buffer, data), STATUS_OK);
	assert_int_equal(ops->record(device, first, all, false, &written), STATUS_OK);
	assert_int_equal(ops->wait(device, second, &written), STATUS_OK);
	assert_int_equal(ops->read(device, second, buffer, back), STATUS_OK);
	assert_int_equal(ops->record(device, second, all, true, &done), STATUS_OK);
	assert_int_equal(ops->synchronize(device, &done, DEADLINE_NEVER), STATUS_OK);
	assert_memory_equal(back, data, BYTES);
	assert_int_equal(ops->record(device, first, all, false, &quiet), STATUS_OK);
	assert_int_equal(ops->synchronize(device, &quiet, DEADLINE_NEVER), STATUS_INVALID);
	foreign = done;
	foreign.device++;
	assert_int_equal(ops->wait(device, first, &foreign), STATUS_INVALID);
	assert_int_equal(ops->synchronize(device, &foreign, DEADLINE_NEVER), STATUS_INVALID);
	ops->buffer_free(buffer);
}

static void an_event_of_one_queue_holds_the_other(struct cluster *cluster)
{
	with_device(cluster, order);
}

/* ---- refusal ---- */

static void a_device_larger_than_the_machine_is_refused(struct cluster *cluster)
{
	struct text why = {0};

	device = NULL;
	assert_int_equal(open_device(cluster, 1, &why), STATUS_OUT_OF_RANGE);
	assert_true(why.length > 0);
	assert_null(device);
	text_fini(&why);
	ops->close(NULL);
}

int main(void)
{
	static const struct row_case cases[] = {
		{"data, one device", what_is_written_comes_back, &device_cluster},
		{"data, a mesh", what_is_written_comes_back, &mesh_cluster},
		{"a part, one device", a_part_is_written_and_read_alone, &device_cluster},
		{"a part, a mesh", a_part_is_written_and_read_alone, &mesh_cluster},
		{"work, one device", workloads_and_traces_run_on_all_devices, &device_cluster},
		{"work, a mesh", workloads_and_traces_run_on_all_devices, &mesh_cluster},
		{"programs, one device", a_program_runs_on_all_devices_without_a_workload,
			&device_cluster},
		{"programs, a mesh", a_program_runs_on_all_devices_without_a_workload,
			&mesh_cluster},
		{"sub-devices, one device", sub_devices_run_programs_of_their_own, &device_cluster},
		{"sub-devices, a mesh", sub_devices_run_programs_of_their_own, &mesh_cluster},
		{"tensors, one device", a_tensor_comes_back, &device_cluster},
		{"tensors, a mesh", a_tensor_comes_back, &mesh_cluster},
		{"queries, one device", queries_say_what_devices_have, &device_cluster},
		{"queries, a mesh", queries_say_what_devices_have, &mesh_cluster},
		{"events, one device", an_event_of_one_queue_holds_the_other, &device_cluster},
		{"events, a mesh", an_event_of_one_queue_holds_the_other, &mesh_cluster},
		ROW_CASE(a_device_larger_than_the_machine_is_refused, mesh_cluster),
	};

	size_t kind = 0;
	int failed = 0;

	for (; (ops = handle_row(kind)) != NULL; kind++)
		failed |= ROW_RUN_SUITE(ops->name, cases);
	return failed || kind == 0;
}
