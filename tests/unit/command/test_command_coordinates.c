/* Virtual and physical coordinates of commands: round trips, and coordinates without a tile. */
#include "test.h"

#include <string.h>

#include "command/dispatch.h"

/* The grid has three columns and four rows. Workers are in rows 1 and 3 of the right two columns.
 * Row 2 is harvested; its tiles have the numbers 6 and 7, and are empty. */
static const struct tile_info tiles[] = {
	{TILE_DRAM, 0, 0},
	{TILE_ETHERNET, 1, 0},
	{TILE_TENSIX, 1, 1},
	{TILE_TENSIX, 2, 1},
	{TILE_TENSIX, 1, 3},
	{TILE_TENSIX, 2, 3},
	{TILE_OTHER, 1, 2},
	{TILE_OTHER, 2, 2},
};
enum { NONE = TILE_AT_NONE };
static const uint16_t tile_at[] = {0, 1, NONE, NONE, 2, 3, NONE, 6, 7, NONE, 4, 5};
static const uint16_t workers[] = {2, 3, 4, 5};
static const struct chip_geometry geometry = {
	.tile_count = 8,
	.tiles = tiles,
	.noc_columns = 3,
	.noc_rows = 4,
	.tile_at = tile_at,
	.worker_columns = 2,
	.worker_rows = 2,
	.worker_tiles = workers,
};

TEST(tiles_have_places)
{
	for (uint16_t tile = 0; tile < geometry.tile_count; tile++) {
		uint16_t back = 99, place = tile_to_physical(&geometry, tile);

		assert_int_equal(place, tiles[tile].y * 3 + tiles[tile].x);
		assert_int_equal(tile_to_virtual(&geometry, place, &back), STATUS_OK);
		assert_int_equal(back, tile);
	}
}

TEST(nothing_stands_everywhere_else)
{
	static const uint16_t places[] = {2, 3, 6, 9, 12, 0xffff};
	uint16_t tile;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		assert_int_equal(tile_to_virtual(&geometry, places[i], &tile), STATUS_NOT_FOUND);
}

TEST(commands_go_there_and_back)
{
	static const struct dispatch_command commands[] = {
		{.kind = DISPATCH_WRITE_LINEAR, .write_linear = {.tile = 5, .length = 4}},
		{.kind = DISPATCH_WRITE_WORD, .write_word = {.tile = 4, .value = 3}},
		{.kind = DISPATCH_WRITE_MULTICAST,
			.write_multicast = {.rect = {0, 0, 1, 1}, .length = 4}},
		{.kind = DISPATCH_GO, .go = {.rect = {1, 1, 1, 1}, .slot = 2}},
		{.kind = DISPATCH_GO, .flags = DISPATCH_TILE, .go = {.tile = 1}},
		{.kind = DISPATCH_WAIT, .wait = {.value = 7}},
	};
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_LINEAR};
	struct dispatch_command moved;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		moved = commands[i];
		dispatch_to_physical(&geometry, &moved);
		assert_int_equal(
			memcmp(&moved, &commands[i], sizeof(moved)) == 0, i == 4 || i == 5);
		assert_int_equal(dispatch_to_virtual(&geometry, &moved), STATUS_OK);
		assert_memory_equal(&moved, &commands[i], sizeof(moved));
	}
	moved = commands[2];
	dispatch_to_physical(&geometry, &moved);
	assert_int_equal(moved.write_multicast.rect.column0, 1);
	assert_int_equal(moved.write_multicast.rect.row0, 1);
	assert_int_equal(moved.write_multicast.rect.column1, 2);
	assert_int_equal(moved.write_multicast.rect.row1, 3);
	relay.relay_linear.tile = 4;
	prefetch_to_physical(&geometry, &relay);
	assert_int_equal(relay.relay_linear.tile, 10);
	assert_int_equal(prefetch_to_virtual(&geometry, &relay), STATUS_OK);
	assert_int_equal(relay.relay_linear.tile, 4);
}

/* If a multicast was made for a chip with another harvested row, it can have such a rectangle. */
TEST(rectangles_without_workers_at_their_corners_are_refused)
{
	static const struct worker_rect rects[] = {
		{1, 2, 2, 3}, {1, 1, 2, 2}, {0, 0, 2, 3}, {1, 1, 3, 3}, {1, 1, 2, 9}};

	for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
		struct dispatch_command command = {.kind = DISPATCH_GO};

		command.go.rect = rects[i];
		assert_int_equal(dispatch_to_virtual(&geometry, &command), STATUS_NOT_FOUND);
	}
}

TEST_MAIN(NULL, NULL)
