/* label: full  needs: simgrid timeout: 300
 * Tests how the commands of broadcasts get from the host to the initiators, which are the chips
 * that send them to all other chips (spec 3.8.8.2), on grids of different sizes. The host writes
 * one copy into an issue queue that all initiators share, or one copy for each initiator into
 * separate queues. Every chip must receive each broadcast once and in order with unicasts. No
 * command in a queue may be overwritten before the slowest initiator has read it. */
#include "test.h"

#include "mesh_case.h"
#include "row.h"

enum { ROWS = 5, COLUMNS = 3, INITIATORS = 3, BYTES = 40 * 1024 };

static struct mesh_case test;

static void choose(const char *feed, const char *ordering, const char *packetizer)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", INITIATORS, "table", "main");
	test.config.forward.feed = feed_find(feed);
	test.config.forward.ordering = ordering_find(ordering);
	test.config.forward.packetizer = packetizer_find(packetizer);
}

/* Writes by broadcast to all chips. After most of these writes, also writes by unicast to one chip,
 * another one each time. The issue queue has room for at most two writes. */
static struct mesh_counters write_in_turns(struct cluster *cluster)
{
	test.config.sizes.issue_queue_bytes = 2 * BYTES / 4096 * 4096;
	test.cluster = cluster;
	mesh_case_attach(&test);
	return mesh_case_write_in_turns(&test, BYTES);
}

static void copies_arrive_in_order(struct cluster *cluster)
{
	struct mesh_counters counters;

	choose("copy", "counter", "per-queue");
	counters = write_in_turns(cluster);
	assert_int_equal(counters.packet_bytes, counters.broadcasts.bytes);
}

static void a_shared_queue_arrives_in_order(struct cluster *cluster)
{
	struct mesh_counters counters;

	choose("shared", "counter", "per-queue");
	counters = write_in_turns(cluster);
	assert_int_equal(counters.packet_bytes, INITIATORS * counters.broadcasts.bytes);
	assert_true(counters.issue_waits > 0);
}

static void a_shared_queue_arrives_in_order_of_events(struct cluster *cluster)
{
	choose("shared", "event", "per-queue");
	write_in_turns(cluster);
}

static void shared_prefetchers_read_a_shared_queue(struct cluster *cluster)
{
	choose("shared", "counter", "shared");
	write_in_turns(cluster);
}

/* Runs a program on some of the rows. */
static void what_is_for_some_grids_runs_on_these_alone(struct cluster *cluster)
{
	const struct cores cores = {.kind = CORES_ALL};
	const struct device_range part = {0, 0, 2, COLUMNS - 1};
	struct program *program;
	struct workload *workload;

	choose("shared", "counter", "per-queue");
	test.cluster = cluster;
	mesh_case_attach(&test);
	program = mesh_case_program(&test, "part", cores, 300, 4);
	workload = workload_new(test.mesh);
	assert_int_equal(workload_add(workload, program, part, NULL), STATUS_OK);
	mesh_case_set_args(&test, program, cores, 4, 1);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	for (uint32_t device = 0; device < ROWS * COLUMNS; device++)
		assert_int_equal(
			mesh_case_result(&test, device, 0).launches, device < 3 * COLUMNS ? 1 : 0);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

static struct mesh_resources plan_of(const char *feed)
{
	struct mesh_resources resources;
	struct cluster_info *info;

	choose(feed, "counter", "per-queue");
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	test_cluster_info_free(info);
	return resources;
}

static void a_shared_queue_takes_the_memory_of_one(struct cluster *cluster)
{
	struct mesh_resources copy = plan_of("copy"), shared = plan_of("shared");

	(void)cluster;
	assert_int_equal(copy.issue_queues - shared.issue_queues, 2 * (INITIATORS - 1));
	assert_true(shared.host_window_bytes < copy.host_window_bytes);
	assert_int_equal(shared.initiators, INITIATORS);
	/* fails if a row is added that this suite does not test */
	assert_string_equal(feed_name(0), "copy");
	assert_string_equal(feed_name(1), "shared");
	assert_null(feed_name(2));
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(copies_arrive_in_order, cluster),
		ROW_CASE(a_shared_queue_arrives_in_order, cluster),
		ROW_CASE(a_shared_queue_arrives_in_order_of_events, cluster),
		ROW_CASE(shared_prefetchers_read_a_shared_queue, cluster),
		ROW_CASE(what_is_for_some_grids_runs_on_these_alone, cluster),
		ROW_WORLD_CASE(a_shared_queue_takes_the_memory_of_one),
	};

	return ROW_RUN_SUITE("mesh_feed", cases);
}
