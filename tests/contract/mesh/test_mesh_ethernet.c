/* label: full  timeout: 300
 * Tests programs on Ethernet cores, which multicasts do not reach, in the native world. The
 * programs run alone and together with programs on workers, over every forward path, and have
 * arguments of their own. Some tests check the errors for invalid programs on Ethernet cores. */
#include "test.h"

#include <stdio.h>

#include "command/launch.h"
#include "mesh_case.h"

enum { UNIQUE = 5, COMMON = 3, IDLE = 6, CORES = 4, LAUNCHES = 9 };

static void open_case(struct mesh_case *test, const char *forward, enum test_pcie pcie,
	bool dispatch_too, const struct go_ops *go)
{
	mesh_case_init(test, 2, 2, pcie);
	mesh_case_choose(test, forward, 1, "table", "main");
	test->config.forward.go = go;
	test->cluster_config.idle_ethernet = IDLE;
	if (dispatch_too) {
		test->cluster_config.ethernet = true;
		test->cluster_config.dispatch_tiles = 20;
		test->limits.cache_bytes = 64 << 10;
	}
	test->config.ethernet_programs = true;
	mesh_case_open(test);
}

static struct launch_result result_of(struct mesh_case *test, uint32_t device, uint32_t core)
{
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	struct launch_result result;

	mesh_case_inspect(test, device, mesh_ethernet_tile(test->mesh, core),
		mesh_worker_result(test->mesh), sizeof(bytes), bytes);
	launch_result_decode(bytes, &result);
	return result;
}

static const struct cores ethernet_cores = {.kind = CORES_COUNT, .count = CORES, .ethernet = true};

/* Adds a kernel on the first Ethernet cores; returns its handle. */
static uint32_t add_ethernet(struct program *program)
{
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = ethernet_cores,
		.bytes = 900,
		.cycles = 50,
		.unique_args = UNIQUE,
		.common_args = COMMON};
	uint32_t kernel, index;

	assert_int_equal(program_add_kernel(program, &config, NULL, &kernel), STATUS_OK);
	assert_int_equal(
		program_add_semaphore(program, ethernet_cores, 3, NULL, &index), STATUS_OK);
	return kernel;
}

static uint32_t argument(uint32_t core, uint32_t index, uint32_t generation)
{
	return generation * 1000 + core * 10 + index;
}

static void set_args(
	struct mesh_case *test, struct program *program, uint32_t kernel, uint32_t generation)
{
	uint32_t workers = mesh_worker_columns(test->mesh) * mesh_worker_rows(test->mesh);
	uint32_t unique[UNIQUE], common[COMMON];

	for (uint32_t core = 0; core < CORES; core++) {
		for (uint32_t i = 0; i < UNIQUE; i++)
			unique[i] = argument(core, i, generation);
		assert_int_equal(program_set_args(program, kernel, workers + core, unique, UNIQUE),
			STATUS_OK);
	}
	for (uint32_t i = 0; i < COMMON; i++)
		common[i] = argument(77, i, generation);
	assert_int_equal(program_set_common_args(program, kernel, common, COMMON), STATUS_OK);
}

static uint32_t checksum(uint32_t core, uint32_t generation)
{
	uint8_t unique[4 * UNIQUE], common[4 * COMMON];

	for (uint32_t i = 0; i < UNIQUE; i++)
		bytes_put32(unique + 4 * i, argument(core, i, generation));
	for (uint32_t i = 0; i < COMMON; i++)
		bytes_put32(common + 4 * i, argument(77, i, generation));
	return launch_checksum(unique, sizeof(unique), common, sizeof(common));
}

static void check_cores(struct mesh_case *test, uint32_t launches, uint32_t generation)
{
	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++)
		for (uint32_t core = 0; core < mesh_ethernet_cores(test->mesh); core++) {
			struct launch_result result = result_of(test, device, core);

			if (result.launches != (core < CORES ? launches : 0) ||
				(core < CORES && result.checksum != checksum(core, generation)))
				fail_msg("device %u, Ethernet core %u: %u launches instead of %u, "
					 "checksum %08x instead of %08x",
					device, core, result.launches, core < CORES ? launches : 0,
					result.checksum, checksum(core, generation));
		}
}

/* Runs a program on workers and Ethernet cores from one queue. Then runs a program on Ethernet
 * cores alone from the other queue. */
static void run_both(
	const char *forward, enum test_pcie pcie, bool dispatch_too, const struct go_ops *go)
{
	const struct cores workers = {.kind = CORES_COUNT, .count = 7};
	struct program *mixed, *alone;
	struct workload *both, *one;
	uint32_t kernel, single;
	struct mesh_case test;

	printf("           %s, PCIe %d, dispatch on %s tiles, goes to %s\n", forward, (int)pcie,
		dispatch_too ? "Ethernet" : "Tensix", go->entry.name);
	open_case(&test, forward, pcie, dispatch_too, go);
	assert_true(mesh_ethernet_cores(test.mesh) >= IDLE);
	mixed = mesh_case_program(&test, "mixed", workers, 400, 2);
	kernel = add_ethernet(mixed);
	alone = program_new(test.mesh, "alone");
	single = add_ethernet(alone);
	both = mesh_case_workload(&test, mixed);
	one = mesh_case_workload(&test, alone);
	for (uint32_t i = 1; i <= LAUNCHES; i++) {
		mesh_case_set_args(&test, mixed, workers, 2, i);
		set_args(&test, mixed, kernel, i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), both, false, i), STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	check_cores(&test, LAUNCHES, LAUNCHES);
	for (uint32_t core = 0; core < 7; core++)
		assert_int_equal(mesh_case_result(&test, 0, core).checksum,
			mesh_case_checksum(core, 2, LAUNCHES));
	for (uint32_t i = 1; i <= LAUNCHES; i++) {
		set_args(&test, alone, single, 40 + i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 1), one, false, i), STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	check_cores(&test, 2 * LAUNCHES, 40 + LAUNCHES);
	for (uint32_t core = 0; core < 7; core++)
		assert_int_equal(mesh_case_result(&test, 0, core).launches, LAUNCHES);
	workload_free(both);
	workload_free(one);
	program_free(mixed);
	program_free(alone);
	mesh_case_close(&test);
}

