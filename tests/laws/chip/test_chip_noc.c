/* Tests that the NoC takes the times that formulas give: for words, bulk writes, reads, DRAM,
 * multicasts, and acknowledgements of many workers to one tile. */

#include "test.h"

#include "check.h"
#include "sim_chip.h"

enum { WORD = 0x40, BULK = 0x8000 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

static const struct chip_geometry *geometry_of(struct cluster *cluster)
{
	return device_row->info(cluster)->chips[0].geometry;
}

/* ---- one stage sends, another records when its word arrived ---- */

struct note {
	int64_t at_ps;
	uint32_t value;
};

static void note_time(struct script *script)
{
	struct note *note = script->data;

	note->at_ps = engine_now();
	note->value = device_row->word(&script->stage, WORD);
}

static const struct action wait_for_1[] = {
	{.on = STAGE_WAIT_WORD, .address = WORD, .value = 1, .run = note_time}};

/* Starts a stage without cost on the tile that records when its word reaches 1. */
static void listen(struct cluster *cluster, struct script *script, uint16_t tile, struct note *note)
{
	SCRIPT_INIT(script, device_row->chip(cluster, 0), tile, wait_for_1);
	script->cost = 0;
	script->idle = true;
	script->data = note;
	script_start(script);
}

static void play(struct cluster *cluster, struct script *script, uint16_t tile,
	const struct action *actions, uint32_t count, void *data)
{
	script_init(script, device_row->chip(cluster, 0), tile, actions, count);
	script->cost = 0;
	script->data = data;
	script_start(script);
}

/* ---- words ---- */

struct peer {
	uint16_t tile;
	int64_t sent_ps;
};

static void send_word(struct script *script)
{
	struct peer *peer = script->data;

	peer->sent_ps = engine_now();
	device_row->noc_write_word(&script->stage, peer->tile, WORD, 1);
	check_equal(script->stage.writes_posted, 1);
	check_equal(script->stage.writes_done, 0);
}

static void note_done(struct script *script)
{
	struct peer *peer = script->data;

	check_equal(script->stage.writes_done, 1);
	peer->sent_ps = engine_now() - peer->sent_ps;
}

static void words(struct cluster *cluster)
{
	static const struct action send[] = {
		{.run = send_word}, {.on = STAGE_WAIT_WRITES, .value = 1, .run = note_done}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	struct script sender, receiver;
	struct note note;
	struct peer peer = {.tile = geometry->worker_tiles[7]};
	uint16_t from = geometry->dispatch_tiles[0];
	int64_t there_ps = sim_chip_path_ps(cluster, from, peer.tile);
	int64_t back_ps = sim_chip_path_ps(cluster, peer.tile, from);

	check(there_ps != back_ps, "the torus has one direction");
	listen(cluster, &receiver, peer.tile, &note);
	play(cluster, &sender, from, send, 2, &peer);
	sim_chip_drain(cluster);
	check_equal(note.at_ps, there_ps);
	check_equal(peer.sent_ps, there_ps + back_ps);
}

TEST(a_word_takes_the_path_and_its_acknowledgement_the_way_back)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = words});
}

/* ---- bulk ---- */

static void send_bulk_then_word(struct script *script)
{
	struct peer *peer = script->data;
	struct span span = span_of(extent_new_elided(20000));

	device_row->noc_write(&script->stage, peer->tile, BULK, span);
	device_row->noc_increment(&script->stage, peer->tile, WORD, 1);
	span_release(span);
}

/* Three packets with a header flit each at 32 B/ns; the word is sent after them. */
static const int64_t bulk_ps = (20000 + 3 * 32) * 1000 / 32;

static void bulk(struct cluster *cluster)
{
	static const struct action send[] = {{.run = send_bulk_then_word}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	struct script sender, receiver;
	struct note note;
	struct peer peer = {.tile = geometry->worker_tiles[4]};
	struct sim_tile_statistics tile;
	uint16_t from = geometry->dispatch_tiles[1];

	listen(cluster, &receiver, peer.tile, &note);
	play(cluster, &sender, from, send, 1, &peer);
	sim_chip_drain(cluster);
	check_equal(note.at_ps, bulk_ps + sim_chip_path_ps(cluster, from, peer.tile));
	sim_tile_statistics(cluster, 0, from, &tile);
	check_equal(tile.out_bytes, 20004);
	check_equal(tile.out_messages, 2);
	check_equal(tile.out_busy_ps, bulk_ps + 20 * NS);
	sim_tile_statistics(cluster, 0, peer.tile, &tile);
	check_equal(tile.in_bytes, 20000);
	check_equal(tile.increments, 1);
}

TEST(a_word_behind_bulk_data_waits_for_its_last_byte)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = bulk});
}

