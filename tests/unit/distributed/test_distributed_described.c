/* Tests the description of buffers in CREATE_BUFFER messages. The sizes of a layout have 32 bits in
 * a message, but 64 bits in a buffer. So a message may have to describe a large buffer with fewer,
 * larger elements. The same bytes must then be on the same devices. */

#include "test.h"

#include "distributed/common/described.h"

enum { ROWS = 2, COLUMNS = 4 };

#define G (UINT64_C(1) << 30)

static struct mesh_spread spread_of(const struct mesh_layout *layout)
{
	struct mesh_spread spread;
	struct text why = {0};

	if (mesh_spread_init(&spread, layout, ROWS, COLUMNS, &why) != STATUS_OK)
		fail_msg("%s", text_string(&why));
	return spread;
}

/* Checks that each shard still has the same bytes of the buffer, in rows of the same length. */
static void check_told(const struct mesh_layout *layout)
{
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 64};
	const struct wire_create_buffer message = described_buffer(layout, &config);
	struct mesh_spread before = spread_of(layout), after;
	struct buffer_config told_config;
	struct mesh_layout told;

	assert_int_equal(described_check(layout, NULL), STATUS_OK);
	described_read(&message, &told, &told_config);
	after = spread_of(&told);
	assert_int_equal(after.device_bytes, before.device_bytes);
	for (uint32_t row = 0; row < ROWS; row++)
		for (uint32_t column = 0; column < COLUMNS; column++) {
			struct shard_rows had, has;

			assert_true(mesh_spread_shard(&before, row, column, &had));
			assert_true(mesh_spread_shard(&after, row, column, &has));
			assert_int_equal(has.first_byte, had.first_byte);
			assert_int_equal(has.row_bytes, had.row_bytes);
			assert_int_equal(has.rows, had.rows);
		}
}

TEST(wide_and_high_buffers_are_told_in_larger_elements)
{
	struct mesh_layout wide = {true, 48 * G, 2, 12 * G, 1, 3 * G, ORIENTATION_ROW_MAJOR};
	struct mesh_layout high = {true, 48 * G, 24 * G, 2, 3 * G, 2, ORIENTATION_ROW_MAJOR};
	struct mesh_layout repeated = {true, 48 * G, 24 * G, 1, 6 * G, 0, ORIENTATION_ROW_MAJOR};
	struct mesh_layout replicated = {false, 12 * G, 12 * G, 1, 0, 0, ORIENTATION_ROW_MAJOR};

	check_told(&wide);
	check_told(&high);
	check_told(&repeated);
	check_told(&replicated);
}

/* Extents that fit are sent unchanged, so that the bytes of the message do not change. */
TEST(extents_that_fit_are_told_as_they_are)
{
	struct mesh_layout layout = {true, 48 * G, 12, 1 * G, 6, G / 4, ORIENTATION_ROW_MAJOR};
	const struct buffer_config config = {.type = BUFFER_DRAM};
	struct wire_create_buffer message = described_buffer(&layout, &config);

	check_told(&layout);
	assert_int_equal(message.global_height, 12);
	assert_int_equal(message.global_width, G);
	assert_int_equal(message.shard_height, 6);
	assert_int_equal(message.shard_width, G / 4);
}

TEST(more_rows_than_fit_are_refused_if_each_is_divided)
{
	struct mesh_layout layout = {true, 48 * G, 6 * G, 8, 3 * G, 2, ORIENTATION_ROW_MAJOR};
	struct text why = {0};

	assert_int_equal(described_check(&layout, &why), STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&why),
		"a buffer of 6442450944 x 8 elements, each row of them divided: other hosts are "
		"told of at most 4294967295 rows");
	text_fini(&why);
}

TEST_MAIN(NULL, NULL)
