/* The contract of device.h in every world: words, wakes, and the life and rest of stages. */
#include <string.h>

#include "check.h"
#include "row.h"
#include "script.h"
#include "test_cluster.h"

enum { MS = 1000000, PATIENCE_MS = 60000 };

/* Words of the tests, and where their bulk starts. */
enum { WORD_GO = 0x40, WORD_OTHER = 0x44, WORD_DONE = 0x80, BULK = 0x8000 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

static struct device *first_chip(struct cluster *cluster)
{
	return device_row->chip(cluster, 0);
}

static int64_t soon(void)
{
	return world->now_ns() + PATIENCE_MS * (int64_t)MS;
}

static void drain(struct cluster *cluster)
{
	check_status(device_row->drain(cluster, soon()), STATUS_OK);
}

static uint32_t word_of(struct cluster *cluster, uint16_t tile, uint32_t address)
{
	uint32_t value;

	check_status(device_row->inspect(first_chip(cluster), tile, address, 4, &value), STATUS_OK);
	return value;
}

static void window_words(struct cluster *cluster, struct script *script, uint64_t *address)
{
	check_status(device_row->window_reserve(cluster, "answers", 4096, address), STATUS_OK);
	script->data = address;
}

/* ---- words ---- */

static void answer_go(struct script *script)
{
	uint32_t go = device_row->word(&script->stage, WORD_GO);

	device_row->pcie_write_word(&script->stage, *(uint64_t *)script->data, 1000 + go);
}

static void doorbell_wakes_a_stage_that_answers(struct cluster *cluster)
{
	static const struct action actions[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_GO,
		.value = 1,
		.run = answer_go,
		.repeat = 50}};
	uint16_t tile = script_worker(cluster, 5);
	struct script script;
	uint64_t answers;

	SCRIPT_INIT(&script, first_chip(cluster), tile, actions);
	window_words(cluster, &script, &answers);
	script_start(&script);
	for (uint32_t i = 1; i <= 50; i++) {
		enum wait_mode mode = (enum wait_mode)(i % WAIT_MODE_COUNT);

		device_row->post_word(first_chip(cluster), tile, WORD_GO, i);
		check_status(device_row->window_wait(
				     cluster, answers, 1000 + i, soon(), mode, "the answer"),
			STATUS_OK);
		check_equal(device_row->window_word(cluster, answers), 1000 + i);
	}
	drain(cluster);
	check_equal(script.stage.steps, 50);
	check_equal(script.stage.busy_cycles, 500);
}

static void ring_go(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);

	device_row->noc_write_word(&script->stage, geometry->worker_tiles[1], WORD_OTHER, 7);
	device_row->noc_write_word(&script->stage, geometry->worker_tiles[1], WORD_GO, 0x80000005);
	device_row->noc_increment(&script->stage, geometry->worker_tiles[1], WORD_DONE, 3);
	device_row->noc_increment(
		&script->stage, geometry->worker_tiles[1], WORD_DONE, (uint32_t)-1);
}

static void ring_across_the_wrap(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);

	device_row->noc_write_word(&script->stage, geometry->worker_tiles[1], WORD_GO, 2);
}

/* Words are compared modulo 2^32, by their distance. For example, 0x80000005 counts as having
 * reached 0x7ffffff0, and 2 counts as having reached 0xfffffff0. */
static void word_waits_compare_across_the_wrap(struct cluster *cluster)
{
	static const struct action waiter_actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_DONE, .value = 2},
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 0x7ffffff0},
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 0xfffffff0},
	};
	static const struct action ringer_actions[] = {
		{.run = ring_go}, {.repeat = 5}, {.run = ring_across_the_wrap}};
	struct script waiter, ringer;

	SCRIPT_INIT(&waiter, first_chip(cluster), script_worker(cluster, 1), waiter_actions);
	SCRIPT_INIT(&ringer, first_chip(cluster), script_worker(cluster, 2), ringer_actions);
	ringer.cost = 2000; /* the waiter is blocked again each time */
	waiter.ends = true;
	script_start(&waiter);
	script_start(&ringer);
	drain(cluster);
	check_equal(waiter.at, 3);
	check_equal(word_of(cluster, script_worker(cluster, 1), WORD_OTHER), 7);
	check_equal(word_of(cluster, script_worker(cluster, 1), WORD_DONE), 2);
	check_equal(ringer.stage.writes_posted, 5);
	check_equal(ringer.stage.writes_done, 5);
}

