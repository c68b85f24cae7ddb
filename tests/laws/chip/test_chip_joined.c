/* Tests that the timing of a fabric does not depend on which host has which chips. Random packets
 * are sent twice over six chips in a line. The first time, all chips belong to one cluster; the
 * second time, to two clusters that are joined by links. Every packet must arrive at the same time
 * in both cases, to the picosecond. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/stream.h"
#include "check.h"
#include "sim_chip.h"

enum { WORD = 0x40, BULK = 0x8000, CHIPS = 6, HALF = 3, SENDERS = 12, PACKETS = 8, TRIALS = 12 };

static const struct test_cluster line_of_6 = {.rows = 1, .columns = CHIPS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster line_of_3 = {.rows = 1, .columns = HALF, .pcie = TEST_PCIE_LEFT};

/* A stream of packets along the line, from one random chip to another. The packets are delivered to
 * each chip on the way, or only to the last one. */
struct draw {
	uint16_t chips[CHIPS];
	uint16_t count;
	uint32_t deliver, bytes;
};

static struct draw draws[SENDERS];
static struct script senders[2 * TRIALS][SENDERS], receivers[2 * TRIALS][CHIPS];

/* The clusters of one machine: one of all chips, or two of half of them each. */
struct machine {
	struct cluster *clusters[2];
	uint32_t count;
	int64_t begun_ps,
		at_ps[CHIPS][SENDERS * PACKETS + 1]; /* when the chip's word got a value */
};

static struct device *chip_of(const struct machine *machine, uint16_t chip)
{
	return machine->count == 1 ? device_row->chip(machine->clusters[0], chip)
				   : device_row->chip(machine->clusters[chip / HALF], chip % HALF);
}

static void note_time(struct script *script)
{
	struct machine *machine = script->data;

	machine->at_ps[script->number][script->round + 1] = engine_now() - machine->begun_ps;
}

static void joined_send(struct script *script)
{
	struct span span = span_of(extent_new_elided(script->number));

	device_row->fabric_write(
		&script->stage, script->tree, script_worker(script->data, 0), BULK, span, WORD, 1);
	span_release(span);
}

static const struct action sends[] = {
	{.on = STAGE_WAIT_FABRIC, .run = joined_send, .repeat = PACKETS}};

/* A receiver waits for every value of its word in turn. It is idle: most values never come. */
static const struct action receives[] = {{.on = STAGE_WAIT_WORD,
	.address = WORD,
	.value = 1,
	.run = note_time,
	.repeat = SENDERS * PACKETS}};

static void draw_streams(struct stream *random)
{
	for (uint32_t i = 0; i < SENDERS; i++) {
		struct draw *draw = &draws[i];
		uint16_t from = (uint16_t)stream_below(random, CHIPS);
		uint16_t to = (uint16_t)((from + 1 + stream_below(random, CHIPS - 1)) % CHIPS);

		*draw = (struct draw){.bytes = 16 * (uint32_t)stream_below(random, 256)};
		for (uint16_t at = from; at != to; at = (uint16_t)(to > at ? at + 1 : at - 1))
			draw->chips[draw->count++] = at;
		draw->chips[draw->count++] = to;
		draw->deliver = stream_below(random, 2) ? 1u << (draw->count - 1)
							: ((1u << draw->count) - 1) & ~1u;
	}
}

static void play(struct machine *machine, uint32_t trial)
{
	const struct chip_geometry *geometry =
		device_row->info(machine->clusters[0])->chips[0].geometry;
	uint32_t used[CHIPS] = {0};

	machine->begun_ps = engine_now();
	memset(machine->at_ps, 0, sizeof machine->at_ps);
	for (uint16_t chip = 0; chip < CHIPS; chip++) {
		struct script *script = &receivers[trial][chip];

		device_row->clear(chip_of(machine, chip), geometry->worker_tiles[0], WORD, 4);
		script_init(script, chip_of(machine, chip), geometry->worker_tiles[0], receives, 1);
		script->cost = 0;
		script->idle = true;
		script->number = chip;
		script->data = machine;
		script_start(script);
	}
	for (uint32_t i = 0; i < SENDERS; i++) {
		struct script *script = &senders[trial][i];
		uint16_t from = draws[i].chips[0];

		if (used[from] == geometry->dispatch_tile_count)
			continue;
		script_init(script, chip_of(machine, from), geometry->dispatch_tiles[used[from]++],
			sends, 1);
		script->cost = 0;
		script->ends = true;
		script->number = draws[i].bytes;
		script->data = machine->clusters[0];
		script->tree = sim_chip_line(draws[i].chips, draws[i].count, draws[i].deliver);
		script->tree->of_machine = machine->count > 1;
		script->tree->lane = 1; /* trees without a lane take links in turn */
		script_start(script);
	}
	for (uint32_t i = 0; i < machine->count; i++)
		sim_chip_drain(machine->clusters[i]);
	for (uint16_t chip = 0; chip < CHIPS; chip++)
		device_row->stage_stop(chip_of(machine, chip), &receivers[trial][chip].stage);
}

