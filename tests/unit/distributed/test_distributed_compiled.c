/* Tests the compiler's program cache (spec 4.9). A kernel must be compiled only once for all
 * programs and cores. A kernel with other settings counts as another kernel. After the cache was
 * cleared, kernels must be compiled again. */

#include "test.h"

#include "check.h"
#include "distributed/common/described.h"
#include "world/native/native.h"
#include "world/world.h"

static const struct program_limits limits = {.worker_columns = 8,
	.worker_rows = 8,
	.ethernet_cores = 2,
	.config_ring_bytes = 1 << 16,
	.buffers_base = 1 << 17,
	.l1_bytes = 1 << 20,
	.binary_page_bytes = 2048,
	.packed_bytes = 1 << 16};

/* Each variant below differs from this kernel in one setting. */
static const struct kernel_config usual = {
	.processor = PROCESSOR_BRISC, .cores = {.kind = CORES_ALL}, .bytes = 512, .cycles = 100};

static struct program_site *site;
static struct compiled compiled;

static uint64_t compilations(void)
{
	struct work_counts counts;

	native_world_counts(&counts);
	return counts.units[WORK_COMPILE_KERNEL];
}

/* Returns how many kernels are compiled for a program with these kernels. */
static uint64_t compile(const char *name, const struct kernel_config *kernels, uint32_t count)
{
	struct program *program = program_new_at(site, name, 0);
	uint64_t before = compilations();
	uint32_t index;

	for (uint32_t i = 0; i < count; i++)
		check_status(program_add_kernel(program, &kernels[i], NULL, &index), STATUS_OK);
	compiled_add(&compiled, program);
	program_free(program);
	return compilations() - before;
}

static int begin(void **state)
{
	(void)state;
	world = &native_world;
	native_world_start(NULL);
	site = program_site_new(&limits, (struct mesh_shape){1, 1});
	compiled = (struct compiled){0};
	return 0;
}

static int end(void **state)
{
	(void)state;
	compiled_fini(&compiled);
	program_site_free(site);
	return 0;
}

TEST(a_kernel_is_compiled_once_for_all_programs_of_its_name)
{
	struct kernel_config kernels[3] = {usual, usual, usual};

	kernels[1].processor = PROCESSOR_NCRISC;
	kernels[2].processor = PROCESSOR_TRISC0;
	check_equal(compile("matmul", kernels, 2), 2);
	check_equal(compile("matmul", kernels, 2), 0);
	check_equal(compile("matmul/second", kernels, 2), 0);
	check_equal(compile("matmul/third", kernels, 3), 1); /* only the new one */
	check_equal(compile("matmul_2", kernels, 2), 2);
	check_equal(compile("matmul", kernels, 3), 0);
}

TEST(where_it_runs_makes_no_other_kernel)
{
	struct kernel_config kernel = usual;

	check_equal(compile("reader", &kernel, 1), 1);
	kernel.cores = (struct cores){.kind = CORES_RECTANGLE, .rect = {1, 0, 2, 2}};
	check_equal(compile("reader", &kernel, 1), 0);
}

TEST(a_change_of_any_part_makes_another_kernel)
{
	check_equal(compile("writer", &usual, 1), 1);
	for (int i = 0; i < 7; i++) {
		struct kernel_config kernel = usual;

		kernel.processor = i == 0 ? PROCESSOR_NCRISC : kernel.processor;
		kernel.bytes += i == 1 ? 16 : 0;
		kernel.cycles += i == 2;
		kernel.steps = i == 3 ? 2 : 0;
		kernel.unique_args = i == 4;
		kernel.common_args = i == 5;
		kernel.cores.ethernet = i == 6;
		check_equal(compile("writer", &kernel, 1), 1);
		check_equal(compile("writer", &kernel, 1), 0);
	}
	check_equal(compile("writer", &usual, 1), 0);
}

TEST(an_executor_that_forgets_compiles_every_kernel_again)
{
	struct kernel_config kernels[2] = {usual, usual};

	kernels[1].processor = PROCESSOR_NCRISC;
	compiled.forgets = true;
	check_equal(compile("matmul", kernels, 2), 2);
	check_equal(compile("matmul", kernels, 2), 2);
	check_equal(compiled.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_kernel_is_compiled_once_for_all_programs_of_its_name, begin, end),
		cmocka_unit_test_setup_teardown(where_it_runs_makes_no_other_kernel, begin, end),
		cmocka_unit_test_setup_teardown(
			a_change_of_any_part_makes_another_kernel, begin, end),
		cmocka_unit_test_setup_teardown(
			an_executor_that_forgets_compiles_every_kernel_again, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
