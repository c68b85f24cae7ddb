/* label: full  needs: simgrid timeout: 300
 * Tests which devices receive go signals (spec 3.8.5): those that run the program ("running"), or
 * all devices ("all"). In both cases, a program must run once on its cores and nowhere else. This
 * is tested with two queues and with traces. With `all`, devices without work also receive go
 * signals. So every device sees every launch, and launches do not wait for earlier launches. */
#include "test.h"

#include <string.h>

#include "mesh/trace.h"
#include "mesh_case.h"
#include "row.h"

enum { ROWS = 3, COLUMNS = 3, DEVICES = ROWS * COLUMNS, ARGS = 4, PROGRAMS = 3, LAUNCHES = 30 };

struct some {
	struct cores cores;
	struct device_range range;
	struct program *program;
	struct workload *workload;
};

static struct mesh_case test;
static struct some some[PROGRAMS];
static uint32_t launches[DEVICES][4], last[DEVICES][4]; /* by device and core; generation */

static void open_with(struct cluster *cluster, const char *go, const char *path)
{
	bool dedicated = strcmp(path, "dedicated") == 0;

	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, dedicated ? "broadcast" : path, 1, "table", "main");
	if (dedicated) {
		test.config.forward.dispatcher = dispatcher_find(path);
		test.config.forward.ordering = ordering_find("event");
		test.cluster_config.dispatch_tiles = 10;
	}
	test.config.forward.go = go_find(go);
	test.cluster = cluster;
	mesh_case_attach(&test);
}

/* Makes three programs: on the left column, on the right two columns, and on a row. Each program
 * has fewer cores than the program before it. */
static void make_programs(void)
{
	static const struct device_range ranges[PROGRAMS] = {
		{0, 0, 2, 0}, {0, 1, 2, 2}, {1, 0, 1, 2}};

	for (uint32_t i = 0; i < PROGRAMS; i++) {
		some[i].cores = (struct cores){.kind = CORES_COUNT, .count = 4 - i};
		some[i].range = ranges[i];
		some[i].program = mesh_case_program(&test, "some", some[i].cores, 900, ARGS);
		some[i].workload = workload_new(test.mesh);
		assert_int_equal(workload_add(some[i].workload, some[i].program, ranges[i], NULL),
			STATUS_OK);
	}
	for (uint32_t device = 0; device < DEVICES; device++)
		for (uint32_t core = 0; core < 4; core++)
			launches[device][core] = last[device][core] = 0;
}

static void close_all(void)
{
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		workload_free(some[i].workload);
		program_free(some[i].program);
	}
	mesh_close(test.mesh);
}

static void expect(uint32_t number, uint32_t generation)
{
	const struct device_range range = some[number].range;

	for (uint32_t device = 0; device < DEVICES; device++)
		for (uint32_t core = 0; core < some[number].cores.count; core++) {
			uint16_t row = (uint16_t)(device / COLUMNS);
			uint16_t column = (uint16_t)(device % COLUMNS);

			if (!device_range_covers(
				    range, (struct device_range){row, column, row, column}))
				continue;
			launches[device][core]++;
			last[device][core] = generation;
		}
}

static void launch(uint32_t queue, uint32_t number, uint32_t generation)
{
	mesh_case_set_args(&test, some[number].program, some[number].cores, ARGS, generation);
	assert_int_equal(
		enqueue_workload(mesh_queue(test.mesh, queue), some[number].workload, false, 0),
		STATUS_OK);
}

static void check(void)
{
	for (uint32_t queue = 0; queue < 2; queue++)
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, queue), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < DEVICES; device++)
		for (uint32_t core = 0; core < 4; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);

			assert_int_equal(result.launches, launches[device][core]);
			if (last[device][core] > 0)
				assert_int_equal(result.checksum,
					mesh_case_checksum(core, ARGS, last[device][core]));
		}
}

/* Launches more often than the launch ring has slots, on devices in turn. */
static void run_in_turns(struct cluster *cluster, const char *go, const char *path)
{
	open_with(cluster, go, path);
	make_programs();
	for (uint32_t i = 1; i <= LAUNCHES; i++) {
		launch(i / 12 % 2, i * i % PROGRAMS, i);
		expect(i * i % PROGRAMS, i);
	}
	check();
	close_all();
}

static void replay_in_turns(struct cluster *cluster, const char *go, const char *path)
{
	struct command_queue *queue;
	struct mesh_trace *trace;

	open_with(cluster, go, path);
	make_programs();
	queue = mesh_queue(test.mesh, 1);
	launch(0, 1, 3);
	expect(1, 3);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	for (uint32_t i = 1; i <= LAUNCHES; i++)
		launch(1, i * i % PROGRAMS, i);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	for (uint32_t times = 0; times < 3; times++) {
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
		for (uint32_t i = 1; i <= LAUNCHES; i++)
			expect(i * i % PROGRAMS, i);
		launch(times % 2, 2, 40);
		expect(2, 40);
	}
	check();
	trace_free(trace);
	close_all();
}