/* Makes two clusters of the machine that the cluster `whole` describes. */
static void split(struct cluster *whole, struct cluster_info *infos[2], struct machine *machine)
{
	struct chip_constants constants = sim_chip_constants();
	struct sim_options options = {.topology = SIM_TOPOLOGY_LINE};
	const char *what = "";

	for (uint16_t i = 0; i < 2; i++) {
		infos[i] = test_cluster_info_new(&line_of_3);
		infos[i]->machine = device_row->info(whole);
		infos[i]->machine_first = (uint16_t)(i * HALF);
		check_status(sim_cluster_new(
				     infos[i], &constants, &options, &machine->clusters[i], &what),
			STATUS_OK);
		options.joined = machine->clusters[0];
	}
	machine->count = 2;
}

static void compare(struct cluster *cluster)
{
	static struct machine one, two;
	struct cluster_info *infos[2];
	struct stream random;
	uint32_t arrived = 0, crossed = 0;

	one = (struct machine){.clusters = {cluster}, .count = 1};
	split(cluster, infos, &two);
	for (uint32_t trial = 0; trial < TRIALS; trial++) {
		char role[32];

		snprintf(role, sizeof role, "joined/%u", trial);
		stream_init(&random, 7, role);
		draw_streams(&random);
		for (uint32_t i = 0; i < SENDERS; i++)
			crossed += (draws[i].chips[0] < HALF) !=
				   (draws[i].chips[draws[i].count - 1] < HALF);
		play(&one, 2 * trial);
		play(&two, 2 * trial + 1);
		for (uint32_t chip = 0; chip < CHIPS; chip++)
			for (uint32_t value = 1; value <= SENDERS * PACKETS; value++) {
				check(one.at_ps[chip][value] == two.at_ps[chip][value],
					"trial %u, chip %u, packet %u: at %lld ps on one host, at "
					"%lld ps on two",
					trial, chip, value, (long long)one.at_ps[chip][value],
					(long long)two.at_ps[chip][value]);
				arrived += one.at_ps[chip][value] > 0;
			}
	}
	check_less(TRIALS * SENDERS, arrived);
	check_less(TRIALS, crossed);
	for (uint32_t i = 0; i < 2; i++) {
		check_equal(sim_link_count(two.clusters[i]), i == 0 ? sim_link_count(cluster) : 0);
		sim_cluster_free(two.clusters[i]);
		test_cluster_info_free(infos[i]);
	}
}

TEST(packets_between_hosts_take_as_long_as_on_one_host)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = compare});
}

/* ---- rest ---- */

static int64_t slow_ps;

/* A cluster is not at rest while another one sends to it. */
static void wait_for_packet(struct cluster *cluster)
{
	static const uint16_t way[] = {0, 1, 2, 3};
	static const struct action once[] = {{.on = STAGE_WAIT_FABRIC, .run = joined_send}};
	static struct machine two;
	static struct script sender;
	struct cluster_info *infos[2];
	uint32_t word = 0;

	split(cluster, infos, &two);
	script_init(&sender, chip_of(&two, 0),
		device_row->info(two.clusters[0])->chips[0].geometry->dispatch_tiles[0], once, 1);
	sender.ends = true;
	sender.number = 4096;
	sender.data = two.clusters[0];
	sender.tree = sim_chip_line(way, 4, 1u << 3);
	sender.tree->of_machine = true;
	script_start(&sender);
	world->sleep_until(world->now_ns() + 1000); /* the packet is on its way */
	sim_chip_drain(two.clusters[1]);
	slow_ps = engine_now();
	check_status(
		device_row->inspect(chip_of(&two, 3), script_worker(cluster, 0), WORD, 4, &word),
		STATUS_OK);
	check_equal(word, 1);
	check_less(1000000, slow_ps);
	for (uint32_t i = 0; i < 2; i++) {
		sim_cluster_free(two.clusters[i]);
		test_cluster_info_free(infos[i]);
	}
}

TEST(a_host_is_not_at_rest_while_another_sends_to_it)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = wait_for_packet});
}

TEST_MAIN(NULL, NULL)
