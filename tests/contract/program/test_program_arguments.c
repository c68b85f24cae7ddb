/* label: full  needs: simgrid timeout: 300
 * Tests runtime arguments that differ between the devices of one program (spec 3.4.2, 3.4.3), in
 * the native and the simulated world, by unicast and by broadcast. Each device must get the
 * arguments of its own range, even if arguments are changed after an enqueue. A launch with
 * unchanged arguments must build no command stream, and a trace must keep the arguments of its
 * capture. In one test, the kernels on all processors have as many arguments, or as large a table,
 * as possible. */

#include "test.h"

#include "mesh/trace.h"
#include "mesh_case.h"
#include "row.h"
#include "world/bounds.h"

enum { DEVICES = 4, ARGS = 4 };

static const struct test_cluster cluster_config = {.rows = 2, .columns = 2, .pcie = TEST_PCIE_LEFT};
static const struct device_range top = {0, 0, 0, 1}, last = {1, 1, 1, 1};

static struct mesh_case test;
static const char *path;

static struct program *one_core(const char *name)
{
	struct kernel_config kernel = {.cores = {.kind = CORES_COUNT, .count = 1},
		.bytes = 64,
		.cycles = 100,
		.unique_args = ARGS};
	struct program *program = program_new(test.mesh, name);
	uint32_t index;

