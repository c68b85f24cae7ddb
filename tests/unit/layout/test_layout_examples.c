/* Tests every example of the tensor layout specification, with the numbers that the specification
 * prints. Where the specification contradicts itself, the test states which reading we use, and
 * why. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "layout/layout_text.h"
#include "layout/machine.h"
#include "layout/layout.h"

static struct layout_shape shape(const char *text)
{
	struct text why = {0};
	struct layout_shape shape;

	if (!layout_parse_shape(text, &shape, &why))
		fail_msg("%s", text_string(&why));
	return shape;
}

/* Reads an example; printing must give the text as written, except for blanks. */
static struct layout example(
	const char *tensor, const char *map, const char *grid, const char *memref)
{
	struct diag *diag = diag_new();
	struct text text = {0}, printed = {0};
	struct layout layout;
	bool encoded;

	text_printf(&text,
		"tensor<%s, #tt.layout<%s, undef, <%s>, memref<%s, #tt.memory_space<l1>>>>", tensor,
		map, grid, memref);
	if (!layout_parse("example", text_string(&text), text.length, diag, &layout, &encoded)) {
		diag_print(diag, stderr);
		fail_msg("%s", text_string(&text));
	}
	assert_true(encoded);
	layout_print(&layout, &printed);
	assert_string_equal(text_string(&printed), text_string(&text));
	text_fini(&text);
	text_fini(&printed);
	diag_free(diag);
	return layout;
}

static void check_shape(const struct layout_shape *seen, const char *expected)
{
	struct text text = {0};

	layout_shape_print(seen, "x", &text);
	assert_string_equal(text_string(&text), expected);
	text_fini(&text);
}

TEST(the_walkthrough_maps_1_1_6_100_to_262_100)
{
	struct layout layout = example("2x3x64x128xf32",
		"(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)", "1x1", "384x128xf32");
	struct layout_shape index = {4, {1, 1, 6, 100}}, back;
	struct layout_shape physical = layout_map(&layout, &index);

	check_shape(&physical, "262x100");
	assert_true(layout_unmap(&layout, &physical, &back));
	assert_memory_equal(&back, &index, sizeof index);
}

/* Checks the map joined from intervals, with `<>` resolved by the tensor's extents. */
static void check_collapse(const char *tensor, const struct layout_interval *intervals,
	uint32_t count, uint32_t results, const char *joined)
{
	struct diag *diag = diag_new();
	struct layout layout = {.tensor = shape(tensor)}, read;
	struct text text = {0};
	char grid[32] = "1";
	bool encoded;

	assert_int_equal(layout_collapse(&layout, intervals, count, results, NULL), STATUS_OK);
	layout.grid.rank = results;
	for (uint32_t r = 0; r < results; r++)
		layout.grid.size[r] = 1;
	for (uint32_t r = 1; r < results; r++)
		strcat(grid, "x1");
	assert_int_equal(layout_init(&layout, NULL), STATUS_OK);
	/* the joined map, given directly, has the same strides */
	text_printf(
		&text, "tensor<%sxf32, #tt.layout<%s, undef, <%s>, memref<", tensor, joined, grid);
	layout_shape_print(&layout.memref, "x", &text);
	text_append(&text, "xf32, #tt.memory_space<l1>>>>");
	if (!layout_parse("joined", text_string(&text), text.length, diag, &read, &encoded))
		diag_print(diag, stderr);
	assert_memory_equal(read.stride, layout.stride, sizeof read.stride);
	text_fini(&text);
	diag_free(diag);
}

TEST(collapse_intervals_are_those_of_the_four_examples)
{
	static const struct layout_interval by_default[] = {{0, -1}}, second[] = {{1, -1}},
					    third[] = {{0, 2}}, fourth[] = {{0, 3}, {-3, -1}};

	check_collapse("5x3x7", by_default, 1, 2, "(d0, d1, d2) -> (d0 <> d1, d2)");
	check_collapse("5x3x7x2", second, 1, 3, "(d0, d1, d2, d3) -> (d0, d1 <> d2, d3)");
	check_collapse("5x3x7x2", third, 1, 3, "(d0, d1, d2, d3) -> (d0 <> d1, d2, d3)");
	check_collapse("5x3x7x2x4x6x9", fourth, 2, 4,
		"(d0, d1, d2, d3, d4, d5, d6) -> (d0 <> d1 <> d2, d3, d4 <> d5, d6)");
}

