/* Tests how a paragraph leaves out parts that do not fit (analysis/print/wrap.h). */
#include "test.h"

#include "analysis/print/wrap.h"
#include "base/arena.h"

static const char *const parts[] = {"the first of four parts", "the second of four parts",
	"the third of four parts", "the fourth of four parts"};

TEST(parts_that_do_not_fit_are_counted)
{
	struct arena arena = {0};

	assert_string_equal(paragraph_fit(parts, 4, "; ", 1, "part", 1, 80, &arena),
		"the first of four parts; the second of four parts; 2 more parts");
	arena_fini(&arena);
}

TEST(a_single_part_is_never_left_out)
{
	struct arena arena = {0};

	assert_string_equal(paragraph_fit(parts, 3, "; ", 1, "part", 1, 80, &arena),
		"the first of four parts; the second of four parts; the third of four parts");
	assert_string_equal(paragraph_fit(parts, 2, "; ", 1, "part", 1, 40, &arena),
		"the first of four parts; the second of four parts");
	arena_fini(&arena);
}

TEST(the_least_parts_are_told_whatever_room_there_is)
{
	struct arena arena = {0};

	assert_string_equal(paragraph_fit(parts, 4, "; ", 0, "part", 1, 40, &arena),
		"the first of four parts; 3 more parts");
	assert_string_equal(paragraph_fit(parts, 4, "; ", 4, "part", 1, 40, &arena),
		paragraph_fit(parts, 4, "; ", 1, "part", 9, 40, &arena));
	arena_fini(&arena);
}

TEST_MAIN(NULL, NULL)
