/* Tests the contract of device.h in the native and the simulated world: packets over the Ethernet
 * fabric, along lines and trees. */
#include <string.h>

#include "check.h"
#include "row.h"
#include "script.h"
#include "test_cluster.h"

#define PATIENCE_NS INT64_C(60000000000)

enum {
	WORD_COUNT = 0x40,
	WORD_OTHER = 0x44,
	WORD_GO = 0x80,
	RING = 0x8000,
	SLOT = 256,
	SLOTS = 64
};

/* Chips 0 1 2 3. */
static const struct test_cluster line_of_4 = {.rows = 1, .columns = 4, .pcie = TEST_PCIE_ALL};
/* Chips 0 1 2 / 3 4 5. */
static const struct test_cluster grid_of_6 = {.rows = 2, .columns = 3, .pcie = TEST_PCIE_LEFT};

static struct fabric_node line_nodes[] = {
	{.chip = 0, .first_child = 1, .child_count = 1},
	{.chip = 1, .parent = 0, .first_child = 2, .child_count = 1},
	{.chip = 2, .parent = 1, .first_child = 3, .child_count = 1},
	{.chip = 3, .parent = 2, .deliver = true},
};
static struct fabric_tree line_tree = {.node_count = 4, .deliver_count = 1, .nodes = line_nodes};

/* A tree from chip 0 along its row, and down every column. It delivers to all but chips 0 and 1. */
static struct fabric_node grid_nodes[] = {
	{.chip = 0, .first_child = 1, .child_count = 2},
	{.chip = 1, .parent = 0, .first_child = 3, .child_count = 2},
	{.chip = 3, .parent = 0, .deliver = true},
	{.chip = 2, .parent = 1, .first_child = 5, .child_count = 1, .deliver = true},
	{.chip = 4, .parent = 1, .deliver = true},
	{.chip = 5, .parent = 3, .deliver = true},
};
static struct fabric_tree grid_tree = {.node_count = 6, .deliver_count = 4, .nodes = grid_nodes};

/* The tree from chip 5 back to chip 0. */
static struct fabric_node back_nodes[] = {
	{.chip = 5, .first_child = 1, .child_count = 1},
	{.chip = 4, .parent = 0, .first_child = 2, .child_count = 1},
	{.chip = 3, .parent = 1, .first_child = 3, .child_count = 1},
	{.chip = 0, .parent = 2, .deliver = true},
};
static struct fabric_tree back_tree = {.node_count = 4, .deliver_count = 1, .nodes = back_nodes};

static void drain(struct cluster *cluster)
{
	check_status(device_row->drain(cluster, world->now_ns() + PATIENCE_NS), STATUS_OK);
	device_row->fabric_tree_forget(&line_tree);
	device_row->fabric_tree_forget(&grid_tree);
	device_row->fabric_tree_forget(&back_tree);
	check(line_tree.route == NULL, "the route was not forgotten");
}

static void inspect(struct cluster *cluster, uint16_t chip, uint16_t tile, uint32_t address,
	uint32_t length, void *out)
{
	check_status(
		device_row->inspect(device_row->chip(cluster, chip), tile, address, length, out),
		STATUS_OK);
}

static uint32_t word_of(struct cluster *cluster, uint16_t chip, uint16_t tile, uint32_t address)
{
	uint32_t word;

	inspect(cluster, chip, tile, address, 4, &word);
	return word;
}

/* Sends packet number script->round. The packet writes SLOT bytes with this number into a slot of
 * the ring, and adds 1 to the word WORD_COUNT. */
static void send_numbered(struct script *script)
{
	struct extent *extent = extent_new(SLOT);
	uint32_t number = script->round;

	memset(extent->bytes, (int)(number & 0xff), SLOT);
	device_row->fabric_write(&script->stage, script->tree, (uint16_t)script->number,
		RING + number % SLOTS * SLOT, span_of(extent), WORD_COUNT, 1);
	extent_release(extent);
}

