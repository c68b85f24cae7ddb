/* Tests crews: groups of workers that the model simulates together. Two chips do the same work, one
 * of them with crews (model.cores: chip). At random times, the work is disturbed by words that are
 * sent to the dispatcher and to the workers. All times and counters of the two chips must be equal.
 */
#include "test.h"

#include <string.h>

#include "check.h"
#include "sim_chip.h"

enum { GO = 0x40, SCRATCH = 0x44, DONE = 0x80, OTHER = 0x84, KICK = 0xc0, BULK = 0x8000 };
enum { CHIPS = 2, WORKERS = 12, ROUNDS = 40, CYCLES = 1000, DISTURBANCES = 600 };

static const struct test_cluster two_chips = {.rows = 1, .columns = 2, .pcie = TEST_PCIE_ALL};
static const struct worker_rect all = {.column1 = 3, .row1 = 2};

/* A chip, in the child process of a case. */
static struct {
	struct script root, watcher, noise, visitor, workers[WORKERS];
	uint64_t random;
	int64_t done_ps[WORKERS * ROUNDS];
	uint32_t go[WORKERS];
	bool running[WORKERS];
	uint32_t launches, splits, splits_of_running;
} one[CHIPS];

static const struct chip_geometry *geometry;
static bool quiet;

static uint32_t below(uint32_t chip, uint32_t bound)
{
	one[chip].random = one[chip].random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((one[chip].random >> 33) % bound);
}

static uint32_t chip_of(const struct stage *stage)
{
	return device_row->number(stage->device);
}

static uint16_t dispatcher(void)
{
	return geometry->dispatch_tiles[2];
}

/* ---- the workers' part ---- */

static uint32_t index_of(const struct stage *stage)
{
	return ((const struct script *)stage)->number;
}

static bool takes(const struct stage *stage, uint32_t address, uint32_t value)
{
	uint32_t chip = chip_of(stage), i = index_of(stage);

	return address == GO && !one[chip].running[i] && value > one[chip].go[i];
}

static int64_t launch(
	struct stage *stage, uint32_t value, const struct stage *like, struct sim_ack *ack)
{
	uint32_t chip = chip_of(stage), i = index_of(stage);

	(void)like;
	check_equal(device_row->word(stage, GO), value);
	*ack = (struct sim_ack){dispatcher(), DONE};
	one[chip].go[i] = value;
	one[chip].running[i] = true;
	return CYCLES;
}

static void wait_for_go(struct stage *stage)
{
	stage->wait = (struct stage_wait){.on = STAGE_WAIT_WORD,
		.idle = true,
		.address = GO,
		.value = one[chip_of(stage)].go[index_of(stage)] + 1,
		.what = "the next go"};
}

