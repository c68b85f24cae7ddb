/* label: full
 * Tests random operations of random sizes, in the native and the simulated world. The grids of
 * chips have gateways, rings that hold only a few packets, and odd batch sizes. Transaction numbers
 * keep unicasts, broadcasts to sub-grids, programs and reads in order. The final memory of every
 * chip, and the data of every read, must be those that result from this order. The name of a case
 * contains its seed. */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster gateways = {
	.rows = 2, .columns = 2, .pcie = TEST_PCIE_GATEWAYS, .worker_columns = 2, .worker_rows = 1};
static const struct test_cluster left = {.rows = 2,
	.columns = 2,
	.pcie = TEST_PCIE_LEFT,
	.worker_columns = 2,
	.worker_rows = 1,
	.dispatch_tiles = 12};
static const struct test_cluster all = {
	.rows = 2, .columns = 2, .pcie = TEST_PCIE_ALL, .worker_columns = 2, .worker_rows = 1};

enum { CHIPS = 4, AREAS = 4, AREA_BYTES = 0x8000, WRITE_MAX = 20000, OPERATIONS = 150 };

/* The expected state of a chip. */
struct expected {
	uint8_t id; /* number of its last transaction */
	uint32_t lengths[AREAS], seeds[AREAS];
	uint32_t launches;
	struct rig_program program;
};

struct campaign {
	struct rig *rig;
	struct stream random;
	struct expected chips[CHIPS];
	uint16_t trees[9];
	uint32_t tag;
};

static uint32_t below(struct campaign *campaign, uint32_t bound)
{
	return (uint32_t)stream_below(&campaign->random, bound);
}

/* A random multiple of 16 in [low, high]; all magnitudes are equally likely. */
static uint32_t size_between(struct campaign *campaign, uint32_t low, uint32_t high)
{
	uint32_t span = (high - low) / 16 + 1;

	while (span > 2 && below(campaign, 2))
		span /= 2;
	return low + 16 * below(campaign, span);
}

static void random_limits(struct campaign *campaign, struct firmware_limits *limits)
{
	uint32_t entry = size_between(campaign, 16, 8192), least_ring;

	limits->fetch_entries = 1 + below(campaign, 20);
	limits->fetch_entry_bytes = entry;
	limits->fetch_ring_bytes = size_between(campaign, entry < 2048 ? 2048 : entry, 32768);
	limits->fetch_outstanding = 1 + below(campaign, 5);
	limits->fetch_read_bytes = size_between(campaign, 16, 4096);
	limits->scratch_bytes = 2 * size_between(campaign, 16, 8192);
	limits->scratch_batch_bytes = size_between(campaign, 16, 8192);
	limits->scratch_batch_reads = size_between(campaign, 16, 256) / 16;
	limits->relay_write_bytes = size_between(campaign, 16, 8192);
	limits->dispatch_ring_bytes = size_between(campaign, 1024, 16384);
	limits->dispatch_page_bytes = size_between(campaign, 16, 1024);
	limits->packetizer_ring_bytes = size_between(campaign, 256, 16384);
	limits->landing_ring_bytes = size_between(campaign, 256, 16384);
	limits->receive_ring_bytes = size_between(campaign, 1024, 16384);
	limits->spill_bytes = below(campaign, 3) ? size_between(campaign, 256, 32768) : 0;
	limits->spill_scratch_bytes = size_between(campaign, 16, 4096);
	limits->dispatch_h_ring_bytes = 64 + 32 * below(campaign, 300);
	limits->host_write_bytes = 32 + 32 * below(campaign, 100);
	least_ring = limits->dispatch_ring_bytes;
	if (limits->receive_ring_bytes < least_ring)
		least_ring = limits->receive_ring_bytes;
	if (limits->packetizer_ring_bytes < least_ring)
		least_ring = limits->packetizer_ring_bytes;
	limits->credit_batch_bytes = size_between(campaign, 16, least_ring / 2 / 16 * 16);
	least_ring = limits->fetch_ring_bytes;
	if (limits->dispatch_h_ring_bytes < least_ring)
		least_ring = limits->dispatch_h_ring_bytes;
	limits->fabric_credit_batch_bytes = size_between(campaign, 16, least_ring / 2 / 16 * 16);
	limits->execute_parts = 1 + below(campaign, 2);
}

/* ---- operations ---- */

static struct grid_rect rect_of(uint32_t index)
{
	static const struct grid_rect rects[9] = {{0, 0, 1, 1}, {0, 0, 0, 0}, {0, 1, 0, 1},
		{1, 0, 1, 0}, {1, 1, 1, 1}, {0, 0, 0, 1}, {1, 0, 1, 1}, {0, 0, 1, 0}, {0, 1, 1, 1}};

