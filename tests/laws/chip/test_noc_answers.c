/* Tests two features of the two NoCs of a chip. First, each NoC has its own interface at every
 * tile, so answers to reads on one NoC do not wait for messages on the other. Second, routers have
 * buffers, so a transfer can start before the last link of its path is free, and then wait in a
 * router. */

#include "test.h"

#include "check.h"
#include "chip/noc/links.h"
#include "sim_chip.h"

enum { FIRST_MOVER, SECOND_MOVER, READS = 20, READ_BYTES = 8160, BULK = 65536 };

/* Time of READ_BYTES and a header at 32 B/ns. */
static const int64_t each_ps = 256 * NS;

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

static void run(void (*body)(struct cluster *cluster))
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = body});
}

/* ---- interfaces ---- */

/* A processor of a worker that reads from another worker. */
struct reader {
	struct script script;
	uint32_t worker, processor;
	uint16_t from;
};

static void read_many(struct script *script)
{
	const uint16_t *tile = script->data;

	for (uint32_t i = 0; i < READS; i++)
		device_row->noc_read(&script->stage, *tile, BULK, READ_BYTES, BULK);
}

/* Runs two readers at once. Returns the time until both have their data. */
static int64_t readers_take(struct cluster *cluster, struct reader readers[2])
{
	static const struct action read[] = {
		{.run = read_many}, {.on = STAGE_WAIT_READS, .value = READS}};
	const uint16_t *workers = device_row->info(cluster)->chips[0].geometry->worker_tiles;
	int64_t began_ps = engine_now();

	for (uint32_t i = 0; i < 2; i++) {
		struct script *script = &readers[i].script;

		SCRIPT_INIT(script, device_row->chip(cluster, 0), workers[readers[i].worker], read);
		script->stage.processor = (uint8_t)readers[i].processor;
		script->stage.noc = readers[i].processor == FIRST_MOVER;
		script->cost = 0;
		script->data = &readers[i].from;
		script_start(script);
	}
	sim_chip_drain(cluster);
	return engine_now() - began_ps;
}

static uint16_t tile_of(struct cluster *cluster, uint32_t worker)
{
	return device_row->info(cluster)->chips[0].geometry->worker_tiles[worker];
}

static void check_takes(int64_t took_ps, int64_t reads)
{
	check(took_ps >= reads * each_ps && took_ps < reads * each_ps + 1000 * NS,
		"two readers take %lld ps, %lld reads after each other %lld ps", (long long)took_ps,
		(long long)reads, (long long)(reads * each_ps));
}

static void of_one_tile_over_two_nocs(struct cluster *cluster)
{
	struct reader readers[2] = {
		{.worker = 1, .processor = FIRST_MOVER, .from = tile_of(cluster, 0)},
		{.worker = 2, .processor = SECOND_MOVER, .from = tile_of(cluster, 0)}};

	check_takes(readers_take(cluster, readers), READS);
}

TEST(a_tile_answers_on_both_nocs_at_once)
{
	run(of_one_tile_over_two_nocs);
}

static void of_one_tile_over_one_noc(struct cluster *cluster)
{
	struct reader readers[2] = {
		{.worker = 1, .processor = SECOND_MOVER, .from = tile_of(cluster, 0)},
		{.worker = 2, .processor = SECOND_MOVER, .from = tile_of(cluster, 0)}};

	check_takes(readers_take(cluster, readers), 2 * READS);
}

TEST(answers_on_one_noc_follow_each_other)
{
	run(of_one_tile_over_one_noc);
}

static void to_one_tile_over_two_nocs(struct cluster *cluster)
{
	struct reader readers[2] = {
		{.worker = 0, .processor = FIRST_MOVER, .from = tile_of(cluster, 1)},
		{.worker = 0, .processor = SECOND_MOVER, .from = tile_of(cluster, 2)}};

	check_takes(readers_take(cluster, readers), READS);
}

TEST(a_tile_takes_answers_of_both_nocs_at_once)
{
	run(to_one_tile_over_two_nocs);
}

/* ---- buffers of routers ---- */

enum { BUFFER_BYTES = 2048 };

static int64_t pass(struct cluster *cluster, uint32_t from, uint32_t to, uint64_t bytes)
{
	const struct noc_load load = {.first_ps = engine_now(),
		.takes_ps = (int64_t)bytes * 1000 / 32,
		.bytes = bytes,
		.stream = NOC_ANSWERS};

	return sim_links_pass(device_row->chip(cluster, 0), 0, tile_of(cluster, from),
		       tile_of(cluster, to), &load) -
	       engine_now();
}

/* When the link to the right of worker 0, which is at (1, 1), is first used. */
static int64_t first_link_from(struct cluster *cluster)
{
	const struct device *chip = device_row->chip(cluster, 0);
	const struct noc_link *link =
		&cluster->links->chips[0].links[sim_noc_link(chip->grid, 0, 1, 1, 0)];

	check_equal(link->count, 1);
	return link->holds[0].from_ps - engine_now();
}

/* A transfer occupies the link from (2, 1) to (3, 1) for 256 ns. Another transfer, from (1, 1) to
 * (3, 1), waits for this link after its first hop. */
static void behind_a_long_one(struct cluster *cluster)
{
	int64_t hop_ps = cluster->timing.noc_hop_ps, buffer_ps = cluster->timing.noc_buffer_ps;

	check_equal(pass(cluster, 1, 2, 8192), 0);
	check_equal(pass(cluster, 0, 2, 1024), 256 * NS - hop_ps);
	check_equal(first_link_from(cluster), 256 * NS - hop_ps - buffer_ps);
}

static void run_with_buffer(uint32_t bytes, void (*body)(struct cluster *cluster))
{
	struct chip_constants constants = sim_chip_constants();

	constants.noc_buffer_bytes = bytes;
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip,
		.constants = &constants,
		.options = {.noc_links = true},
		.body = body});
}

TEST(a_transfer_waits_in_a_router_until_its_buffer_is_full)
{
	run_with_buffer(BUFFER_BYTES, behind_a_long_one);
}

TEST(without_a_buffer_it_waits_at_its_source)
{
	run_with_buffer(0, behind_a_long_one);
}

/* One transfer goes from (2, 1) to (3, 1) for 32 ns. For this time the buffer suffices. */
static void behind_a_short_one(struct cluster *cluster)
{
	int64_t hop_ps = cluster->timing.noc_hop_ps;

	check_equal(pass(cluster, 1, 2, 1024), 0);
	check_equal(pass(cluster, 0, 2, 8192), 32 * NS - hop_ps);
	check_equal(first_link_from(cluster), 0);
}

TEST(a_short_wait_delays_no_link_before)
{
	run_with_buffer(BUFFER_BYTES, behind_a_short_one);
}

TEST_MAIN(NULL, NULL)