/* Two tiles send to one; gets the shortest and the longest of their paths. */
static struct note send_from_two(struct cluster *cluster, int64_t *shortest_ps, int64_t *longest_ps)
{
	static const struct action send[] = {{.run = send_bulk_then_word}};
	static const struct action receive[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD, .value = 2, .run = note_time}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	struct script senders[2], receiver;
	struct note note;
	struct peer peer = {.tile = geometry->worker_tiles[4]};

	*shortest_ps = INT64_MAX;
	*longest_ps = 0;
	SCRIPT_INIT(&receiver, device_row->chip(cluster, 0), peer.tile, receive);
	receiver.cost = 0;
	receiver.idle = true;
	receiver.data = &note;
	script_start(&receiver);
	for (uint32_t i = 0; i < 2; i++) {
		uint16_t from = geometry->dispatch_tiles[i];
		int64_t path_ps = sim_chip_path_ps(cluster, from, peer.tile);

		*shortest_ps = path_ps < *shortest_ps ? path_ps : *shortest_ps;
		*longest_ps = path_ps > *longest_ps ? path_ps : *longest_ps;
		play(cluster, &senders[i], from, send, 1, &peer);
	}
	sim_chip_drain(cluster);
	return note;
}

/* The second word arrives when the tile has received both bulk writes. */
static void fan_in_of_bulk(struct cluster *cluster)
{
	int64_t first_ps, last_ps;
	struct note note = send_from_two(cluster, &first_ps, &last_ps);
	struct sim_conservation bytes;

	check_equal(note.value, 2);
	check_equal(note.at_ps, first_ps + 2 * bulk_ps);
	sim_conservation(cluster, &bytes);
	check_equal(bytes.noc_sent_bytes, 2 * 20004);
	check_equal(bytes.noc_delivered_bytes, 2 * 20004);
}

TEST(two_bulk_writes_to_one_tile_take_twice_as_long)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = fan_in_of_bulk});
}

static void no_fan_in_of_bulk(struct cluster *cluster)
{
	int64_t first_ps, last_ps;
	struct note note = send_from_two(cluster, &first_ps, &last_ps);

	check_equal(note.at_ps, last_ps + bulk_ps);
}

TEST(with_the_ideal_network_they_do_not_meet)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .options = {.network = "ideal"}, .body = no_fan_in_of_bulk});
}

/* ---- transfer sizes ---- */

struct burst {
	uint16_t tile;
	uint32_t bytes;
};

enum { BURST = 100 };

static void send_burst(struct script *script)
{
	struct burst *burst = script->data;
	struct span span = span_of(extent_new_elided(burst->bytes));

	for (uint32_t i = 0; i < BURST; i++)
		device_row->noc_write(&script->stage, burst->tile, BULK, span);
	device_row->noc_increment(&script->stage, burst->tile, WORD, 1);
	span_release(span);
}

static void bursts(struct cluster *cluster)
{
	static const struct action send[] = {{.run = send_burst}};
	static const struct {
		uint32_t bytes, each_ns;
	} expected[] = {{32, 20}, {576, 20}, {640, 21}, {2048, 65}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	struct script senders[4], receivers[4];
	struct note notes[4];
	struct burst burst[4];

	for (uint32_t i = 0; i < 4; i++) {
		int64_t begin_ps = engine_now();
		uint16_t from = geometry->dispatch_tiles[i], to = geometry->worker_tiles[i];

		burst[i] = (struct burst){to, expected[i].bytes};
		listen(cluster, &receivers[i], to, &notes[i]);
		play(cluster, &senders[i], from, send, 1, &burst[i]);
		sim_chip_drain(cluster);
		check_equal(notes[i].at_ps - begin_ps, (int64_t)expected[i].each_ns * BURST * NS +
							       sim_chip_path_ps(cluster, from, to));
	}
}

TEST(small_transfers_are_bound_by_the_issue_and_big_ones_by_the_rate)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = bursts});
}

/* ---- reads ---- */

static void read_8000(struct script *script)
{
	struct peer *peer = script->data;

	device_row->noc_read(&script->stage, peer->tile, BULK, 8000, BULK);
}

static void note_read(struct script *script)
{
	struct peer *peer = script->data;

	peer->sent_ps = engine_now() - peer->sent_ps;
}