static void increment_first_worker(struct script *script)
{
	const struct chip_geometry *geometry = script_geometry(script);

	device_row->noc_increment(&script->stage, geometry->worker_tiles[0], WORD_DONE, 1);
}

static void increments_from_many_tiles_all_count(struct cluster *cluster)
{
	static const struct action adder_actions[] = {
		{.run = increment_first_worker, .repeat = 10}};
	static const struct action counter_actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_DONE, .value = 120}};
	struct script counter, adders[12];

	SCRIPT_INIT(&counter, first_chip(cluster), script_worker(cluster, 0), counter_actions);
	counter.ends = true;
	script_start(&counter);
	for (uint32_t i = 0; i < 12; i++) {
		SCRIPT_INIT(
			&adders[i], first_chip(cluster), script_worker(cluster, i), adder_actions);
		adders[i].ends = true;
		adders[i].cost = 1 + i;
		script_start(&adders[i]);
	}
	drain(cluster);
	check_equal(counter.at, 1);
	check_equal(word_of(cluster, script_worker(cluster, 0), WORD_DONE), 120);
	/* The stage must not check its condition at each increment, but only at the start, when the
	 * word reaches the value, and at the end. */
	check_at_most(counter.asked, 3);
}

/* ---- wakes ---- */

static bool other_is_set(const struct script *script)
{
	return device_row->word(&script->stage, WORD_OTHER) == 2;
}

static void set_go(struct script *script)
{
	device_row->set_word(&script->stage, WORD_GO, 1);
}

static void store_other(struct script *script)
{
	device_row->store(&script->stage, WORD_OTHER, &(uint32_t){2}, 4);
}

static void set_done(struct script *script)
{
	device_row->set_word(&script->stage, WORD_DONE, script->number);
}

/* Two processors of a tile: a store by one wakes the other. */
static void own_stores_wake_the_neighbour(struct cluster *cluster)
{
	static const struct action word_waiter[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 1}};
	static const struct action tile_waiter[] = {{.met = other_is_set, .run = set_done}};
	static const struct action setter[] = {
		{.run = set_go}, {.repeat = 5}, {.run = store_other}};
	struct script scripts[3];

	SCRIPT_INIT(&scripts[0], first_chip(cluster), script_worker(cluster, 3), word_waiter);
	SCRIPT_INIT(&scripts[1], first_chip(cluster), script_worker(cluster, 3), tile_waiter);
	SCRIPT_INIT(&scripts[2], first_chip(cluster), script_worker(cluster, 3), setter);
	scripts[2].cost = 1000; /* the others are already blocked */
	for (uint32_t i = 0; i < 3; i++) {
		scripts[i].number = 40 + i;
		scripts[i].ends = true;
		script_start(&scripts[i]);
	}
	drain(cluster);
	check_equal(scripts[0].at, 1);
	check_equal(scripts[1].at, 1);
	check_equal(word_of(cluster, script_worker(cluster, 3), WORD_DONE), 41);
}

enum { RANGE = 0x100 };

static bool second_is_5(const struct script *script)
{
	return device_row->word(&script->stage, RANGE + 4) == 5;
}

static bool done_is_7(const struct script *script)
{
	return device_row->word(&script->stage, WORD_DONE) == 7;
}

static bool last_is_set(const struct script *script)
{
	return device_row->word(&script->stage, RANGE + 12) != 0;
}

static void set_second(struct script *script)
{
	device_row->noc_write_word(&script->stage, (uint16_t)script->number, RANGE + 4, 5);
}

static void add_to_done(struct script *script)
{
	device_row->noc_increment(&script->stage, (uint16_t)script->number, WORD_DONE, 1);
}

static void write_over_range(struct script *script)
{
	struct span span = span_copy("................................", 32);

	device_row->noc_write(&script->stage, (uint16_t)script->number, RANGE - 16, span);
	span_release(span);
}

/* A waiting stage may name the range of memory on which its condition depends. A device may then
 * skip calls of begin() while this range does not change. It must still call begin() whenever the
 * condition may have become true. */
