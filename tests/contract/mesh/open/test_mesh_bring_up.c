/* label: full  needs: simgrid timeout: 300
 * Tests the start-up of chips (bring-up) if it takes time, in the native and the simulated world.
 * Afterwards, meshes must work as if the chips had been ready from the start. Every byte of
 * firmware must reach its chip, even if the chip's memory contained other data before. Simulated
 * bring-up takes longer with more chips behind a gateway, with larger images, and with broadcast
 * trees to initialize. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "mesh/choice.h"
#include "mesh_case.h"
#include "row.h"

enum { BYTES = 3072, ARGS = 4, LAUNCHES = 3 };

static const struct test_cluster everywhere = {
	.rows = 2, .columns = 4, .pcie = TEST_PCIE_ALL, .dispatch_tiles = 16};
static const struct test_cluster left = {
	.rows = 2, .columns = 4, .pcie = TEST_PCIE_LEFT, .dispatch_tiles = 16};
static const struct test_cluster gateways = {
	.rows = 2, .columns = 4, .pcie = TEST_PCIE_GATEWAYS, .dispatch_tiles = 16};

static struct mesh_system *mesh_system;

static void init(struct mesh_case *test, uint16_t high, uint16_t wide, const char *forward)
{
	mesh_case_init(test, high, wide, TEST_PCIE_ALL);
	mesh_case_choose(test, forward, 1, "table", "main");
	test->config.timed_bring_up = true;
}

/* Opens the mesh and returns how long that took. */
static int64_t open_mesh(struct mesh_case *test, struct cluster *cluster)
{
	int64_t begun_ns = world->now_ns();

	test->cluster = cluster;
	test->system = mesh_system;
	assert_int_equal(mesh_open(mesh_system, &test->config, NULL, &test->mesh), STATUS_OK);
	world->settle();
	return world->now_ns() - begun_ns;
}

static void use(struct mesh_case *test, uint32_t generation)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct program *program = mesh_case_program(test, "after", cores, 600, ARGS);
	struct workload *workload = mesh_case_workload(test, program);

	for (uint32_t i = 0; i < LAUNCHES; i++) {
		mesh_case_set_args(test, program, cores, ARGS, generation + i);
		assert_int_equal(enqueue_workload(mesh_queue(test->mesh, i % 2), workload, true, 0),
			STATUS_OK);
	}
	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++) {
		struct launch_result result = mesh_case_result(test, device, 3);

		assert_int_equal(result.launches, LAUNCHES);
		assert_int_equal(
			result.checksum, mesh_case_checksum(3, ARGS, generation + LAUNCHES - 1));
	}
	workload_free(workload);
	program_free(program);
}

static void a_mesh_works_when_it_is_up(struct cluster *cluster)
{
	mesh_system = mesh_system_new(cluster);
	for (uint32_t i = 0; i < 6; i++) {
		struct mesh_case test;

		init(&test, i % 3 ? 2 : 1, i % 2 ? 4 : 3, i % 3 ? "broadcast" : "unicast");
		test.config.forward.packetizer = packetizer_row(i % 4);
		test.config.forward.initiators = i == 5 ? 2 : 1;
		(void)open_mesh(&test, cluster);
		use(&test, 10 * i);
		mesh_close(test.mesh);
	}
}

/* Counts nonzero bytes in the memory for the firmware of workers. */
static uint32_t other_than_zero(struct mesh_case *test)
{
	const struct chip_geometry *geometry = device_row->info(test->cluster)->chips[0].geometry;
	uint32_t at = (geometry->worker_l1_base + 63) / 64 * 64, count = 0;
	static uint8_t bytes[BYTES];

	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++)
		for (uint32_t i = 0; i < 6; i++) {
			mesh_case_inspect(
				test, device, geometry->worker_tiles[i], at, BYTES, bytes);
			for (uint32_t b = 0; b < BYTES; b++)
				count += bytes[b] != 0;
		}
	return count;
}