TEST(programs_run_on_workers_and_ethernet_cores)
{
	for (size_t f = 0; forward_row(f) != NULL; f++)
		for (int pcie = 0; pcie < 3; pcie++)
			for (int dispatch_too = 0; dispatch_too < 2; dispatch_too++)
				for (size_t g = 0; go_row(g) != NULL; g++)
					run_both(forward_name(f), (enum test_pcie)pcie,
						dispatch_too, go_row(g));
}

/* The number of commands to each device for one launch on all devices. */
static uint32_t commands_of(const char *go, bool workers, bool ethernet)
{
	const struct cores all = {.kind = CORES_ALL};
	struct mesh_counters before, after;
	struct workload *workload;
	struct program *program;
	struct mesh_case test;

	open_case(&test, "unicast", TEST_PCIE_ALL, false, go_find(go));
	program = workers ? mesh_case_program(&test, "any", all, 400, 0)
			  : program_new(test.mesh, "any");
	if (ethernet)
		add_ethernet(program);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	mesh_device_counters(test.mesh, &before);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	mesh_device_counters(test.mesh, &after);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
	return (uint32_t)(after.unicasts.commands - before.unicasts.commands) / 4;
}

/* The launch rings of workers and of Ethernet cores advance separately (spec 3.8.5). */
TEST(goes_to_all_leave_cores_alone_whose_kind_runs_nothing)
{
	assert_int_equal(commands_of("all", true, false), commands_of("running", true, false));
	assert_int_equal(commands_of("all", false, true),
		commands_of("running", false, true) + IDLE - CORES);
	assert_int_equal(
		commands_of("all", true, true), commands_of("running", true, true) + IDLE - CORES);
}

/* Ethernet cores miss more runs than a run number can count. */
TEST(ethernet_cores_that_missed_many_runs_join_again)
{
	const struct cores all = {.kind = CORES_ALL};
	enum { RUNS = 40000 };
	struct program *wide, *alone;
	struct workload *often, *once;
	struct mesh_case test;
	uint32_t single;

	open_case(&test, "unicast", TEST_PCIE_ALL, false, go_find("running"));
	wide = mesh_case_program(&test, "wide", all, 16, 0);
	alone = program_new(test.mesh, "alone");
	single = add_ethernet(alone);
	often = mesh_case_workload(&test, wide);
	once = mesh_case_workload(&test, alone);
	for (uint32_t i = 0; i < RUNS; i++)
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), often, false, 0), STATUS_OK);
	set_args(&test, alone, single, 5);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), once, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	check_cores(&test, 1, 5);
	workload_free(often);
	workload_free(once);
	program_free(wide);
	program_free(alone);
	mesh_case_close(&test);
}

static void check_refusal(
	struct program *program, const struct kernel_config *config, const char *sentence)
{
	struct text why = {0};
	uint32_t kernel;

	assert_int_not_equal(program_add_kernel(program, config, &why, &kernel), STATUS_OK);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

TEST(ethernet_cores_refuse_what_they_lack)
{
	struct kernel_config config = {
		.processor = PROCESSOR_NCRISC, .cores = ethernet_cores, .bytes = 64};
	struct program *program;
	struct mesh_case test;

	open_case(&test, "unicast", TEST_PCIE_ALL, false, go_find("running"));
	program = program_new(test.mesh, "refused");
	check_refusal(program, &config, "an Ethernet core has one processor, and no pipelines");
	config.processor = PROCESSOR_BRISC;
	config.steps = 4;
	check_refusal(program, &config, "an Ethernet core has one processor, and no pipelines");
	config.steps = 1;
	config.cores.count = IDLE + 1;
	check_refusal(program, &config, "7 Ethernet cores, but links and dispatch leave 6");
	config.cores.kind = CORES_RECTANGLE;
	check_refusal(program, &config, "a rectangle or part of the Ethernet cores");
	assert_int_equal(
		program_add_circular_buffer(program, ethernet_cores, 1, 32, NULL), STATUS_INVALID);
	program_free(program);
	mesh_case_close(&test);
}

/* There are no Ethernet cores if they are not chosen, or if no tile is left for them. */
TEST(no_ethernet_cores_where_none_are_left)
{
	struct mesh_resources resources;
	struct cluster_info *info;
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.cluster_config.idle_ethernet = IDLE;
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	assert_int_equal(resources.ethernet_cores, 0);
	test.config.ethernet_programs = true;
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	assert_int_equal(resources.ethernet_cores, IDLE);
	test.config.sizes.config_ring_bytes = 240 << 10; /* more than an Ethernet L1 holds */
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	assert_int_equal(resources.ethernet_cores, 0);
	test_cluster_info_free(info);
	test.config.sizes.config_ring_bytes = 0;
	test.cluster_config.idle_ethernet = 0;
	test.cluster_config.ethernet = true;
	test.cluster_config.dispatch_tiles = 5;
	test.limits.cache_bytes = 64 << 10;
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	assert_int_equal(resources.ethernet_cores, 1); /* the four stages of two queues occupy the
							* other cores */
	test_cluster_info_free(info);
}

TEST_MAIN(NULL, NULL)
