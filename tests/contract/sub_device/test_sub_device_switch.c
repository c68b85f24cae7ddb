/* label: full  needs: simgrid timeout: 300
 * Tests a mesh with several divisions into sub-devices (spec 3.1.2, 3.3.4), in the native and the
 * simulated world. Only one division is loaded at a time. Programs and traces of all divisions
 * exist at the same time. Each of them may run only while its own division is loaded. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "halves.h"
#include "mesh/buffer.h"
#include "mesh/trace.h"

enum { ARGS = 3, DIVISIONS = 3, PARTS = 5 };

/* The sub-devices of three divisions. Division 0 has one sub-device, the whole device. Division 1
 * has two: the left and the right half. Division 2 has two: the first and the last row of workers;
 * the row between them belongs to no sub-device. */
static const struct {
	uint32_t division;
	struct cores cores;
} parts[PARTS] = {
	{0, {.kind = CORES_ALL}},
	{1, {.kind = CORES_RECTANGLE, .rect = {0, 0, 1, 2}}},
	{1, {.kind = CORES_RECTANGLE, .rect = {2, 0, 3, 2}}},
	{2, {.kind = CORES_RECTANGLE, .rect = {0, 0, 3, 0}}},
	{2, {.kind = CORES_RECTANGLE, .rect = {0, 2, 3, 2}}},
};

static struct mesh_case test;
static uint32_t divisions[DIVISIONS]; /* their numbers at the mesh */
static struct program *programs[PARTS];
static struct workload *workloads[PARTS];
static uint32_t launched[HALVES_WORKERS], generation, last[HALVES_WORKERS];

static uint32_t create(uint32_t first, uint32_t local_l1_bytes)
{
	const struct sub_device_config two[] = {
		{parts[first].cores, false}, {parts[first + 1].cores, true}};
	const struct sub_devices_config config = {two, 2, local_l1_bytes};
	struct text why = {0};
	uint32_t number = 0;

	assert_int_equal(sub_devices_create(test.mesh, &config, &number, &why), STATUS_OK);
	assert_string_equal(text_string(&why), "");
	text_fini(&why);
	return number;
}

static void make_program(uint32_t part)
{
	static const char *const names[PARTS] = {"whole", "left", "right", "top", "bottom"};
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = parts[part].cores,
		.bytes = 700 + 50 * part,
		.cycles = 500,
		.unique_args = ARGS,
		.common_args = ARGS};
	uint32_t kernel;

	programs[part] = program_new(test.mesh, names[part]);
	assert_int_equal(
		program_for_division(programs[part], divisions[parts[part].division], NULL),
		STATUS_OK);
	assert_int_equal(program_add_kernel(programs[part], &config, NULL, &kernel), STATUS_OK);
	workloads[part] = mesh_case_workload(&test, programs[part]);
}

/* Opens a mesh that is not divided, with a program for each part of each division. */
static void open_mesh(
	struct cluster *cluster, const char *forward, const char *go, const char *dispatcher)
{
	halves_open(&test, cluster, forward, go, dispatcher);
	memset(launched, 0, sizeof launched);
	memset(last, 0, sizeof last);
	divisions[0] = DIVISION_WHOLE;
	divisions[1] = create(1, HALVES_LOCAL);
	divisions[2] = create(3, 0);
	for (uint32_t part = 0; part < PARTS; part++)
		make_program(part);
}

static void close_mesh(void)
{
	for (uint32_t part = 0; part < PARTS; part++) {
		workload_free(workloads[part]);
		program_free(programs[part]);
	}
	mesh_close(test.mesh);
}

static void load(uint32_t division, uint32_t queue)
{
	struct text why = {0};
	enum status status = sub_devices_switch(test.mesh, divisions[division], queue, &why);

	assert_string_equal(text_string(&why), "");
	assert_int_equal(status, STATUS_OK);
	text_fini(&why);
}

static bool has(uint32_t part, uint32_t core)
{
	struct worker_rect rect = parts[part].cores.rect;
	uint32_t column = core % HALVES_WIDE, row = core / HALVES_WIDE;

	return parts[part].cores.kind == CORES_ALL ||
	       (column >= rect.column0 && column <= rect.column1 && row >= rect.row0 &&
		       row <= rect.row1);
}

static void launch(uint32_t queue, uint32_t part)
{
	generation++;
	for (uint32_t core = 0; core < HALVES_WORKERS; core++)
		if (has(part, core)) {
			launched[core]++;
			last[core] = generation;
		}
	mesh_case_set_args(&test, programs[part], parts[part].cores, ARGS, generation);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, queue), workloads[part], false, 0),
		STATUS_OK);
}

