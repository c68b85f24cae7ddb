/* Tests closed forms of multicasts, packed writes and the fan-in of acknowledgements on a chip. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sim_chip.h"

enum { GO = 0x40, DONE = 0x80, BULK = 0x8000, WORKERS = 12, BYTES = 1024 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};
static const struct worker_rect all = {.column1 = 3, .row1 = 2};

/* State of a case, in its child process. */
static struct {
	struct cluster *cluster;
	const struct chip_geometry *geometry;
	uint16_t dispatcher;
	struct script root, workers[WORKERS];
	int64_t go_ps[WORKERS], sent_ps, done_ps;
} one;

static void begin(struct cluster *cluster)
{
	one.cluster = cluster;
	one.geometry = device_row->info(cluster)->chips[0].geometry;
	one.dispatcher = one.geometry->dispatch_tiles[2];
}

static uint16_t worker(uint32_t i)
{
	return one.geometry->worker_tiles[i];
}

static int64_t path_ps(uint16_t from, uint16_t to)
{
	return sim_chip_path_ps(one.cluster, from, to);
}

static void start(
	struct script *script, uint16_t tile, const struct action *actions, uint32_t count)
{
	script_init(script, device_row->chip(one.cluster, 0), tile, actions, count);
	script->cost = 0;
	script_start(script);
}

/* ---- go, a step on every worker, acknowledgements ---- */

static void send_go(struct script *script)
{
	uint32_t value = 1;
	struct span go = span_copy(&value, sizeof value);

	one.sent_ps = engine_now();
	device_row->noc_multicast(&script->stage, all, GO, go);
	span_release(go);
}

static void note_go(struct script *script)
{
	one.go_ps[script->number] = engine_now();
	device_row->noc_increment(&script->stage, one.dispatcher, DONE, 1);
}

static void note_done(struct script *script)
{
	check_equal(device_row->word(&script->stage, DONE), WORKERS);
	one.done_ps = engine_now();
}

static const struct action on_go[] = {
	{.on = STAGE_WAIT_WORD, .address = GO, .value = 1, .run = note_go}};
static const struct action send_and_wait[] = {{.run = send_go},
	{.on = STAGE_WAIT_WORD, .address = DONE, .value = WORKERS, .run = note_done}};

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns the time at which the last increment changes the word. The atomic unit handles increments
 * in the order of their arrival. Each increment occupies it for `turn_ps`, and changes the word at
 * the beginning of this time. */
static int64_t last_turn_ps(int64_t *arrivals_ps, int64_t turn_ps)
{
	int64_t free_ps = 0, at_ps = 0;

	qsort(arrivals_ps, WORKERS, sizeof *arrivals_ps, compare_times);
	for (uint32_t i = 0; i < WORKERS; i++) {
		at_ps = arrivals_ps[i] > free_ps ? arrivals_ps[i] : free_ps;
		free_ps = at_ps + turn_ps;
	}
	return at_ps;
}

/* Every worker waits with one action; then the dispatcher starts its actions. */
static void run_workers(struct cluster *cluster, const struct action *of_worker,
	const struct action *of_dispatcher, uint32_t count)
{
	begin(cluster);
	for (uint32_t i = 0; i < WORKERS; i++) {
		start(&one.workers[i], worker(i), of_worker, 1);
		one.workers[i].number = i;
		one.workers[i].idle = true;
	}
	sim_chip_drain(cluster);
	start(&one.root, one.dispatcher, of_dispatcher, count);
	sim_chip_drain(cluster);
}

static void run_go(struct cluster *cluster)
{
	run_workers(cluster, on_go, send_and_wait, 2);
}

