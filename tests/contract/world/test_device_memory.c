/* The contract of device.h in every world: bytes in L1 and DRAM, moved over the NoC. */
#include <string.h>

#include "check.h"
#include "row.h"
#include "script.h"
#include "test_cluster.h"

enum { WORD_GO = 0x40, WORD_DONE = 0x80, BULK = 0x8000, BIG = 65536 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

static struct device *chip_0(struct cluster *cluster)
{
	return device_row->chip(cluster, 0);
}

/* Byte `i` of the pattern called `seed`. */
static uint8_t pattern(uint32_t seed, uint32_t i)
{
	return (uint8_t)(seed * 31 + i * 7 + (i >> 8));
}

static struct span pattern_span(uint32_t seed, uint32_t length)
{
	struct extent *extent = extent_new(length);

	for (uint32_t i = 0; i < length; i++)
		extent->bytes[i] = pattern(seed, i);
	return span_of(extent);
}

static void check_pattern(const uint8_t *bytes, uint32_t seed, uint32_t first, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		check(bytes[i] == pattern(seed, first + i), "byte %u of pattern %u is %u, not %u",
			first + i, seed, bytes[i], pattern(seed, first + i));
}

/* Runs the actions on a worker to the end, with nothing else running. */
static void play(struct cluster *cluster, uint32_t on_worker, const struct action *actions,
	uint32_t count, void *data)
{
	static struct script scripts[4]; /* stages live as long as the cluster */
	static uint32_t used;
	struct script *script = &scripts[used++];

	check(used <= 4, "too many scripts");
	script_init(script, chip_0(cluster), script_worker(cluster, on_worker), actions, count);
	script->ends = true;
	script->data = data;
	script_start(script);
	script_drain(cluster);
	check_equal(script->at, count);
}

#define PLAY(cluster, on_worker, actions, data)                                                    \
	play(cluster, on_worker, actions, sizeof(actions) / sizeof((actions)[0]), data)

/* ---- writes ---- */

static void send_bulk_then_word(struct script *script)
{
	uint16_t to = script_geometry(script)->worker_tiles[2];

	for (uint32_t i = 0; i < 4; i++) {
		struct span span = pattern_span(i, BIG);

		device_row->noc_write(&script->stage, to, BULK + i * BIG, span);
		span_release(span);
	}
	device_row->noc_increment(&script->stage, to, WORD_GO, 4);
}

static void check_bulk(struct script *script)
{
	static uint8_t bytes[BIG];

	for (uint32_t i = 0; i < 4; i++) {
		check_status(
			device_row->load(&script->stage, BULK + i * BIG, BIG, bytes), STATUS_OK);
		check_pattern(bytes, i, 0, BIG);
	}
}

static void bulk_is_there_when_the_word_is(struct cluster *cluster)
{
	static const struct action receive[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 4, .run = check_bulk}};
	static const struct action send[] = {{.run = send_bulk_then_word}};
	struct script receiver;

	SCRIPT_INIT(&receiver, chip_0(cluster), script_worker(cluster, 2), receive);
	receiver.idle = true;
	script_start(&receiver);
	PLAY(cluster, 9, send, NULL);
	check_equal(receiver.at, 1);
}

static void send_packed(struct script *script)
{
	const uint16_t *workers = script_geometry(script)->worker_tiles;
	struct packed_target targets[3] = {{workers[4]}, {workers[1]}, {workers[11]}};
	struct span span = pattern_span(3, 3 * 48);

	device_row->noc_write_packed(&script->stage, targets, 3, BULK, 48, span, 0);
	span_release(span);
	check_equal(script->stage.writes_posted, 3);
}

static void packed_write_gives_each_target_its_piece(struct cluster *cluster)
{
	static const struct action send[] = {
		{.run = send_packed}, {.on = STAGE_WAIT_WRITES, .value = 3}};
	static const uint32_t targets[3] = {4, 1, 11};
	uint8_t bytes[64];

	PLAY(cluster, 0, send, NULL);
	for (uint32_t i = 0; i < 3; i++) {
		check_status(device_row->inspect(chip_0(cluster),
				     script_worker(cluster, targets[i]), BULK, 64, bytes),
			STATUS_OK);
		check_pattern(bytes, 3, 48 * i, 48);
		for (uint32_t j = 48; j < 64; j++)
			check_equal(bytes[j], 0);
	}
}

static void multicast_block(struct script *script)
{
	struct worker_rect rect = {.column0 = 1, .row0 = 0, .column1 = 2, .row1 = 1};
	struct span bulk = pattern_span(8, 300), word = span_copy(&(uint32_t){77}, 4);

	device_row->noc_multicast(&script->stage, rect, BULK, bulk);
	device_row->noc_multicast(&script->stage, rect, WORD_GO, word);
	span_release(bulk);
	span_release(word);
	check_equal(script->stage.writes_posted, 8);
}

static void count_done(struct script *script)
{
	uint8_t bytes[300];

	check_equal(device_row->word(&script->stage, WORD_GO), 77);
	check_status(device_row->load(&script->stage, BULK, 300, bytes), STATUS_OK);
	check_pattern(bytes, 8, 0, 300);
	device_row->noc_increment(
		&script->stage, script_geometry(script)->worker_tiles[11], WORD_DONE, 1);
}

