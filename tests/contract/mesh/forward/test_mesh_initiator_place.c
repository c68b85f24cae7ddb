/* label: full  needs: simgrid timeout: 300
 * Tests the choices of initiator chips (spec 3.8.8.2): every choice, with one or several
 * initiators, and with PCIe on all chips, on some or on gateways. Every chip receives each
 * broadcast once and in order with unicasts. Two meshes on one machine share an initiator only if
 * the choice says so. */
#include "test.h"

#include "mesh_case.h"
#include "mesh/device/device.h"
#include "row.h"

enum { ROWS = 4, COLUMNS = 4, DEVICES = ROWS * COLUMNS, WORDS = 1024, BYTES = 4 * WORDS };

/* The chips that tests name as initiators: all in column 0, where TEST_PCIE_LEFT puts PCIe. */
static const struct mesh_offset chips[] = {{3, 0}, {0, 0}, {2, 0}};

static struct mesh_case test;

static void write_everywhere(struct cluster *cluster, const char *place, uint32_t initiators)
{
	enum { ROUNDS = 8 };
	static uint32_t words[ROUNDS][WORDS];
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 512};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_counters counters;
	struct mesh_buffer *buffer;
	struct command_queue *queue;
	uint32_t back[WORDS];

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.initiator_place = initiator_place_find(place);
	test.config.forward.initiator_chips = chips;
	test.config.forward.initiator_chip_count = initiators;
	test.cluster = cluster;
	mesh_case_attach(&test);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		mesh_case_fill(words[i], BYTES, i);
		assert_int_equal(
			i % 4 == 3 ? enqueue_write_shard(queue, buffer, 2, 3, words[i], false, 0)
				   : enqueue_write_buffer(queue, buffer, words[i], false, 0),
			STATUS_OK);
	}
	assert_int_equal(enqueue_write_buffer(queue, buffer, words[0], false, 0), STATUS_OK);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test.mesh, &counters);
	assert_true(counters.packets > 0);
	for (uint16_t device = 0; device < DEVICES; device++) {
		assert_int_equal(enqueue_read_shard(queue, buffer, device / COLUMNS,
					 device % COLUMNS, back, true, 0),
			STATUS_OK);
		assert_memory_equal(words[0], back, BYTES);
	}
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
}

static void every_place_reaches_every_chip(struct cluster *cluster)
{
	for (size_t i = 0; initiator_place_row(i); i++)
		write_everywhere(cluster, initiator_place_name(i), 1);
}

static void every_place_of_several_reaches_every_chip(struct cluster *cluster)
{
	for (size_t i = 0; initiator_place_row(i); i++)
		write_everywhere(cluster, initiator_place_name(i), 3);
}

/* Opens the left and the right half of the machine. Returns true if one chip initiates for both. */
static bool halves_share(struct cluster *cluster, const char *place)
{
	struct mesh_device *right = NULL;
	bool shared;

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.command_queues = 1;
	test.config.shape.columns = COLUMNS / 2;
	test.config.forward.initiator_place = initiator_place_find(place);
	test.cluster = cluster;
	mesh_case_attach(&test);
	test.config.offset.column = COLUMNS / 2;
	assert_int_equal(mesh_open(test.system, &test.config, NULL, &right), STATUS_OK);
	shared = test.mesh->plan.grid[0].initiator == right->plan.grid[0].initiator;
	mesh_close(right);
	mesh_close(test.mesh);
	return shared;
}

static void meshes_share_the_centre_and_not_the_least_loaded(struct cluster *cluster)
{
	assert_true(halves_share(cluster, "centre"));
	assert_false(halves_share(cluster, "least-loaded"));
}

/* Opens a mesh with named chips, as many as `count`. */
static enum status opens(struct cluster *cluster, uint32_t initiators, uint32_t count)
{
	struct mesh_device *mesh = NULL;
	enum status status;

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.cluster = cluster;
	mesh_case_attach(&test);
	mesh_close(test.mesh);
	test.config.forward.initiator_place = initiator_place_find("named");
	test.config.forward.initiator_chips = chips;
	test.config.forward.initiator_chip_count = count;
	status = mesh_open(test.system, &test.config, NULL, &mesh);
	if (status == STATUS_OK)
		mesh_close(mesh);
	return status;
}

static void a_chip_is_named_for_each_initiator(struct cluster *cluster)
{
	assert_int_equal(opens(cluster, 2, 2), STATUS_OK);
	assert_int_equal(opens(cluster, 2, 1), STATUS_INVALID);
	assert_int_equal(opens(cluster, 1, 0), STATUS_INVALID);
}

static const struct test_cluster left = {.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster all = {.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_ALL};
static const struct test_cluster gateways = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(every_place_reaches_every_chip, left),
		ROW_CASE(every_place_reaches_every_chip, all),
		ROW_CASE(every_place_reaches_every_chip, gateways),
		ROW_CASE(every_place_of_several_reaches_every_chip, left),
		ROW_CASE(every_place_of_several_reaches_every_chip, all),
		ROW_CASE(every_place_of_several_reaches_every_chip, gateways),
		ROW_CASE(meshes_share_the_centre_and_not_the_least_loaded, gateways),
		ROW_CASE(a_chip_is_named_for_each_initiator, left),
	};

	return ROW_RUN_SUITE("mesh_initiator_place", cases);
}
