/* label: full  needs: simgrid timeout: 300
 * Tests the routes of broadcasts (spec 3.8.8.2) and virtual channels (spec 3.8.2). With every route
 * and channel, every chip of the mesh receives each broadcast once and in order with unicasts.
 * Tests use one or several initiators, and meshes with and without wrap-around links. */

#include "test.h"

#include "mesh_case.h"
#include "row.h"

enum { ROWS = 4, COLUMNS = 4, DEVICES = ROWS * COLUMNS, WORDS = 1024, BYTES = 4 * WORDS };

static struct mesh_case test;

static struct mesh_buffer *new_buffer(void)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 512};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

static void write_everywhere(struct cluster *cluster, const char *route, uint32_t initiators)
{
	enum { ROUNDS = 10 };
	static uint32_t words[ROUNDS][WORDS];
	uint32_t back[WORDS];
	struct mesh_counters counters;
	struct mesh_buffer *buffer;
	struct command_queue *queue;

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.route = route_find(route);
	test.cluster = cluster;
	mesh_case_attach(&test);
	queue = mesh_queue(test.mesh, 0);
	buffer = new_buffer();
	for (uint32_t i = 0; i < ROUNDS; i++) {
		mesh_case_fill(words[i], BYTES, i);
		if (i % 4 == 3)
			assert_int_equal(
				enqueue_write_shard(queue, buffer, 2, 3, words[i], false, 0),
				STATUS_OK);
		else
			assert_int_equal(
				enqueue_write_buffer(queue, buffer, words[i], false, 0), STATUS_OK);
	}
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test.mesh, &counters);
	assert_true(counters.packets > 0);
	for (uint16_t device = 0; device < DEVICES; device++) {
		assert_int_equal(enqueue_read_shard(queue, buffer, device / COLUMNS,
					 device % COLUMNS, back, true, 0),
			STATUS_OK);
		assert_memory_equal(words[ROUNDS - 1], back, BYTES);
	}
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
}

static void a_line_and_columns_reach_every_chip(struct cluster *cluster)
{
	write_everywhere(cluster, "line-column", 1);
}

static void a_ring_reaches_every_chip(struct cluster *cluster)
{
	write_everywhere(cluster, "ring", 1);
}

static void rings_of_several_initiators_reach_every_chip(struct cluster *cluster)
{
	write_everywhere(cluster, "ring", 2);
}

static void a_tree_reaches_every_chip(struct cluster *cluster)
{
	write_everywhere(cluster, "tree", 1);
}

static void trees_of_several_initiators_reach_every_chip(struct cluster *cluster)
{
	write_everywhere(cluster, "tree", 3);
}

static void write_on_both_queues(
	struct cluster *cluster, const char *channels, const char *packetizer)
{
	enum { ROUNDS = 8 };
	static uint32_t words[2][ROUNDS][WORDS];
	struct mesh_buffer *buffers[2];
	uint32_t back[WORDS];

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 2, "table", "main");
	test.config.forward.channels = channels_find(channels);
	test.config.forward.packetizer = packetizer_find(packetizer);
	test.cluster = cluster;
	mesh_case_attach(&test);
	for (uint32_t q = 0; q < 2; q++)
		buffers[q] = new_buffer();
	for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
		struct command_queue *queue = mesh_queue(test.mesh, i % 2);
		uint32_t *data = words[i % 2][i / 2];

		mesh_case_fill(data, BYTES, i);
		assert_int_equal(
			i / 2 % 4 == 2
				? enqueue_write_shard(queue, buffers[i % 2], 1, 3, data, false, 0)
				: enqueue_write_buffer(queue, buffers[i % 2], data, false, 0),
			STATUS_OK);
	}
	for (uint32_t q = 0; q < 2; q++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, q), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint16_t i = 0; i < 2 * DEVICES; i++) {
		uint16_t device = i / 2;

		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), buffers[i % 2],
					 device / COLUMNS, device % COLUMNS, back, true, 0),
			STATUS_OK);
		assert_memory_equal(words[i % 2][ROUNDS - 1], back, BYTES);
	}
	for (uint32_t q = 0; q < 2; q++)
		mesh_buffer_free(buffers[q]);
	mesh_close(test.mesh);
}

static void a_shared_channel_carries_all(struct cluster *cluster)
{
	write_on_both_queues(cluster, "shared", "per-queue");
}

static void a_channel_of_broadcasts_carries_both_queues(struct cluster *cluster)
{
	write_on_both_queues(cluster, "own", "per-queue");
}

static void a_shared_packetizer_sends_on_the_channels_of_its_queues(struct cluster *cluster)
{
	write_on_both_queues(cluster, "own", "shared");
}

/* Fails if a row is added that this suite does not test. */
static void there_are_three_routes(struct cluster *cluster)
{
	(void)cluster;
	assert_string_equal(route_name(0), "line-column");
	assert_string_equal(route_name(1), "ring");
	assert_string_equal(route_name(2), "tree");
	assert_null(route_name(3));
}

static const struct test_cluster mesh = {.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster torus = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT, .wrap = true};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(a_line_and_columns_reach_every_chip, mesh),
		ROW_CASE(a_ring_reaches_every_chip, mesh),
		ROW_CASE(a_ring_reaches_every_chip, torus),
		ROW_CASE(rings_of_several_initiators_reach_every_chip, mesh),
		ROW_CASE(a_tree_reaches_every_chip, mesh),
		ROW_CASE(a_tree_reaches_every_chip, torus),
		ROW_CASE(trees_of_several_initiators_reach_every_chip, torus),
		ROW_CASE(a_shared_channel_carries_all, mesh),
		ROW_CASE(a_channel_of_broadcasts_carries_both_queues, mesh),
		ROW_CASE(a_shared_packetizer_sends_on_the_channels_of_its_queues, mesh),
		ROW_WORLD_CASE(there_are_three_routes),
	};

	return ROW_RUN_SUITE("mesh_route", cases);
}