static void every_byte_reaches_its_chip(struct cluster *cluster)
{
	struct mesh_case test;

	mesh_system = mesh_system_new(cluster);
	init(&test, 2, 4, "broadcast");
	test.config.timed_bring_up = false;
	(void)open_mesh(&test, cluster);
	use(&test, 5);
	assert_true(other_than_zero(&test) > 8 * 6);
	mesh_close(test.mesh);
	init(&test, 2, 4, "broadcast");
	test.limits.worker_image_bytes = BYTES;
	(void)open_mesh(&test, cluster);
	assert_int_equal(other_than_zero(&test), 0);
	mesh_close(test.mesh);
}

/* Returns the time that bring-up takes. Sets *bytes to the number of bytes that the host writes. */
static int64_t take(struct cluster *cluster, uint16_t columns, const char *forward, uint32_t image,
	uint64_t *bytes)
{
	struct mesh_counters counters;
	struct mesh_case test;
	int64_t took_ns;

	init(&test, 1, columns, forward);
	test.limits.worker_image_bytes = test.limits.router_image_bytes = image;
	took_ns = open_mesh(&test, cluster);
	mesh_device_counters(test.mesh, &counters);
	*bytes = counters.bring_up_bytes;
	mesh_close(test.mesh);
	return took_ns;
}

static void it_takes_what_is_loaded_and_greeted(struct cluster *cluster)
{
	uint64_t bytes[5] = {0}, large, broadcast, again;
	int64_t took_ns[5] = {0}, large_ns, broadcast_ns;

	mesh_system = mesh_system_new(cluster);
	for (uint16_t columns = 1; columns <= 4; columns++)
		took_ns[columns] = take(cluster, columns, "unicast", 2048, &bytes[columns]);
	(void)take(cluster, 4, "unicast", 2048, &again);
	large_ns = take(cluster, 4, "unicast", 4096, &large);
	broadcast_ns = take(cluster, 4, "broadcast", 2048, &broadcast);
	check_equal(again, bytes[4]);
	/* all chips in the middle have equally many links */
	check_equal(bytes[3] - bytes[2], bytes[2] - bytes[1]);
	check_at_most(bytes[4] + 1, large);
	check_at_most(bytes[4] + 1, broadcast);
	if (!row_current()->timed)
		return;
	for (uint16_t columns = 2; columns <= 4; columns++)
		check_at_most(took_ns[columns - 1] + 1, took_ns[columns]);
	check_at_most(took_ns[4] + 1, large_ns);
	check_at_most(took_ns[4] + 1, broadcast_ns);
}

/* If chips are ready, opening takes no time and writes nothing. */
static void what_is_ready_takes_no_time(struct cluster *cluster)
{
	struct mesh_counters counters;
	struct mesh_case test;
	int64_t took_ns;

	mesh_system = mesh_system_new(cluster);
	init(&test, 2, 4, "broadcast");
	test.config.timed_bring_up = false;
	took_ns = open_mesh(&test, cluster);
	mesh_device_counters(test.mesh, &counters);
	check_equal(counters.bring_up_bytes, 0);
	if (row_current()->timed)
		check_equal(took_ns, 0);
	mesh_close(test.mesh);
}

int main(void)
{
	static const struct row_case cases[] = {
		{"works, PCIe on all chips", a_mesh_works_when_it_is_up, &everywhere},
		{"works, PCIe on the left", a_mesh_works_when_it_is_up, &left},
		{"works, behind gateways", a_mesh_works_when_it_is_up, &gateways},
		{"bytes, PCIe on all chips", every_byte_reaches_its_chip, &everywhere},
		{"bytes, behind gateways", every_byte_reaches_its_chip, &gateways},
		ROW_CASE(it_takes_what_is_loaded_and_greeted, gateways),
		ROW_CASE(what_is_ready_takes_no_time, gateways),
	};

	return ROW_RUN_SUITE("mesh_bring_up", cases);
}
