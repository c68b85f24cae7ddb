/* Tests the shapes of an operation's tensors. The shape of the tensor that it writes must follow
 * from the shapes of the tensors that it reads. Contradictory shapes must be rejected. */
#include "execution/tensors.h"

#include <string.h>

#include "test.h"

/* An operation, the shapes that it reads, and the shape that it writes. */
struct shape_case {
	const char *kind;
	struct tile_shape_of reads[4];
	struct tile_shape_of to;
	uint32_t tiles[3];
};

static const struct shape_case cases[] = {
	{"matmul", {{1, 2, 3}, {1, 3, 5}}, {1, 2, 5}, {2, 5, 3}},
	{"matmul_batches", {{4, 2, 3}, {4, 3, 5}}, {4, 2, 5}, {2, 5, 3}},
	{"linear", {{1, 2, 3}, {1, 3, 5}, {1, 1, 5}}, {1, 2, 5}, {2, 5, 3}},
	{"add", {{2, 3, 4}, {2, 3, 4}}, {1, 6, 4}, {6, 4, 0}},
	{"add_row", {{1, 3, 4}, {1, 1, 4}}, {1, 3, 4}, {3, 4, 0}},
	{"transpose", {{1, 3, 4}}, {1, 4, 3}, {3, 4, 0}},
	{"concat", {{1, 3, 4}, {1, 3, 2}}, {1, 3, 6}, {3, 4, 2}},
	{"concat_rows", {{1, 3, 4}, {1, 2, 4}}, {1, 5, 4}, {3, 4, 2}},
	{"slice", {{1, 3, 4}}, {1, 2, 1}, {3, 4, 0}},
	{"attention", {{8, 2, 1}, {8, 5, 1}, {8, 5, 1}}, {8, 2, 1}, {2, 1, 5}},
	{"rotary", {{8, 2, 4}, {1, 2, 4}, {1, 2, 4}}, {8, 2, 4}, {2, 4, 0}},
	{"tilize", {{1, 3, 4}}, {1, 3, 4}, {3, 4, 0}},
	{"all_reduce", {{1, 3, 4}}, {1, 3, 4}, {0, 0, 0}},
	{"all_gather", {{1, 3, 4}}, {1, 12, 4}, {0, 0, 0}},
	{"reduce_scatter", {{1, 8, 4}}, {1, 2, 4}, {0, 0, 0}},
};

static void written_shapes_follow(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct operation_shapes shapes = {.devices = 4, .slice = {1, 3, 2, 1}};
		const struct tile_shape_of *to;
		struct execution_kind kind;
		struct text why = {0};

		assert_true(execution_kind_find(cases[i].kind, &kind));
		memcpy(shapes.shapes, cases[i].reads, sizeof cases[i].reads);
		if (operation_shapes_infer(&kind, &shapes, &why) != STATUS_OK)
			fail_msg("%s: %s", cases[i].kind, text_string(&why));
		to = &shapes.shapes[operation_port_count(&kind) - 1];
		if (memcmp(to, &cases[i].to, sizeof *to) != 0 ||
			memcmp(shapes.tiles, cases[i].tiles, sizeof shapes.tiles) != 0)
			fail_msg("%s writes %u x %u x %u, tiles %u %u %u", cases[i].kind, to->heads,
				to->rows, to->columns, shapes.tiles[0], shapes.tiles[1],
				shapes.tiles[2]);
	}
}

static void contradictions_are_found(void **state)
{
	static const struct shape_case wrong[] = {
		{.kind = "matmul", .reads = {{1, 2, 3}, {1, 4, 5}}},
		{.kind = "matmul_batches", .reads = {{4, 2, 3}, {3, 3, 5}}},
		{.kind = "add_row", .reads = {{1, 3, 4}, {1, 2, 4}}},
		{.kind = "attention", .reads = {{8, 2, 1}, {8, 5, 1}, {8, 4, 1}}},
		{.kind = "reduce_scatter", .reads = {{1, 6, 4}}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct operation_shapes shapes = {.devices = 4};
		struct execution_kind kind;
		struct text why = {0};

		assert_true(execution_kind_find(wrong[i].kind, &kind));
		memcpy(shapes.shapes, wrong[i].reads, sizeof wrong[i].reads);
		if (operation_shapes_infer(&kind, &shapes, &why) != STATUS_INVALID ||
			why.length == 0)
			fail_msg("%s: the contradiction is not found", wrong[i].kind);
		text_fini(&why);
	}
}

static void every_kind_is_found(void **state)
{
	struct execution_kind kind;
	size_t count = 0;

	(void)state;
	for (; execution_kind_name(count); count++)
		assert_true(execution_kind_find(execution_kind_name(count), &kind));
	assert_true(count > 20);
	assert_false(execution_kind_find("conv2d", &kind)); /* it takes parameters of images */
	assert_false(execution_kind_find("none", &kind));
}

static void squares_order_no_parts(void **state)
{
	struct execution_kind kind;

	(void)state;
	assert_true(execution_kind_find("all_gather", &kind));
	assert_int_equal(execution_kind_check(&kind, 1, 4, NULL), STATUS_OK);
	assert_int_equal(execution_kind_check(&kind, 2, 2, NULL), STATUS_UNSUPPORTED);
	assert_int_equal(execution_kind_check(&kind, 1, 1, NULL), STATUS_UNSUPPORTED);
	assert_true(execution_kind_find("all_reduce", &kind));
	assert_int_equal(execution_kind_check(&kind, 2, 2, NULL), STATUS_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_shapes_follow),
		cmocka_unit_test(contradictions_are_found),
		cmocka_unit_test(every_kind_is_found),
		cmocka_unit_test(squares_order_no_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
