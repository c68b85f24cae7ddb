/* Tests that PCIe takes the times that formulas give, including the work of the host: for posted
 * writes, reads by the host and by the device, and writes by the device. */

#include "test.h"

#include "check.h"
#include "engine/server.h"
#include "sim_chip.h"

enum { WORD = 0x40, BULK = 0x8000, WINDOW_BYTES = 1 << 20 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

/* State of a case, in its child process. */
static struct {
	struct cluster *cluster;
	const struct chip_geometry *geometry;
	struct device *device;
	uint16_t tile;
	struct script scripts[2]; /* started one after the other */
	uint32_t started;
	uint64_t window;
	int64_t sent_ps, at_ps, done_ps;
} one;

static void begin(struct cluster *cluster)
{
	one.cluster = cluster;
	one.device = device_row->chip(cluster, 0);
	one.geometry = device_row->info(cluster)->chips[0].geometry;
	one.tile = one.geometry->dispatch_tiles[0];
	check_status(
		device_row->window_reserve(cluster, "test", WINDOW_BYTES, &one.window), STATUS_OK);
}

static void play(const struct action *actions, uint32_t count)
{
	struct script *script = &one.scripts[one.started++];

	script_init(script, one.device, one.tile, actions, count);
	script->cost = 0;
	script_start(script);
}

static void note_time(struct script *script)
{
	(void)script;
	one.at_ps = engine_now();
}

/* From the chip's PCIe tile to the stage's tile. */
static int64_t path_ps(void)
{
	return sim_chip_path_ps(one.cluster, one.geometry->pcie_tile, one.tile);
}

static int64_t at_20_gb_ps(uint64_t bytes)
{
	return server_transfer_ps(bytes, UINT64_C(20000000000));
}

/* ---- the host posts ---- */

static const struct action wait_for_1[] = {
	{.on = STAGE_WAIT_WORD, .address = WORD, .value = 1, .run = note_time}};

static void doorbell(struct cluster *cluster)
{
	int64_t left_ps;

	begin(cluster);
	play(wait_for_1, 1);
	world->work(WORK_API_CALL, 3); /* 3 us, paid before the doorbell rings */
	device_row->post_word(one.device, one.tile, WORD, 1);
	left_ps = engine_now();
	check_equal(left_ps, 3 * US);
	sim_chip_drain(cluster);
	check_equal(one.at_ps - left_ps, at_20_gb_ps(4) + 200 * NS + path_ps());
}

TEST(a_doorbell_does_not_hold_the_host_and_takes_the_path)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = doorbell});
}

static void doorbell_behind_data(struct cluster *cluster)
{
	struct span span = span_of(extent_new_elided(100000));

	begin(cluster);
	play(wait_for_1, 1);
	device_row->post(one.device, one.tile, BULK, span);
	device_row->post_word(one.device, one.tile, WORD, 1);
	check_equal(engine_now(), 0);
	span_release(span);
	sim_chip_drain(cluster);
	check_equal(one.at_ps, at_20_gb_ps(100000) + at_20_gb_ps(4) + 200 * NS + path_ps());
}

TEST(posted_writes_stay_in_order)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = doorbell_behind_data});
}

/* ---- the host reads ---- */

static void peeks(struct cluster *cluster)
{
	uint32_t value = 0;
	uint8_t bytes[1000];

	begin(cluster);
	device_row->post_word(one.device, one.tile, WORD, 77);
	check_status(device_row->peek(one.device, one.tile, WORD, 4, &value), STATUS_OK);
	check_equal(value, 77);
	check_equal(engine_now(), at_20_gb_ps(4) + 1000 * NS + 4 * NS);
	one.sent_ps = engine_now();
	check_status(device_row->peek(one.device, one.tile, BULK, 1000, bytes), STATUS_OK);
	check_equal(engine_now() - one.sent_ps, 1000 * NS + 1000 * NS);
}

TEST(a_read_by_the_host_stalls_it_for_the_round_trip_and_sees_what_was_posted)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = peeks});
}

/* ---- the device reads ---- */

static uint32_t read_bytes;

static void read_window(struct script *script)
{
	one.sent_ps = engine_now();
	device_row->pcie_read(&script->stage, one.window, read_bytes, BULK);
}

static const struct action read_once[] = {
	{.run = read_window}, {.on = STAGE_WAIT_READS, .value = 1, .run = note_time}};

