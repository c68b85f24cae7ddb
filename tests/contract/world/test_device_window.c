/* label: full
 * Tests the contract of device.h in the native and the simulated world: the window of host memory,
 * and the host's access to chips. */
#include <string.h>

#include "check.h"
#include "row.h"
#include "script.h"
#include "test_cluster.h"

#define PATIENCE_NS INT64_C(60000000000)

enum { MS = 1000000, WORD_GO = 0x40, WORD_DONE = 0x80, BULK = 0x8000, BIG = 65536 };

static const enum wait_mode all_modes[] = {
	WAIT_SPIN, WAIT_SPIN_THEN_PARK, WAIT_PARK, WAIT_YIELD};
static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

static struct device *chip_0(struct cluster *cluster)
{
	return device_row->chip(cluster, 0);
}

static uint64_t reserve(struct cluster *cluster, uint64_t bytes)
{
	uint64_t address;

	check_status(device_row->window_reserve(cluster, "region", bytes, &address), STATUS_OK);
	return address;
}

static struct span pattern_span(uint32_t seed, uint32_t length)
{
	struct extent *extent = extent_new(length);

	for (uint32_t i = 0; i < length; i++)
		extent->bytes[i] = (uint8_t)(seed * 31 + i * 7 + (i >> 8));
	return span_of(extent);
}

static void check_pattern(const uint8_t *bytes, uint32_t seed, uint32_t first, uint32_t length)
{
	for (uint32_t i = first; i < first + length; i++) {
		uint8_t expected = (uint8_t)(seed * 31 + i * 7 + (i >> 8));

		check(bytes[i - first] == expected, "byte %u of pattern %u is %u, not %u", i, seed,
			bytes[i - first], expected);
	}
}

/* ---- the window and the host ---- */

static void regions_are_aligned_zeroed_and_apart(struct cluster *cluster)
{
	uint64_t first = reserve(cluster, 100), second = reserve(cluster, 3 * 4096 + 1),
		 third = reserve(cluster, 4096), nowhere = 17;
	struct span span = pattern_span(1, 4096);
	uint8_t bytes[4096];

	check_equal(first % 4096, 0);
	check_equal(second % 4096, 0);
	check_equal(third % 4096, 0);
	device_row->window_write(cluster, first, span_part(span, 0, 100));
	device_row->window_write(cluster, third, span);
	check_status(device_row->window_read(cluster, second, 4096, bytes), STATUS_OK);
	for (uint32_t i = 0; i < 4096; i++)
		check(bytes[i] == 0, "byte %u is %u", i, bytes[i]);
	check_status(device_row->window_read(cluster, first, 100, bytes), STATUS_OK);
	check_pattern(bytes, 1, 0, 100);
	check_status(device_row->window_read(cluster, third + 90, 1000, bytes), STATUS_OK);
	check_pattern(bytes, 1, 90, 1000);
	device_row->window_set_word(cluster, third + 8, 0x12345678);
	check_equal(device_row->window_word(cluster, third + 8), 0x12345678);
	check_status(device_row->window_read(cluster, third + 8, 4, bytes), STATUS_OK);
	check_equal(bytes[0], 0x78);
	span_release(span);
	check_status(device_row->window_reserve(cluster, "too much", UINT64_C(1) << 50, &nowhere),
		STATUS_NO_MEMORY);
}

static void window_wait_keeps_its_deadline(struct cluster *cluster)
{
	uint64_t address = reserve(cluster, 64);

	for (uint32_t i = 0; i < 3; i++) {
		int64_t deadline_ns = world->now_ns() + 5 * MS;

		device_row->window_set_word(cluster, address, 4);
		check_status(device_row->window_wait(
				     cluster, address, 5, deadline_ns, all_modes[i], "nothing"),
			STATUS_TIMEOUT);
		check_at_most(deadline_ns, world->now_ns());
		check_status(device_row->window_wait(cluster, address, 4, 0, all_modes[i], "past"),
			STATUS_OK);
		check_status(device_row->window_wait(cluster, address, 5, 0, all_modes[i], "past"),
			STATUS_TIMEOUT);
		device_row->window_set_word(cluster, address, 0xfffffff0);
		check_status(device_row->window_wait(cluster, address, 5, 0, all_modes[i], "wrap"),
			STATUS_TIMEOUT);
		device_row->window_set_word(cluster, address, 5);
		check_status(device_row->window_wait(cluster, address, 0xfffffff0, DEADLINE_NEVER,
				     all_modes[i], "across the wrap"),
			STATUS_OK);
	}
}

struct watcher {
	struct cluster *cluster;
	uint64_t address;
	uint32_t value;
	enum wait_mode mode;
};

