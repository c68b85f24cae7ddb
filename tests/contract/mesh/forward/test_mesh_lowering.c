/* label: full  needs: simgrid timeout: 300
 * Tests the order of a workload's commands (spec 3.10.2). With every order, forward path and cache,
 * each worker must run each launch once, with its own arguments. The order breadth-first sends more
 * transactions than depth-first, and sends go signals after all other commands. If one broadcast
 * carries the whole workload, all orders must give the same transactions. */

#include "test.h"

#include "mesh_case.h"
#include "row.h"

enum {
	ROWS = 3,
	COLUMNS = 3,
	DEVICES = ROWS * COLUMNS,
	ARGS = 3,
	LAUNCHES = 10,
	MANY = 300,
	CORES = 5
};

static struct mesh_case test;
static const struct cores cores = {.kind = CORES_COUNT, .count = CORES};

static void open_with(
	struct cluster *cluster, const char *lowering, const char *path, const char *threads)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, path, 1, "table", threads);
	test.config.lowering = lowering_find(lowering);
	test.cluster = cluster;
}

/* Makes a workload of two programs. `left` has no configuration and runs on the left column.
 * `others` has every kind of configuration and runs on the other columns. */
static struct workload *two_programs(struct program *left, struct program *others)
{
	struct workload *workload = workload_new(test.mesh);

	assert_int_equal(
		workload_add(workload, left, (struct device_range){0, 0, 2, 0}, NULL), STATUS_OK);
	assert_int_equal(
		workload_add(workload, others, (struct device_range){0, 1, 2, 2}, NULL), STATUS_OK);
	return workload;
}

static struct program *bare_program(void)
{
	struct kernel_config config = {
		.processor = PROCESSOR_BRISC, .cores = cores, .bytes = 700, .cycles = 30};
	struct program *program = program_new(test.mesh, "bare");
	uint32_t kernel;

	assert_int_equal(program_add_kernel(program, &config, NULL, &kernel), STATUS_OK);
	return program;
}

/* Checks launches and arguments. Generation 0: do not check arguments. */
static void check(uint32_t launches, uint32_t generation)
{
	for (uint32_t device = 0; device < DEVICES; device++)
		for (uint32_t core = 0; core < CORES + 1; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);

			assert_int_equal(result.launches, core < CORES ? launches : 0);
			if (core < CORES && generation > 0 && device % COLUMNS > 0)
				assert_int_equal(result.checksum,
					mesh_case_checksum(core, ARGS, generation));
		}
}

static void run(struct cluster *cluster, const char *lowering, const char *path,
	const char *threads, bool cache)
{
	struct program *left, *others;
	struct workload *workload;

	open_with(cluster, lowering, path, threads);
	test.config.command_cache = cache;
	mesh_case_attach(&test);
	left = bare_program();
	others = mesh_case_program(&test, "others", cores, 900, ARGS);
	workload = two_programs(left, others);
	for (uint32_t i = 1; i <= 2 * LAUNCHES; i++) {
		mesh_case_set_args(&test, others, cores, ARGS, i);
		assert_int_equal(enqueue_workload(mesh_queue(test.mesh, i / LAUNCHES % 2), workload,
					 false, 0),
			STATUS_OK);
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, i), 0, DEADLINE_NEVER), STATUS_OK);
	check(2 * LAUNCHES, 2 * LAUNCHES);
	workload_free(workload);
	program_free(left);
	program_free(others);
	mesh_close(test.mesh);
}

#define CASES(lowering, name)                                                                      \
	static void lowering##_by_unicast_runs_every_launch(struct cluster *cluster)               \
	{                                                                                          \
		run(cluster, name, "unicast", "main", true);                                       \
	}                                                                                          \
                                                                                                   \
	static void lowering##_by_threads_runs_every_launch(struct cluster *cluster)               \
	{                                                                                          \
		run(cluster, name, "unicast", "per-device", true);                                 \
	}                                                                                          \
                                                                                                   \
	static void lowering##_without_cache_runs_every_launch(struct cluster *cluster)            \
	{                                                                                          \
		run(cluster, name, "unicast", "pool", false);                                      \
	}                                                                                          \
                                                                                                   \
	static void lowering##_by_broadcast_runs_every_launch(struct cluster *cluster)             \
	{                                                                                          \
		run(cluster, name, "broadcast", "main", true);                                     \
	}

