/* Tests the lowering of mesh mappers to layouts: the three examples of the sharding specification
 * with their numbers, an error for each limit of lowering, and packing, which does not have these
 * limits. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "layout/mapper.h"

enum { NONE = MAPPER_REPLICATE, DATUM = 2 };

static const struct mapper_mesh t3k = {2, 4};

static struct mapper_tensor tensor4(uint64_t b, uint64_t z, uint64_t y, uint64_t x)
{
	return (struct mapper_tensor){{4, {b, z, y, x}}, DATUM};
}

static struct mapper_lowering lower(struct mapper_tensor tensor, int32_t rows, int32_t columns)
{
	int32_t dims[] = {rows, columns};
	struct mapper_lowering lowering;
	struct text why = {0};

	if (mapper_shard_2d(&tensor, &t3k, dims, &lowering, &why) != MAPPER_NONE)
		fail_msg("%s", text_string(&why));
	return lowering;
}

/* Pairs are (x, y), as the specification writes them. */
static void check_config(const struct mapper_lowering *lowering, uint64_t bytes, uint64_t shard_x,
	uint64_t shard_y, uint64_t global_x, uint64_t global_y, enum orientation orientation)
{
	const struct mesh_layout *config = &lowering->config;

	assert_true(config->sharded);
	assert_int_equal(config->size_bytes, bytes);
	assert_int_equal(config->shard_width, shard_x);
	assert_int_equal(config->shard_height, shard_y);
	assert_int_equal(config->global_width, global_x);
	assert_int_equal(config->global_height, global_y);
	assert_int_equal(config->orientation, orientation);
}

static void check_device(
	const struct mapper_lowering *lowering, uint64_t b, uint64_t z, uint64_t y, uint64_t x)
{
	uint64_t expected[] = {b, z, y, x};

	assert_int_equal(lowering->device.rank, 4);
	assert_memory_equal(lowering->device.size, expected, sizeof expected);
}

/* Returns the position of the first byte of the device's shard in the global buffer. */
static uint64_t first_byte(const struct mapper_lowering *lowering, uint32_t row, uint32_t column)
{
	struct mesh_spread spread;
	struct shard_rows rows;

	assert_int_equal(mesh_spread_init(&spread, &lowering->config, t3k.rows, t3k.columns, NULL),
		STATUS_OK);
	assert_true(mesh_spread_shard(&spread, row, column, &rows));
	return rows.first_byte;
}

TEST(example_1_shards_height_over_columns_and_replicates_over_rows)
{
	struct mapper_lowering lowering = lower(tensor4(4, 3, 32, 32), NONE, 0);

	check_config(
		&lowering, 4 * 3 * 32 * 32 * DATUM, 0, 96, 32, 4 * 3 * 32, ORIENTATION_ROW_MAJOR);
	check_device(&lowering, 1, 3, 32, 32);
	for (uint32_t row = 0; row < 2; row++)
		for (uint32_t column = 0; column < 4; column++)
			assert_int_equal(
				first_byte(&lowering, row, column), column * 96 * 32 * DATUM);
}

TEST(example_2_shards_width_over_rows_and_replicates_over_columns)
{
	struct mapper_lowering lowering = lower(tensor4(32, 3, 128, 256), 3, NONE);

	check_config(&lowering, 32ull * 3 * 128 * 256 * DATUM, 128, 0, 256, 32 * 3 * 128,
		ORIENTATION_COLUMN_MAJOR);
	check_device(&lowering, 32, 3, 128, 128);
	for (uint32_t row = 0; row < 2; row++)
		for (uint32_t column = 0; column < 4; column++)
			assert_int_equal(first_byte(&lowering, row, column), row * 128 * DATUM);
}

/* The comment in the example, "write shards across rows, wrap around then write to the next
 * column", describes column-major order. We use the definition of ROW_MAJOR instead: consecutive
 * shards are placed along a row of the mesh. So shard (y, x) is on the device in row y and column
 * x. */
TEST(example_3_shards_blocks_row_by_row)
{
	struct mapper_lowering lowering = lower(tensor4(1, 1, 128, 256), 2, 3);

	check_config(&lowering, 128 * 256 * DATUM, 64, 64, 256, 128, ORIENTATION_ROW_MAJOR);
	check_device(&lowering, 1, 1, 64, 64);
	for (uint32_t row = 0; row < 2; row++)
		for (uint32_t column = 0; column < 4; column++)
			assert_int_equal(first_byte(&lowering, row, column),
				(row * 64 * 256 + column * 64) * DATUM);
}