	return rects[index];
}

static bool addressed(struct grid_rect rect, uint32_t chip)
{
	return chip / 2 >= rect.row0 && chip / 2 <= rect.row1 && chip % 2 >= rect.column0 &&
	       chip % 2 <= rect.column1;
}

static void append_area(struct command_stream *stream, struct campaign *campaign,
	struct expected *expected, uint32_t seed)
{
	uint32_t area = below(campaign, AREAS), length = 1 + below(campaign, WRITE_MAX);

	if (below(campaign, 2))
		length = 1 + length % 300;
	rig_append_write(stream, campaign->rig->chips[0].geometry->worker_tiles[area % 2],
		RIG_DATA + area * AREA_BYTES, length, seed);
	expected->lengths[area] = length;
	expected->seeds[area] = seed;
}

/* Appends a write or a program to the stream. Also applies its effect to `expected`, the state that
 * the test computes itself, for all chips that execute it. */
static void append_work(
	struct command_stream *stream, struct campaign *campaign, struct expected *expected)
{
	uint32_t seed = 1 + (uint32_t)stream_next(&campaign->random) % 100000;
	struct rig_program program = {.id = seed,
		.kernel_bytes = below(campaign, 3000),
		.cycles = below(campaign, 1000),
		.steps = (uint16_t)(1 + below(campaign, 4)),
		.unique_args = below(campaign, 40),
		.common_args = below(campaign, 20),
		.seed = seed};

	if (below(campaign, 3)) {
		append_area(stream, campaign, expected, seed);
		return;
	}
	rig_append_program(
		stream, &campaign->rig->chips[0], &program, (uint8_t)below(campaign, LAUNCH_SLOTS));
	expected->program = program;
	expected->launches++;
}

/* Applies the difference between `before` and `after` to the expected state of a chip. */
static void expected_apply(
	struct expected *chip, const struct expected *before, const struct expected *after)
{
	for (uint32_t i = 0; i < AREAS; i++) {
		if (after->seeds[i] == before->seeds[i])
			continue;
		chip->lengths[i] = after->lengths[i];
		chip->seeds[i] = after->seeds[i];
	}
	if (after->launches == before->launches)
		return;
	chip->program = after->program;
	chip->launches++;
}

static void append_id(struct command_stream *stream, struct campaign *campaign, uint32_t chip)
{
	struct dispatch_command header = {
		.kind = DISPATCH_TRANSACTION, .transaction = {.id = ++campaign->chips[chip].id}};

	command_stream_dispatch(stream, &header);
}

static void broadcast(struct campaign *campaign)
{
	struct expected none = {0}, after = {0};
	uint32_t which = below(campaign, 9);
	struct grid_rect rect = rect_of(which);
	struct prefetch_command ids = {
		.kind = PREFETCH_TRANSACTION_GRID, .transaction_grid = {.count = CHIPS}};
	struct command_stream stream;
	uint32_t route;
	uint8_t bytes[CHIPS];

	for (uint32_t chip = 0; chip < CHIPS; chip++)
		bytes[chip] = addressed(rect, chip) ? ++campaign->chips[chip].id : 0;
	command_stream_init(&stream, 0);
	route = rig_route_open(&stream, below(campaign, 2) ? campaign->trees[which] : 0, rect);
	command_stream_prefetch(&stream, &ids);
	command_stream_bytes(&stream, bytes, sizeof(bytes));
	append_work(&stream, campaign, &after);
	*command_stream_edit(&stream, stream.last_dispatch + 1, 1) |= DISPATCH_LAST;
	rig_route_close(&stream, route);
	rig_submit(campaign->rig->broadcast_issue, &stream);
	for (uint32_t chip = 0; chip < CHIPS; chip++)
		if (addressed(rect, chip))
			expected_apply(&campaign->chips[chip], &none, &after);
}

static void unicast(struct campaign *campaign, uint32_t chip)
{
	struct expected none = {0}, after = {0};
	struct command_stream stream;

	command_stream_init(&stream, 0);
	append_id(&stream, campaign, chip);
	for (uint32_t i = below(campaign, 3); i < 3; i++)
		append_work(&stream, campaign, &after);
	rig_submit(campaign->rig->chips[chip].issue, &stream);
	campaign->chips[chip].launches += after.launches > 1 ? after.launches - 1 : 0;
	expected_apply(&campaign->chips[chip], &none, &after);
}