static void watch(void *arg)
{
	struct watcher *self = arg;

	check_status(device_row->window_wait(self->cluster, self->address, self->value,
			     world->now_ns() + PATIENCE_NS, self->mode, "the count"),
		STATUS_OK);
	check_at_most(self->value, device_row->window_word(self->cluster, self->address));
}

static void count_up(struct script *script)
{
	uint64_t address = *(uint64_t *)script->data;

	device_row->pcie_write_word(&script->stage, address, script->round + 1);
}

static void many_threads_wait_on_one_word(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 1},
		{.run = count_up, .repeat = 100},
	};
	struct affinity anywhere = {.host = 0, .core = -1};
	uint64_t address = reserve(cluster, 64);
	struct watcher watchers[6];
	struct thread *threads[6];
	struct script script;
	char name[32];

	SCRIPT_INIT(&script, chip_0(cluster), script_worker(cluster, 0), actions);
	script.data = &address;
	script_start(&script);
	for (uint32_t i = 0; i < 6; i++) {
		watchers[i] = (struct watcher){cluster, address, 1 + 19 * i, all_modes[i % 3]};
		snprintf(name, sizeof(name), "watcher-%u", i);
		threads[i] = world->spawn(name, anywhere, watch, &watchers[i]);
	}
	world->sleep_until(world->now_ns() + 5 * MS);
	device_row->post_word(chip_0(cluster), script_worker(cluster, 0), WORD_GO, 1);
	for (uint32_t i = 0; i < 6; i++)
		world->join(threads[i]);
	script_drain(cluster);
	check_equal(device_row->window_word(cluster, address), 100);
}

/* ---- the host and a chip ---- */

static void peek_sees_what_was_posted_before(struct cluster *cluster)
{
	uint16_t bank = device_row->info(cluster)->chips[0].geometry->dram_tiles[1];
	struct span span = pattern_span(2, BIG);
	uint8_t bytes[256];
	uint32_t word;

	for (uint32_t i = 1; i <= 20; i++) {
		device_row->post(
			chip_0(cluster), script_worker(cluster, 4), BULK, span_part(span, i, 256));
		device_row->post_word(chip_0(cluster), script_worker(cluster, 4), WORD_GO, i);
		check_status(device_row->peek(
				     chip_0(cluster), script_worker(cluster, 4), WORD_GO, 4, &word),
			STATUS_OK);
		check_equal(word, i);
		check_status(device_row->peek(
				     chip_0(cluster), script_worker(cluster, 4), BULK, 256, bytes),
			STATUS_OK);
		check_pattern(bytes, 2, i, 256);
	}
	device_row->post(chip_0(cluster), bank, 12345, span);
	check_status(device_row->peek(chip_0(cluster), bank, 12345 + 777, 256, bytes), STATUS_OK);
	check_pattern(bytes, 2, 777, 256);
	span_release(span);
}

/* ---- a chip and the window ---- */

static void read_three(struct script *script)
{
	uint64_t from = *(uint64_t *)script->data;

	device_row->pcie_read(&script->stage, from, BIG, BULK);
	device_row->pcie_read(&script->stage, from + 5, 100, BULK + BIG);
	device_row->pcie_read(&script->stage, from + BIG, 4, WORD_DONE);
	check_equal(script->stage.reads_posted, 3);
}

/* Reads complete in order: once the second is done, so is the first. */
static void check_two_reads(struct script *script)
{
	static uint8_t bytes[BIG];

	check_status(device_row->load(&script->stage, BULK, BIG, bytes), STATUS_OK);
	check_pattern(bytes, 3, 0, BIG);
	check_status(device_row->load(&script->stage, BULK + BIG, 100, bytes), STATUS_OK);
	check_pattern(bytes, 3, 5, 100);
}

static void check_word_read(struct script *script)
{
	check_equal(device_row->word(&script->stage, WORD_DONE), 4711);
	script->number = 1;
}

static void pcie_reads_complete_in_order(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 1, .run = read_three},
		{.on = STAGE_WAIT_READS, .value = 2, .run = check_two_reads},
		{.on = STAGE_WAIT_WORD, .address = WORD_DONE, .value = 4711},
		{.on = STAGE_WAIT_READS, .value = 3, .run = check_word_read},
	};
	uint64_t from = reserve(cluster, BIG + 64);
	struct span span = pattern_span(3, BIG);
	struct script script;

	SCRIPT_INIT(&script, chip_0(cluster), script_worker(cluster, 6), actions);
	script.data = &from;
	script_start(&script);
	device_row->window_write(cluster, from, span);
	device_row->window_set_word(cluster, from + BIG, 4711);
	device_row->post_word(chip_0(cluster), script_worker(cluster, 6), WORD_GO, 1);
	script_drain(cluster);
	check_equal(script.number, 1);
	span_release(span);
}