static void ranges_do_not_hide_what_matters(struct cluster *cluster)
{
	static const struct action waiter_actions[] = {
		{.met = second_is_5, .range = RANGE, .range_bytes = 8},
		{.met = done_is_7,
			.range = RANGE,
			.range_bytes = 4,
			.address = WORD_DONE,
			.value = 7},
		{.met = last_is_set,
			.range = RANGE + 12,
			.range_bytes = 4,
			.address = WORD_GO,
			.value = 1},
	};
	static const struct action setter_actions[] = {
		{.run = set_second},
		{.repeat = 5}, /* meanwhile, the waiter checks its condition and blocks again */
		{.run = add_to_done, .repeat = 7},
		{.repeat = 5},
		{.run = write_over_range},
	};
	struct script waiter, setter;

	SCRIPT_INIT(&waiter, first_chip(cluster), script_worker(cluster, 4), waiter_actions);
	SCRIPT_INIT(&setter, first_chip(cluster), script_worker(cluster, 5), setter_actions);
	setter.number = script_worker(cluster, 4);
	setter.cost = 2000; /* the waiter is blocked again each time */
	script_start(&waiter);
	script_start(&setter);
	drain(cluster);
	check_equal(waiter.at, 3);
}

static void post_four_writes(struct script *script)
{
	struct span span = span_copy("0123456789abcdef", 16);

	for (uint32_t i = 0; i < 4; i++)
		device_row->noc_write(&script->stage, script->stage.tile - 1, BULK + 16 * i, span);
	span_release(span);
	check_equal(script->stage.writes_posted, 4);
}

static void post_two_reads(struct script *script)
{
	check_equal(script->stage.writes_done, 4);
	device_row->noc_read(&script->stage, script->stage.tile - 1, BULK, 32, BULK);
	device_row->noc_read(&script->stage, script->stage.tile - 1, BULK + 32, 32, BULK + 32);
	check_equal(script->stage.reads_posted, 2);
}

static void check_bytes_read(struct script *script)
{
	char bytes[65] = {0};

	check_equal(script->stage.reads_done, 2);
	check_status(device_row->load(&script->stage, BULK, 64, bytes), STATUS_OK);
	check(strcmp(bytes, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef") ==
			0,
		"read back '%s'", bytes);
}

static bool both_reads_done(const struct script *script)
{
	return script->stage.reads_done == 2;
}

static void counters_of_operations_wake_their_stage(struct cluster *cluster)
{
	static const struct action by_counter[] = {
		{.run = post_four_writes},
		{.on = STAGE_WAIT_WRITES, .value = 4, .run = post_two_reads},
		{.on = STAGE_WAIT_READS, .value = 2, .run = check_bytes_read},
	};
	/* a completion of own operations also ends a wait for the tile */
	static const struct action by_tile[] = {
		{.run = post_four_writes},
		{.on = STAGE_WAIT_WRITES, .value = 4, .run = post_two_reads},
		{.met = both_reads_done, .run = check_bytes_read},
	};
	struct script scripts[2];

	SCRIPT_INIT(&scripts[0], first_chip(cluster), script_worker(cluster, 1), by_counter);
	SCRIPT_INIT(&scripts[1], first_chip(cluster), script_worker(cluster, 3), by_tile);
	for (uint32_t i = 0; i < 2; i++) {
		scripts[i].ends = true;
		script_start(&scripts[i]);
	}
	drain(cluster);
	check_equal(scripts[0].at, 3);
	check_equal(scripts[1].at, 3);
}

enum { COUNTED = 40, COUNTED_BYTES = 64 };

/* Two counted writes in one step, so that the second waits for the first on its way. */
static void post_counted(struct script *script)
{
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t number = script->number++;
		struct span span = span_of(extent_new(COUNTED_BYTES));

		memset(span.extent->bytes, (int)number, COUNTED_BYTES);
		device_row->noc_write_counted(&script->stage, script->stage.tile - 1,
			BULK + number * COUNTED_BYTES, span, WORD_DONE, 1);
		span_release(span);
	}
}

/* Reads all data whose count has arrived. */
static void check_counted(struct script *script)
{
	uint32_t count = device_row->word(&script->stage, WORD_DONE);
	uint8_t bytes[COUNTED_BYTES];

	for (; script->number < count; script->number++) {
		check_status(device_row->load(&script->stage, BULK + script->number * COUNTED_BYTES,
				     COUNTED_BYTES, bytes),
			STATUS_OK);
		check_equal(bytes[0], script->number);
		check_equal(bytes[COUNTED_BYTES - 1], script->number);
	}
}

