/* label: full
 * Tests broadcasts that consist of several multicasts, in the native and the simulated world (spec
 * 3.8). Each chip receives the data once and in order, and credits are conserved. Each further
 * multicast of a broadcast must cost as much as the first one. */
#include <stdlib.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

/* Chips 0 1 2 / 3 4 5, and gateways 6 and 7. */
static const struct test_cluster grid = {
	.rows = 2, .columns = 3, .pcie = TEST_PCIE_GATEWAYS, .worker_columns = 2, .worker_rows = 1};

enum { CHIPS = 6, INITIATOR = 7, BYTES = 40000 };

static const struct grid_rect everywhere = {0, 0, 1, 2};

/* Writes to all chips along a tree. `number` is the operation, the event and the data. */
static void broadcast(struct rig *rig, uint16_t tree, uint32_t bytes, uint32_t number)
{
	uint16_t tile = rig->chips[0].geometry->worker_tiles[0];
	struct command_stream stream;
	uint32_t route;

	command_stream_init(&stream, number);
	route = rig_route_open(&stream, tree, everywhere);
	rig_append_write(&stream, tile, RIG_DATA, bytes, number);
	rig_append_event(&stream, number, true);
	*command_stream_edit(&stream, stream.last_dispatch + 1, 1) |= DISPATCH_LAST;
	rig_route_close(&stream, route);
	rig_submit(rig->broadcast_issue, &stream);
}

static void wait_all(struct rig *rig, uint32_t event)
{
	for (uint16_t i = 0; i < CHIPS; i++)
		rig_wait_event(&rig->chips[i], event);
	rig_drain(rig);
}

/* Starts a broadcast whose multicasts have at most `members` members, through small buffers. */
static struct rig *several_start(struct cluster *cluster, uint16_t members)
{
	struct rig *rig = rig_init(cluster);

	rig->members = members;
	rig->limits.receive_ring_bytes = 8192;
	rig->limits.landing_ring_bytes = 16384;
	rig->limits.spill_bytes = 16384;
	rig_start(rig);
	rig_broadcast(rig, INITIATOR, 2, 3);
	return rig;
}

static void reach_each_chip(struct cluster *cluster, uint16_t members)
{
	enum { ROUNDS = 8 };
	struct rig *rig = several_start(cluster, members);
	struct packetizer_counters sent;
	uint64_t returned = 0;

	for (uint32_t round = 1; round <= ROUNDS; round++)
		broadcast(rig, 0, BYTES + round, round);
	wait_all(rig, ROUNDS);
	sent = packetizer_counters(rig->packetizer);
	check_equal(sent.segments, ROUNDS);
	for (uint16_t i = 0; i < CHIPS; i++) {
		struct depacketizer_counters seen =
			depacketizer_counters(rig->chips[i].depacketizer_stage);

		check_equal(seen.segments, ROUNDS);
		check_equal(seen.bytes, sent.bytes - ROUNDS * COMMAND_BYTES);
		returned += seen.credits;
		rig_check_bytes(&rig->chips[i], rig->chips[0].geometry->worker_tiles[0], RIG_DATA,
			BYTES + ROUNDS, ROUNDS);
	}
	check_equal(returned, sent.credits);
	check_equal(sent.credits * COMMAND_ALIGN, CHIPS * sent.bytes);
}

static void three_multicasts_reach_each_chip_once(struct cluster *cluster)
{
	reach_each_chip(cluster, 2);
}

static void a_multicast_for_each_chip_reaches_it_once(struct cluster *cluster)
{
	reach_each_chip(cluster, 1);
}

/* Chips outside the addressed rectangle drop the data. A part of the grid may need fewer multicasts
 * than the whole grid. */
static void a_part_of_the_grid_has_its_own_multicasts(struct cluster *cluster)
{
	struct rig *rig = several_start(cluster, 2);
	uint16_t one = rig_add_tree(rig, INITIATOR, (struct grid_rect){1, 0, 1, 1});
	uint64_t before, packets;
	struct command_stream stream;
	uint32_t route;

	broadcast(rig, 0, 64, 1);
	wait_all(rig, 1);
	before = packetizer_counters(rig->packetizer).packets;
	check_equal(before, 3);
	command_stream_init(&stream, 2);
	route = rig_route_open(&stream, one, (struct grid_rect){1, 0, 1, 1});
	rig_append_event(&stream, 2, true);
	*command_stream_edit(&stream, stream.last_dispatch + 1, 1) |= DISPATCH_LAST;
	rig_route_close(&stream, route);
	rig_submit(rig->broadcast_issue, &stream);
	rig_wait_event(&rig->chips[3], 2);
	rig_wait_event(&rig->chips[4], 2);
	rig_drain(rig);
	packets = packetizer_counters(rig->packetizer).packets - before;
	check_equal(packets, 3 + 1); /* the header to all, the data to two chips */
	check_equal(device_row->window_word(rig->cluster, rig->chips[0].event_slot), 1);
}

static int64_t sent_ps(uint32_t operation)
{
	const struct row_mark *marks;
	uint32_t count = row_marks(&marks);

	for (uint32_t i = 0; i < count; i++)
		if (marks[i].operation == operation && marks[i].point == MARK_SENT)
			return marks[i].time_ps;
	check(false, "operation %u was not sent", operation);
	return 0;
}

/* Returns the time from the call until the packetizer has sent an idle mesh's broadcast, ps. */
static int64_t takes_ps(struct rig *rig, uint16_t tree, uint32_t number)
{
	int64_t called_ps = world->now_ns() * 1000;

	broadcast(rig, tree, 64, number);
	wait_all(rig, number);
	return sent_ps(number) - called_ps;
}

/* If a broadcast consists of m multicasts instead of one, the packetizer passes each packet of data
 * to the router m times instead of once. Nothing else changes. In these tests, a cycle takes 1 ns.
 */
static void each_multicast_costs_as_much_as_the_first(struct cluster *cluster)
{
	enum { SEND_CYCLES = 50000, ROUNDING_PS = 12000 };
	static const uint16_t members[] = {6, 3, 2, 1};
	struct rig *rig = rig_init(cluster);
	int64_t one_ps = 0;

	rig->costs.fabric_send = SEND_CYCLES;
	rig_start(rig);
	rig_broadcast(rig, INITIATOR, 2, 3);
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t multicasts = CHIPS / members[i];
		int64_t expected_ps, took_ps;
		uint16_t tree;

		rig->members = members[i];
		tree = rig_add_tree(rig, INITIATOR, everywhere);
		took_ps = takes_ps(rig, tree, i + 1);
		if (i == 0)
			one_ps = took_ps;
		expected_ps = one_ps + (multicasts - 1) * INT64_C(1000) * SEND_CYCLES;
		if (row_current()->timed)
			check(llabs(took_ps - expected_ps) <= ROUNDING_PS,
				"%u multicasts take %lld ps, not %lld", multicasts,
				(long long)took_ps, (long long)expected_ps);
	}
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(three_multicasts_reach_each_chip_once, grid),
		ROW_CASE(a_multicast_for_each_chip_reaches_it_once, grid),
		ROW_CASE(a_part_of_the_grid_has_its_own_multicasts, grid),
		ROW_CASE(each_multicast_costs_as_much_as_the_first, grid),
	};

	return ROW_RUN_SUITE("broadcasts in several multicasts", cases);
}
