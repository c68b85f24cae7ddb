/* label: full  needs: simgrid timeout: 300
 * Tests the four ways to pass broadcasts to the fabric (spec 3.8.1), which differ in the firmware
 * stages that make packets. The data of both queues must arrive complete and in order on every
 * chip. A queue that waits must not block the other queue. Each way must use the stages and the L1
 * that it declares. */
#include "test.h"

#include <stdlib.h>

#include "mesh_case.h"
#include "row.h"

enum { SIDE = 3, SMALL = 512, LARGE = 100 * 1024, WRITES = 12 };

static struct mesh_case test;

static void open_mesh(struct cluster *cluster, const char *packetizer)
{
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.forward.packetizer = packetizer_find(packetizer);
	test.cluster = cluster;
	mesh_case_attach(&test);
}

static struct mesh_buffer *new_buffer(uint64_t bytes)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = SMALL};
	struct mesh_layout layout = {.size_bytes = bytes};
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

static void check_everywhere(
	struct mesh_buffer *buffer, const uint8_t *data, uint8_t *back, uint64_t bytes)
{
	for (uint16_t device = 0; device < SIDE * SIDE; device++) {
		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), buffer, device / SIDE,
					 device % SIDE, back, true, 0),
			STATUS_OK);
		assert_memory_equal(data, back, bytes);
	}
}

static void finish_both(void)
{
	for (uint32_t queue = 0; queue < 2; queue++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, queue), 0, DEADLINE_NEVER), STATUS_OK);
}

/* Writes on both queues without waiting for any write. Some segments of the writes fit into one
 * packet, other segments need many packets. */
static void both_queues_write_in_order(struct cluster *cluster, const char *packetizer)
{
	struct mesh_buffer *buffers[2][2];
	uint8_t *data[2], *back = malloc(LARGE);

	open_mesh(cluster, packetizer);
	for (uint32_t queue = 0; queue < 2; queue++) {
		data[queue] = malloc(LARGE);
		buffers[queue][0] = new_buffer(SMALL);
		buffers[queue][1] = new_buffer(LARGE);
		mesh_case_fill(data[queue], LARGE, queue);
	}
	for (uint32_t i = 0; i < 2 * WRITES; i++) {
		uint32_t queue = i % 2, large = i / 2 % 2;

		assert_int_equal(enqueue_write_buffer(mesh_queue(test.mesh, queue),
					 buffers[queue][large], data[queue], false, 0),
			STATUS_OK);
	}
	finish_both();
	for (uint32_t queue = 0; queue < 2; queue++)
		for (uint32_t large = 0; large < 2; large++) {
			check_everywhere(
				buffers[queue][large], data[queue], back, large ? LARGE : SMALL);
			mesh_buffer_free(buffers[queue][large]);
		}
	free(data[0]);
	free(data[1]);
	free(back);
	mesh_close(test.mesh);
}

/* Queue 0 waits for an event. Behind this wait, more data are enqueued than fit into rings and
 * spill buffers. Then queue 1 broadcasts the event. This broadcast must not have to wait for queue
 * 0. */
static void a_full_queue_lets_the_other_pass(struct cluster *cluster, const char *packetizer)
{
	struct device_range all;
	struct mesh_buffer *buffer;
	struct mesh_event event;
	uint8_t *data = malloc(LARGE), *back = malloc(LARGE);

	open_mesh(cluster, packetizer);
	all = device_range_all(mesh_device_shape(test.mesh));
	buffer = new_buffer(LARGE);
	assert_int_equal(
		enqueue_record_event(mesh_queue(test.mesh, 1), all, false, 0, &event), STATUS_OK);
	event.id++;
	assert_int_equal(enqueue_wait_event(mesh_queue(test.mesh, 0), &event, 0), STATUS_OK);
	for (uint32_t i = 0; i < WRITES; i++) {
		mesh_case_fill(data, LARGE, i);
		assert_int_equal(
			enqueue_write_buffer(mesh_queue(test.mesh, 0), buffer, data, false, 0),
			STATUS_OK);
	}
	world->sleep_until(world->now_ns() + 2000000);
	assert_int_equal(
		enqueue_record_event(mesh_queue(test.mesh, 1), all, false, 0, &event), STATUS_OK);
	finish_both();
	check_everywhere(buffer, data, back, LARGE);
	mesh_buffer_free(buffer);
	free(data);
	free(back);
	mesh_close(test.mesh);
}

/* The tests of a row; names of cases must be literals. */
#define ROW_TESTS(row, name)                                                                       \
	static void row##_writes_in_order(struct cluster *cluster)                                 \
	{                                                                                          \
		both_queues_write_in_order(cluster, name);                                         \
	}                                                                                          \
	static void row##_lets_the_other_pass(struct cluster *cluster)                             \
	{                                                                                          \
		a_full_queue_lets_the_other_pass(cluster, name);                                   \
	}

ROW_TESTS(per_queue, "per-queue")
ROW_TESTS(separate, "separate")
ROW_TESTS(fused, "fused")
ROW_TESTS(shared, "shared")

static struct mesh_resources plan_of(const char *packetizer, uint8_t queues)
{
	struct mesh_resources resources;
	struct cluster_info *info;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.forward.packetizer = packetizer_find(packetizer);
	test.config.command_queues = queues;
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	test_cluster_info_free(info);
	return resources;
}

/* Compares how many processors the four variants need. With two queues, `per-queue` needs a
 * prefetch_h and a packetizer for each queue: four stages. `separate` has one packetizer for both
 * queues: three stages. `fused` has one stage for each queue, and `shared` one stage in all. */
static void rows_take_the_stages_that_they_say(struct cluster *cluster)
{
	struct mesh_resources per_queue = plan_of("per-queue", 2);
	struct mesh_resources separate = plan_of("separate", 2);
	struct mesh_resources fused = plan_of("fused", 2), shared = plan_of("shared", 2);

	(void)cluster;
	assert_int_equal(per_queue.total_processors - separate.total_processors, 1);
	assert_int_equal(per_queue.total_processors - fused.total_processors, 2);
	assert_int_equal(per_queue.total_processors - shared.total_processors, 3);
	assert_true(fused.mesh_l1_bytes < per_queue.mesh_l1_bytes);
	assert_true(shared.mesh_l1_bytes < per_queue.mesh_l1_bytes);
	/* with one queue, sharing makes no difference */
	assert_int_equal(
		plan_of("per-queue", 1).total_processors, plan_of("separate", 1).total_processors);
	assert_int_equal(
		plan_of("fused", 1).total_processors, plan_of("shared", 1).total_processors);
}

/* Fails if a row is added that this suite does not test. */
static void no_row_is_left_out(struct cluster *cluster)
{
	static const char *const names[] = {"per-queue", "separate", "fused", "shared"};

	(void)cluster;
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(packetizer_name(i), names[i]);
	assert_null(packetizer_name(4));
}

static const struct test_cluster cluster = {.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(per_queue_writes_in_order, cluster),
		ROW_CASE(separate_writes_in_order, cluster),
		ROW_CASE(fused_writes_in_order, cluster),
		ROW_CASE(shared_writes_in_order, cluster),
		ROW_CASE(per_queue_lets_the_other_pass, cluster),
		ROW_CASE(separate_lets_the_other_pass, cluster),
		ROW_CASE(fused_lets_the_other_pass, cluster),
		ROW_CASE(shared_lets_the_other_pass, cluster),
		ROW_WORLD_CASE(rows_take_the_stages_that_they_say),
		ROW_WORLD_CASE(no_row_is_left_out),
	};

	return ROW_RUN_SUITE("mesh_packetizer", cases);
}