static void reads(struct cluster *cluster)
{
	static const struct action read[] = {
		{.run = read_8000}, {.on = STAGE_WAIT_READS, .value = 1, .run = note_read}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	uint16_t own = geometry->worker_tiles[0];
	struct peer l1 = {.tile = geometry->worker_tiles[5]},
		    dram = {.tile = geometry->dram_tiles[0]};
	struct script on_l1, on_dram;

	play(cluster, &on_l1, own, read, 2, &l1);
	sim_chip_drain(cluster);
	check_equal(l1.sent_ps, sim_chip_path_ps(cluster, own, l1.tile) + 10 * NS +
					(8000 + 32) * 1000 / 32 +
					sim_chip_path_ps(cluster, l1.tile, own));
	dram.sent_ps = engine_now();
	play(cluster, &on_dram, own, read, 2, &dram);
	sim_chip_drain(cluster);
	check_equal(dram.sent_ps, sim_chip_path_ps(cluster, own, dram.tile) + 100 * NS +
					  8000 * 1000 / 20 +
					  sim_chip_path_ps(cluster, dram.tile, own));
}

TEST(a_read_takes_request_access_data_and_path)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = reads});
}

/* ---- small accesses of DRAM ---- */

enum { SMALL = 16, SMALL_COUNT = 100 };

static void write_small(struct script *script)
{
	struct peer *peer = script->data;
	struct span span = span_of(extent_new_elided(SMALL));

	peer->sent_ps = engine_now();
	for (uint32_t i = 0; i < SMALL_COUNT; i++)
		device_row->noc_write(&script->stage, peer->tile, BULK + i * SMALL, span);
	span_release(span);
}

static void read_small(struct script *script)
{
	struct peer *peer = script->data;

	peer->sent_ps = engine_now();
	for (uint32_t i = 0; i < SMALL_COUNT; i++)
		device_row->noc_read(
			&script->stage, peer->tile, BULK + i * SMALL, SMALL, BULK + i * SMALL);
}

/* The bank takes 200 ns for a request, and the stage issues a request in 20 ns. So the bank
 * determines the total time. */
static void small_accesses(struct cluster *cluster)
{
	static const struct action write[] = {{.run = write_small},
		{.on = STAGE_WAIT_WRITES, .value = SMALL_COUNT, .run = note_read}};
	static const struct action read[] = {{.run = read_small},
		{.on = STAGE_WAIT_READS, .value = SMALL_COUNT, .run = note_read}};
	const struct chip_geometry *geometry = geometry_of(cluster);
	uint16_t own = geometry->worker_tiles[0];
	struct peer written = {.tile = geometry->dram_tiles[0]}, seen = written;
	struct script writer, reader;

	play(cluster, &writer, own, write, 2, &written);
	sim_chip_drain(cluster);
	check_at_most(SMALL_COUNT * 200 * NS, written.sent_ps);
	play(cluster, &reader, own, read, 2, &seen);
	sim_chip_drain(cluster);
	check_at_most(SMALL_COUNT * 200 * NS, seen.sent_ps);
}

TEST(small_accesses_of_dram_are_bound_by_the_bank)
{
	struct chip_constants constants = sim_chip_constants();

	constants.dram_request_ns = 200;
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .constants = &constants, .body = small_accesses});
}

/* ---- two data movers on a tile ---- */

static void read_one(struct script *script)
{
	struct peer *peer = script->data;

	peer->sent_ps = engine_now();
	device_row->noc_read(&script->stage, peer->tile, 0, 64, BULK);
}

/* Returns the time of a read by that processor, while its tile starts to write 20,000 B. */
static int64_t read_beside_writes(
	struct cluster *cluster, uint16_t tile, uint8_t processor, struct script scripts[2])
{
	static const struct action send[] = {{.run = send_bulk_then_word}};
	static const struct action read[] = {
		{.run = read_one}, {.on = STAGE_WAIT_READS, .value = 1, .run = note_read}};
	struct peer written = {.tile = geometry_of(cluster)->worker_tiles[4]};
	struct peer seen = {.tile = geometry_of(cluster)->worker_tiles[5]};

	play(cluster, &scripts[0], tile, send, 1, &written);
	script_init(&scripts[1], device_row->chip(cluster, 0), tile, read, 2);
	scripts[1].cost = 0;
	scripts[1].data = &seen;
	scripts[1].stage.processor = processor;
	script_start(&scripts[1]);
	sim_chip_drain(cluster);
	return seen.sent_ps;
}

static void read_beside(struct cluster *cluster)
{
	const struct chip_geometry *geometry = geometry_of(cluster);
	struct script scripts[2][2];
	int64_t first_ps = read_beside_writes(cluster, geometry->worker_tiles[0], 0, scripts[0]);
	int64_t second_ps = read_beside_writes(cluster, geometry->worker_tiles[0], 1, scripts[1]);

	check_equal(first_ps - second_ps, bulk_ps + 20 * NS); /* the word after the bulk, too */
}

TEST(requests_of_the_second_mover_stand_behind_no_writes_of_the_first)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = read_beside});
}

TEST_MAIN(NULL, NULL)