static void finish(struct stage *stage)
{
	one[chip_of(stage)].running[index_of(stage)] = false;
	wait_for_go(stage);
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

static struct stage *crew_of[WORKERS];

static void *form(void *crew, struct stage *const *workers, uint32_t count)
{
	(void)crew;
	check_equal(count, WORKERS);
	if (chip_of(workers[0]) != 0)
		return NULL;
	memcpy(crew_of, workers, sizeof crew_of);
	return crew_of;
}

static int64_t crew_launch(void *crew, uint32_t value, struct sim_ack *ack, struct sim_range *own)
{
	struct stage *const *workers = crew;

	*own = (struct sim_range){0};
	*ack = (struct sim_ack){dispatcher(), DONE};
	one[0].go[index_of(workers[0])] = value;
	one[0].running[index_of(workers[0])] = true;
	one[0].launches++;
	return CYCLES;
}

static void cancel(void *crew)
{
	(void)crew;
	check(false, "a launch of a crew was taken back");
}

static bool crew_finish(void *crew, const struct sim_packed *parts, uint32_t count)
{
	struct stage *const *workers = crew;

	(void)parts;
	check_equal(count, 0);
	one[0].running[index_of(workers[0])] = false;
	return true;
}

static void split(void *crew)
{
	struct stage *const *workers = crew;
	uint32_t first = index_of(workers[0]);

	one[0].splits++;
	one[0].splits_of_running += one[0].running[first];
	for (uint32_t i = 0; i < WORKERS; i++) {
		one[0].go[i] = one[0].go[first];
		one[0].running[i] = one[0].running[first];
		if (!one[0].running[i])
			wait_for_go(&one[0].workers[i].stage);
	}
}

static void crew_free(void *crew)
{
	(void)crew;
}

static const struct sim_cores model = {
	.takes = takes,
	.launch = launch,
	.charge = charge,
	.finish = finish,
	.crew_form = form,
	.crew_launch = crew_launch,
	.crew_cancel = cancel,
	.crew_finish = crew_finish,
	.crew_split = split,
	.crew_free = crew_free,
	.refuse = refuse,
};

/* ---- scripts ---- */

static void send_bulk(struct script *script)
{
	struct span span = span_of(extent_new_elided(64));

	device_row->noc_multicast(&script->stage, all, BULK, span);
	span_release(span);
}

static bool all_done(const struct script *script)
{
	return device_row->word(&script->stage, DONE) >= script->round * WORKERS;
}

static void send_go(struct script *script)
{
	uint32_t value = script->round + 1;
	struct span go = span_copy(&value, sizeof value);

	device_row->noc_multicast(&script->stage, all, GO, go);
	device_row->noc_write_word(&script->stage, geometry->dispatch_tiles[1], KICK, value);
	span_release(go);
}

static void note(struct script *script)
{
	one[script->number].done_ps[script->round] = engine_now();
}

/* At random times, sends increments or words to the dispatcher's atomic unit. */
static void disturb(struct script *script)
{
	struct stage *stage = &script->stage;

	if (!quiet && below(script->number, 3) > 0)
		for (uint32_t i = below(script->number, 4); i > 0; i--)
			device_row->noc_increment(stage, dispatcher(), OTHER, 1);
	else if (!quiet)
		device_row->noc_write_word(stage, dispatcher(), OTHER, script->round);
	script->cost = below(script->number, 4) == 0 ? below(script->number, 600)
						     : below(script->number, 40);
}

/* Called after a go: sometimes reads or writes the memory of a random worker. */
static void visit(struct script *script)
{
	uint16_t worker = geometry->worker_tiles[below(script->number, WORKERS)];
	struct span span = {.length = 64};

	script->cost = 100 + below(script->number, 400);
	switch (quiet ? 9 : below(script->number, 10)) {
	case 0:
		device_row->noc_read(&script->stage, worker, BULK, 64, BULK);
		break;
	case 1:
		device_row->noc_write_word(&script->stage, worker, SCRATCH, script->round);
		break;
	case 2:
		device_row->noc_write(&script->stage, worker, BULK, span);
		break;
	default:
		break;
	}
}

static const struct action on_go[] = {{.on = STAGE_WAIT_WORD, .address = GO, .value = 1000}};
static const struct action goes[] = {
	{.run = send_bulk}, {.met = all_done, .run = send_go, .repeat = ROUNDS}};
static const struct action notes[] = {{.on = STAGE_WAIT_WORD,
	.address = DONE,
	.value = 1,
	.run = note,
	.repeat = WORKERS * ROUNDS}};
static const struct action disturbances[] = {{.run = disturb, .repeat = DISTURBANCES}};
static const struct action visits[] = {
	{.on = STAGE_WAIT_WORD, .address = KICK, .value = 1, .run = visit, .repeat = ROUNDS}};

static void start(struct cluster *cluster, uint32_t chip, struct script *script, uint16_t tile,
	const struct action *actions, uint32_t count)
{
	script_init(script, device_row->chip(cluster, (uint16_t)chip), tile, actions, count);
	script->number = chip;
	script->cost = 0;
	script->idle = true;
	script_start(script);
}

static void check_tiles(struct cluster *cluster)
{
	for (uint16_t tile = 0; tile < geometry->tile_count; tile++) {
		struct sim_tile_statistics with, without;

		sim_tile_statistics(cluster, 0, tile, &with);
		sim_tile_statistics(cluster, 1, tile, &without);
		check_equal(with.out_messages, without.out_messages);
		check_equal(with.out_bytes, without.out_bytes);
		check_equal(with.out_busy_ps, without.out_busy_ps);
		check_equal(with.out_waited_ps, without.out_waited_ps);
		check_equal(with.increments, without.increments);
		check_equal(with.increments_waited_ps, without.increments_waited_ps);
	}
}

static void check_workers(struct cluster *cluster)
{
	for (uint32_t i = 0; i < WORKERS; i++) {
		const struct stage *with = &one[0].workers[i].stage;
		const struct stage *without = &one[1].workers[i].stage;
		uint32_t words[CHIPS][2];

		for (uint16_t chip = 0; chip < CHIPS; chip++)
			check_status(device_row->inspect(device_row->chip(cluster, chip),
					     geometry->worker_tiles[i], GO, 8, words[chip]),
				STATUS_OK);
		check_equal(words[0][0], ROUNDS);
		check_equal(words[1][0], ROUNDS);
		check_equal(words[0][1], words[1][1]);
		check_equal(with->steps, without->steps);
		check_equal(with->busy_cycles, without->busy_cycles);
		check_equal(with->writes_posted, without->writes_posted);
		check_equal(with->writes_done, without->writes_done);
		check_equal(one[0].go[i], ROUNDS);
	}
}

static void start_chip(struct cluster *cluster, uint32_t chip)
{
	one[chip].random = 11;
	for (uint32_t i = 0; i < WORKERS; i++) {
		start(cluster, chip, &one[chip].workers[i], geometry->worker_tiles[i], on_go, 1);
		one[chip].workers[i].number = i;
	}
	start(cluster, chip, &one[chip].watcher, dispatcher(), notes, 1);
	start(cluster, chip, &one[chip].visitor, geometry->dispatch_tiles[1], visits, 1);
}

static void same(struct cluster *cluster)
{
	geometry = device_row->info(cluster)->chips[0].geometry;
	for (uint32_t chip = 0; chip < CHIPS; chip++)
		start_chip(cluster, chip);
	sim_chip_drain(cluster);
	for (uint32_t chip = 0; chip < CHIPS; chip++) {
		start(cluster, chip, &one[chip].root, dispatcher(), goes, 2);
		start(cluster, chip, &one[chip].noise, geometry->dispatch_tiles[0], disturbances,
			1);
	}
	one[0].root.idle = one[1].root.idle = false;
	sim_chip_drain(cluster);
	for (uint32_t i = 0; i < WORKERS * ROUNDS; i++) {
		check(one[1].done_ps[i] > 0, "acknowledgement %u did not arrive", i);
		check_equal(one[0].done_ps[i], one[1].done_ps[i]);
	}
	check_tiles(cluster);
	check_workers(cluster);
}

static void with_disturbances(struct cluster *cluster)
{
	same(cluster);
	check_less(5, one[0].launches);
	check_less(3, one[0].splits);
	check_less(2, one[0].splits_of_running);
}

static void without_disturbances(struct cluster *cluster)
{
	quiet = true;
	same(cluster);
	check_equal(one[0].launches, ROUNDS - 1);
}

TEST(a_crew_takes_as_long_as_each_worker)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &two_chips, .options = {.cores = &model}, .body = with_disturbances});
}

TEST(a_crew_takes_as_long_as_each_worker_without_contention)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &two_chips,
		.options = {.cores = &model, .network = "ideal"},
		.body = with_disturbances});
}

TEST(a_crew_stays_together_while_nothing_disturbs_it)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &two_chips, .options = {.cores = &model}, .body = without_disturbances});
}

TEST_MAIN(NULL, NULL)
