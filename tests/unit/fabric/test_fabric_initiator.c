/* Tests which chip with PCIe becomes the initiator of a rectangle (spec 3.8.8.2). On random meshes,
 * each value of initiator_place must choose the chip that its definition gives. Also tests
 * initiators that users name. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "fabric/grids.h"
#include "fabric_bench.h"
#include "mesh/choice.h"

enum { SIDE_MAX = 8, CHIPS_MAX = SIDE_MAX * SIDE_MAX + SIDE_MAX, CASES = 300 };

static struct fabric_bench bench;
static struct grid_plan how;
static struct broadcast_grid grids[SIDE_MAX];

static uint16_t initiator_drawn(struct stream *stream, uint32_t bound)
{
	return (uint16_t)stream_below(stream, bound);
}

/* Opens a random part of a random machine. */
static void open_drawn(struct stream *stream)
{
	struct test_cluster machine = {.rows = (uint16_t)(1 + initiator_drawn(stream, SIDE_MAX)),
		.columns = (uint16_t)(1 + initiator_drawn(stream, SIDE_MAX)),
		.pcie = (enum test_pcie)initiator_drawn(stream, 3)};
	struct mesh_offset offset = {
		initiator_drawn(stream, machine.rows), initiator_drawn(stream, machine.columns)};
	struct mesh_shape shape = {
		(uint16_t)(1 + initiator_drawn(stream, (uint32_t)(machine.rows - offset.row))),
		(uint16_t)(1 +
			   initiator_drawn(stream, (uint32_t)(machine.columns - offset.column)))};

	fabric_bench_open(&bench, machine, shape, offset);
}

static void split(const char *place, uint32_t count)
{
	how.count = count;
	how.tree = fabric_line_columns;
	how.rank = initiator_place_find(place)->rank;
	assert_int_equal(
		fabric_grids_split(&bench.graph, &bench.mesh, how, &bench.arena, NULL, grids),
		STATUS_OK);
}

/* The rank that a place should give to `chip` for the whole mesh. */
static uint64_t expected(const char *place, uint16_t chip)
{
	uint16_t distance[CHIPS_MAX];
	struct grid_candidate candidate = {.mesh = &bench.mesh,
		.range = device_range_all(bench.mesh.shape),
		.chip = chip,
		.distance = distance};

	fabric_graph_distances(&bench.graph, chip, distance);
	if (strcmp(place, "corner") == 0)
		return distance[bench.mesh.chips[0]];
	if (strcmp(place, "least-loaded") == 0)
		return 1000 * (uint64_t)how.load[chip] + fabric_grid_reach(&candidate);
	return fabric_grid_reach(&candidate);
}

TEST(no_chip_with_pcie_fits_a_place_better_than_the_initiator)
{
	static const char *const places[] = {"centre", "corner", "least-loaded"};
	uint32_t load[CHIPS_MAX];
	struct stream stream;

	stream_init(&stream, 6, "test/initiators");
	for (uint32_t i = 0; i < CASES; i++) {
		const char *place = places[i % 3];
		uint64_t chosen;

		for (uint32_t chip = 0; chip < CHIPS_MAX; chip++)
			load[chip] = initiator_drawn(&stream, 3);
		open_drawn(&stream);
		how.load = load;
		split(place, 1);
		chosen = expected(place, grids[0].initiator);
		for (uint16_t chip = 0; chip < bench.info->chip_count; chip++) {
			uint64_t rank = expected(place, chip);

			if (!bench.info->chips[chip].has_pcie)
				continue;
			if (rank < chosen || (rank == chosen && chip < grids[0].initiator))
				fail_msg("%s: chip %u of rank %u, not chip %u of rank %u", place,
					grids[0].initiator, (unsigned)chosen, chip, (unsigned)rank);
		}
		fabric_bench_close(&bench);
	}
	how.load = NULL;
}