static void line_delivers_at_its_end_only(struct cluster *cluster)
{
	static const struct action actions[] = {{.on = STAGE_WAIT_FABRIC, .run = send_numbered}};
	uint16_t tile = script_worker(cluster, 3);
	struct script script;
	uint8_t bytes[SLOT];

	SCRIPT_INIT(&script, device_row->chip(cluster, 0), script_worker(cluster, 0), actions);
	script.tree = &line_tree;
	script.number = tile;
	script.round = 0;
	script.ends = true;
	script_start(&script);
	drain(cluster);
	check_equal(script.stage.writes_posted, 1);
	check_equal(script.stage.writes_done, 1);
	for (uint16_t chip = 0; chip < 4; chip++)
		check_equal(word_of(cluster, chip, tile, WORD_COUNT), chip == 3);
	inspect(cluster, 3, tile, RING, SLOT, bytes);
	check_equal(bytes[SLOT - 1], 0);
}

/* ---- order ---- */

/* One more unit has arrived, so its slot must be complete. Later packets may have arrived, too. */
static void check_slot(struct script *script)
{
	uint32_t number = script->round, arrived = device_row->word(&script->stage, WORD_COUNT);
	uint8_t bytes[SLOT];

	check_less(number, arrived);
	check_status(device_row->load(&script->stage, RING + number % SLOTS * SLOT, SLOT, bytes),
		STATUS_OK);
	check_equal(bytes[0], number & 0xff);
	check_equal(bytes[SLOT - 1], number & 0xff);
}

/* Sends 40 packets along a tree. The ring buffer has a slot for each of them. Every chip checks the
 * packets as they arrive. */
static void packets_of_a_tree_arrive_in_order(struct cluster *cluster)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_numbered, .repeat = 40}};
	static const struct action receive[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_COUNT,
		.value = 1,
		.run = check_slot,
		.repeat = 40}};
	uint16_t tile = script_worker(cluster, 7);
	struct script sender, receivers[6];

	for (uint16_t chip = 0; chip < 6; chip++) {
		SCRIPT_INIT(&receivers[chip], device_row->chip(cluster, chip), tile, receive);
		receivers[chip].idle = true;
		script_start(&receivers[chip]);
	}
	SCRIPT_INIT(&sender, device_row->chip(cluster, 0), script_worker(cluster, 0), send);
	sender.tree = &grid_tree;
	sender.number = tile;
	script_start(&sender);
	drain(cluster);
	for (uint16_t chip = 0; chip < 6; chip++)
		check(receivers[chip].at == (chip > 1), "chip %u: %u packets seen", chip,
			receivers[chip].round);
}

/* ---- back-pressure ---- */

enum { MANY = 3000 };

/* Sends more packets than all queues on the way hold, from two stages at once. */
static void back_pressure_loses_nothing(struct cluster *cluster)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_numbered, .repeat = MANY},
		{.on = STAGE_WAIT_WRITES, .value = MANY},
	};
	struct script senders[2];
	uint16_t tile = script_worker(cluster, 7);

	for (uint32_t i = 0; i < 2; i++) {
		SCRIPT_INIT(
			&senders[i], device_row->chip(cluster, 0), script_worker(cluster, i), send);
		senders[i].tree = &grid_tree;
		senders[i].number = tile;
		senders[i].ends = true;
		script_start(&senders[i]);
	}
	drain(cluster);
	for (uint32_t i = 0; i < 2; i++) {
		check_equal(senders[i].at, 2);
		check_equal(senders[i].stage.writes_done, MANY);
	}
	for (uint16_t chip = 0; chip < 6; chip++)
		check_equal(word_of(cluster, chip, tile, WORD_COUNT), chip > 1 ? 2 * MANY : 0);
}

/* ---- forms of a packet ---- */