TEST(a_grid_of_2x4_divides_384x128_into_shards_of_192x32)
{
	struct layout layout = example("2x3x64x128xf32",
		"(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)", "2x4", "192x32xf32");
	struct layout_shape last = {4, {1, 2, 63, 127}}, physical = layout_map(&layout, &last);

	check_shape(&physical, "383x127");
	check_shape(&layout.physical, "384x128");
	check_shape(&layout.shard, "192x32");
}

TEST(more_grids_have_the_memrefs_that_are_printed)
{
	struct layout layout;

	example("8x300xf32", "(d0, d1) -> (d0, d1)", "1x2", "8x150xf32");
	example("8x96x32xf32", "(d0, d1, d2) -> (d0 * 96 + d1, d2)", "2x1", "384x32xf32");
	/* In this example, two results depend on dimension d1: the row (d0 * 96 + d1) and the plane
	 * (d1). So only one of 96 places has an element. This is allowed, because no two elements
	 * have the same place. */
	layout = example(
		"8x96x32xf32", "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)", "2x1x2", "384x96x16xf32");
	assert_int_equal(padding_elements(&layout, &(struct layout_shape){3, {0, 0, 0}}), 384 * 16);
	example("5x3x2x2x7x32x32xf32",
		"(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 "
		"* "
		"32 + d5, d4, d5, d6)",
		"3x2x2x2", "4480x4x16x16xf32");
}

TEST(a_virtual_grid_of_1x64_maps_to_cores_of_8x8)
{
	struct layout layout = example("32x2048xf32", "(d0, d1) -> (d0, d1)", "1x64", "32x32xf32");
	struct layout_machine machine = {1, 1, 8, 8, 12};

	assert_int_equal(layout_machine_check(&layout, &machine, NULL), STATUS_OK);
	for (uint64_t i = 0; i < 64; i++) {
		struct layout_shape shard = {2, {0, i}}, back;
		struct layout_unit unit = layout_unit(&layout, &machine, &shard);

		assert_int_equal(unit.core_row, i / 8);
		assert_int_equal(unit.core_column, i % 8);
		assert_true(layout_unit_shard(&layout, &machine, &unit, &back));
		assert_memory_equal(&back, &shard, sizeof shard);
	}
}

TEST(tilizing_divides_the_memref_by_the_tile)
{
	struct layout layout =
		example("3x64x128xf32", "(d0, d1, d2) -> (d0 * 64 + d1, d2)", "3x2", "64x64xf32");

	layout = example("3x64x128xf32", "(d0, d1, d2) -> (d0 * 64 + d1, d2)", "3x2",
		"2x2x!tt.tile<32 x 32, bfp_bf8>");
	/* "the tensor shape and element type remains intact" */
	assert_int_equal(layout.tensor_element, ELEMENT_F32);
	assert_int_equal(layout.element, ELEMENT_BFP_BF8);
	assert_int_equal(layout.shard_bytes, 4 * (64 + 1024));
}

/* Checks the padding of shard (row, column), as its rows and columns. */
static void check_padding(const struct layout *layout, uint64_t row, uint64_t column,
	uint64_t data_rows, uint64_t data_columns)
{
	struct layout_shape shard = {2, {row, column}};

	assert_int_equal(padding_elements(layout, &shard), data_rows * data_columns);
	assert_int_equal(padding_run(layout, 0, row, 0).kind, PLACE_DATA);
	assert_int_equal(padding_run(layout, 0, row, 0).count, data_rows);
	assert_int_equal(padding_run(layout, 1, column, 0).count, data_columns);
	assert_int_equal(padding_count(layout, &shard),
		layout->padded.size[0] * layout->padded.size[1] - data_rows * data_columns);
}

TEST(a_grid_of_3x2_pads_53x63_by_one_row_and_one_column)
{
	struct layout layout = example("53x63xf32", "(d0, d1) -> (d0, d1)", "3x2", "18x32xf32");

	for (uint64_t row = 0; row < 3; row++)
		for (uint64_t column = 0; column < 2; column++)
			check_padding(
				&layout, row, column, row == 2 ? 17 : 18, column == 1 ? 31 : 32);
	assert_int_equal(padding_run(&layout, 0, 2, 17).kind, PLACE_GRID);
	assert_int_equal(padding_run(&layout, 0, 2, 17).count, 1);
}