static void check_workers(const char *where)
{
	halves_finish(&test);
	for (uint32_t device = 0; device < HALVES_DEVICES; device++)
		for (uint32_t core = 0; core < HALVES_WORKERS; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);
			uint32_t sum = mesh_case_checksum(core, ARGS, last[core]);

			if (result.launches != launched[core] ||
				(launched[core] > 0 && result.checksum != sum))
				fail_msg("%s: device %u, worker %u: %u launches instead of %u, "
					 "checksum %08x instead of %08x",
					where, device, core, result.launches, launched[core],
					result.checksum, sum);
		}
}

/* ---- launches ---- */

static void random_turns(
	struct cluster *cluster, const char *forward, const char *go, const char *dispatcher)
{
	static const uint32_t first[DIVISIONS] = {0, 1, 3}, count[DIVISIONS] = {1, 2, 2};
	struct stream stream;

	open_mesh(cluster, forward, go, dispatcher);
	stream_init(&stream, 1, "turns");
	for (uint32_t round = 0; round < 25; round++) {
		uint32_t division = (uint32_t)stream_below(&stream, DIVISIONS);
		uint32_t launches = (uint32_t)stream_below(&stream, 8);

		load(division, (uint32_t)stream_below(&stream, 2));
		for (uint32_t i = 0; i < launches; i++)
			launch((uint32_t)stream_below(&stream, 2),
				first[division] + (uint32_t)stream_below(&stream, count[division]));
		halves_finish(&test);
	}
	check_workers(forward);
	close_mesh();
}

static void divisions_take_turns(struct cluster *cluster)
{
	random_turns(cluster, "unicast", "running", "shared");
}

static void so_do_those_that_broadcasts_reach(struct cluster *cluster)
{
	random_turns(cluster, "broadcast", "running", "shared");
}

static void so_do_those_in_lock_step(struct cluster *cluster)
{
	random_turns(cluster, "broadcast", "all", "shared");
}

static void so_do_those_in_lock_step_by_unicast(struct cluster *cluster)
{
	random_turns(cluster, "unicast", "all", "shared");
}

static void so_do_those_of_two_dispatchers(struct cluster *cluster)
{
	random_turns(cluster, "broadcast", "running", "dedicated");
}

static void a_program_runs_only_in_its_division(struct cluster *cluster)
{
	struct command_queue *queue;
	struct text why = {0};

	open_mesh(cluster, "unicast", "running", "shared");
	queue = mesh_queue(test.mesh, 0);
	for (uint32_t division = 0; division < DIVISIONS; division++) {
		load(division, 0);
		for (uint32_t part = 0; part < PARTS; part++)
			if (parts[part].division == division)
				launch(0, part);
			else
				assert_int_equal(enqueue_workload(queue, workloads[part], false, 0),
					STATUS_INVALID);
		halves_finish(&test);
	}
	assert_int_equal(workload_check(workloads[0], &why), STATUS_INVALID);
	assert_string_equal(text_string(&why),
		"program whole was made for division 0 of the mesh, and 2 is loaded");
	text_fini(&why);
	check_workers("each in its own");
	close_mesh();
}

static void a_trace_is_replayed_only_in_its_division(struct cluster *cluster)
{
	struct command_queue *queue;
	struct mesh_trace *trace;

	open_mesh(cluster, "unicast", "running", "shared");
	queue = mesh_queue(test.mesh, 0);
	load(1, 0);
	launch(0, 2);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workloads[2], false, 0), STATUS_OK);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[2], 0, NULL), STATUS_INVALID);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	for (uint32_t i = 0; i < 3; i++) {
		halves_finish(&test);
		load(2, 0);
		launch(0, 4);
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_INVALID);
		halves_finish(&test);
		load(1, 1);
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
		launch(1, 2);
		for (uint32_t core = 0; core < HALVES_WORKERS; core++)
			launched[core] += has(2, core);
	}
	check_workers("between replays");
	trace_free(trace);
	close_mesh();
}

/* Run numbers have 16 bits. So another division cannot be loaded if some cores took no part in the
 * last 16,384 launches. If all cores run all launches, there is no limit. */
