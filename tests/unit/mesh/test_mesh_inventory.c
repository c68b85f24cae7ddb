/* Tests on which tiles firmware stages are placed. A stage must go to the tile with the fewest
 * stages. A tile gets at most as many stages as it has processors, and none if it is reserved for
 * other use. Also tests how the resources that stages take are counted. */
#include "test.h"

#include <string.h>

#include "firmware/core/firmware.h"
#include "mesh/plan/inventory.h"
#include "test_cluster.h"

enum { TILES = 3 };

struct fixture {
	struct cluster_info *info;
	struct inventory inventory;
	struct firmware_limits limits;
	struct dispatch_h_layout layout;
	struct stage_need need;
};

static int set_up(void **state)
{
	static struct fixture fixture;
	const struct test_cluster cluster = {
		.rows = 1, .columns = 1, .pcie = TEST_PCIE_GATEWAYS, .dispatch_tiles = TILES};

	memset(&fixture, 0, sizeof fixture);
	fixture.info = test_cluster_info_new(&cluster);
	inventory_init(&fixture.inventory, fixture.info);
	firmware_limits_plain(&fixture.limits);
	fixture.limits.dispatch_h_ring_bytes = 1024;
	fixture.need = (struct stage_need){
		.role = ROLE_DISPATCH_H, .limits = &fixture.limits, .dispatch_h = &fixture.layout};
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	inventory_fini(&fixture->inventory);
	test_cluster_info_free(fixture->info);
	return 0;
}

static void stages_go_to_the_emptiest_tile_until_all_processors_are_taken(void **state)
{
	struct fixture *fixture = *state;
	const struct chip_geometry *geometry = fixture->info->chips[0].geometry;
	struct stage_spot spot;
	struct text why = {0};

	for (uint32_t i = 0; i < TILES * STAGES_PER_TILE; i++) {
		struct inventory_use use;

		assert_int_equal(
			inventory_place(&fixture->inventory, 0, &fixture->need, NULL, &spot),
			STATUS_OK);
		assert_int_equal(spot.tile, geometry->dispatch_tiles[i % TILES]);
		assert_int_equal(spot.processor, i / TILES);
		use = inventory_use(&fixture->inventory, 0);
		assert_int_equal(use.processors, i + 1);
		assert_int_equal(use.tiles, i < TILES ? i + 1 : TILES);
		assert_true(use.l1_bytes >= (i + 1) * fixture->limits.dispatch_h_ring_bytes);
	}
	assert_int_equal(inventory_place(&fixture->inventory, 0, &fixture->need, &why, &spot),
		STATUS_NO_SPACE);
	assert_true(why.length > 0);
	text_fini(&why);
}

static void a_claimed_tile_gets_no_stage_and_one_with_a_stage_cannot_be_claimed(void **state)
{
	struct fixture *fixture = *state;
	const struct chip_geometry *geometry = fixture->info->chips[0].geometry;
	struct stage_spot spot;

	assert_true(inventory_claim(&fixture->inventory, 0, geometry->dispatch_tiles[0]));
	for (uint32_t i = 0; i < (TILES - 1) * STAGES_PER_TILE; i++) {
		assert_int_equal(
			inventory_place(&fixture->inventory, 0, &fixture->need, NULL, &spot),
			STATUS_OK);
		assert_int_not_equal(spot.tile, geometry->dispatch_tiles[0]);
	}
	assert_int_equal(inventory_place(&fixture->inventory, 0, &fixture->need, NULL, &spot),
		STATUS_NO_SPACE);
	assert_false(inventory_claim(&fixture->inventory, 0, geometry->dispatch_tiles[1]));
}

static void a_stage_fits_a_tile_to_the_last_byte(void **state)
{
	struct fixture *fixture = *state;
	struct tile_plan empty;
	struct stage_spot spot;

	tile_plan_init(&empty, fixture->info->chips[0].geometry,
		fixture->info->chips[0].geometry->dispatch_tiles[0]);
	fixture->limits.dispatch_h_ring_bytes = (empty.byte_end - empty.next_byte) / 64 * 64;
	for (uint32_t i = 0; i < TILES; i++)
		assert_int_equal(
			inventory_place(&fixture->inventory, 0, &fixture->need, NULL, &spot),
			STATUS_OK);
	fixture->limits.dispatch_h_ring_bytes = 64;
	assert_int_equal(inventory_place(&fixture->inventory, 0, &fixture->need, NULL, &spot),
		STATUS_NO_SPACE);
}

static void place_for(
	struct fixture *fixture, uint32_t owner, uint32_t bytes, struct stage_spot *spot)
{
	fixture->inventory.owner = owner;
	fixture->limits.dispatch_h_ring_bytes = bytes;
	assert_int_equal(
		inventory_place(&fixture->inventory, 0, &fixture->need, NULL, spot), STATUS_OK);
}

/* Owners release and place in turn; this must not use up a tile. */
static void what_an_owner_gives_back_is_there_for_the_next(void **state)
{
	struct fixture *fixture = *state;
	uint32_t first = 0, arrival[2] = {0};
	struct stage_spot spot;

	for (uint32_t turn = 0; turn < 100; turn++) {
		uint32_t owner = 1 + turn;

		for (uint32_t i = 0; i < 2 * TILES; i++)
			place_for(fixture, owner, 2048 + 1024 * (turn % 3), &spot);
		if (turn == 0)
			first = fixture->layout.ring;
		assert_true(fixture->layout.ring < first + 8 * 4096);
		arrival[turn % 2] = fixture->layout.arrival_word;
		if (turn > 0) {
			assert_int_not_equal(arrival[0], arrival[1]);
			inventory_release(&fixture->inventory, owner - 1);
		}
		assert_int_equal(inventory_use(&fixture->inventory, 0).processors, 2 * TILES);
	}
	inventory_release(&fixture->inventory, 100);
	assert_int_equal(inventory_use(&fixture->inventory, 0).l1_bytes, 0);
	assert_true(inventory_claim(&fixture->inventory, 0, spot.tile));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			stages_go_to_the_emptiest_tile_until_all_processors_are_taken, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			a_claimed_tile_gets_no_stage_and_one_with_a_stage_cannot_be_claimed, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			a_stage_fits_a_tile_to_the_last_byte, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_an_owner_gives_back_is_there_for_the_next, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
