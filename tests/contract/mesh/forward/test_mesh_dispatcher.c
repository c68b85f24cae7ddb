/* needs: simgrid timeout: 300
 * Tests chips that have a separate dispatcher for broadcasts (spec 3.8.3): the resources that these
 * dispatchers use on every chip, and the orderings that cannot be used with them. Data and launches
 * arrive by broadcast and by unicast, from two queues. They must keep the order in which they were
 * enqueued. test_mesh_go.c checks that programs run on the right cores. */
#include "test.h"

#include <stdlib.h>

#include "mesh_case.h"
#include "row.h"

enum { ROWS = 2, COLUMNS = 3, DEVICES = ROWS * COLUMNS, BYTES = 8192, ROUNDS = 12, CORES = 3 };

static struct mesh_case test;

static void choose(const char *dispatcher, const char *ordering)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.cluster_config.dispatch_tiles = 10;
	test.config.forward.dispatcher = dispatcher_find(dispatcher);
	test.config.forward.ordering = ordering_find(ordering);
}

/* Makes queue `to` wait for everything sent through queue `from`. */
static void follow(uint32_t from, uint32_t to)
{
	struct device_range all = device_range_all(mesh_device_shape(test.mesh));
	struct mesh_event event;

	assert_int_equal(enqueue_record_event(mesh_queue(test.mesh, from), all, false, 0, &event),
		STATUS_OK);
	assert_int_equal(enqueue_wait_event(mesh_queue(test.mesh, to), &event, 0), STATUS_OK);
}

/* Each round writes the whole buffer by broadcast, launches on all devices or on one device, and
 * writes the part of one device by unicast. Three rounds use one queue, the next three rounds use
 * the other queue. */
static void write_and_launch(struct mesh_buffer *buffer, const uint8_t *data, uint32_t *last)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = CORES};
	struct program *program = mesh_case_program(&test, "any", cores, 500, 2);
	struct workload *whole = mesh_case_workload(&test, program), *one;

	one = workload_new(test.mesh);
	assert_int_equal(
		workload_add(one, program, (struct device_range){1, 1, 1, 1}, NULL), STATUS_OK);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct command_queue *queue = mesh_queue(test.mesh, i / 3 % 2);
		uint32_t device = 5 * i % DEVICES;

		if (i > 0 && i % 3 == 0)
			follow(1 - i / 3 % 2, i / 3 % 2);
		mesh_case_set_args(&test, program, cores, 2, i + 1);
		assert_int_equal(
			enqueue_write_buffer(queue, buffer, data + i * BYTES, false, 0), STATUS_OK);
		assert_int_equal(
			enqueue_workload(queue, i % 2 ? whole : one, i % 5 == 4, 0), STATUS_OK);
		assert_int_equal(
			enqueue_write_shard(queue, buffer, (uint16_t)(device / COLUMNS),
				(uint16_t)(device % COLUMNS), data + (i + 1) * BYTES, false, 0),
			STATUS_OK);
		for (uint32_t k = 0; k < DEVICES; k++)
			last[k] = k == device ? i + 1 : i;
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, i), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t k = 0; k < DEVICES; k++) {
		struct launch_result result = mesh_case_result(&test, k, CORES - 1);

		assert_int_equal(result.launches, k == COLUMNS + 1 ? ROUNDS : ROUNDS / 2);
		assert_int_equal(result.checksum, mesh_case_checksum(CORES - 1, 2, ROUNDS));
	}
	workload_free(whole);
	workload_free(one);
	program_free(program);
}

static void run(struct cluster *cluster, const char *dispatcher)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = BYTES};
	uint8_t *data = malloc((ROUNDS + 1) * BYTES);
	struct mesh_buffer *buffer;
	uint32_t last[DEVICES];

	choose(dispatcher, "event");
	test.cluster = cluster;
	mesh_case_attach(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	mesh_case_fill(data, (ROUNDS + 1) * BYTES, 1);
	write_and_launch(buffer, data, last);
	mesh_case_check_parts(&test, buffer, data, last, BYTES);
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
	free(data);
}

static void shared_ones_keep_the_order(struct cluster *cluster)
{
	run(cluster, "shared");
}

static void dedicated_ones_keep_the_order(struct cluster *cluster)
{
	run(cluster, "dedicated");
}

/* ---- plans ---- */

static enum status plan_of(const char *dispatcher, const char *ordering,
	struct mesh_resources *resources, struct text *why)
{
	struct cluster_info *info;
	enum status status;

	choose(dispatcher, ordering);
	info = test_cluster_info_new(&test.cluster_config);
	status = mesh_plan(info, &test.config, resources, why);
	test_cluster_info_free(info);
	return status;
}

/* Each of the two queues needs a dispatcher and its dispatch_s. */
static void dedicated_ones_take_two_processors_more_of_a_chip(struct cluster *cluster)
{
	struct mesh_resources shared, dedicated;

	(void)cluster;
	assert_int_equal(plan_of("shared", "event", &shared, NULL), STATUS_OK);
	assert_int_equal(plan_of("dedicated", "event", &dedicated, NULL), STATUS_OK);
	assert_int_equal(dedicated.mesh_processors, shared.mesh_processors + 2 * 2);
	assert_int_equal(dedicated.mesh_tiles, shared.mesh_tiles + 2);
	assert_true(dedicated.mesh_l1_bytes > shared.mesh_l1_bytes);
	assert_int_equal(dedicated.gateway_processors, shared.gateway_processors);
}

static void dedicated_ones_refuse_an_order_that_one_dispatcher_keeps(struct cluster *cluster)
{
	struct text why;

	(void)cluster;
	text_init(&why);
	assert_int_equal(plan_of("dedicated", "counter", NULL, &why), STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&why),
		"with dispatcher 'dedicated' no dispatcher sees the commands of both prefetchers: "
		"ordering must be 'event', not 'counter'");
	assert_int_equal(plan_of("dedicated", "none", NULL, NULL), STATUS_UNSUPPORTED);
	text_fini(&why);
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS, .dispatch_tiles = 10};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(shared_ones_keep_the_order, cluster),
		ROW_CASE(dedicated_ones_keep_the_order, cluster),
		ROW_WORLD_CASE(dedicated_ones_take_two_processors_more_of_a_chip),
		ROW_WORLD_CASE(dedicated_ones_refuse_an_order_that_one_dispatcher_keeps),
	};

	return ROW_RUN_SUITE("mesh_dispatcher", cases);
}