	assert_int_equal(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	return program;
}

static void run(struct workload *workload)
{
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
}

static void set(struct workload *workload, struct device_range range, uint32_t value)
{
	const uint32_t words[ARGS] = {value, 2, 3, value};

	assert_int_equal(workload_set_args(workload, range, 0, 0, words, ARGS, NULL), STATUS_OK);
}

static void set_all(struct program *program, uint32_t value)
{
	const uint32_t words[ARGS] = {value, 2, 3, value};

	assert_int_equal(program_set_args(program, 0, 0, words, ARGS), STATUS_OK);
}

/* The checksum that a worker computes of its arguments, which all have this value. */
static uint32_t sum_of(uint32_t value)
{
	uint8_t bytes[4 * ARGS];
	const uint32_t words[ARGS] = {value, 2, 3, value};

	for (uint32_t i = 0; i < ARGS; i++)
		bytes_put32(bytes + 4 * i, words[i]);
	return launch_checksum(bytes, sizeof bytes, NULL, 0);
}

/* Checks the arguments of the last launch on each device. */
static void check(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
	const uint32_t values[DEVICES] = {first, second, third, fourth};

	for (uint32_t device = 0; device < DEVICES; device++)
		assert_int_equal(
			mesh_case_result(&test, device, 0).checksum, sum_of(values[device]));
}

static uint64_t streams_built(void)
{
	struct mesh_counters counters;

	mesh_device_counters(test.mesh, &counters);
	return counters.streams_built;
}

static void open_mesh(struct cluster *cluster)
{
	mesh_case_init(&test, 2, 2, TEST_PCIE_LEFT);
	mesh_case_choose(&test, path, 1, "table", "main");
	test.cluster = cluster;
	mesh_case_attach(&test);
}

static void a_device_gets_the_arguments_of_its_range(struct cluster *cluster)
{
	struct program *program;
	struct workload *workload;
	uint64_t built;

	open_mesh(cluster);
	program = one_core("ranges");
	workload = workload_new(test.mesh);
	assert_int_equal(workload_add(workload, program, DEVICES_UNBOUND, NULL), STATUS_OK);
	set_all(program, 1);
	run(workload);
	check(1, 1, 1, 1);
	set(workload, top, 7);
	set(workload, last, 8);
	run(workload);
	check(7, 7, 1, 8);
	built = streams_built();
	run(workload);
	check(7, 7, 1, 8);
	set(workload, top, 9);
	set_all(program, 2);
	run(workload);
	check(9, 9, 2, 8);
	assert_int_equal(streams_built(), built);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

static void a_trace_keeps_the_arguments_of_its_ranges(struct cluster *cluster)
{
	struct mesh_trace *trace;
	struct program *program;
	struct workload *workload;

	open_mesh(cluster);
	program = one_core("ranges");
	workload = mesh_case_workload(&test, program);
	set_all(program, 1);
	set(workload, top, 5);
	assert_int_equal(trace_begin(mesh_queue(test.mesh, 0), NULL), STATUS_OK);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	set(workload, last, 6);
	assert_int_equal(trace_end(mesh_queue(test.mesh, 0), NULL, &trace), STATUS_OK);
	run(workload);
	check(5, 5, 1, 6);
	assert_int_equal(enqueue_trace(mesh_queue(test.mesh, 0), trace, 0, true, 0), STATUS_OK);
	check(5, 5, 1, 1);
	trace_free(trace);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

static void wrong_ranges_are_refused(struct cluster *cluster)
{
	const uint32_t words[ARGS] = {0};
	struct text why = {0};
	struct program *program;
	struct workload *workload;

	open_mesh(cluster);
	program = one_core("ranges");
	workload = workload_new(test.mesh);
	assert_int_equal(workload_add(workload, program, top, NULL), STATUS_OK);
	set(workload, (struct device_range){0, 0, 0, 0}, 3);
	assert_int_equal(
		workload_set_args(workload, last, 0, 0, words, ARGS, &why), STATUS_NOT_FOUND);
	assert_int_equal(workload_set_args(workload, top, 0, 0, words, ARGS, &why), STATUS_EXISTS);
	assert_int_equal(workload_set_args(workload, (struct device_range){0, 1, 0, 0}, 0, 0, words,
				 ARGS, &why),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(workload_set_args(workload, (struct device_range){0, 1, 0, 1}, 0, 0, words,
				 ARGS - 1, &why),
		STATUS_INVALID);
	assert_string_equal(text_string(&why),
		"arguments of devices 1,1 to 1,1: no program runs on all of them"
		"arguments of devices 0,0 to 0,1: some have others in common already");
	text_fini(&why);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

/* ---- as many as allowed ---- */

/* The words of all processors of a core, as they lie in its L1. */
struct words {
	uint32_t count;
	uint8_t bytes[4 * BOUND_TABLE_WORDS * PROCESSOR_COUNT];
};

static void fill(uint32_t *words, uint32_t count, struct words *all)
{
	for (uint32_t i = 0; i < count; i++, all->count++) {
		words[i] = all->count * 2654435761u;
		bytes_put32(all->bytes + (size_t)4 * all->count, words[i]);
	}
}

/* A program with a kernel with this many unique and common words on each processor of a core. */
static struct program *full(bool table, uint32_t unique_args, uint32_t common_args,
	struct words *unique, struct words *common)
{
	static uint32_t words[BOUND_TABLE_WORDS];
	struct program *program = program_new(test.mesh, "full");
	uint32_t index;

	unique->count = common->count = 0;
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		struct kernel_config kernel = {.processor = (enum processor)i,
			.cores = {.kind = CORES_COUNT, .count = 1},
			.bytes = 64,
			.cycles = 100,
			.table = table,
			.unique_args = unique_args,
			.common_args = common_args + 1};

		assert_int_equal(
			program_add_kernel(program, &kernel, NULL, &index), STATUS_OUT_OF_RANGE);
		kernel.common_args = common_args;
		assert_int_equal(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
		fill(words, unique_args, unique);
		assert_int_equal(
			program_set_args(program, index, 0, words, unique_args), STATUS_OK);
		fill(words, common_args, common);
		assert_int_equal(
			program_set_common_args(program, index, words, common_args), STATUS_OK);
	}
	return program;
}

static void all_words_of_all_processors_arrive(struct cluster *cluster)
{
	static const struct {
		bool table;
		uint32_t unique, common;
	} most[] = {{false, BOUND_ARGUMENTS, 0}, {false, 0, BOUND_ARGUMENTS},
		{false, BOUND_ARGUMENTS - 41, 41}, {true, BOUND_TABLE_WORDS, 0},
		{true, 0, BOUND_TABLE_WORDS}, {true, BOUND_TABLE_WORDS - 341, 341}};
	static struct words unique, common;

	mesh_case_init(&test, 2, 2, TEST_PCIE_LEFT);
	mesh_case_choose(&test, path, 1, "table", "main");
	test.limits.dispatch_ring_bytes = 128 << 10;
	test.cluster = cluster;
	mesh_case_attach(&test);
	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		struct program *program =
			full(most[i].table, most[i].unique, most[i].common, &unique, &common);
		struct workload *workload = mesh_case_workload(&test, program);

		run(workload);
		for (uint32_t device = 0; device < DEVICES; device++)
			assert_int_equal(mesh_case_result(&test, device, 0).checksum,
				launch_checksum(unique.bytes, 4 * unique.count, common.bytes,
					4 * common.count));
		workload_free(workload);
		program_free(program);
	}
	mesh_close(test.mesh);
}

int main(void)
{
	static const char *const paths[] = {"unicast", "broadcast"};
	static const struct row_case cases[] = {
		ROW_CASE(a_device_gets_the_arguments_of_its_range, cluster_config),
		ROW_CASE(a_trace_keeps_the_arguments_of_its_ranges, cluster_config),
		ROW_CASE(wrong_ranges_are_refused, cluster_config),
		ROW_CASE(all_words_of_all_processors_arrive, cluster_config),
	};
	int failed = 0;

	for (size_t i = 0; i < 2; i++) {
		path = paths[i];
		failed |= ROW_RUN_SUITE(path, cases);
	}
	return failed;
}