static void device_reads(struct cluster *cluster)
{
	struct sim_pcie_statistics pcie;

	begin(cluster);
	read_bytes = 64;
	play(read_once, 2);
	sim_chip_drain(cluster);
	check_equal(one.at_ps - one.sent_ps, 700 * NS + at_20_gb_ps(64));
	/* The read consists of 16 requests of 4 KiB, of which four can be in flight. The data of
	 * the first four requests follow each other on the link. Each later request is sent when
	 * the data of an earlier request have arrived. */
	read_bytes = 16 * 4096;
	play(read_once, 2);
	sim_chip_drain(cluster);
	check_equal(one.at_ps - one.sent_ps,
		4 * (700 * NS + at_20_gb_ps(4096)) + 3 * at_20_gb_ps(4096));
	sim_pcie_statistics(cluster, 0, &pcie);
	check_equal(pcie.reads, 17);
	check_equal(pcie.read_bytes, 64 + 16 * 4096);
	check_equal(pcie.down_busy_ps, at_20_gb_ps(64) + 16 * at_20_gb_ps(4096));
}

TEST(reads_by_the_device_overlap_up_to_the_limit)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = device_reads});
}

static void device_reads_at_full_rate(struct cluster *cluster)
{
	begin(cluster);
	read_bytes = 64 * 4096;
	play(read_once, 2);
	sim_chip_drain(cluster);
	check_equal(one.at_ps - one.sent_ps, 700 * NS + 64 * at_20_gb_ps(4096));
}

TEST(with_enough_outstanding_the_link_is_the_limit)
{
	struct chip_constants constants = sim_chip_constants();

	constants.pcie_reads_outstanding = 8;
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &one_chip, .constants = &constants, .body = device_reads_at_full_rate});
}

/* ---- the device writes ---- */

static void write_data_then_word(struct script *script)
{
	struct span span = span_of(extent_new_elided(10000));

	one.sent_ps = engine_now();
	device_row->pcie_write(&script->stage, one.window + 4096, span);
	device_row->pcie_write_word(&script->stage, one.window, 5);
	span_release(span);
}

static void note_done(struct script *script)
{
	(void)script;
	one.done_ps = engine_now();
}

static const struct action write_both[] = {
	{.run = write_data_then_word}, {.on = STAGE_WAIT_WRITES, .value = 2, .run = note_done}};

static void device_writes(struct cluster *cluster)
{
	int64_t left_ps = 10000 * 1000 / 25 + 160;
	uint32_t bytes[2];

	begin(cluster);
	play(write_both, 2);
	check_status(device_row->window_wait(
			     cluster, one.window, 5, DEADLINE_NEVER, WAIT_SPIN, "the word"),
		STATUS_OK);
	/* Each of the two polls of the word costs 1 ns. */
	check_equal(engine_now(), left_ps + 500 * NS + 1 * NS);
	check_equal(one.done_ps, left_ps + 250 * NS);
	check_status(device_row->window_read(cluster, one.window + 4096, 8, bytes), STATUS_ELIDED);
	check_equal(device_row->window_word(cluster, one.window), 5);
	sim_chip_drain(cluster);
}

TEST(writes_by_the_device_are_acknowledged_before_the_host_sees_them)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = device_writes});
}

/* ---- memory ---- */

static void reservations(struct cluster *cluster)
{
	uint64_t first, second, third;

	begin(cluster);
	check_status(device_row->window_reserve(cluster, "a", 1, &first), STATUS_OK);
	check_status(device_row->window_reserve(cluster, "b", 4096, &second), STATUS_OK);
	check_equal(second - first, 4096);
	check_status(device_row->window_reserve(cluster, "c", UINT64_C(1) << 30, &third),
		STATUS_NO_MEMORY);
	check_status(
		device_row->window_reserve(cluster, "d", UINT64_MAX, &third), STATUS_NO_MEMORY);
}

TEST(the_window_is_given_out_until_it_is_full)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = reservations});
}

TEST(refused)
{
	struct chip_constants constants = sim_chip_constants();
	struct sim_options options = {.network = "perfect"};
	struct cluster_info info = {0};
	struct cluster *cluster;
	const char *what = NULL;

	assert_int_equal(
		sim_cluster_new(&info, &constants, &options, &cluster, &what), STATUS_INVALID);
	assert_string_equal(what, "network");
	options.network = "packet";
	constants.pcie_reads_outstanding = 0;
	assert_int_equal(
		sim_cluster_new(&info, &constants, &options, &cluster, &what), STATUS_INVALID);
	assert_string_equal(what, "pcie_reads_outstanding");
	constants.pcie_reads_outstanding = 1;
	constants.ethernet_latency_ns = -1;
	assert_int_equal(
		sim_cluster_new(&info, &constants, &options, &cluster, &what), STATUS_INVALID);
	assert_string_equal(what, "ethernet_latency_ns");
}

TEST_MAIN(NULL, NULL)
