/* The nearest name: distances, and the limit up to which a name is suggested. */

#include "test.h"

#include "base/nearest.h"

TEST(distances_count_changes_and_swaps)
{
	assert_int_equal(nearest_distance("chips", "chips", 9), 0);
	assert_int_equal(nearest_distance("chps", "chips", 9), 1);
	assert_int_equal(nearest_distance("chpis", "chips", 9), 1);
	assert_int_equal(nearest_distance("shape", "ships", 9), 2);
	assert_int_equal(nearest_distance("", "abc", 9), 3);
	assert_int_equal(nearest_distance("kitten", "sitting", 9), 3);
	assert_int_equal(nearest_distance("kitten", "sitting", 1), 2);
}

TEST(case_and_dashes_do_not_count)
{
	assert_int_equal(nearest_distance("Per_Device", "per-device", 9), 0);
}

static const char *nearest_of(const char *name, const char *const *candidates)
{
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (; *candidates; candidates++)
		nearest_offer(&nearest, *candidates);
	return nearest.best;
}

TEST(only_close_names_are_suggested)
{
	static const char *const names[] = {
		"unicast", "broadcast", "table", "table-one-slot", "x", "on", "off", "rows", NULL};

	assert_string_equal(nearest_of("brodcast", names), "broadcast");
	assert_string_equal(nearest_of("tabel", names), "table");
	assert_string_equal(nearest_of("TABLE", names), "table");
	assert_string_equal(nearest_of("table_one_slot", names), "table-one-slot");
	assert_null(nearest_of("multicast-tree", names));
	assert_string_equal(nearest_of("rots", names), "rows");
	assert_string_equal(nearest_of("rats", names), "rows"); /* two changes in four letters */
	assert_null(nearest_of("cats", names));			/* three */
	assert_null(nearest_of("y", names));
	assert_null(nearest_of("", names));
}

TEST(the_first_of_equally_close_names_wins)
{
	static const char *const names[] = {"cat", "car", NULL};

	assert_string_equal(nearest_of("cab", names), "cat");
}

TEST(long_names_are_left_alone)
{
	char name[400];

	for (size_t i = 0; i < sizeof(name) - 1; i++)
		name[i] = 'a';
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(nearest_distance(name, "aaaa", 4), 5);
}

TEST_MAIN(NULL, NULL)