static void send_forms(struct script *script)
{
	struct span none = {.length = 0}, zeros = {.length = 64}, largest;
	uint16_t tile = (uint16_t)script->number;
	struct cluster *cluster = device_row->cluster_of(script->stage.device);
	uint32_t bytes = device_row->info(cluster)->fabric_packet_bytes;

	switch (script->round) {
	case 0: /* a unit alone */
		device_row->fabric_write(
			&script->stage, script->tree, tile, 0, none, WORD_COUNT, 5);
		break;
	case 1: /* bytes alone, the largest packet */
		largest = span_of(extent_new(bytes));
		memset(largest.extent->bytes, 0xee, bytes);
		device_row->fabric_write(&script->stage, script->tree, tile, RING, largest, 0, 0);
		span_release(largest);
		break;
	case 2: /* zeros over a part of it */
		device_row->fabric_write(
			&script->stage, script->tree, tile, RING + 16, zeros, WORD_OTHER, 1);
		break;
	case 3: /* a word as payload, and the unit elsewhere */
		largest = span_copy(&(uint32_t){0xcafe}, 4);
		device_row->fabric_write(&script->stage, script->tree, tile, WORD_GO, largest,
			WORD_COUNT, (uint32_t)-2);
		span_release(largest);
		break;
	default:
		largest = span_of(extent_new_elided(32));
		device_row->fabric_write(
			&script->stage, script->tree, tile, RING + bytes, largest, WORD_COUNT, 1);
		span_release(largest);
		break;
	}
}

static void packets_may_be_bytes_or_units_or_both(struct cluster *cluster)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_forms, .repeat = 5}};
	uint32_t bytes = device_row->info(cluster)->fabric_packet_bytes;
	uint16_t tile = script_worker(cluster, 2);
	struct script script;
	uint8_t seen[80];

	SCRIPT_INIT(&script, device_row->chip(cluster, 0), script_worker(cluster, 2), send);
	script.tree = &line_tree;
	script.number = tile;
	script.ends = true;
	script_start(&script);
	drain(cluster);
	check_equal(word_of(cluster, 3, tile, WORD_COUNT), 4);
	check_equal(word_of(cluster, 3, tile, WORD_OTHER), 1);
	check_equal(word_of(cluster, 3, tile, WORD_GO), 0xcafe);
	check_equal(word_of(cluster, 3, tile, 0), 0);
	inspect(cluster, 3, tile, RING, sizeof(seen), seen);
	check_equal(seen[15], 0xee);
	check_equal(seen[16], 0);
	check_equal(seen[79], 0);
	inspect(cluster, 3, tile, RING + 80, 1, seen);
	check_equal(seen[0], 0xee);
	inspect(cluster, 3, tile, RING + bytes - 1, 1, seen);
	check_equal(seen[0], 0xee);
	check_status(
		device_row->inspect(device_row->chip(cluster, 3), tile, RING + bytes, 32, seen),
		STATUS_ELIDED);
}

static void send_parts(struct script *script)
{
	static const uint32_t addresses[FABRIC_PARTS_MAX] = {
		RING + 4096, RING + 128, WORD_OTHER, RING + 64};
	struct extent *extent = extent_new(4 * FABRIC_PARTS_MAX);
	uint32_t parts = script->round + 2;

	for (uint32_t i = 0; i < FABRIC_PARTS_MAX; i++)
		memcpy(extent->bytes + 4 * i, &(uint32_t){100 * parts + i}, 4);
	device_row->fabric_scatter(&script->stage, script->tree, (uint16_t)script->number,
		addresses, parts, span_part(span_of(extent), 0, 4 * parts));
	extent_release(extent);
}

