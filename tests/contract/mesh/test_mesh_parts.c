/* label: full  needs: simgrid timeout: 300
 * Tests broadcasts to rectangles of devices that are only a part of a grid (spec 3.8.8.2). Each
 * device of the rectangle must receive a broadcast once, in order with broadcasts to the whole grid
 * and with unicasts. Other devices must not receive it. The host issues one copy for all devices,
 * and only the devices of the rectangle return credits for it. */

#include "test.h"

#include "base/stream.h"
#include "mesh_case.h"
#include "row.h"

enum { ROWS = 4, COLUMNS = 4, DEVICES = ROWS * COLUMNS, WORDS = 8, BYTES = 4 * WORDS, ARGS = 4 };

static struct mesh_case test;

static void open_mesh(struct cluster *cluster, uint32_t initiators, const char *feed,
	const char *ordering, const char *packetizer)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.feed = feed_find(feed);
	test.config.forward.ordering = ordering_find(ordering);
	test.config.forward.packetizer = packetizer_find(packetizer);
	test.cluster = cluster;
	mesh_case_attach(&test);
}

static struct device_range draw_range(struct stream *stream)
{
	uint16_t row = (uint16_t)stream_below(stream, ROWS);
	uint16_t column = (uint16_t)stream_below(stream, COLUMNS);

	return (struct device_range){row, column,
		(uint16_t)(row + stream_below(stream, ROWS - row)),
		(uint16_t)(column + stream_below(stream, COLUMNS - column))};
}

/* Checks how often the workers of each device have run a program so far. */
static void check_launches(const uint32_t *launches)
{
	for (uint32_t device = 0; device < DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, 0).launches, launches[device]);
}

static struct workload *on_range(struct program *program, struct device_range range)
{
	struct workload *workload = workload_new(test.mesh);

	assert_int_equal(workload_add(workload, program, range, NULL), STATUS_OK);
	return workload;
}

/* Broadcasts to random rectangles, mixed with writes to all devices and to one device. There are
 * more different rectangles than trees that a packetizer can store. */
static void random_rectangles(struct cluster *cluster, uint32_t initiators, const char *feed,
	const char *ordering, const char *packetizer)
{
	enum { ROUNDS = 240 };
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = BYTES};
	struct mesh_layout layout = {.size_bytes = BYTES};
	static uint32_t words[ROUNDS][WORDS];
	uint32_t last[DEVICES] = {0}, launches[DEVICES] = {0}, back[WORDS];
	struct workload *workloads[ROUNDS] = {NULL};
	struct program *program;
	struct mesh_buffer *buffer;
	struct stream stream;

	open_mesh(cluster, initiators, feed, ordering, packetizer);
	program = mesh_case_program(&test, "part", (struct cores){.kind = CORES_ALL}, 300, ARGS);
	mesh_case_set_args(&test, program, (struct cores){.kind = CORES_ALL}, ARGS, 1);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	stream_init(&stream, initiators, ordering);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct command_queue *queue = mesh_queue(test.mesh, i / 100 % 2);
		struct device_range range = draw_range(&stream);
		uint32_t kind = (uint32_t)stream_below(&stream, 4);

		words[i][0] = i + 1;
		if (kind == 0) {
			assert_int_equal(enqueue_write_shard(queue, buffer, range.row0,
						 range.column0, words[i], false, 0),
				STATUS_OK);
			last[range.row0 * COLUMNS + range.column0] = i + 1;
		} else if (kind == 1) {
			assert_int_equal(
				enqueue_write_buffer(queue, buffer, words[i], false, 0), STATUS_OK);
			for (uint32_t k = 0; k < DEVICES; k++)
				last[k] = i + 1;
		} else {
			workloads[i] = on_range(program, range);
			assert_int_equal(
				enqueue_workload(queue, workloads[i], false, 0), STATUS_OK);
			for (uint32_t k = 0; k < DEVICES; k++)
				launches[k] += device_range_has(
					range, (uint16_t)(k / COLUMNS), (uint16_t)(k % COLUMNS));
		}
		if (i % 100 == 99)
			assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, i), 0, DEADLINE_NEVER), STATUS_OK);
	check_launches(launches);
	for (uint16_t device = 0; device < DEVICES; device++) {
		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), buffer,
					 device / COLUMNS, device % COLUMNS, back, true, 0),
			STATUS_OK);
		assert_int_equal(back[0], last[device]);
	}
	for (uint32_t i = 0; i < ROUNDS; i++)
		workload_free(workloads[i]);
	program_free(program);
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
}