TEST(blocks_with_dimensions_swapped_are_written_column_by_column)
{
	struct mapper_lowering lowering = lower(tensor4(1, 1, 128, 256), 3, 2);

	check_config(&lowering, 128 * 256 * DATUM, 128, 32, 256, 128, ORIENTATION_COLUMN_MAJOR);
	for (uint32_t row = 0; row < 2; row++)
		for (uint32_t column = 0; column < 4; column++)
			assert_int_equal(first_byte(&lowering, row, column),
				(column * 32 * 256 + row * 128) * DATUM);
}

TEST(replicating_both_ways_is_a_replicated_buffer)
{
	struct mapper_lowering lowering = lower(tensor4(3, 5, 7, 11), NONE, NONE);

	assert_false(lowering.config.sharded);
	assert_int_equal(lowering.config.size_bytes, 3 * 5 * 7 * 11 * DATUM);
}

TEST(one_dimension_goes_over_all_devices_row_by_row)
{
	struct mapper_tensor tensor = tensor4(8, 3, 32, 32);
	struct mapper_lowering lowering;

	assert_int_equal(mapper_shard(&tensor, &t3k, 0, &lowering, NULL), MAPPER_NONE);
	check_config(&lowering, 8 * 3 * 32 * 32 * DATUM, 32, 96, 32, 768, ORIENTATION_ROW_MAJOR);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(first_byte(&lowering, i / 4, i % 4), i * 96 * 32 * DATUM);
}

TEST(negative_dimensions_count_from_the_end)
{
	struct mapper_lowering from_end = lower(tensor4(1, 1, 128, 256), -2, -1);
	struct mapper_lowering from_front = lower(tensor4(1, 1, 128, 256), 2, 3);

	assert_memory_equal(&from_end.config, &from_front.config, sizeof from_end.config);
}

TEST(a_tensor_of_rank_1_is_split_along_its_width)
{
	struct mapper_tensor tensor = {{1, {64}}, DATUM};
	struct mapper_lowering lowering;

	assert_int_equal(mapper_shard(&tensor, &t3k, -1, &lowering, NULL), MAPPER_NONE);
	check_config(&lowering, 64 * DATUM, 8, 1, 64, 1, ORIENTATION_ROW_MAJOR);
}

static void check_refused(struct mapper_tensor tensor, int32_t rows, int32_t columns,
	enum mapper_refusal expected, const char *sentence)
{
	int32_t dims[] = {rows, columns};
	struct mapper_lowering lowering;
	struct text why = {0};