/* Packets have 2, 3 and 4 parts. The last packet that has a part determines the part's contents. */
static void scattered_parts_go_each_to_its_address(struct cluster *cluster)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_parts, .repeat = FABRIC_PARTS_MAX - 1}};
	static const struct action receive[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_OTHER, .value = 402}};
	uint16_t tile = script_worker(cluster, 2);
	struct script sender, receiver;

	SCRIPT_INIT(&receiver, device_row->chip(cluster, 5), tile, receive);
	SCRIPT_INIT(&sender, device_row->chip(cluster, 0), script_worker(cluster, 2), send);
	sender.tree = &grid_tree;
	sender.number = tile;
	script_start(&receiver);
	script_start(&sender);
	drain(cluster);
	check_equal(receiver.at, 1);
	check_equal(sender.stage.writes_posted, FABRIC_PARTS_MAX - 1);
	check_equal(sender.stage.writes_done, FABRIC_PARTS_MAX - 1);
	for (uint16_t chip = 2; chip < 6; chip++) {
		check_equal(word_of(cluster, chip, tile, RING + 4096), 400);
		check_equal(word_of(cluster, chip, tile, RING + 128), 401);
		check_equal(word_of(cluster, chip, tile, WORD_OTHER), 402);
		check_equal(word_of(cluster, chip, tile, RING + 64), 403);
	}
	check_equal(word_of(cluster, 1, tile, WORD_OTHER), 0);
}

/* ---- both ways ---- */

static void pass_on(struct script *script)
{
	struct span none = {.length = 0};

	device_row->fabric_write(
		&script->stage, script->tree, (uint16_t)script->number, 0, none, WORD_GO, 1);
}

/* Chips 0 and 5 answer each other over trees of their own. */
static void two_chips_play_ping_pong(struct cluster *cluster)
{
	static const struct action ping[] = {
		{.sends = true, .run = pass_on},
		{.on = STAGE_WAIT_WORD,
			.address = WORD_GO,
			.value = 1,
			.sends = true,
			.run = pass_on,
			.repeat = 100},
	};
	static const struct action pong[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_GO,
		.value = 1,
		.sends = true,
		.run = pass_on,
		.repeat = 101}};
	uint16_t tile = script_worker(cluster, 1);
	struct script scripts[2];

	SCRIPT_INIT(&scripts[0], device_row->chip(cluster, 0), tile, ping);
	SCRIPT_INIT(&scripts[1], device_row->chip(cluster, 5), tile, pong);
	scripts[0].tree = &grid_tree;
	scripts[1].tree = &back_tree;
	for (uint32_t i = 0; i < 2; i++) {
		scripts[i].number = tile;
		scripts[i].ends = true;
		script_start(&scripts[i]);
	}
	drain(cluster);
	check_equal(word_of(cluster, 0, tile, WORD_GO), 101);
	check_equal(word_of(cluster, 5, tile, WORD_GO), 101);
	check_equal(word_of(cluster, 4, tile, WORD_GO), 101);
	check_equal(word_of(cluster, 1, tile, WORD_GO), 0);
}

/* ---- reads ---- */

enum { READS = 20, READ_BYTES = 1000 };

/* Makes read number script->round. It copies bytes from chip 3 to the same address in the stage's
 * own L1. */
static void fabric_fetch(struct script *script)
{
	uint32_t at = RING + script->round * READ_BYTES;

	device_row->fabric_read(
		&script->stage, script->tree, (uint16_t)script->number, at, READ_BYTES, at);
}

static uint8_t read_byte(uint32_t i)
{
	return (uint8_t)(i * 7 + i / 256);
}

/* Writes the bytes that are read, from a stage of chip 3, and then raises a word of chip 0. */
static void fill_memory(struct script *script)
{
	struct extent *extent = extent_new(READS * READ_BYTES);

	for (uint32_t i = 0; i < READS * READ_BYTES; i++)
		extent->bytes[i] = read_byte(i);
	device_row->noc_write(&script->stage, (uint16_t)script->number, RING, span_of(extent));
	extent_release(extent);
}

static void check_fetched(struct script *script)
{
	uint8_t bytes[READ_BYTES];

	for (uint32_t i = 0; i < READS; i++) {
		check_status(
			device_row->load(&script->stage, RING + i * READ_BYTES, READ_BYTES, bytes),
			STATUS_OK);
		for (uint32_t k = 0; k < READ_BYTES; k++)
			check(bytes[k] == read_byte(i * READ_BYTES + k),
				"byte %u of read %u is %u, not %u", k, i, bytes[k],
				read_byte(i * READ_BYTES + k));
	}
	script->data = script;
}