static void go_and_done(struct cluster *cluster)
{
	int64_t arrivals_ps[WORKERS];
	struct sim_tile_statistics tile;
	bool met = false;

	run_go(cluster);
	for (uint32_t i = 0; i < WORKERS; i++) {
		check_equal(one.go_ps[i] - one.sent_ps, path_ps(one.dispatcher, worker(i)));
		arrivals_ps[i] = one.go_ps[i] + path_ps(worker(i), one.dispatcher);
	}
	check_equal(one.done_ps, last_turn_ps(arrivals_ps, 5 * NS));
	for (uint32_t i = 1; i < WORKERS; i++)
		met = met || arrivals_ps[i] - arrivals_ps[i - 1] < 5 * NS;
	check(met, "no two acknowledgements met: the fan-in is not tested");
	sim_tile_statistics(cluster, 0, one.dispatcher, &tile);
	check_equal(tile.increments, WORKERS);
	check_less(0, tile.increments_waited_ps);
}

TEST(go_arrives_by_distance_and_acknowledgements_fan_in_one_by_one)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = go_and_done});
}

static void go_and_done_ideal(struct cluster *cluster)
{
	int64_t arrivals_ps[WORKERS];

	run_go(cluster);
	for (uint32_t i = 0; i < WORKERS; i++)
		arrivals_ps[i] = one.go_ps[i] + path_ps(worker(i), one.dispatcher);
	check_equal(one.done_ps, last_turn_ps(arrivals_ps, 0));
}

TEST(with_the_ideal_network_acknowledgements_do_not_meet)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .options = {.network = "ideal"}, .body = go_and_done_ideal});
}

/* ---- acknowledgements behind late data ---- */

enum { LATE_BYTES = 20000 };

/* Sends script->number writes, and then an acknowledgement. */
static void send_late(struct script *script)
{
	struct span data = span_of(extent_new(LATE_BYTES));

	memset(data.extent->bytes, 7, LATE_BYTES);
	for (uint32_t i = 0; i < script->number; i++)
		device_row->noc_write(&script->stage, one.dispatcher, BULK + i * LATE_BYTES, data);
	device_row->noc_increment(&script->stage, one.dispatcher, DONE, 1);
	span_release(data);
}

static void check_late(struct script *script)
{
	uint8_t last;

	check_status(
		device_row->load(&script->stage, BULK + 2 * LATE_BYTES - 1, sizeof last, &last),
		STATUS_OK);
	check_equal(last, 7);
	one.done_ps = engine_now();
}

/* Worker 1 sends one write, and worker 0 sends two, at the same time; all go to the dispatcher's
 * tile. Worker 0 sends its acknowledgement before the model knows that its second write is delayed.
 */
static void late_data(struct cluster *cluster)
{
	static const struct action send[] = {{.run = send_late}};
	static const struct action wait[] = {
		{.on = STAGE_WAIT_WORD, .address = DONE, .value = 3, .run = check_late}};
	static const uint32_t writes[] = {1, 2, 0};
	static const uint32_t tiles[] = {1, 0, 2};
	int64_t takes_ps = (LATE_BYTES + 3 * 32) * 1000 / 32;
	struct sim_tile_statistics tile;

	begin(cluster);
	start(&one.root, one.dispatcher, wait, 1);
	for (uint32_t i = 0; i < 3; i++) {
		start(&one.workers[i], worker(tiles[i]), send, 1);
		one.workers[i].number = writes[i];
	}
	one.workers[2].cost = 1500; /* acknowledges before the late data, but not long before */
	sim_chip_drain(cluster);
	check_equal(one.done_ps, 3 * takes_ps + path_ps(worker(tiles[0]), one.dispatcher));
	sim_tile_statistics(cluster, 0, one.dispatcher, &tile);
	check_equal(tile.increments, 3);
}

TEST(acknowledgements_arrive_behind_late_data_of_their_worker)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = late_data});
}

/* ---- bulk to many tiles ---- */

static void send_config(struct script *script)
{
	struct span span = span_of(extent_new(BYTES));

	for (uint32_t i = 0; i < BYTES; i++)
		span.extent->bytes[i] = (uint8_t)(i * 3);
	one.sent_ps = engine_now();
	device_row->noc_multicast(&script->stage, all, BULK, span);
	span_release(span);
	check_equal(script->stage.writes_posted, WORKERS);
}