	assert_int_equal(mapper_shard_2d(&tensor, &t3k, dims, &lowering, &why), expected);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

/* The specification says: "Sharding along the y-dim is currently only supported when the batch and
 * z-dims are 1. Sharding along the z-dim is currently only supported when the batch-dim is 1." */
TEST(inner_rows_are_refused_behind_dimensions_that_are_not_1)
{
	check_refused(tensor4(4, 1, 32, 32), NONE, 2, MAPPER_ND,
		"dimension 2 can be split only if all before it are 1, dimension 0 is 4: transpose "
		"first");
	check_refused(tensor4(1, 3, 32, 32), 2, NONE, MAPPER_ND,
		"dimension 2 can be split only if all before it are 1, dimension 1 is 3: transpose "
		"first");
	check_refused(tensor4(2, 4, 32, 32), NONE, 1, MAPPER_ND,
		"dimension 1 can be split only if all before it are 1, dimension 0 is 2: transpose "
		"first");
	check_refused(tensor4(2, 4, 32, 32), 0, 1, MAPPER_ROWS,
		"dimensions 0 and 1 are both flattened into rows: one of two has to be the "
		"innermost");
	lower(tensor4(1, 4, 32, 32), NONE, 1);
	lower(tensor4(1, 1, 32, 32), NONE, 2);
}

TEST(other_mistakes_are_refused_by_name)
{
	struct mapper_tensor none = {{0, {0}}, DATUM}, wide = {{1, {1ull << 44}}, DATUM};
	struct mapper_mesh empty = {0, 4};
	struct mapper_lowering lowering;
	struct mapper_tensor tensor = tensor4(2, 4, 32, 32);

	check_refused(tensor4(3, 4, 32, 32), 0, NONE, MAPPER_UNEVEN,
		"dimension 0 of 3 does not divide evenly into 2 shards");
	check_refused(tensor, 4, NONE, MAPPER_DIM, "dimension 4 of a tensor of rank 4");
	check_refused(tensor, -5, NONE, MAPPER_DIM, "dimension -5 of a tensor of rank 4");
	check_refused(tensor, 3, -1, MAPPER_TWICE,
		"dimension 3 over the rows of the mesh and over its columns");
	check_refused(tensor4(2, 0, 32, 32), 0, NONE, MAPPER_EMPTY, "dimension 1 has no elements");
	check_refused(none, 0, NONE, MAPPER_RANK, "tensor of rank 0, 1 to 8 allowed");
	check_refused(wide, 0, NONE, MAPPER_SIZE, "tensor of more than 17592186044416 B");
	assert_int_equal(mapper_shard(&tensor, &empty, 0, &lowering, NULL), MAPPER_MESH);
}

/* More than 2^32 rows or columns of shards in sequence: their numbers have 64 bits. */
TEST(tensors_of_more_than_4_gi_elements_are_split)
{
	struct mapper_tensor rows = {{3, {8192, 1 << 20, 1}}, 1}, wide = {{1, {6ull << 32}}, DATUM};
	struct mapper_tensor batches = {{3, {2, 3ull << 30, 2}}, 1};
	const int32_t inner[] = {1, NONE};
	struct mapper_lowering lowering;

	assert_int_equal(mapper_shard(&rows, &t3k, 0, &lowering, NULL), MAPPER_NONE);
	check_config(&lowering, 1ull << 33, 1, 1ull << 30, 1, 1ull << 33, ORIENTATION_ROW_MAJOR);
	assert_int_equal(first_byte(&lowering, 1, 3), 7ull << 30);
	assert_int_equal(mapper_shard(&wide, &t3k, 0, &lowering, NULL), MAPPER_NONE);
	check_config(&lowering, 6ull << 33, 3ull << 30, 1, 6ull << 32, 1, ORIENTATION_ROW_MAJOR);
	assert_int_equal(first_byte(&lowering, 1, 0), 12ull << 31);
	assert_int_equal(mapper_shard_2d_any(&batches, &t3k, inner, &lowering, NULL), MAPPER_NONE);
	check_config(
		&lowering, 12ull << 30, 0, 3ull << 30, 2, 6ull << 30, ORIENTATION_COLUMN_MAJOR);
	assert_int_equal(first_byte(&lowering, 1, 2), 6ull << 30);
}

TEST(every_refusal_has_a_name_of_its_own)
{
	for (int i = 0; i < MAPPER_REFUSAL_COUNT; i++)
		for (int j = 0; j < i; j++)
			assert_string_not_equal(mapper_refusal_name((enum mapper_refusal)i),
				mapper_refusal_name((enum mapper_refusal)j));
}

TEST(packing_splits_rows_of_batches_for_a_block_copied_per_device)
{
	struct mapper_tensor tensor = tensor4(4, 3, 32, 32);
	int32_t dims[] = {NONE, 2};
	struct mapper_lowering lowering;

	assert_int_equal(mapper_shard_2d_any(&tensor, &t3k, dims, &lowering, NULL), MAPPER_NONE);
	assert_true(lowering.packed);
	/* every block is on both rows of the mesh */
	assert_int_equal(lowering.copied_bytes, 2 * 4 * 3 * 32 * 32 * DATUM);
	check_device(&lowering, 4, 3, 8, 32);
	check_config(
		&lowering, 4 * 3 * 32 * 32 * DATUM, 0, 4 * 3 * 8, 32, 384, ORIENTATION_ROW_MAJOR);
}

TEST(packing_costs_nothing_where_it_is_not_needed)
{
	struct mapper_tensor tensor = tensor4(4, 3, 32, 32);
	int32_t dims[] = {NONE, 0};
	struct mapper_lowering lowering;

	assert_int_equal(mapper_shard_2d_any(&tensor, &t3k, dims, &lowering, NULL), MAPPER_NONE);
	assert_false(lowering.packed);
	assert_int_equal(lowering.copied_bytes, 0);
}

TEST_MAIN(NULL, NULL)