TEST(tiles_pad_each_core_by_14_rows_and_the_last_by_15)
{
	struct layout layout = example(
		"53x63xf32", "(d0, d1) -> (d0, d1)", "3x2", "1x1x!tt.tile<32 x 32, bfp_bf8>");

	for (uint64_t row = 0; row < 3; row++)
		assert_int_equal(32 - padding_run(&layout, 0, row, 0).count, row == 2 ? 15 : 14);
	/* The last row of cores has 15 rows of padding. The first of them fills the grid of cores,
	 * and the other 14 fill the tile. */
	assert_int_equal(padding_run(&layout, 0, 2, 17).kind, PLACE_GRID);
	assert_int_equal(padding_run(&layout, 0, 2, 18).kind, PLACE_TILE);
	assert_int_equal(padding_run(&layout, 0, 2, 18).count, 14);
}

TEST(a_bumped_stride_puts_each_batch_on_a_tile)
{
	struct layout_shape first = {3, {0, 0, 0}}, second = {3, {1, 0, 0}};
	struct layout layout;

	example("2x8x32xf32", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "1x2", "16x16xf32");
	layout = example("2x8x32xf32", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "1x2",
		"1x1x!tt.tile<32 x 32, f32>");
	assert_int_equal(layout_place(&layout, &second).local.size[0], 8); /* packed */
	layout = example("2x8x32xf32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x2",
		"2x1x!tt.tile<32 x 32, f32>");
	assert_int_equal(layout_place(&layout, &first).byte, 0);
	assert_int_equal(layout_place(&layout, &second).byte, 32 * 32 * 4);
	assert_int_equal(padding_run(&layout, 0, 0, 8).kind, PLACE_GAP);
	assert_int_equal(padding_run(&layout, 0, 0, 8).count, 24);
}

