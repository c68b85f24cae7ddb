/* label: full
 * Tests every value of runtime.host.compile with every variant of host threads, in the native
 * world. The value decides how often the kernels of a new program are compiled before devices run
 * it: once for each device, once for all devices with the same kernels, or never, because they were
 * compiled before the run. */
#include "test.h"

#include "mesh_case.h"
#include "mesh/program.h"
#include "world/native/native.h"

enum { SIDE = 3, ARGS = 3, BYTES = 400 };

struct kind {
	const struct compilation_ops *compile;
	const struct threads_ops *threads;
	const struct tasks_ops *tasks;
	bool forgets;
};

static bool is_per_device(const struct kind *kind)
{
	return kind->compile == compilation_find("per-device");
}

/* Since the case was opened, by all threads. */
static uint32_t compilations(void)
{
	struct work_counts counts;

	native_world_counts(&counts);
	return (uint32_t)counts.units[WORK_COMPILE_KERNEL];
}

static void open_case(struct mesh_case *test, const struct kind *kind)
{
	mesh_case_init(test, SIDE, SIDE, TEST_PCIE_GATEWAYS);
	test->config.host.compile = kind->compile;
	test->config.host.threads = kind->threads;
	test->config.host.pool_tasks = kind->tasks;
	test->config.host.queues = queues_find("own");
	test->config.host.batch_devices = 2;
	test->config.host.count = 2;
	test->config.compiles_again = kind->forgets;
	mesh_case_open(test);
}

/* Launches a workload twice. The workload has `count` programs with the names in `names`. Program n
 * runs on the devices of column n; the last program also runs on all columns after its own. Each
 * program has five kernels. */
static void run_programs(struct mesh_case *test, const char *const *names, uint16_t count)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 4};
	struct workload *workload = workload_new(test->mesh);
	struct program *programs[SIDE];

	for (uint16_t i = 0; i < count; i++) {
		uint16_t last = i + 1 < count ? i : SIDE - 1;

		programs[i] = mesh_case_program(test, names[i], cores, BYTES, ARGS);
		mesh_case_set_args(test, programs[i], cores, ARGS, 1);
		assert_int_equal(workload_add(workload, programs[i],
					 (struct device_range){0, i, SIDE - 1, last}, NULL),
			STATUS_OK);
	}
	for (uint32_t launch = 0; launch < 2; launch++)
		assert_int_equal(
			enqueue_workload(mesh_queue(test->mesh, 0), workload, false, launch + 1),
			STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test->mesh, 0), 9, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < SIDE * SIDE; device++)
		assert_int_equal(
			mesh_case_result(test, device, 0).checksum, mesh_case_checksum(0, ARGS, 1));
	workload_free(workload);
	for (uint16_t i = 0; i < count; i++)
		program_free(programs[i]);
}

/* Returns how many kernels are compiled for two workloads; the second one may be none. */
static uint32_t compiled_for(const struct kind *kind, const char *const *first, uint16_t count,
	const char *const *second, uint16_t second_count)
{
	struct mesh_case test;

	open_case(&test, kind);
	run_programs(&test, first, count);
	if (second_count > 0)
		run_programs(&test, second, second_count);
	mesh_case_close(&test);
	return compilations();
}

static void check_kind(const struct kind *kind)
{
	static const char *const one[] = {"norm"}, *const again[] = {"norm/2"},
				 *const other[] = {"gate"},
				 *const several[] = {"norm", "gate", "norm/3"};
	uint32_t all = is_per_device(kind) ? PROCESSOR_COUNT * SIDE * SIDE : PROCESSOR_COUNT;
	uint32_t times = kind->forgets ? 2 : 1, both = is_per_device(kind) ? all : 2 * all;

	if (kind->compile == compilation_find("ready")) {
		assert_int_equal(compiled_for(kind, one, 1, several, 3), 0);
		return;
	}
	assert_int_equal(compiled_for(kind, one, 1, NULL, 0), all);
	assert_int_equal(compiled_for(kind, one, 1, again, 1), all * times);
	assert_int_equal(compiled_for(kind, one, 1, other, 1), all * 2);
	if (!kind->forgets)
		assert_int_equal(compiled_for(kind, several, 3, NULL, 0), both);
}

static void check_rows(bool forgets)
{
	for (size_t c = 0; compilation_row(c) != NULL; c++)
		for (size_t t = 0; threads_row(t) != NULL; t++)
			for (size_t k = 0; tasks_row(k) != NULL; k++)
				if (k == 0 || threads_row(t)->pool != NULL)
					check_kind(&(struct kind){compilation_row(c),
						threads_row(t), tasks_row(k), forgets});
}

TEST(kernels_are_compiled_once_or_for_every_device)
{
	check_rows(false);
}

TEST(without_a_program_cache_each_workload_is_compiled)
{
	check_rows(true);
}

TEST_MAIN(NULL, NULL)
