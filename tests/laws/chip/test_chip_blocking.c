/* Tests how packets of the fabric block other packets: a message that is sent after bulk data, full
 * ports, and rings with and without the free slots that prevent deadlocks. Also tests the report of
 * a stall, in which no packet can move. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "engine/server.h"
#include "sim_case.h"
#include "sim_chip.h"

enum { WORD = 0x40, BULK = 0x8000, BIG = 4046, CHIPS = 6 };

static const struct test_cluster line_of_6 = {.rows = 1, .columns = CHIPS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster ring_of_6 = {
	.rows = 1, .columns = CHIPS, .pcie = TEST_PCIE_LEFT, .wrap = true};
static const uint16_t chips[] = {0, 1, 2, 3, 4, 5};

/* State of a case, in its child process. */
static struct {
	struct cluster *cluster;
	struct script senders[2 * CHIPS], receiver;
	int64_t sent_ps, at_ps;
} one;

static const struct chip_geometry *geometry(void)
{
	return device_row->info(one.cluster)->chips[0].geometry;
}

static void send(struct script *script)
{
	struct span span = span_of(extent_new_elided(script->number));
	const struct fabric_tree *tree = script->tree;

	one.sent_ps = engine_now();
	device_row->fabric_write(&script->stage, script->tree,
		geometry()->worker_tiles[tree->channel], BULK, span, WORD, 1);
	span_release(span);
}

static void play(uint32_t i, const struct action *action, struct fabric_tree *tree, uint32_t bytes)
{
	struct script *script = &one.senders[i];

	script_init(script, device_row->chip(one.cluster, tree->nodes[0].chip),
		geometry()->dispatch_tiles[i % 8], action, 1);
	script->cost = 0;
	script->tree = tree;
	script->number = bytes;
	script_start(script);
}

static void note_time(struct script *script)
{
	(void)script;
	one.at_ps = engine_now();
}

static struct sim_link_statistics link_of(uint16_t from, uint16_t to, uint16_t index)
{
	struct sim_link_statistics link;

	for (uint32_t i = 0; i < sim_link_count(one.cluster); i++) {
		sim_link_statistics(one.cluster, i, &link);
		if (link.from == from && link.to == to && link.index == index)
			return link;
	}
	check(false, "no link from %u to %u", from, to);
	return link;
}

/* ---- 64 B behind 1 MiB ---- */

static const struct action many[] = {{.on = STAGE_WAIT_FABRIC, .run = send, .repeat = 260}};
static const struct action once[] = {{.on = STAGE_WAIT_FABRIC, .run = send}};

static int64_t wire_ps(uint32_t bytes)
{
	return server_transfer_ps(
		bytes + 50 + (bytes + 50 + 1499) / 1500 * 50, UINT64_C(12500000000));
}

static int64_t copy_ps(uint32_t bytes)
{
	return server_transfer_ps(bytes + 50, UINT64_C(32000000000));
}

static int64_t alone_ps(uint32_t bytes)
{
	return (80 + 40 + 500 + 50 + 100 + 70) * NS + 2 * copy_ps(bytes) + wire_ps(bytes);
}

static void small_behind_big(struct cluster *cluster)
{
	static const struct action receive[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD, .value = 1, .run = note_time}};
	struct fabric_tree *bulk = sim_chip_line(chips, 2, 2), *small = sim_chip_line(chips, 2, 2);
	struct fabric_tree *spare = sim_chip_line(chips, 2, 2);
	struct script *receiver = &one.receiver;

	one.cluster = cluster;
	/* Trees are assigned to the two links in turn, so the first and the third share one. */
	small->channel = 1;
	SCRIPT_INIT(receiver, device_row->chip(cluster, 1), geometry()->worker_tiles[1], receive);
	receiver->idle = true;
	receiver->cost = 0;
	script_start(receiver);
	play(0, many, bulk, BIG);
	play(1, once, spare, 16);
	world->sleep_until(20000);
	play(2, once, small, 64);
	sim_chip_drain(cluster);
	check_equal(link_of(0, 1, 0).packets, 261);
	/* The bulk data need 260 x 340 ns = 88 us. The message is sent at 20 us. It waits only for
	 * the packets that are in the four slots of the worker's channel, and leaves before all
	 * later packets. */
	check_at_most(20 * (int64_t)US + alone_ps(64), one.at_ps);
	check_at_most(one.at_ps, 20 * (int64_t)US + alone_ps(64) + 5 * wire_ps(BIG));
}

TEST(a_small_message_behind_a_mebibyte_waits_for_the_packets_in_front_only)
{
	struct chip_constants constants = sim_chip_constants();

	constants.router_receiver_slots = 16;
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &line_of_6, .constants = &constants, .body = small_behind_big});
}

/* ---- a full port ---- */

/* Chip 0 sends to chip 2 through chip 1, which also sends to chip 2. */
static void cross(struct cluster *cluster, bool crossed, uint8_t channel)
{
	static const struct action hundred[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send, .repeat = 100}};
	struct fabric_tree *through = sim_chip_line(chips, 3, 1u << 2);
	struct fabric_tree *crossing = sim_chip_line(chips + 1, 2, 1u << 1);

	one.cluster = cluster;
	crossing->channel = channel;
	play(0, hundred, through, BIG);
	if (crossed)
		play(1, hundred, crossing, BIG);
	sim_chip_drain(cluster);
}

/* Just enough slots for the round trip of one flow. */
static struct chip_constants few_slots(void)
{
	struct chip_constants constants = sim_chip_constants();

	constants.router_receiver_slots = 6;
	return constants;
}

static void uncrossed(struct cluster *cluster)
{
	cross(cluster, false, 0);
	check_equal(link_of(0, 1, 0).blocked_ps, 0);
	check_equal(link_of(1, 2, 0).blocked_ps, 0);
}