/* 4 x 3 workers: the block is columns 1-2 of rows 0-1. */
static void multicast_reaches_the_rectangle_only(struct cluster *cluster)
{
	static const struct action receive[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 77, .run = count_done}};
	static const struct action send[] = {
		{.run = multicast_block},
		{.on = STAGE_WAIT_WRITES, .value = 8},
		{.on = STAGE_WAIT_WORD, .address = WORD_DONE, .value = 4},
	};
	struct script receivers[12];

	for (uint32_t i = 0; i < 12; i++) {
		SCRIPT_INIT(&receivers[i], chip_0(cluster), script_worker(cluster, i), receive);
		receivers[i].idle = true;
		script_start(&receivers[i]);
	}
	PLAY(cluster, 11, send, NULL);
	for (uint32_t i = 0; i < 12; i++) {
		bool inside = i == 1 || i == 2 || i == 5 || i == 6;

		check(receivers[i].at == inside, "worker %u ran %u times", i, receivers[i].at);
	}
}

/* ---- reads ---- */

static void write_dram(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);
	struct span span = pattern_span(5, BIG);

	device_row->noc_write(&script->stage, geometry->dram_tiles[3], 0x100000, span);
	device_row->noc_write(&script->stage, geometry->worker_tiles[7], BULK, span);
	device_row->noc_write_word(&script->stage, geometry->worker_tiles[7], WORD_GO, 0xabcd);
	span_release(span);
}

static void read_dram_and_l1(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);

	device_row->noc_read(
		&script->stage, geometry->dram_tiles[3], 0x100000 - 16, BIG, BULK + BIG);
	device_row->noc_read(&script->stage, geometry->worker_tiles[7], BULK + 5, 1000, BULK);
	device_row->noc_read(&script->stage, geometry->worker_tiles[7], WORD_GO, 4, WORD_DONE);
}

static void check_reads(struct script *script)
{
	static uint8_t bytes[BIG];

	check_status(device_row->load(&script->stage, BULK + BIG, BIG, bytes), STATUS_OK);
	for (uint32_t i = 0; i < 16; i++)
		check_equal(bytes[i], 0);
	check_pattern(bytes + 16, 5, 0, BIG - 16);
	check_status(device_row->load(&script->stage, BULK, 1000, bytes), STATUS_OK);
	check_pattern(bytes, 5, 5, 1000);
	check_equal(device_row->word(&script->stage, WORD_DONE), 0xabcd);
}

static void reads_bring_dram_and_l1(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.run = write_dram},
		{.on = STAGE_WAIT_WRITES, .value = 3, .run = read_dram_and_l1},
		{.on = STAGE_WAIT_READS, .value = 3, .run = check_reads},
	};

	PLAY(cluster, 0, actions, NULL);
}

/* ---- own L1 ---- */

static void view_and_overwrite(struct script *script)
{
	struct span before = pattern_span(1, 256), view, small;
	uint8_t bytes[256];

	device_row->store_span(&script->stage, BULK, before);
	span_release(before);
	view = device_row->view(&script->stage, BULK + 16, 200);
	device_row->noc_write(&script->stage, script_geometry(script)->worker_tiles[9], BULK, view);
	device_row->store(&script->stage, BULK + 16, "overwritten", 11);
	small = pattern_span(2, 64);
	device_row->store_span(&script->stage, BULK + 64, small);
	span_release(small);
	check_status(span_read(view, 0, 200, bytes), STATUS_OK);
	check_pattern(bytes, 1, 16, 200);
	span_release(view);
	check_status(device_row->load(&script->stage, BULK, 256, bytes), STATUS_OK);
	check(memcmp(bytes + 16, "overwritten", 11) == 0, "byte 16 is %u", bytes[16]);
	check_pattern(bytes + 27, 1, 27, 64 - 27);
	check_pattern(bytes + 64, 2, 0, 64);
	check_pattern(bytes + 128, 1, 128, 128);
	memcpy(bytes, "abcdefgh", 8);
	device_row->store(&script->stage, WORD_GO, bytes, 8);
	check_equal(device_row->word(&script->stage, WORD_GO), 0x64636261);
	check_equal(device_row->word(&script->stage, WORD_GO + 4), 0x68676665);
	view = device_row->view(&script->stage, WORD_GO, 8);
	device_row->set_word(&script->stage, WORD_GO, 0);
	check_status(span_read(view, 0, 8, bytes), STATUS_OK);
	check_equal(bytes[0], 'a');
	span_release(view);
}

static void views_do_not_change(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.run = view_and_overwrite}, {.on = STAGE_WAIT_WRITES, .value = 1}};
	uint8_t bytes[200];

	PLAY(cluster, 3, actions, NULL);
	check_status(
		device_row->inspect(chip_0(cluster), script_worker(cluster, 9), BULK, 200, bytes),
		STATUS_OK);
	check_pattern(bytes, 1, 16, 200);
}

