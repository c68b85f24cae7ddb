/* Tests errors of the text form. Each has its place, the error, and the nearest name. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "diag_text.h"
#include "layout/layout_text.h"

static void check_error(const char *text, const char *expected)
{
	struct diag *diag = diag_new();
	struct layout layout;
	bool encoded;

	assert_false(layout_parse("t", text, strlen(text), diag, &layout, &encoded));
	assert_int_equal(diag_errors(diag), 1);
	assert_diag_prints(diag, expected);
	diag_free(diag);
}

TEST(a_map_of_the_wrong_rank_is_named_at_the_map)
{
	check_error("tensor<4x8xf32, #tt.layout<(d0, d1, d2) -> (d0, d1), undef, <1x1>, "
		    "memref<4x8xf32, #tt.memory_space<l1>>>>",
		"t:1:28: error: map of 3 dimensions, the tensor has 2\n"
		"tensor<4x8xf32, #tt.layout<(d0, d1, d2) -> (d0, d1), undef, <1x1>, "
		"memref<4x8xf32, #tt.memory_space<l1>>>>\n"
		"                           ^\n");
}

TEST(a_grid_of_another_rank_than_the_results_is_named_at_the_grid)
{
	check_error("tensor<4x8xf32,\n #tt.layout<(d0, d1) -> (d0, d1), undef,\n  <1x1x2>,\n"
		    "  memref<4x8xf32, #tt.memory_space<l1>>>>",
		"t:3:3: error: grid of rank 3, the map has 2 results\n  <1x1x2>,\n  ^\n");
}

TEST(a_memref_that_does_not_follow_is_named_with_the_one_that_does)
{
	check_error("tensor<4x8xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>,\n"
		    "  memref<4x8xf32, #tt.memory_space<l1>>>>",
		"t:2:3: error: memref of 4x8, tensor, map and grid make it 2x8\n"
		"  memref<4x8xf32, #tt.memory_space<l1>>>>\n  ^\n");
}

TEST(names_have_their_nearest)
{
	check_error("tensor<4x8xbf61>",
		"t:1:12: error: unknown element type 'bf61', did you mean 'bf16'?\n"
		"tensor<4x8xbf61>\n           ^\n");
	check_error("tensor<4xf32, #tt.layout<(d0) -> (d0), undeff,\n<1>, memref<4xf32, "
		    "#tt.memory_space<l1>>>>",
		"t:1:40: error: unknown out-of-bounds value 'undeff', did you mean 'undef'?\n"
		"tensor<4xf32, #tt.layout<(d0) -> (d0), undeff,\n"
		"                                       ^\n");
	check_error("tensor<4xf32, #tt.layout<(d0) -> (d0), undef,\n<1>, memref<4xf32, "
		    "#tt.memory_space<dran>>>>",
		"t:2:37: error: unknown memory space 'dran', did you mean 'dram'?\n"
		"<1>, memref<4xf32, #tt.memory_space<dran>>>>\n"
		"                                    ^\n");
}

struct refused {
	const char *tensor, *map, *fill, *grid, *memref, *expected;
};

/* Checks that there is one error with the message `expected`; the tests above check places. */
static void check_message(const struct refused *refused)
{
	struct diag *diag = diag_new();
	struct text text = {0};
	struct layout layout;
	bool encoded;
	char *printed;

	text_printf(&text, "tensor<%s, #tt.layout<%s, %s, <%s>, memref<%s, #tt.memory_space<l1>>>>",
		refused->tensor, refused->map, refused->fill, refused->grid, refused->memref);
	assert_false(layout_parse("t", text_string(&text), text.length, diag, &layout, &encoded));
	printed = diag_text(diag);
	if (!strstr(printed, refused->expected))
		fail_msg("%s instead of %s", printed, refused->expected);
	free(printed);
	text_fini(&text);
	diag_free(diag);
}

#define CHECK_MESSAGES(table)                                                                      \
	for (size_t i = 0; i < sizeof(table) / sizeof *(table); i++)                               \
	check_message(&(table)[i])