static void write_record(struct script *script)
{
	uint64_t to = *(uint64_t *)script->data;
	struct span span = pattern_span(script->round, BIG);

	device_row->pcie_write(&script->stage, to + 4096 + script->round * BIG, span);
	device_row->pcie_write_word(&script->stage, to, script->round + 1);
	span_release(span);
}

/* Writes are posted and arrive in order. If the word has arrived, so have the bytes. */
static void pcie_writes_arrive_in_order(struct cluster *cluster)
{
	static const struct action actions[] = {{.run = write_record, .repeat = 8}};
	static uint8_t bytes[BIG];
	uint64_t to = reserve(cluster, 4096 + 8 * BIG);
	struct script script;

	SCRIPT_INIT(&script, chip_0(cluster), script_worker(cluster, 6), actions);
	script.data = &to;
	script_start(&script);
	for (uint32_t i = 0; i < 8; i++) {
		check_status(device_row->window_wait(cluster, to, i + 1,
				     world->now_ns() + PATIENCE_NS, all_modes[i % 3], "record"),
			STATUS_OK);
		check_status(device_row->window_read(cluster, to + 4096 + i * BIG, BIG, bytes),
			STATUS_OK);
		check_pattern(bytes, i, 0, BIG);
	}
	script_drain(cluster);
	check_equal(script.stage.writes_posted, 16);
	check_equal(script.stage.writes_done, 16);
}

/* The awaited word may be part of a longer write, here the last word of 64 bytes. */
static void write_with_word_inside(struct script *script)
{
	uint64_t to = *(uint64_t *)script->data;
	struct extent *extent = extent_new(64);

	memset(extent->bytes, 9, 60);
	memcpy(extent->bytes + 60, &(uint32_t){1}, 4);
	device_row->pcie_write(&script->stage, to, span_of(extent));
	extent_release(extent);
}

/* Rings the doorbell once the main thread is parked. */
static void ring_later(void *arg)
{
	struct cluster *cluster = arg;

	world->sleep_until(world->now_ns() + 10 * MS);
	device_row->post_word(chip_0(cluster), script_worker(cluster, 0), WORD_GO, 1);
}

static void a_word_inside_a_write_wakes(struct cluster *cluster)
{
	static const struct action actions[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_GO,
		.value = 1,
		.run = write_with_word_inside}};
	uint64_t to = reserve(cluster, 64);
	uint8_t bytes[60];
	struct affinity anywhere = {.host = 0, .core = -1};
	int64_t start_ns = world->now_ns();
	struct thread *ringer;
	struct script script;

	SCRIPT_INIT(&script, chip_0(cluster), script_worker(cluster, 0), actions);
	script.data = &to;
	script_start(&script);
	ringer = world->spawn("ringer", anywhere, ring_later, cluster);
	check_status(device_row->window_wait(cluster, to + 60, 1, world->now_ns() + PATIENCE_NS,
			     WAIT_PARK, "last word"),
		STATUS_OK);
	check_less(world->now_ns(), start_ns + PATIENCE_NS / 2);
	check_status(device_row->window_read(cluster, to, 60, bytes), STATUS_OK);
	for (uint32_t i = 0; i < 60; i++)
		check_equal(bytes[i], 9);
	world->join(ringer);
	script_drain(cluster); /* the stage is on our stack */
}

/* ---- elided ---- */

static void read_window(struct script *script)
{
	device_row->pcie_read(&script->stage, *(uint64_t *)script->data, 8192, BULK);
}

static void check_and_write_back(struct script *script)
{
	uint64_t address = *(uint64_t *)script->data;
	struct span elided = span_of(extent_new_elided(100));
	uint8_t bytes[64];

	check_status(device_row->load(&script->stage, BULK, 64, bytes), STATUS_OK);
	check_pattern(bytes, 4, 0, 64);
	check_status(device_row->load(&script->stage, BULK + 4096, 64, bytes), STATUS_ELIDED);
	check_status(device_row->load(&script->stage, BULK + 8000, 64, bytes), STATUS_ELIDED);
	device_row->pcie_write(&script->stage, address, elided);
	span_release(elided);
}

