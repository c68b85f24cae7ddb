/* label: full  needs: simgrid timeout: 300
 * Tests how broadcasts are cut into multicasts, called pieces (spec 3.8), if multicasts are small.
 * Each way to cut is tested with one or several initiators, and for broadcasts to the whole mesh or
 * to a part of it. Every chip must receive each broadcast once and in order with unicasts. */
#include "test.h"

#include "mesh_case.h"
#include "row.h"

enum { ROWS = 5, COLUMNS = 4, DEVICES = ROWS * COLUMNS, BYTES = 8 * 1024 };

static struct mesh_case test;

static void open_with(
	struct cluster *cluster, const char *pieces, uint32_t members, uint32_t initiators)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.pieces = pieces_find(pieces);
	test.config.forward.multicast_members = members;
	test.cluster = cluster;
	mesh_case_attach(&test);
}

/* Writes to all chips, and to one chip, in turn. Returns the packets of the packetizers. */
static uint64_t pieces_write_in_turns(
	struct cluster *cluster, const char *pieces, uint32_t members, uint32_t initiators)
{
	open_with(cluster, pieces, members, initiators);
	return mesh_case_write_in_turns(&test, BYTES).packets;
}

static void every_row_reaches_every_chip(struct cluster *cluster)
{
	static const uint32_t members[] = {1, 3, 8, DEVICES};

	for (size_t i = 0; pieces_row(i); i++)
		for (size_t k = 0; k < sizeof(members) / sizeof(*members); k++)
			assert_true(
				pieces_write_in_turns(cluster, pieces_name(i), members[k], 1) > 0);
}

static void every_row_of_several_initiators_reaches_every_chip(struct cluster *cluster)
{
	for (size_t i = 0; pieces_row(i); i++)
		assert_true(pieces_write_in_turns(cluster, pieces_name(i), 3, 3) > 0);
}

/* Each packet is sent once for each piece. */
static void packets_are_sent_for_each_piece(struct cluster *cluster)
{
	uint64_t whole = pieces_write_in_turns(cluster, "balanced", 0, 1);

	assert_int_equal(pieces_write_in_turns(cluster, "rows", DEVICES, 1), whole);
	assert_int_equal(pieces_write_in_turns(cluster, "rows", DEVICES - 1, 1), ROWS * whole);
	assert_int_equal(pieces_write_in_turns(cluster, "balanced", DEVICES - 1, 1), 2 * whole);
	assert_int_equal(pieces_write_in_turns(cluster, "halves", COLUMNS, 1), 6 * whole);
}

static const struct test_cluster left = {.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster gateways = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(every_row_reaches_every_chip, left),
		ROW_CASE(every_row_reaches_every_chip, gateways),
		ROW_CASE(every_row_of_several_initiators_reaches_every_chip, left),
		ROW_CASE(every_row_of_several_initiators_reaches_every_chip, gateways),
		ROW_CASE(packets_are_sent_for_each_piece, gateways),
	};

	return ROW_RUN_SUITE("mesh_pieces", cases);
}