static void crossed(struct cluster *cluster)
{
	struct sim_link_statistics upstream, shared;

	cross(cluster, true, 0);
	upstream = link_of(0, 1, 0);
	shared = link_of(1, 2, 0);
	check_equal(shared.packets, 200);
	/* Both flows use the link from chip 1 to chip 2. Packets that wait for this link occupy
	 * all slots at the end of the link from chip 0 to chip 1. So later packets must wait for
	 * one of these slots. */
	check_equal(upstream.slots_high_water, 6);
	check_less(0, upstream.blocked);
	check_less(20 * wire_ps(BIG), upstream.blocked_ps);
	check_equal(link_of(2, 3, 0).packets, 0);
	check_equal(link_of(1, 0, 0).packets, 0);
	check_equal(link_of(2, 1, 0).blocked_ps, 0);
}

TEST(a_full_port_blocks_its_upstream_and_shows_where)
{
	struct chip_constants constants = few_slots();

	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &line_of_6, .constants = &constants, .body = uncrossed});
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &line_of_6, .constants = &constants, .body = crossed});
}

/* ---- rings ---- */

/* Every chip sends halfway around the ring, all in the same direction. */
static void around(struct cluster *cluster)
{
	static const struct action fifty[] = {{.on = STAGE_WAIT_FABRIC, .run = send, .repeat = 50}};
	static uint16_t ways[CHIPS][4];

	one.cluster = cluster;
	for (uint16_t chip = 0; chip < CHIPS; chip++) {
		for (uint16_t i = 0; i < 4; i++)
			ways[chip][i] = (uint16_t)((chip + i) % CHIPS);
		play(chip, fifty, sim_chip_line(ways[chip], 4, 1u << 3), BIG);
	}
	sim_chip_drain(cluster);
}

TEST(a_ring_with_its_rule_does_not_lock_up)
{
	sim_chip_small_ring(around);
}

TEST(a_ring_without_its_rule_locks_up_and_the_report_names_the_links)
{
	struct chip_constants constants = sim_chip_constants();
	struct sim_case outcome;

	constants.router_receiver_slots = 2;
	outcome = sim_chip_stall(&(struct sim_chip_setup){
		.cluster = &ring_of_6, .constants = &constants, .body = around});
	assert_non_null(strstr(outcome.output, "main waits for the cluster to drain"));
	assert_non_null(strstr(outcome.output,
		"script on 6 chips (0-5), 6 tiles (12-17), waits for the condition of an action "
		"(a slot of the fabric)"));
	assert_non_null(strstr(
		outcome.output, "fabric link 0 from chip 5 (mesh 0,5) to chip 0 (mesh 0,0): "));
	assert_non_null(strstr(outcome.output, "packets wait for a slot, 0/2 free 2/2 free"));
}

/* ---- stages ---- */

static void never(struct cluster *cluster)
{
	static const struct action wait[] = {
		{.on = STAGE_WAIT_WORD, .address = 0x48, .value = 160}};
	static const struct action idle_wait[] = {
		{.on = STAGE_WAIT_WORD, .address = 0x4c, .value = 1}};
	struct device *device = device_row->chip(cluster, 4);

	one.cluster = cluster;
	SCRIPT_INIT(&one.senders[0], device, geometry()->dispatch_tiles[3], wait);
	SCRIPT_INIT(&one.senders[1], device, geometry()->dispatch_tiles[3], idle_wait);
	one.senders[1].idle = true;
	script_start(&one.senders[0]);
	script_start(&one.senders[1]);
	sim_chip_drain(cluster);
}

TEST(a_stalled_stage_is_named_with_what_it_waits_for_and_an_idle_one_is_not)
{
	struct sim_case outcome;

	outcome = sim_chip_stall(&(struct sim_chip_setup){.cluster = &line_of_6, .body = never});
	assert_non_null(strstr(outcome.output,
		"script on chip 4 (mesh 0,4) tile 15 waits for the condition of an action "
		"(word 0x48 is 0, not yet 160)"));
	assert_null(strstr(outcome.output, "0x4c"));
}

static void write_a_word(struct script *script)
{
	device_row->noc_write_word(&script->stage, geometry()->worker_tiles[1], WORD, 1);
}

static bool not_met(const struct script *script)
{
	(void)script;
	return false;
}

/* Two stages write a word, and then wait for a condition that is never true. The first stage must
 * check its condition again when its write is done. The second stage must not check it then,
 * because it has said that its condition does not depend on its writes (no_writes). */
static void write_and_wait(struct cluster *cluster)
{
	static const struct action wait[] = {{.run = write_a_word}, {.met = not_met}};
	static const struct action wait_for_words[] = {
		{.run = write_a_word}, {.met = not_met, .no_writes = true}};
	const uint16_t *tiles = device_row->info(cluster)->chips[0].geometry->worker_tiles;
	struct device *device = device_row->chip(cluster, 0);

	one.cluster = cluster;
	SCRIPT_INIT(&one.senders[0], device, tiles[2], wait);
	SCRIPT_INIT(&one.senders[1], device, tiles[3], wait_for_words);
	for (uint32_t i = 0; i < 2; i++) {
		one.senders[i].idle = true;
		script_start(&one.senders[i]);
	}
	sim_chip_drain(cluster);
	check_equal(one.senders[0].asked, 3);
	check_equal(one.senders[1].asked, 2);
	check_equal(one.senders[1].stage.writes_posted, 1);
}

TEST(a_stage_that_waits_for_words_is_not_asked_when_its_writes_are_done)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = write_and_wait});
}

TEST_MAIN(NULL, NULL)