static void check_config(struct script *script)
{
	uint8_t bytes[BYTES];

	check_status(device_row->load(&script->stage, BULK, BYTES, bytes), STATUS_OK);
	for (uint32_t i = 0; i < BYTES; i++)
		check_equal(bytes[i], (uint8_t)(i * 3));
	note_go(script);
}

static void note_written(struct script *script)
{
	(void)script;
	one.done_ps = engine_now();
}

static void send_config_then_go(struct script *script)
{
	int64_t sent_ps;

	send_config(script);
	sent_ps = one.sent_ps;
	send_go(script);
	one.sent_ps = sent_ps;
}

/* 1 KiB and its header at 16 B/ns, which takes longer than the issue. */
static const int64_t config_ps = (BYTES + 32) * 1000 / 16;

static void config_and_go(struct cluster *cluster)
{
	static const struct action check_on_go[] = {
		{.on = STAGE_WAIT_WORD, .address = GO, .value = 1, .run = check_config}};
	static const struct action send[] = {{.run = send_config_then_go}};
	struct sim_tile_statistics tile;

	run_workers(cluster, check_on_go, send, 1);
	for (uint32_t i = 0; i < WORKERS; i++)
		check_equal(
			one.go_ps[i] - one.sent_ps, config_ps + path_ps(one.dispatcher, worker(i)));
	sim_tile_statistics(cluster, 0, one.dispatcher, &tile);
	check_equal(tile.out_messages, 2); /* one message instead of one per tile */
	check_equal(tile.out_bytes, BYTES + 4);
}

TEST(bulk_multicast_leaves_once_and_go_comes_behind_it)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = config_and_go});
}

static void written(struct cluster *cluster)
{
	static const struct action send[] = {{.run = send_config},
		{.on = STAGE_WAIT_WRITES, .value = WORKERS, .run = note_written}};
	int64_t slowest_ps = 0;

	begin(cluster);
	start(&one.root, one.dispatcher, send, 2);
	sim_chip_drain(cluster);
	for (uint32_t i = 0; i < WORKERS; i++) {
		int64_t round_trip_ps =
			path_ps(one.dispatcher, worker(i)) + path_ps(worker(i), one.dispatcher);

		slowest_ps = round_trip_ps > slowest_ps ? round_trip_ps : slowest_ps;
	}
	check_equal(one.done_ps - one.sent_ps, config_ps + slowest_ps);
}

TEST(a_multicast_is_done_when_the_farthest_tile_has_acknowledged)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = written});
}

/* Unique data, one write per core: 12 writes of 64 B, each as long as the issue of 20 ns. */
static void send_packed_then_go(struct script *script)
{
	struct packed_target targets[WORKERS];
	struct span span = span_of(extent_new(WORKERS * 64));

	for (uint32_t i = 0; i < WORKERS; i++)
		targets[i].tile = worker(i);
	for (uint32_t i = 0; i < WORKERS * 64; i++)
		span.extent->bytes[i] = (uint8_t)(i / 64);
	device_row->noc_write_packed(&script->stage, targets, WORKERS, BULK, 64, span, 0);
	span_release(span);
	send_go(script);
}

static void check_own(struct script *script)
{
	uint8_t bytes[64];

	check_status(device_row->load(&script->stage, BULK, 64, bytes), STATUS_OK);
	check_equal(bytes[0], script->number);
	check_equal(bytes[63], script->number);
	note_go(script);
}

static void packed_and_go(struct cluster *cluster)
{
	static const struct action check_on_go[] = {
		{.on = STAGE_WAIT_WORD, .address = GO, .value = 1, .run = check_own}};
	static const struct action send[] = {{.run = send_packed_then_go}};

	run_workers(cluster, check_on_go, send, 1);
	for (uint32_t i = 0; i < WORKERS; i++)
		check_equal(one.go_ps[i] - one.sent_ps,
			WORKERS * 20 * NS + path_ps(one.dispatcher, worker(i)));
}

TEST(unique_data_are_one_transaction_per_core)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = packed_and_go});
}

/* ---- all workers at once (model.cores: chip) ---- */

enum { CYCLES = 1000 };

static struct {
	uint32_t asked, launched, finished;
	int64_t finished_ps;
	bool take;
} grid;

