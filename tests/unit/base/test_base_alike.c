/* Tests look-ups in tables in which several rows may have the same number. One look-up finds the
 * next row with the same number. The other finds, for each row, the first row that reports the end
 * of this row (base/table/alike.h). */

#include "test.h"

#include "base/table/alike.h"

enum { ROWS = 7 };

static const uint32_t numbers[ROWS] = {1, 0, 1, UINT32_MAX, 0, 1, UINT32_MAX};

TEST(the_next_row_has_the_same_number)
{
	static const uint32_t expected[ROWS] = {2, 4, 5, ROWS, ROWS, ROWS, ROWS};
	uint32_t next[ROWS];

	alike_next(numbers, ROWS, next);
	assert_memory_equal(next, expected, sizeof expected);
}

TEST(a_row_that_is_seen_tells_of_itself_and_those_before)
{
	static const struct alike_seen seen[ROWS] = {
		{0}, {.seen = true}, {.seen = true}, {.seen = true}};
	static const uint32_t expected[ROWS] = {2, 1, 2, ROWS, ROWS, ROWS, ROWS};
	uint32_t found[ROWS];

	alike_teller(numbers, seen, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

TEST(a_row_that_is_alone_tells_of_itself_only)
{
	static const struct alike_seen seen[ROWS] = {
		{0}, {0}, {.seen = true, .alone = true}, {0}, {.alone = true}, {.seen = true}};
	static const uint32_t expected[ROWS] = {5, ROWS, 2, ROWS, ROWS, 5, ROWS};
	uint32_t found[ROWS];

	alike_teller(numbers, seen, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

TEST(a_row_of_some_bits_tells_of_rows_without_others)
{
	enum { LEFT = 1, RIGHT = 2 };
	static const struct alike_seen seen[ROWS] = {{.scope = LEFT}, {.scope = RIGHT},
		{true, false, LEFT, 0}, {0}, {true, false, RIGHT, 0}, {true, false, 0, 0}};
	static const uint32_t same[ROWS] = {3, 3, 3, 3, 3, 3, 3};
	static const uint32_t expected[ROWS] = {2, 4, 2, 5, 4, 5, ROWS};
	uint32_t found[ROWS];

	alike_teller(same, seen, ROWS, found);
	for (int i = 0; i < ROWS; i++)
		if (found[i] != expected[i])
			fail_msg("row %d: told by %u, not by %u", i, found[i], expected[i]);
}

/* Rows 0 to 3 have number 1, and rows 4 to 6 have number 0. Row 2 records an event, and row 4 waits
 * for this event. Row 3 comes after the event. */
static const uint32_t crossing[ROWS] = {1, 1, 1, 1, 0, 0, 0};

TEST(a_row_behind_a_wait_for_another_number_tells_of_what_was_before_the_event)
{
	static const struct alike_seen seen[ROWS] = {
		[4] = {.awaits = 3}, [5] = {.seen = true}, [6] = {.awaits = 99}};
	static const uint32_t expected[ROWS] = {5, 5, 5, ROWS, 5, 5, ROWS};
	uint32_t found[ROWS];

	alike_teller(crossing, seen, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

TEST(an_event_of_some_devices_tells_of_itself_only)
{
	static const struct alike_seen seen[ROWS] = {
		[2] = {.alone = true}, [4] = {.awaits = 3}, [5] = {.seen = true}};
	static const uint32_t expected[ROWS] = {ROWS, ROWS, 5, ROWS, 5, 5, ROWS};
	uint32_t found[ROWS];

	alike_teller(crossing, seen, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

TEST(the_first_report_counts_whichever_way_it_comes)
{
	static const struct alike_seen seen[ROWS] = {
		[3] = {.seen = true}, [4] = {.awaits = 3}, [5] = {.seen = true}};
	static const uint32_t expected[ROWS] = {3, 3, 3, 3, 5, 5, ROWS};
	uint32_t found[ROWS];

	alike_teller(crossing, seen, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

TEST(a_pair_is_a_number_of_its_own)
{
	assert_int_not_equal(alike_pair(1, 0), alike_pair(0, 1));
	assert_int_equal(alike_pair(0, ALIKE_MINORS_MAX), ALIKE_NUMBERS_MAX);
	assert_int_equal(alike_pair(UINT32_MAX, 0), ALIKE_NUMBERS_MAX);
}

TEST(rows_of_several_owners_are_shared)
{
	static const struct alike_owned rows[] = {{"finish", "", 0}, {"write", "a", 0},
		{"finish", "", 1}, {"read", "a", 1}, {"write", "a", 0}, {"finish", "b", 1}};
	static const bool expected[] = {true, false, true, false, false, false};
	bool shared[6];

	alike_shared(rows, 6, shared);
	assert_memory_equal(shared, expected, sizeof expected);
}

TEST(what_one_owner_has_is_not_shared)
{
	static const struct alike_owned rows[] = {{"finish", "", 3}, {"finish", "", 3}};
	bool shared[] = {true, true};

	alike_shared(rows, 2, shared);
	assert_false(shared[0] || shared[1]);
}

TEST_MAIN(NULL, NULL)