/* Scripts must live as long as the cluster. */
static void read_from(struct cluster *cluster, uint16_t tile, struct script scripts[2])
{
	static const struct action fill[] = {{.run = fill_memory}};
	static const struct action fetch[] = {
		{.on = STAGE_WAIT_FABRIC, .run = fabric_fetch, .repeat = READS},
		{.on = STAGE_WAIT_READS, .value = READS, .run = check_fetched}};
	struct script *filler = &scripts[0], *reader = &scripts[1];

	SCRIPT_INIT(filler, device_row->chip(cluster, 3), script_worker(cluster, 1), fill);
	filler->number = tile;
	filler->ends = true;
	script_start(filler);
	script_drain(cluster);
	SCRIPT_INIT(reader, device_row->chip(cluster, 0), script_worker(cluster, 0), fetch);
	reader->tree = &line_tree;
	reader->number = tile;
	reader->ends = true;
	reader->data = NULL;
	script_start(reader);
	drain(cluster);
	check(reader->data == reader, "the reader has not seen its reads done");
	check_equal(reader->stage.reads_posted, READS);
	check_equal(reader->stage.reads_done, READS);
	check_equal(reader->stage.writes_posted, READS);
	check_equal(reader->stage.writes_done, READS);
}

static void reads_bring_bytes_of_l1_and_dram(struct cluster *cluster)
{
	struct script scripts[4];

	read_from(cluster, script_worker(cluster, 5), scripts);
	read_from(
		cluster, device_row->info(cluster)->chips[3].geometry->dram_tiles[1], scripts + 2);
}

/* A write along the tree, then a read of the same bytes. */
static void write_and_read(struct script *script)
{
	uint32_t number = script->round, at = RING + number * SLOT;
	struct extent *extent = extent_new(SLOT);

	if (script->at == 1) {
		device_row->fabric_read(
			&script->stage, script->tree, (uint16_t)script->number, at, SLOT, at);
	} else {
		memset(extent->bytes, (int)(number + 1), SLOT);
		device_row->fabric_write(&script->stage, script->tree, (uint16_t)script->number, at,
			span_of(extent), 0, 0);
	}
	extent_release(extent);
}

static void reads_see_what_was_written_along_their_tree(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.on = STAGE_WAIT_FABRIC, .run = write_and_read, .repeat = SLOTS},
		{.on = STAGE_WAIT_FABRIC, .run = write_and_read, .repeat = SLOTS},
		{.on = STAGE_WAIT_READS, .value = SLOTS}};
	uint16_t tile = script_worker(cluster, 2), own = script_worker(cluster, 0);
	struct script script;
	uint8_t bytes[SLOT];

	SCRIPT_INIT(&script, device_row->chip(cluster, 0), own, actions);
	script.tree = &line_tree;
	script.number = tile;
	script.ends = true;
	script_start(&script);
	drain(cluster);
	for (uint32_t i = 0; i < SLOTS; i++) {
		inspect(cluster, 0, own, RING + i * SLOT, SLOT, bytes);
		check_equal(bytes[0], i + 1);
		check_equal(bytes[SLOT - 1], i + 1);
	}
}

static const struct row_case cases[] = {
	ROW_CASE(reads_bring_bytes_of_l1_and_dram, line_of_4),
	ROW_CASE(reads_see_what_was_written_along_their_tree, line_of_4),
	ROW_CASE(line_delivers_at_its_end_only, line_of_4),
	ROW_CASE(packets_of_a_tree_arrive_in_order, grid_of_6),
	ROW_CASE(back_pressure_loses_nothing, grid_of_6),
	ROW_CASE(packets_may_be_bytes_or_units_or_both, line_of_4),
	ROW_CASE(scattered_parts_go_each_to_its_address, grid_of_6),
	ROW_CASE(two_chips_play_ping_pong, grid_of_6),
};

int main(void)
{
	return ROW_RUN_SUITE("device fabric", cases);
}