/* A range that begins in the words and ends in the bulk is written as one. */
static void write_across(struct script *script)
{
	uint32_t border = script_geometry(script)->word_bytes;
	struct span span = pattern_span(6, 64);

	device_row->noc_write(
		&script->stage, script_geometry(script)->worker_tiles[8], border - 32, span);
	device_row->store_span(&script->stage, border - 32, span);
	span_release(span);
}

static void read_across(struct script *script)
{
	uint32_t border = script_geometry(script)->word_bytes;

	device_row->noc_read(
		&script->stage, script_geometry(script)->worker_tiles[8], border - 16, 32, BULK);
}

static void check_across(struct script *script)
{
	uint32_t border = script_geometry(script)->word_bytes;
	struct span view = device_row->view(&script->stage, border - 8, 16);
	uint8_t bytes[32];

	check_status(device_row->load(&script->stage, BULK, 32, bytes), STATUS_OK);
	check_pattern(bytes, 6, 16, 32);
	check_status(span_read(view, 0, 16, bytes), STATUS_OK);
	check_pattern(bytes, 6, 24, 16);
	span_release(view);
}

static void words_and_bulk_are_one_memory(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.run = write_across},
		{.on = STAGE_WAIT_WRITES, .value = 1, .run = read_across},
		{.on = STAGE_WAIT_READS, .value = 1, .run = check_across},
	};
	uint32_t border = device_row->info(cluster)->chips[0].geometry->word_bytes;
	uint8_t bytes[64];

	PLAY(cluster, 1, actions, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		check_status(device_row->inspect(chip_0(cluster), script_worker(cluster, i ? 8 : 1),
				     border - 32, 64, bytes),
			STATUS_OK);
		check_pattern(bytes, 6, 0, 64);
	}
}

/* ---- elided payloads ---- */

static void write_elided(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);
	struct span elided = span_of(extent_new_elided(4096)), real = pattern_span(4, 1024);

	device_row->noc_write(&script->stage, geometry->dram_tiles[0], 0, elided);
	device_row->noc_write(&script->stage, geometry->dram_tiles[0], 1024, real);
	span_release(elided);
	span_release(real);
}

static void read_elided(struct script *script)
{
	device_row->noc_read(&script->stage, script_geometry(script)->dram_tiles[0], 0, 4096, BULK);
}

static void check_elided(struct script *script)
{
	uint8_t bytes[1024];
	struct span view;

	check_status(device_row->load(&script->stage, BULK, 4, bytes), STATUS_ELIDED);
	check_status(device_row->load(&script->stage, BULK + 4092, 4, bytes), STATUS_ELIDED);
	check_status(device_row->load(&script->stage, BULK + 1020, 8, bytes), STATUS_ELIDED);
	check_status(device_row->load(&script->stage, BULK + 1024, 1024, bytes), STATUS_OK);
	check_pattern(bytes, 4, 0, 1024);
	view = device_row->view(&script->stage, BULK, 1024);
	check_equal(view.length, 1024);
	check_status(span_read(view, 0, 4, bytes), STATUS_ELIDED);
	span_release(view);
	device_row->store(&script->stage, BULK, "real", 4);
	check_status(device_row->load(&script->stage, BULK, 4, bytes), STATUS_OK);
	check_equal(bytes[3], 'l');
}

static void elided_bytes_are_never_read(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.run = write_elided},
		{.on = STAGE_WAIT_WRITES, .value = 2, .run = read_elided},
		{.on = STAGE_WAIT_READS, .value = 1, .run = check_elided},
	};
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[0].geometry;
	uint16_t bank = geometry->dram_tiles[0];
	uint8_t bytes[1024];

	PLAY(cluster, 0, actions, NULL);
	check_status(device_row->inspect(chip_0(cluster), bank, 0, 4, bytes), STATUS_ELIDED);
	check_status(device_row->inspect(chip_0(cluster), bank, 1020, 8, bytes), STATUS_ELIDED);
	check_status(device_row->inspect(chip_0(cluster), bank, 2044, 8, bytes), STATUS_ELIDED);
	check_status(device_row->inspect(chip_0(cluster), bank, 4096, 4, bytes), STATUS_OK);
	check_status(device_row->inspect(chip_0(cluster), bank, 1024, 1024, bytes), STATUS_OK);
	check_pattern(bytes, 4, 0, 1024);
	check_status(device_row->peek(chip_0(cluster), bank, 0, 4, bytes), STATUS_ELIDED);
}

static const struct row_case cases[] = {
	ROW_CASE(bulk_is_there_when_the_word_is, one_chip),
	ROW_CASE(packed_write_gives_each_target_its_piece, one_chip),
	ROW_CASE(multicast_reaches_the_rectangle_only, one_chip),
	ROW_CASE(reads_bring_dram_and_l1, one_chip),
	ROW_CASE(views_do_not_change, one_chip),
	ROW_CASE(words_and_bulk_are_one_memory, one_chip),
	ROW_CASE(elided_bytes_are_never_read, one_chip),
};

int main(void)
{
	return ROW_RUN_SUITE("device memory", cases);
}