static void many_launches(struct cluster *cluster, uint32_t division)
{
	enum { TRACED = 2000, REPLAYS = 10 };
	struct command_queue *queue;
	struct mesh_trace *trace;
	uint32_t part = division * division, other = division == 0 ? 1 : 0;
	uint32_t replays = row_current()->timed ? 1 : REPLAYS;
	bool bound = division > 0 && replays * TRACED > 1 << 14;

	open_mesh(cluster, "unicast", "running", "shared");
	queue = mesh_queue(test.mesh, 0);
	load(division, 0);
	launch(0, part);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	for (uint32_t i = 0; i < TRACED; i++)
		assert_int_equal(enqueue_workload(queue, workloads[part], false, 0), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	for (uint32_t i = 0; i < replays; i++)
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
	halves_finish(&test);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[other], 0, NULL),
		bound ? STATUS_INVALID : STATUS_OK);
	for (uint32_t core = 0; core < HALVES_WORKERS; core++)
		launched[core] += has(part, core) ? replays * TRACED : 0;
	if (!bound)
		launch(1, other == 1 ? 2 : 0);
	check_workers("after many launches");
	trace_free(trace);
	close_mesh();
}

static void launches_of_all_cores_have_no_bound(struct cluster *cluster)
{
	many_launches(cluster, 0);
}

static void those_beside_an_idle_sub_device_have(struct cluster *cluster)
{
	many_launches(cluster, 1);
}

static void those_beside_cores_of_none_have(struct cluster *cluster)
{
	many_launches(cluster, 2);
}

/* ---- memory ---- */

static enum status buffer_new(uint8_t sub_device, bool bottom_up, struct mesh_buffer **buffer)
{
	const struct mesh_layout layout = {.size_bytes = 12 << 10};
	const struct buffer_config config = {.type = BUFFER_L1,
		.page_bytes = 1 << 10,
		.bottom_up = bottom_up,
		.sub_device = sub_device};

	return mesh_buffer_new(test.mesh, &layout, &config, NULL, buffer);
}

static void buffers_of_no_sub_device_stay(struct cluster *cluster)
{
	struct mesh_buffer *high, *low, *local;
	uint64_t whole;

	open_mesh(cluster, "unicast", "running", "shared");
	whole = mesh_memory_usage(test.mesh, BUFFER_L1).total_bytes;
	assert_int_equal(buffer_new(0, false, &high), STATUS_OK);
	load(1, 0);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).total_bytes, whole - HALVES_LOCAL);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).allocations, 1);
	assert_int_equal(buffer_new(2, false, &local), STATUS_OK);
	halves_finish(&test);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[2], 0, NULL), STATUS_INVALID);
	mesh_buffer_free(local);
	load(2, 0);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).total_bytes, whole);
	assert_int_equal(sub_device_usage(test.mesh, 0).total_bytes, 0);
	assert_int_equal(buffer_new(0, true, &low), STATUS_OK);
	halves_finish(&test);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[1], 0, NULL), STATUS_NO_SPACE);
	launch(0, 3);
	check_workers("after a refusal");
	mesh_buffer_free(low);
	load(1, 0);
	mesh_buffer_free(high);
	halves_finish(&test);
	load(0, 0);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).free_bytes, whole);
	close_mesh();
}

static void queues_have_to_be_finished(struct cluster *cluster)
{
	open_mesh(cluster, "unicast", "running", "shared");
	launch(1, 0);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[1], 0, NULL), STATUS_INVALID);
	assert_int_equal(sub_devices_switch(test.mesh, divisions[0], 0, NULL), STATUS_OK);
	halves_finish(&test);
	assert_int_equal(sub_devices_switch(test.mesh, 7, 0, NULL), STATUS_NOT_FOUND);
	load(1, 0);
	launch(0, 1);
	check_workers("finished");
	close_mesh();
}

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(divisions_take_turns, halves_cluster),
		ROW_CASE(so_do_those_that_broadcasts_reach, halves_cluster),
		ROW_CASE(so_do_those_in_lock_step, halves_cluster),
		ROW_CASE(so_do_those_in_lock_step_by_unicast, halves_cluster),
		ROW_CASE(so_do_those_of_two_dispatchers, halves_cluster),
		ROW_CASE(a_program_runs_only_in_its_division, halves_cluster),
		ROW_CASE(a_trace_is_replayed_only_in_its_division, halves_cluster),
		ROW_CASE(launches_of_all_cores_have_no_bound, halves_cluster),
		ROW_CASE(those_beside_an_idle_sub_device_have, halves_cluster),
		ROW_CASE(those_beside_cores_of_none_have, halves_cluster),
		ROW_CASE(buffers_of_no_sub_device_stay, halves_cluster),
		ROW_CASE(queues_have_to_be_finished, halves_cluster),
	};

	return ROW_RUN_SUITE("sub_device_switch", cases);
}