TEST(maps_that_could_not_be_read_back_are_refused_by_name)
{
	static const struct refused refused[] = {
		{"4x8xf32", "(d0, d1) -> (d0, d0)", "undef", "1x1", "4x4xf32",
			"error: d1 is in no result: its 8 elements would share a place"},
		{"4x8xf32", "(d0, d1) -> (0, d0 * 4 + d1)", "undef", "1x1", "1x20xf32",
			"error: strides of result 1 do not nest: d0 strides by 4, what is inside "
			"it spans "
			"8"},
		{"4x8xf32", "(d0, d1) -> (d0 * 8 + d1, d1 * 4 + d0)", "undef", "1x1", "32x32xf32",
			"error: results nest the same dimensions in different orders"},
		{"4x8xf32", "(d0, d1) -> (d0 + 1, d1)", "undef", "1x1", "4x8xf32",
			"error: a constant stands alone: only strides of dimensions, or 0, do"},
		{"4x8xf32", "(d0, d1) -> (d0 + d0, d1)", "undef", "1x1", "4x8xf32",
			"error: d0 stands twice in one result"},
		{"4x8xf32", "(d0, d1) -> (d0 * 0, d1)", "undef", "1x1", "4x8xf32",
			"error: d0 strides by 0"},
		{"4x8xf32", "(d0, d1) -> (d0, d2)", "undef", "1x1", "4x8xf32",
			"error: d2 of a tensor of rank 2"},
	};

	CHECK_MESSAGES(refused);
}

TEST(sizes_are_bounded_by_name)
{
	static const struct refused refused[] = {
		{"4x0xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1", "4x8xf32",
			"error: dimension d1 has no elements"},
		{"4294967296x4294967296xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1", "4x8xf32",
			"error: tensor of more than 17592186044416 elements"},
		{"99999999999999999999xf32", "(d0) -> (d0)", "undef", "1", "4xf32",
			"error: number above 17592186044416"},
		{"2x2xf32", "(d0, d1) -> (d0 * 17592186044416, d1)", "undef", "1x1", "4x8xf32",
			"error: result 0 spans more than 17592186044416"},
		{"2x2xf32", "(d0, d1) -> (d0, d1)", "undef", "0x1", "4x8xf32",
			"error: dimension 0 of the grid is 0"},
		{"2x2xf32", "(d0, d1) -> (d0, d1)", "undef", "4096x8192", "4x8xf32",
			"error: grid of more than 16777216 shards"},
		{"1x1x1x1x1x1x1x1x1xf32", "(d0) -> (d0)", "undef", "1", "4xf32",
			"error: more than 8 dimensions"},
		{"4194304x2xf32", "(d0, d1) -> (d0 * 4194304, d1)", "undef", "1x1", "4x8xf32",
			"error: shards with more than 17592186044416 elements together"},
	};

	CHECK_MESSAGES(refused);
}

TEST(memories_that_do_not_exist_are_refused_by_name)
{
	static const struct refused refused[] = {
		{"4x8xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1", "4x8xbfp_bf8",
			"error: scalars of bfp_bf8: elements share exponents in tiles only"},
		{"4x8xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1", "1x1x!tt.tile<24 x 32, f32>",
			"error: tile of 24 x 32: heights are 1, 2, 4, 8, 16 or 32, widths 16 or "
			"32"},
		{"4x8xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1",
			"1x1x!tt.tile<32 x 32, bfp_bf4>",
			"error: tensors of bfp_bf4: two elements share a byte, which layouts do "
			"not place"},
		{"4x8xf32", "(d0, d1) -> (d0, d1)", "undef", "1x1", "1x1x!tt.tile<8 x 32, bfp_bf8>",
			"error: tile of 8 x 32 bfp_bf8: blocks want whole faces"},
		{"4xf32", "(d0) -> (d0)", "undef", "1", "1x!tt.tile<32 x 32, f32>",
			"error: tiles on a grid of rank 1"},
		{"4x8xu32", "(d0, d1) -> (d0, d1)", "inf", "1x1", "4x8xu32",
			"error: u32 has no value inf"},
		{"4x8xf32", "(d0, d1) -> (d0, d1)", "neginf", "1x1",
			"1x1x!tt.tile<32 x 32, bfp_bf8>",
			"error: neginf padding would take the shared exponent of the bfp_bf8 data "
			"beside "
			"it"},
	};

	CHECK_MESSAGES(refused);
}

TEST(blanks_comments_and_factors_in_front_change_nothing)
{
	static const char text[] = "tensor< 2 x 8 x 32 x f32 , // a batch of two\n"
				   "#tt.layout< ( d0,d1,d2 )->( 32*d0+d1 , d2 ),zero,< 1x2 >,\n"
				   "memref<2x1x!tt.tile<32x32,bf16>,#tt.memory_space<dram>>>>\n";
	struct diag *diag = diag_new();
	struct text printed = {0};
	struct layout layout;
	bool encoded;

	assert_true(layout_parse("t", text, sizeof text - 1, diag, &layout, &encoded));
	layout_print(&layout, &printed);
	assert_string_equal(text_string(&printed),
		"tensor<2x8x32xf32, #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), zero, <1x2>, "
		"memref<2x1x!tt.tile<32 x 32, bf16>, #tt.memory_space<dram>>>>");
	text_fini(&printed);
	diag_free(diag);
}

TEST_MAIN(NULL, NULL)