TEST(aligning_rows_bumps_the_stride_as_in_the_example)
{
	static const struct layout_interval by_default[] = {{0, -1}};
	struct layout layout = {.tensor = {3, {2, 8, 32}}, .grid = {2, {1, 2}}};
	struct text map = {0};

	assert_int_equal(layout_collapse(&layout, by_default, 1, 2, NULL), STATUS_OK);
	assert_int_equal(layout_align_rows(&layout, 32, NULL), STATUS_OK);
	layout_print_map(&layout, &map);
	assert_string_equal(text_string(&map), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
	text_fini(&map);
}

TEST(a_grid_of_rank_3_divides_the_batch_over_two_devices)
{
	struct layout layout =
		example("2x3x64x128xf32", "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)", "2x2x4",
			"1x3x1x!tt.tile<32 x 32, bfp_bf8>");
	struct layout_machine machine = {1, 2, 8, 8, 12};

	assert_int_equal(layout_machine_check(&layout, &machine, NULL), STATUS_OK);
	for (uint64_t batch = 0; batch < 2; batch++) {
		struct layout_shape index = {4, {batch, 1, 40, 100}};
		struct layout_place place = layout_place(&layout, &index);
		struct layout_unit unit = layout_unit(&layout, &machine, &place.shard);

		assert_int_equal(unit.device_column, batch);
		assert_int_equal(unit.core_row, (64 + 40) / 96);
		assert_int_equal(unit.core_column, 100 / 32);
	}
}

/* The specification gives the grid [divup(stride[0] // stride[-2], shard_shape[0]),
 * divup(stride[-2], shard_shape[0])]. This has two errors. For every 2D tensor, stride[0] is equal
 * to stride[-2], so there is always one row of shards. And the width is divided by the height of a
 * shard. We use other numbers: the rows, which are shape[0] * stride[0] // stride[-2], divided by
 * the rows of a shard, and the width divided by the width of a shard. */
TEST(the_ttnn_grid_is_rows_and_width_by_the_shard)
{
	struct layout layout = example("2x3x64x128xf32",
		"(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)", "2x4", "192x32xf32");
	struct ttnn_view view;

	assert_int_equal(ttnn_view_init(&view, &layout, NULL), STATUS_OK);
	check_shape(&view.shape, "2x3x64x128");
	check_shape(&view.stride, "24576x8192x128x1");
	assert_int_equal(view.physical_shape[0],
		view.shape.size[0] * view.stride.size[0] / view.stride.size[2]);
	assert_int_equal(view.shard_shape[0], 192);
	assert_int_equal(view.shard_shape[1], 32);
	assert_int_equal(view.grid_shape[0], 2);
	assert_int_equal(view.grid_shape[1], 4);
	/* as printed it would be 1 x 1: divup(24576 // 128, 192), divup(128, 192) */
	assert_int_equal((view.stride.size[0] / view.stride.size[2] + 191) / 192, 1);
}

/* "shard_shape ... does not need to be a tile multiple; physical_shard_shape: padded out". */
TEST(the_ttnn_shard_is_padded_to_tiles_apart)
{
	struct layout layout =
		example("53x63xf32", "(d0, d1) -> (d0, d1)", "3x2", "1x1x!tt.tile<32 x 32, bf16>");
	struct ttnn_view view;

	assert_int_equal(ttnn_view_init(&view, &layout, NULL), STATUS_OK);
	assert_int_equal(view.shard_shape[0], 18);
	assert_int_equal(view.shard_shape[1], 32);
	assert_int_equal(view.physical_shard_shape[0], 32);
	assert_int_equal(view.physical_shard_shape[1], 32);
	assert_int_equal(view.grid_shape[0], 3);
	assert_int_equal(view.grid_shape[1], 2);
}

/* "lowered to a TTNN mesh tensor ... each per-device tensor has d0 fully collapsed". */
TEST(a_batch_left_uncollapsed_becomes_a_ttnn_mesh_tensor)
{
	struct layout layout =
		example("2x3x64x128xf32", "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)", "2x2x4",
			"1x3x1x!tt.tile<32 x 32, bfp_bf8>");
	struct ttnn_view view;

	assert_int_equal(ttnn_view_init(&view, &layout, NULL), STATUS_OK);
	check_shape(&view.mesh, "2");
	check_shape(&view.shape, "1x3x64x128");
	check_shape(&view.stride, "24576x8192x128x1");
	assert_int_equal(view.grid_shape[0], 2);
	assert_int_equal(view.grid_shape[1], 4);
}

static void check_no_ttnn(const char *tensor, const char *map, const char *grid, const char *memref,
	const char *expected)
{
	struct layout layout = example(tensor, map, grid, memref);
	struct text why = {0};
	struct ttnn_view view;

	assert_int_equal(ttnn_view_init(&view, &layout, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), expected);
	text_fini(&why);
}

TEST(ttnn_refuses_what_its_strides_cannot_say)
{
	check_no_ttnn("4x8x32xf32", "(d0, d1, d2) -> (d0, d1 * 32 + d2)", "2x2", "2x128xf32",
		"the width holds other dimensions than the innermost: TTNN collapses [0, -1)");
	check_no_ttnn("4x8x32xf32", "(d0, d1, d2) -> (d0 + d1 * 4, d2)", "2x2", "16x16xf32",
		"rows of d1 are not adjacent: stride[-2] is the width");
	check_no_ttnn("4x32xf32", "(d0, d1) -> (d0, d1 * 2)", "2x2", "2x32xf32",
		"d1 has gaps: the width has stride 1");
	check_no_ttnn("64xf32", "(d0) -> (d0)", "4", "16xf32",
		"a grid of rank 1: TTNN lays rows out in 2D");
	check_no_ttnn("3x8x32xf32", "(d0, d1, d2) -> (d0, d1, d2)", "2x2x1", "2x4x32xf32",
		"d0 of 3 sliced unevenly over 2 devices");
	check_no_ttnn("4x8x32xf32", "(d0, d1, d2) -> (d0, d1, d2)", "2x2x1", "2x4x32xf32",
		"2 slices of d0 on a device: its cores would hold rows of several");
	check_no_ttnn("2x8x32xf32", "(d0, d1, d2) -> (d0 * 8 + d1, d1, d2)", "2x1x1", "8x8x32xf32",
		"result 0 is no single dimension: a mesh slices whole ones");
	check_no_ttnn("4x2x8x32xf32", "(d0, d1, d2, d3) -> (d0 * 8 + d1 * 32 + d2, d3)", "1x1",
		"64x32xf32", "d0 is collapsed out of order: rows are row-major");
}

TEST_MAIN(NULL, NULL)