static void rectangles_of_one_grid_keep_order_by_counter(struct cluster *cluster)
{
	random_rectangles(cluster, 1, "copy", "counter", "per-queue");
}

static void rectangles_of_one_grid_keep_order_by_event(struct cluster *cluster)
{
	random_rectangles(cluster, 1, "copy", "event", "shared");
}

static void rectangles_of_several_grids_keep_order_by_counter(struct cluster *cluster)
{
	random_rectangles(cluster, 3, "copy", "counter", "fused");
}

static void rectangles_of_several_grids_keep_order_by_event(struct cluster *cluster)
{
	random_rectangles(cluster, 3, "copy", "event", "separate");
}

static void rectangles_of_a_shared_feed_keep_order_by_counter(struct cluster *cluster)
{
	random_rectangles(cluster, 3, "shared", "counter", "shared");
}

static void rectangles_of_a_shared_feed_keep_order_by_event(struct cluster *cluster)
{
	random_rectangles(cluster, 3, "shared", "event", "per-queue");
}

/* Returns what a workload on a range adds to the counters, once its binaries are loaded. */
static struct mesh_counters cost_of(struct program *program, struct device_range range)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	struct workload *workload = on_range(program, range);
	struct mesh_counters before, after;

	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test.mesh, &before);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test.mesh, &after);
	workload_free(workload);
	after.broadcasts.transactions -= before.broadcasts.transactions;
	after.unicasts.transactions -= before.unicasts.transactions;
	after.broadcasts.bytes -= before.broadcasts.bytes;
	after.credits_taken -= before.credits_taken;
	return after;
}

static void a_rectangle_takes_one_copy_and_credits_of_its_devices_alone(struct cluster *cluster)
{
	struct device_range all = {0, 0, ROWS - 1, COLUMNS - 1}, part = {1, 1, 2, 3};
	struct mesh_counters of_all, of_part;
	struct program *program;

	open_mesh(cluster, 1, "copy", "counter", "per-queue");
	program = mesh_case_program(&test, "part", (struct cores){.kind = CORES_ALL}, 300, 64);
	mesh_case_set_args(&test, program, (struct cores){.kind = CORES_ALL}, 64, 1);
	of_all = cost_of(program, all);
	of_part = cost_of(program, part);
	assert_int_equal(of_part.broadcasts.transactions, of_all.broadcasts.transactions);
	assert_int_equal(of_part.unicasts.transactions, 0);
	/* as many bytes, except for the numbers of devices after the last one of the rectangle */
	assert_in_range(of_part.broadcasts.bytes, of_all.broadcasts.bytes - DEVICES,
		of_all.broadcasts.bytes);
	/* 6 of 16 devices take the data; all of them take headers */
	assert_true(2 * of_part.credits_taken < of_all.credits_taken);
	program_free(program);
	mesh_close(test.mesh);
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(rectangles_of_one_grid_keep_order_by_counter, cluster),
		ROW_CASE(rectangles_of_one_grid_keep_order_by_event, cluster),
		ROW_CASE(rectangles_of_several_grids_keep_order_by_counter, cluster),
		ROW_CASE(rectangles_of_several_grids_keep_order_by_event, cluster),
		ROW_CASE(rectangles_of_a_shared_feed_keep_order_by_counter, cluster),
		ROW_CASE(rectangles_of_a_shared_feed_keep_order_by_event, cluster),
		ROW_CASE(a_rectangle_takes_one_copy_and_credits_of_its_devices_alone, cluster),
	};

	return ROW_RUN_SUITE("mesh_parts", cases);
}
