/* Tests the solver that maps graphs onto machines: each of its conditions, and its proofs that
 * there is no mapping. Also tests the independent check of mappings, which must detect violations.
 */

#include "test.h"

#include "topology/solve.h"

static struct arena arena;

static int stop(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

/* A mesh with one channel per link. */
static const struct wired *mesh(uint32_t rows, uint32_t columns, bool down, bool along)
{
	return wired_mesh(&arena, rows, columns, down, along, 1);
}

TEST(a_mesh_goes_into_a_larger_one_and_the_first_device_to_the_first_chip)
{
	const struct solve_problem problem = {
		.target = mesh(2, 3, false, false), .host = mesh(4, 4, false, false)};
	struct solve_result result = solve(&problem, &arena);

	assert_int_equal(result.verdict, SOLVE_FOUND);
	assert_int_equal(result.image[0], 0);
}

TEST(a_ring_of_odd_length_is_refuted_where_all_are_even)
{
	const struct solve_problem problem = {
		.target = mesh(1, 21, false, true), .host = mesh(16, 16, true, true)};
	struct solve_result result = solve(&problem, &arena);

	assert_int_equal(result.verdict, SOLVE_NONE);
	assert_int_equal(result.steps, 0);
}

TEST(a_ring_longer_than_any_is_refuted)
{
	/* If 5 x 5 chips are coloured like a chessboard, 13 chips have one colour and 12 the other.
	 * Colours alternate along a ring, so a ring has an even number of chips, and there is no
	 * ring of 25 chips. */
	const struct solve_problem even = {
		.target = mesh(1, 24, false, true), .host = mesh(5, 5, false, false)};
	struct solve_problem odd = even;

	assert_int_equal(solve(&even, &arena).verdict, SOLVE_FOUND);
	odd.target = mesh(1, 25, false, true);
	assert_int_equal(solve(&odd, &arena).verdict, SOLVE_NONE);
}

TEST(long_rings_and_lines_are_built)
{
	struct solve_problem problem = {
		.target = mesh(1, 200, false, true), .host = mesh(16, 16, false, false)};

	assert_int_equal(solve(&problem, &arena).verdict, SOLVE_FOUND);
	problem.target = mesh(1, 250, false, false);
	assert_int_equal(solve(&problem, &arena).verdict, SOLVE_FOUND);
}

TEST(no_budget_is_told_from_a_proof)
{
	/* A mapping maps each square of four devices in the torus to a square of four chips in the
	 * machine. So it would map each row of the torus, a ring of 6 devices, to a whole row or
	 * column of the machine. These are rings of 7 or of 12 chips, so there is no such
	 * mapping. */
	struct solve_problem problem = {
		.target = mesh(6, 6, true, true), .host = mesh(7, 12, true, true), .budget = 40};

	assert_int_equal(solve(&problem, &arena).verdict, SOLVE_BUDGET);
	problem.budget = 0;
	assert_int_equal(solve(&problem, &arena).verdict, SOLVE_NONE);
}

TEST(channels_that_are_too_few_are_no_link)
{
	const struct wired_edge need[] = {{0, 1, 2}};
	const struct wired_edge have[] = {{0, 1, 1}, {1, 2, 2}};
	const struct solve_problem problem = {
		.target = wired_new(&arena, 2, need, 1), .host = wired_new(&arena, 3, have, 2)};
	struct solve_result result = solve(&problem, &arena);

	assert_int_equal(result.verdict, SOLVE_FOUND);
	assert_int_equal(result.image[0] + result.image[1], 3);
}

/* Eight chips in a line: two machines of four, boards of two. */
static const uint32_t machines[] = {0, 0, 0, 0, 1, 1, 1, 1}, boards[] = {0, 0, 1, 1, 2, 2, 3, 3};

TEST(a_unit_stays_on_one_machine)
{
	const uint32_t unit[] = {0, 0, 0, 1, 1};
	struct solve_problem problem = {.target = mesh(1, 5, false, false),
		.host = mesh(1, 8, false, false),
		.unit = unit,
		.unit_count = 2,
		.machine = machines,
		.machine_count = 2};
	struct solve_result result = solve(&problem, &arena);
	uint32_t broken[5];

	assert_int_equal(result.verdict, SOLVE_FOUND);
	assert_int_equal(machines[result.image[0]], machines[result.image[2]]);
	for (uint32_t i = 0; i < 5; i++)
		broken[i] = i + 2;
	assert_false(solve_check(&problem, broken, NULL));
	/* Five chips of one unit exceed a machine. */
	problem.unit_count = 1;
	problem.unit = (const uint32_t[]){0, 0, 0, 0, 0};
	assert_int_equal(solve(&problem, &arena).verdict, SOLVE_NONE);
}

TEST(a_board_is_not_split_between_units)
{
	const uint32_t unit[] = {0, 0, 0, 1, 1};
	const struct solve_problem problem = {.target = mesh(1, 5, false, false),
		.host = mesh(1, 8, false, false),
		.unit = unit,
		.unit_count = 2,
		.board = boards,
		.board_count = 4};
	struct solve_result result = solve(&problem, &arena);
	const uint32_t broken[] = {0, 1, 2, 3, 4};

	assert_int_equal(result.verdict, SOLVE_FOUND);
	assert_true(boards[result.image[2]] != boards[result.image[3]]);
	assert_false(solve_check(&problem, broken, NULL));
}

TEST(parts_have_the_channels_between_them)
{
	/* Two pairs in a square of four pairs; only the right halves are linked by two channels. */
	const struct wired_edge need[] = {{0, 1, 1}, {2, 3, 1}};
	const struct wired_edge have[] = {
		{0, 1, 1}, {2, 3, 1}, {4, 5, 1}, {6, 7, 1}, {1, 2, 1}, {5, 6, 1}, {4, 7, 1}};
	const uint32_t part[] = {0, 0, 1, 1};
	const struct solve_join join = {0, 1, 1, 1, 2};
	const struct solve_problem problem = {.target = wired_new(&arena, 4, need, 2),
		.host = wired_new(&arena, 8, have, 7),
		.part = part,
		.part_count = 2,
		.joins = &join,
		.join_count = 1};
	struct solve_result result = solve(&problem, &arena);
	const uint32_t broken[] = {0, 1, 2, 3};

	assert_int_equal(result.verdict, SOLVE_FOUND);
	assert_true(result.image[0] >= 4);
	assert_false(solve_check(&problem, broken, NULL));
}

TEST(the_check_sees_what_is_broken)
{
	const struct solve_problem problem = {
		.target = mesh(1, 3, false, false), .host = mesh(1, 4, false, false)};
	const uint32_t good[] = {0, 1, 2}, twice[] = {0, 1, 0}, apart[] = {0, 1, 3},
		       beyond[] = {1, 2, 4};

	assert_true(solve_check(&problem, good, NULL));
	assert_false(solve_check(&problem, twice, NULL));
	assert_false(solve_check(&problem, apart, NULL));
	assert_false(solve_check(&problem, beyond, NULL));
}

TEST_MAIN(NULL, stop)