CASES(depth_first, "depth-first")
CASES(breadth_first, "breadth-first")

/* With the order breadth-first, each kind of command is a separate transaction. In this test, some
 * of these transactions contain nothing for the dispatcher. They must still end, so that the
 * transactions of other prefetchers get their turn. The numbers of transactions have only 8 bits,
 * so the runtime must sometimes insert a command by which the other prefetchers catch up. */
static void breadth_first_runs_any_number_of_bare_launches(struct cluster *cluster)
{
	struct program *program;
	struct workload *workload;

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", ROWS, "table", "main");
	test.config.lowering = lowering_find("breadth-first");
	test.cluster = cluster;
	mesh_case_attach(&test);
	program = bare_program();
	workload = mesh_case_workload(&test, program);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	check(MANY, 0);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

/* ---- costs and purpose ---- */

enum { OPERATION = 7 };

struct cost {
	struct mesh_counters counters; /* counters of the launch alone */
	uint32_t before_go;	       /* doorbells before the first go signal */
};

static uint32_t doorbells_before_go(uint32_t operation)
{
	const struct row_mark *marks;
	uint32_t count = row_marks(&marks), doorbells = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (marks[i].operation == operation && marks[i].point == MARK_GO)
			return doorbells;
		doorbells += marks[i].operation == operation && marks[i].point == MARK_DOORBELL;
	}
	fail_msg("no go signal");
	return 0;
}

/* The cost of a launch on all devices, with nothing else in flight. */
static struct cost cost_of(struct cluster *cluster, const char *lowering, const char *path)
{
	struct mesh_counters before;
	struct program *program;
	struct workload *workload;
	struct cost cost;

	open_with(cluster, lowering, path, "main");
	mesh_case_attach(&test);
	program = mesh_case_program(&test, "any", cores, 900, ARGS);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	mesh_device_counters(test.mesh, &before);
	assert_int_equal(
		enqueue_workload(mesh_queue(test.mesh, 0), workload, false, OPERATION), STATUS_OK);
	mesh_device_counters(test.mesh, &cost.counters);
	cost.counters.unicasts.transactions -= before.unicasts.transactions;
	cost.counters.broadcasts.transactions -= before.broadcasts.transactions;
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	cost.before_go = doorbells_before_go(OPERATION);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
	return cost;
}

static void depth_first_is_one_transaction_a_device(struct cluster *cluster)
{
	struct cost cost = cost_of(cluster, "depth-first", "unicast");

	assert_int_equal(cost.counters.unicasts.transactions, DEVICES);
}

/* Configuration, kernels and launch messages go to all devices before the first go, so there are at
 * least three doorbells for each device before it. In the native world there may be more: two
 * threads record marks, so the mark for a go's doorbell may have a time after effects of the go. */
static void breadth_first_is_four_transactions_a_device(struct cluster *cluster)
{
	struct cost cost = cost_of(cluster, "breadth-first", "unicast");

	assert_int_equal(cost.counters.unicasts.transactions, 4 * DEVICES);
	assert_in_range(cost.before_go, 3 * DEVICES, 4 * DEVICES);
}

static void breadth_first_leaves_one_broadcast_as_it_is(struct cluster *cluster)
{
	struct cost cost = cost_of(cluster, "breadth-first", "broadcast");

	assert_int_equal(cost.counters.broadcasts.transactions, 1);
	assert_int_equal(cost.counters.unicasts.transactions, 0);
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS};

#define ROW_CASES(lowering)                                                                        \
	ROW_CASE(lowering##_by_unicast_runs_every_launch, cluster),                                \
		ROW_CASE(lowering##_by_threads_runs_every_launch, cluster),                        \
		ROW_CASE(lowering##_without_cache_runs_every_launch, cluster),                     \
		ROW_CASE(lowering##_by_broadcast_runs_every_launch, cluster)

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASES(depth_first),
		ROW_CASES(breadth_first),
		ROW_CASE(depth_first_is_one_transaction_a_device, cluster),
		ROW_CASE(breadth_first_is_four_transactions_a_device, cluster),
		ROW_CASE(breadth_first_runs_any_number_of_bare_launches, cluster),
		ROW_CASE(breadth_first_leaves_one_broadcast_as_it_is, cluster),
	};

	return ROW_RUN_SUITE("mesh_lowering", cases);
}