static void elided_bytes_cross_the_window(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 1, .run = read_window},
		{.on = STAGE_WAIT_READS, .value = 1, .run = check_and_write_back},
	};
	struct span real = pattern_span(4, 4096), elided = span_of(extent_new_elided(4096));
	uint64_t address = reserve(cluster, 8192);
	struct script script;
	uint8_t bytes[64];

	device_row->window_write(cluster, address, real);
	device_row->window_write(cluster, address + 4096, elided);
	check_status(device_row->window_read(cluster, address, 64, bytes), STATUS_OK);
	check_status(device_row->window_read(cluster, address + 4090, 16, bytes), STATUS_ELIDED);
	SCRIPT_INIT(&script, chip_0(cluster), script_worker(cluster, 0), actions);
	script.data = &address;
	script_start(&script);
	device_row->post_word(chip_0(cluster), script_worker(cluster, 0), WORD_GO, 1);
	script_drain(cluster);
	check_equal(script.at, 2);
	check_status(device_row->window_read(cluster, address, 64, bytes), STATUS_ELIDED);
	check_status(device_row->window_read(cluster, address + 100, 64, bytes), STATUS_OK);
	device_row->window_write(cluster, address, span_part(real, 0, 64));
	check_status(device_row->window_read(cluster, address, 64, bytes), STATUS_OK);
	check_pattern(bytes, 4, 0, 64);
	check_status(device_row->window_read(cluster, address + 64, 4, bytes), STATUS_ELIDED);
	span_release(real);
	span_release(elided);
}

static void what_is_released_is_reserved_again_as_zeros(struct cluster *cluster)
{
	uint64_t below = reserve(cluster, 64), address = reserve(cluster, 3 * 4096),
		 above = reserve(cluster, 64);
	struct span elided = span_of(extent_new_elided(4096)), real = pattern_span(3, 4096);
	uint8_t bytes[2 * 4096];

	device_row->window_write(cluster, above, span_part(real, 0, 64));
	for (uint32_t turn = 0; turn < 3; turn++) {
		device_row->window_write(cluster, address, real);
		device_row->window_write(cluster, address + 4096, elided);
		device_row->window_release(cluster, address, 3 * 4096);
		check_equal(reserve(cluster, 4097), address);
		check_status(device_row->window_read(cluster, address, 2 * 4096, bytes), STATUS_OK);
		for (uint32_t i = 0; i < 2 * 4096; i++)
			check(bytes[i] == 0, "byte %u is %u", i, bytes[i]);
		check_equal(reserve(cluster, 1), address + 2 * 4096);
		device_row->window_release(cluster, address, 4097);
		device_row->window_release(cluster, address + 2 * 4096, 1);
		check_equal(reserve(cluster, 3 * 4096), address);
	}
	check_status(device_row->window_read(cluster, above, 64, bytes), STATUS_OK);
	check_pattern(bytes, 3, 0, 64);
	device_row->window_release(cluster, below, 64);
	span_release(elided);
	span_release(real);
}

/* Clears across the end of the words. */
static void what_is_cleared_is_zero(struct cluster *cluster)
{
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[0].geometry;
	uint32_t at = geometry->word_bytes - 64;
	uint16_t tile = script_worker(cluster, 0);
	struct span span = pattern_span(5, 256);
	uint8_t bytes[256];

	device_row->clear(chip_0(cluster), tile, at, 128);
	device_row->post(chip_0(cluster), tile, at, span);
	script_drain(cluster);
	device_row->clear(chip_0(cluster), tile, at + 32, 128);
	script_drain(cluster);
	check_status(device_row->inspect(chip_0(cluster), tile, at, 256, bytes), STATUS_OK);
	check_pattern(bytes, 5, 0, 32);
	check_pattern(bytes + 160, 5, 160, 96);
	for (uint32_t i = 32; i < 160; i++)
		check(bytes[i] == 0, "byte %u is %u", i, bytes[i]);
	span_release(span);
}

static const struct row_case cases[] = {
	ROW_CASE(what_is_released_is_reserved_again_as_zeros, one_chip),
	ROW_CASE(what_is_cleared_is_zero, one_chip),
	ROW_CASE(regions_are_aligned_zeroed_and_apart, one_chip),
	ROW_CASE(window_wait_keeps_its_deadline, one_chip),
	ROW_CASE(many_threads_wait_on_one_word, one_chip),
	ROW_CASE(peek_sees_what_was_posted_before, one_chip),
	ROW_CASE(pcie_reads_complete_in_order, one_chip),
	ROW_CASE(pcie_writes_arrive_in_order, one_chip),
	ROW_CASE(a_word_inside_a_write_wakes, one_chip),
	ROW_CASE(elided_bytes_cross_the_window, one_chip),
};

int main(void)
{
	return ROW_RUN_SUITE("device window", cases);
}
