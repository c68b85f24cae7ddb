/* Tests the units and digits of printed figures, in columns of tables and in sentences. Figures
 * that are compared have the same unit, and enough digits to show that they differ. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/print/value_text.h"
#include "analysis/print/text_table.h"

/* Prints a table of one column of times in ps, and returns its text. */
static char *printed(const double *times, uint32_t count, int group)
{
	struct arena arena;
	struct text_table *table;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	arena_init(&arena);
	table = text_table_new(&arena);
	text_table_column(table, "p50", COLUMN_TIME, group);
	for (uint32_t i = 0; i < count; i++) {
		text_table_row(table);
		text_table_number(table, times[i]);
	}
	text_table_print(table, out);
	fclose(out);
	arena_fini(&arena);
	return text;
}

static void assert_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

TEST(a_column_by_itself_has_the_unit_of_most_of_its_values)
{
	char *text = printed((double[]){147e6, 148e6, 2e9}, 3, 0);

	assert_holds(text, " us\n");
	assert_holds(text, "147.000\n");
	assert_holds(text, "2000.000\n");
	free(text);
}

TEST(values_that_differ_by_a_thousandth_look_different)
{
	char *text = printed((double[]){1.2345e9, 1.2362e9, 0.0014712e9, 0.0014680e9, 7e9}, 5, 0);

	assert_holds(text, " ms\n");
	assert_holds(text, "0.001471\n");
	assert_holds(text, "0.001468\n");
	free(text);
}

TEST(columns_of_a_group_share_the_unit_of_the_largest_value)
{
	char *text = printed((double[]){147e6, 148e6, 2e9}, 3, 1);

	assert_holds(text, " ms\n");
	assert_holds(text, "0.147\n");
	free(text);
}

TEST(large_factors_are_whole_numbers)
{
	struct arena arena;

	arena_init(&arena);
	assert_string_equal(ratio_times(10.8, &arena), "11.8 times");
	assert_string_equal(ratio_times(10399, &arena), "10,400 times");
	assert_string_equal(ratio_times(998.6, &arena), "1,000 times");
	assert_string_equal(ratio_factor(1234567, &arena), "1,234,567");
	assert_string_equal(ratio_range(9999, 10399, &arena), "10,000 to 10,400 times");
	arena_fini(&arena);
}

TEST(times_in_a_sentence_have_as_many_digits_as_tell_them_apart)
{
	struct arena arena;

	assert_int_equal(digits_apart((double[]){61.53e6, 97.84e6}, 2), 4);
	assert_int_equal(digits_apart((double[]){61.534e6, 61.534e6}, 2), 4);
	assert_int_equal(digits_apart((double[]){61.534e6, 61.53412e6}, 2), 6);
	arena_init(&arena);
	assert_string_equal(time_text(61.53412e6, 7, false, &arena), "61.53412 us");
	assert_string_equal(time_text(0, 4, false, &arena), "0 ps");
	arena_fini(&arena);
}

TEST_MAIN(NULL, NULL)