/* Reads an area back and compares. */
static void read_area(struct campaign *campaign, uint32_t chip)
{
	struct rig_chip *from = &campaign->rig->chips[chip];
	uint32_t area = below(campaign, AREAS), length = campaign->chips[chip].lengths[area];
	uint32_t padded = command_padded(length);
	struct dispatch_command release = {.kind = DISPATCH_WAIT,
		.flags = DISPATCH_WORKERS | DISPATCH_BARRIER | DISPATCH_RELEASE};
	struct prefetch_command stall = {.kind = PREFETCH_STALL};
	struct dispatch_command host = {.kind = DISPATCH_WRITE_HOST,
		.write_host = {.tag = ++campaign->tag, .length = length}};
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_LINEAR,
		.relay_linear = {.tile = from->geometry->worker_tiles[area % 2],
			.address = RIG_DATA + area * AREA_BYTES,
			.length = padded}};
	int64_t deadline_ns = world->now_ns() + RIG_PATIENCE_NS;
	uint8_t seen[WRITE_MAX], wanted[WRITE_MAX];
	struct completion_record record;
	struct command_stream stream;

	if (length == 0)
		return;
	command_stream_init(&stream, 0);
	append_id(&stream, campaign, chip);
	command_stream_dispatch(&stream, &release);
	command_stream_prefetch(&stream, &stall);
	command_stream_dispatch(&stream, &host);
	command_stream_prefetch(&stream, &relay);
	rig_submit(from->issue, &stream);
	check_status(completion_queue_next(from->completion, deadline_ns, &record), STATUS_OK);
	check_equal(record.tag, campaign->tag);
	check_status(
		completion_queue_read(from->completion, length, deadline_ns, seen, MEMORY_CACHED),
		STATUS_OK);
	rig_fill(wanted, length, campaign->chips[chip].seeds[area]);
	check(memcmp(seen, wanted, length) == 0, "read of %u B from chip %u differs", length, chip);
}

/* ---- a campaign ---- */

static void check_chip(struct campaign *campaign, uint32_t number)
{
	const struct rig_chip *chip = &campaign->rig->chips[number];
	const struct expected *expected = &campaign->chips[number];

	for (uint32_t area = 0; area < AREAS; area++)
		if (expected->seeds[area] != 0)
			rig_check_bytes(chip, chip->geometry->worker_tiles[area % 2],
				RIG_DATA + area * AREA_BYTES, expected->lengths[area],
				expected->seeds[area]);
	for (uint32_t worker = 0; worker < 2 && expected->launches > 0; worker++) {
		check_equal(rig_result(chip, worker).launches, expected->launches);
		check_equal(rig_result(chip, worker).checksum,
			rig_checksum(&expected->program, worker));
	}
}

static void run(struct cluster *cluster, uint32_t seed)
{
	static struct campaign campaign;
	struct rig *rig = rig_init(cluster);
	uint16_t initiator = rig->info->chip_count > CHIPS ? CHIPS : 0;
	const char *which = "none";

	campaign.rig = rig;
	stream_init(&campaign.random, seed, "campaign");
	random_limits(&campaign, &rig->limits);
	check(firmware_limits_check(&rig->limits, &which, NULL) == STATUS_OK, "limit %s", which);
	rig->ordering = DISPATCH_ORDER_COUNTER;
	rig_start(rig);
	rig_broadcast(rig, initiator, 2, 2);
	for (uint32_t i = 1; i < 9; i++)
		campaign.trees[i] = rig_add_tree(rig, initiator, rect_of(i));
	for (uint32_t i = 0; i < OPERATIONS; i++) {
		uint32_t kind = below(&campaign, 6), chip = below(&campaign, CHIPS);

		if (kind < 3)
			broadcast(&campaign);
		else if (kind < 5)
			unicast(&campaign, chip);
		else
			read_area(&campaign, chip);
	}
	rig_drain(rig);
	for (uint32_t chip = 0; chip < CHIPS; chip++)
		check_chip(&campaign, chip);
}

/* The second row has found a bug once. */
#define SEEDS(X)                                                                                   \
	X(1, left)                                                                                 \
	X(2, all)                                                                                  \
	X(3, gateways)                                                                             \
	X(4, left)                                                                                 \
	X(5, all)                                                                                  \
	X(6, gateways)                                                                             \
	X(7, left) X(8, all) X(9, gateways) X(171, all) X(189, all) X(202, gateways)               \
		X(205, gateways) X(288, all) X(1162, gateways)

#define BODY(seed, platform)                                                                       \
	static void seed_##seed(struct cluster *cluster)                                           \
	{                                                                                          \
		const char *more = getenv("MESHSIM_MORE_SEEDS");                                   \
                                                                                                   \
		run(cluster, (more ? (uint32_t)atoi(more) : 0) + seed);                            \
	}
SEEDS(BODY)

int main(void)
{
	static const struct row_case cases[] = {
#define CASE(seed, platform) {"seed " #seed, seed_##seed, &platform},
		SEEDS(CASE)};

	return ROW_RUN_SUITE("firmware at random", cases);
}