#define CASES(go, path)                                                                            \
	static void go##_by_##path##_runs_programs_where_they_are(struct cluster *cluster)         \
	{                                                                                          \
		run_in_turns(cluster, #go, #path);                                                 \
	}                                                                                          \
                                                                                                   \
	static void go##_by_##path##_replays_programs_where_they_are(struct cluster *cluster)      \
	{                                                                                          \
		replay_in_turns(cluster, #go, #path);                                              \
	}

CASES(running, unicast)
CASES(running, broadcast)
CASES(all, unicast)
CASES(all, broadcast)
/* by broadcast, to dispatchers of their own (spec 3.8.3) */
CASES(running, dedicated)
CASES(all, dedicated)

/* ---- costs and savings ---- */

enum { COUNTED = 10 };

/* The cost of COUNTED launches, once the launch ring has wrapped. */
static struct mesh_counters cost_of(struct workload *workload)
{
	struct mesh_counters before, after;

	for (uint32_t i = 0; i < 2 * COUNTED; i++) {
		if (i == COUNTED)
			mesh_device_counters(test.mesh, &before);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	}
	mesh_device_counters(test.mesh, &after);
	after.unicasts.transactions -= before.unicasts.transactions;
	after.unicasts.commands -= before.unicasts.commands;
	after.broadcasts.transactions -= before.broadcasts.transactions;
	return after;
}

struct costs {
	struct mesh_counters whole, part; /* launches on all columns; on the first column */
};

static struct workload *workload_on(struct program *program, bool whole)
{
	struct workload *workload = workload_new(test.mesh);

	assert_int_equal(workload_add(workload, program, (struct device_range){0, 0, 2, 0}, NULL),
		STATUS_OK);
	if (whole)
		assert_int_equal(workload_add(workload, program,
					 (struct device_range){0, 1, 2, COLUMNS - 1}, NULL),
			STATUS_OK);
	return workload;
}

static struct costs costs_of(struct cluster *cluster, const char *go, const char *path)
{
	const struct cores all = {.kind = CORES_ALL};
	struct program *program;
	struct workload *whole, *part;
	struct costs costs;

	open_with(cluster, go, path);
	program = mesh_case_program(&test, "counted", all, 900, 0);
	whole = workload_on(program, true);
	part = workload_on(program, false);
	costs.whole = cost_of(whole);
	costs.part = cost_of(part);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	workload_free(whole);
	workload_free(part);
	program_free(program);
	mesh_close(test.mesh);
	return costs;
}

/* Devices without work do not see a launch, so the next launch waits for it. */
static void running_waits_for_launches_that_not_all_have_seen(struct cluster *cluster)
{
	struct costs costs = costs_of(cluster, "running", "unicast");
	uint64_t each = costs.whole.unicasts.commands / DEVICES;

	assert_int_equal(costs.part.unicasts.transactions, ROWS * COUNTED);
	assert_int_equal(costs.part.unicasts.commands, ROWS * (each + COUNTED));
}

/* Each of the other devices gets RELAY_INLINE and GO, and no wait. */
static void all_sends_goes_to_the_others_and_waits_for_none(struct cluster *cluster)
{
	struct costs costs = costs_of(cluster, "all", "unicast");
	uint64_t each = costs.whole.unicasts.commands / DEVICES;

	assert_int_equal(costs.part.unicasts.transactions, DEVICES * COUNTED);
	assert_int_equal(costs.part.unicasts.commands,
		ROWS * each + (uint64_t)(DEVICES - ROWS) * 2 * COUNTED);
}

/* With the variant `all` of struct go_ops, a program on some columns takes two broadcasts: its
 * commands go to the devices of these columns, and one go signal goes to all devices. */
static void all_broadcasts_the_go_of_what_runs_on_some(struct cluster *cluster)
{
	struct costs costs = costs_of(cluster, "all", "broadcast");

	assert_int_equal(costs.whole.broadcasts.transactions, 3 * COUNTED);
	assert_int_equal(costs.part.broadcasts.transactions, 2 * COUNTED);
	assert_int_equal(costs.whole.unicasts.transactions + costs.part.unicasts.transactions, 0);
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS, .dispatch_tiles = 10};

#define ROW_CASES(go, path)                                                                        \
	ROW_CASE(go##_by_##path##_runs_programs_where_they_are, cluster),                          \
		ROW_CASE(go##_by_##path##_replays_programs_where_they_are, cluster)

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASES(running, unicast),
		ROW_CASES(running, broadcast),
		ROW_CASES(all, unicast),
		ROW_CASES(all, broadcast),
		ROW_CASES(running, dedicated),
		ROW_CASES(all, dedicated),
		ROW_CASE(running_waits_for_launches_that_not_all_have_seen, cluster),
		ROW_CASE(all_sends_goes_to_the_others_and_waits_for_none, cluster),
		ROW_CASE(all_broadcasts_the_go_of_what_runs_on_some, cluster),
	};

	return ROW_RUN_SUITE("mesh_go", cases);
}