static bool takes(const struct stage *stage, uint32_t address, uint32_t value)
{
	check_equal(stage->device == device_row->chip(one.cluster, 0), 1);
	check_equal(address, GO);
	check_equal(value, 1);
	grid.asked++;
	return grid.take;
}

static int64_t launch(
	struct stage *stage, uint32_t value, const struct stage *like, struct sim_ack *ack)
{
	check(like == NULL, "no multicast has made a layer");
	check_equal(device_row->word(stage, GO), value);
	*ack = (struct sim_ack){one.dispatcher, DONE};
	grid.launched++;
	return CYCLES;
}

static void finish(struct stage *stage)
{
	stage->wait = (struct stage_wait){.on = STAGE_WAIT_WORD,
		.idle = true,
		.address = GO,
		.value = 2,
		.what = "the next go"};
	grid.finished++;
	grid.finished_ps = engine_now();
}

static void charge(struct stage *stage)
{
	(void)stage;
}

static void refuse(void *context, const char *what, uint16_t chip, uint16_t tile)
{
	(void)context;
	print_message("chip %u, tile %u: %s\n", chip, tile, what);
	check(false, "refused");
}

static const struct sim_cores grid_model = {
	.takes = takes, .launch = launch, .charge = charge, .finish = finish, .refuse = refuse};

/* Starts workers that would act on a second go. */
static void start_idle_workers(void)
{
	static const struct action on_second[] = {
		{.on = STAGE_WAIT_WORD, .address = GO, .value = 2, .run = note_go}};

	for (uint32_t i = 0; i < WORKERS; i++) {
		start(&one.workers[i], worker(i), on_second, 1);
		one.workers[i].number = i;
		one.workers[i].idle = true;
	}
	sim_chip_drain(one.cluster);
}

static void taken_go(struct cluster *cluster)
{
	int64_t arrivals_ps[WORKERS], ends_ps = 0;
	struct sim_stage_statistics stage;
	struct sim_tile_statistics tile;

	begin(cluster);
	start_idle_workers();
	grid.take = true;
	start(&one.root, one.dispatcher, send_and_wait, 2);
	sim_chip_drain(cluster);
	check_equal(grid.asked, WORKERS);
	check_equal(grid.launched, WORKERS);
	check_equal(grid.finished, WORKERS);
	for (uint32_t i = 0; i < WORKERS; i++) {
		int64_t end_ps = one.sent_ps + path_ps(one.dispatcher, worker(i)) + CYCLES * NS;

		arrivals_ps[i] = end_ps + path_ps(worker(i), one.dispatcher);
		ends_ps = end_ps > ends_ps ? end_ps : ends_ps;
		sim_tile_statistics(cluster, 0, worker(i), &tile);
		check_equal(tile.out_messages, 1);
	}
	check_equal(grid.finished_ps, ends_ps);
	check_equal(one.done_ps, last_turn_ps(arrivals_ps, 5 * NS));
	sim_tile_statistics(cluster, 0, one.dispatcher, &tile);
	check_equal(tile.increments, WORKERS);
	check_less(0, tile.increments_waited_ps);
	sim_stage_statistics(cluster, 0, &stage);
	check_equal(stage.busy_ps, CYCLES * NS);
	check_equal(stage.blocked_ps, 0);
}

TEST(all_workers_at_once_take_as_long_as_one_by_one)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .options = {.cores = &grid_model}, .body = taken_go});
}

static void declined_go(struct cluster *cluster)
{
	int64_t arrivals_ps[WORKERS];

	run_go(cluster);
	check_equal(grid.asked, 1);
	check_equal(grid.launched, 0);
	for (uint32_t i = 0; i < WORKERS; i++)
		arrivals_ps[i] = one.go_ps[i] + path_ps(worker(i), one.dispatcher);
	check_equal(one.done_ps, last_turn_ps(arrivals_ps, 5 * NS));
}

TEST(a_go_that_one_worker_does_not_take_goes_to_each)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .options = {.cores = &grid_model}, .body = declined_go});
}

TEST_MAIN(NULL, NULL)