/* On 8 x 8 chips behind gateways: hops to the farthest chip, which is in the last column. */
TEST(a_centre_is_three_hops_nearer_to_the_last_chip_than_a_corner)
{
	static const struct {
		const char *place;
		uint16_t row;
		uint32_t depth;
	} laws[] = {{"corner", 0, 15}, {"centre", 3, 12}};

	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++) {
		fabric_bench_open(&bench,
			(struct test_cluster){.rows = 8, .columns = 8, .pcie = TEST_PCIE_GATEWAYS},
			(struct mesh_shape){8, 8}, (struct mesh_offset){0, 0});
		split(laws[i].place, 1);
		assert_int_equal(grids[0].initiator,
			fabric_initiator_at(bench.info, (struct mesh_offset){laws[i].row, 0}));
		assert_int_equal(fabric_tree_depth(grids[0].tree), laws[i].depth);
		fabric_bench_close(&bench);
	}
}

TEST(each_rectangle_has_an_initiator_of_its_own_with_every_place)
{
	uint32_t load[CHIPS_MAX] = {0};
	uint16_t named[4];

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = 8, .columns = 4, .pcie = TEST_PCIE_GATEWAYS},
		(struct mesh_shape){8, 4}, (struct mesh_offset){0, 0});
	for (uint16_t i = 0; i < 4; i++)
		named[i] =
			fabric_initiator_at(bench.info, (struct mesh_offset){(uint16_t)(7 - i), 0});
	how.load = load;
	how.named = named;
	for (size_t i = 0; initiator_place_row(i); i++) {
		split(initiator_place_name(i), 4);
		for (uint32_t g = 0; g < 4; g++)
			for (uint32_t other = 0; other < g; other++)
				assert_int_not_equal(grids[g].initiator, grids[other].initiator);
		for (uint32_t g = 0; g < 4 && initiator_place_row(i)->named; g++)
			assert_int_equal(grids[g].initiator, named[g]);
	}
	how.load = NULL;
	how.named = NULL;
	fabric_bench_close(&bench);
}

/* Says what is wrong with these places on 4 x 3 chips. */
static void refuses(enum test_pcie pcie, const struct mesh_offset *places, uint32_t count,
	enum status status, uint32_t at, const char *sentence)
{
	struct text why = {0};
	uint32_t which;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 4, .columns = 3, .pcie = pcie},
		(struct mesh_shape){4, 3}, (struct mesh_offset){0, 0});
	assert_int_equal(fabric_initiators_check(bench.info, places, count, &which, &why), status);
	assert_int_equal(which, at);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
	fabric_bench_close(&bench);
}

TEST(a_place_without_pcie_is_refused_with_the_nearest_that_has_it)
{
	static const struct mesh_offset inside[] = {{1, 0}, {2, 2}}, outside[] = {{9, 1}},
					twice[] = {{3, 0}, {1, 0}, {3, 0}},
					good[] = {{3, 0}, {1, 0}};

	refuses(TEST_PCIE_LEFT, inside, 2, STATUS_NOT_FOUND, 1,
		"[2, 2] of the 4 x 3 chips of platform test has no chip with PCIe, and no gateway "
		"beside it; the nearest that has is [2, 0]");
	refuses(TEST_PCIE_GATEWAYS, inside, 2, STATUS_NOT_FOUND, 1,
		"[2, 2] of the 4 x 3 chips of platform test has no chip with PCIe, and no gateway "
		"beside it; the nearest that has is [2, 0]");
	refuses(TEST_PCIE_ALL, outside, 1, STATUS_OUT_OF_RANGE, 0,
		"[9, 1] is outside of the 4 x 3 chips of platform test, and has no chip with PCIe; "
		"the nearest that has is [3, 1]");
	refuses(TEST_PCIE_GATEWAYS, twice, 3, STATUS_EXISTS, 2,
		"[3, 0] is named twice, but a chip initiates for one part of the mesh");
	refuses(TEST_PCIE_GATEWAYS, good, 2, STATUS_OK, 2, "");
}

TEST_MAIN(NULL, NULL)