static void counted_data_arrive_no_later_than_their_count(struct cluster *cluster)
{
	static const struct action sends[] = {{.run = post_counted, .repeat = COUNTED / 2}};
	static const struct action takes[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_DONE,
		.value = 1,
		.run = check_counted,
		.repeat = COUNTED}};
	struct script sender, receiver;

	SCRIPT_INIT(&sender, first_chip(cluster), script_worker(cluster, 1), sends);
	SCRIPT_INIT(&receiver, first_chip(cluster), script_worker(cluster, 0), takes);
	script_start(&receiver);
	script_start(&sender);
	drain(cluster);
	check_equal(receiver.number, COUNTED);
	check_equal(sender.stage.writes_posted, 2 * COUNTED);
	check_equal(sender.stage.writes_done, 2 * COUNTED);
}

/* ---- ends and rest ---- */

static void ended_stages_are_never_asked_again(struct cluster *cluster)
{
	static const struct action actions[] = {{.repeat = 3}};
	struct script script;

	SCRIPT_INIT(&script, first_chip(cluster), script_worker(cluster, 0), actions);
	script.ends = true;
	script_start(&script);
	drain(cluster);
	for (uint32_t i = 1; i <= 5; i++)
		device_row->post_word(first_chip(cluster), script_worker(cluster, 0), WORD_GO, i);
	drain(cluster);
	check_equal(script.stage.steps, 3);
	check_equal(script.asked_after_end, 1);
	check_equal(word_of(cluster, script_worker(cluster, 0), WORD_GO), 5);
}

static void drain_tells_idle_from_stuck(struct cluster *cluster)
{
	static const struct action actions[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = 1, .run = set_done}};
	struct script idle, stuck;
	int64_t deadline_ns;

	drain(cluster); /* before anything was started */
	SCRIPT_INIT(&idle, first_chip(cluster), script_worker(cluster, 0), actions);
	idle.idle = true;
	idle.number = 5;
	script_start(&idle);
	drain(cluster);
	SCRIPT_INIT(&stuck, first_chip(cluster), script_worker(cluster, 1), actions);
	stuck.number = 6;
	script_start(&stuck);
	deadline_ns = world->now_ns() + 20 * MS;
	check_status(device_row->drain(cluster, deadline_ns), STATUS_TIMEOUT);
	check_at_most(deadline_ns, world->now_ns());
	device_row->post_word(first_chip(cluster), script_worker(cluster, 1), WORD_GO, 1);
	drain(cluster);
	device_row->post_word(first_chip(cluster), script_worker(cluster, 0), WORD_GO, 1);
	drain(cluster);
	check_equal(word_of(cluster, script_worker(cluster, 0), WORD_DONE), 5);
	check_equal(word_of(cluster, script_worker(cluster, 1), WORD_DONE), 6);
}

static void handles_know_their_numbers(struct cluster *cluster)
{
	const struct cluster_info *info = device_row->info(cluster);

	check_equal(info->chip_count, 6);
	for (uint16_t i = 0; i < info->chip_count; i++) {
		struct device *device = device_row->chip(cluster, i);

		check_equal(device_row->number(device), i);
		check(device_row->cluster_of(device) == cluster, "chip %u of another cluster", i);
	}
	check(strcmp(device_row->name, row_current()->name) == 0, "device row '%s'",
		device_row->name);
}

static const struct test_cluster six_chips = {.rows = 2, .columns = 3, .pcie = TEST_PCIE_LEFT};

static const struct row_case cases[] = {
	ROW_CASE(doorbell_wakes_a_stage_that_answers, one_chip),
	ROW_CASE(word_waits_compare_across_the_wrap, one_chip),
	ROW_CASE(increments_from_many_tiles_all_count, one_chip),
	ROW_CASE(own_stores_wake_the_neighbour, one_chip),
	ROW_CASE(ranges_do_not_hide_what_matters, one_chip),
	ROW_CASE(counters_of_operations_wake_their_stage, one_chip),
	ROW_CASE(counted_data_arrive_no_later_than_their_count, one_chip),
	ROW_CASE(ended_stages_are_never_asked_again, one_chip),
	ROW_CASE(drain_tells_idle_from_stuck, one_chip),
	ROW_CASE(handles_know_their_numbers, six_chips),
};

int main(void)
{
	return ROW_RUN_SUITE("device contract", cases);
}
