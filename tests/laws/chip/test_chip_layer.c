/* Tests the L1 of many workers, whose common contents are stored only once. Random operations are
 * applied to it, and the results are compared with flat memories. The operations are multicasts to
 * changing rectangles, packed and single writes, and the workers' own stores. They write data,
 * zeros or elided data (data that are not stored). Also tests how much memory the common storage
 * uses. */
#include "test.h"

#include <malloc.h>
#include <string.h>

#include "check.h"
#include "sim_chip.h"

enum { COLUMNS = 4, ROWS = 3, WORKERS = COLUMNS * ROWS, BASE = 0x8000, BYTES = 2048 };
enum { ROUNDS = 60, OPERATIONS = 25 };

static const struct test_cluster one_chip = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};

/* State of a case, in its child process. */
static struct {
	const struct chip_geometry *geometry;
	struct device *device;
	struct script scripts[ROUNDS];
	uint64_t random;
	uint32_t shared; /* comparisons of bytes with one number */
	uint64_t number[2];
	uint32_t asked;					    /* entries of `number` */
	uint8_t flat[WORKERS][BYTES], gone[WORKERS][BYTES]; /* gone: the byte is elided */
} one;

static uint32_t below(uint32_t bound)
{
	one.random = one.random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((one.random >> 33) % bound);
}

static uint32_t some_length(void)
{
	return 1 + below(below(4) == 0 ? 600 : 48);
}

/* Bytes, zeros or elided ones. */
static struct span some_span(uint32_t length)
{
	struct span span = {.length = length};
	uint32_t kind = below(8);

	if (kind == 0)
		return span;
	if (kind == 1)
		return span_of(extent_new_elided(length));
	span = span_of(extent_new(length));
	for (uint32_t i = 0; i < length; i++)
		span.extent->bytes[i] = (uint8_t)below(256);
	return span;
}

static void expect(uint32_t worker, uint32_t at, struct span span)
{
	bool elided = span.extent != NULL && span.extent->elided;

	memset(one.gone[worker] + at, elided, span.length);
	if (!elided)
		span_read(span, 0, span.length, one.flat[worker] + at);
}

static void check_worker(const struct stage *stage, uint32_t worker, uint32_t at, uint32_t length)
{
	bool elided = memchr(one.gone[worker] + at, 1, length) != NULL;
	uint8_t bytes[BYTES];
	enum status status =
		stage != NULL ? device_row->load(stage, BASE + at, length, bytes)
			      : device_row->inspect(one.device, one.geometry->worker_tiles[worker],
					BASE + at, length, bytes);

	check_status(status, elided ? STATUS_ELIDED : STATUS_OK);
	for (uint32_t i = 0; i < length && !elided; i++)
		check(bytes[i] == one.flat[worker][at + i], "worker %u, byte %u is %u, expected %u",
			worker, at + i, bytes[i], one.flat[worker][at + i]);
}

static void check_view(const struct stage *stage, uint32_t worker, uint32_t at, uint32_t length)
{
	struct span view = device_row->view(stage, BASE + at, length);
	bool elided = memchr(one.gone[worker] + at, 1, length) != NULL;
	uint8_t bytes[BYTES];

	check_equal(view.length, length);
	check_status(span_read(view, 0, length, bytes), elided ? STATUS_ELIDED : STATUS_OK);
	check(elided || memcmp(bytes, one.flat[worker] + at, length) == 0,
		"the view of worker %u from %u on is wrong", worker, at);
	span_release(view);
}

/* Copies bytes [at, at + 16) of a worker. An elided byte becomes -1. */
static void copy_bytes(uint32_t worker, uint32_t at, int16_t out[16])
{
	for (uint32_t i = 0; i < 16; i++)
		out[i] = one.gone[worker][at + i] ? -1 : one.flat[worker][at + i];
}

/* Equal numbers (device.h, shared) mean equal bytes: of two workers, and at two times. */
static void check_shared(uint32_t at)
{
	static struct {
		uint64_t number;
		int16_t bytes[16];
	} seen[BYTES];

	for (uint32_t worker = 0; worker < WORKERS; worker++) {
		const struct stage stage = {
			.device = one.device, .tile = one.geometry->worker_tiles[worker]};
		uint64_t number = device_row->shared(&stage, BASE + at, 16);
		int16_t bytes[16];

		if (number == 0)
			continue;
		copy_bytes(worker, at, bytes);
		if (number == seen[at].number) {
			one.shared++;
			check(memcmp(bytes, seen[at].bytes, sizeof bytes) == 0,
				"worker %u, 16 B at %u: others had other bytes with number %llu",
				worker, at, (unsigned long long)number);
		}
		seen[at].number = number;
		memcpy(seen[at].bytes, bytes, sizeof bytes);
	}
}

static void multicast(struct script *script, uint32_t at, struct span span)
{
	static const struct worker_rect rects[] = {
		{0, 0, 3, 2}, {0, 0, 3, 2}, {0, 0, 3, 2}, {0, 0, 3, 1}, {1, 0, 3, 2}, {2, 0, 2, 2}};
	struct worker_rect rect = rects[below(6)];

	device_row->noc_multicast(&script->stage, rect, BASE + at, span);
	for (uint32_t row = rect.row0; row <= rect.row1; row++)
		for (uint32_t column = rect.column0; column <= rect.column1; column++)
			expect(row * COLUMNS + column, at, span);
}

/* Sends packed writes as a dispatcher does: to a few workers or to all, in one piece or in two. */
static void packed_in_order(struct script *script, uint32_t at, struct span span, uint32_t order)
{
	static const uint32_t begins[][3] = {
		{0, WORKERS}, {0, 5, WORKERS}, {0, 5}, {0, WORKERS - 1}};
	struct packed_target targets[WORKERS];
	uint32_t stride = span.length / WORKERS;
	const uint32_t *begin = begins[below(4)];

	for (uint32_t i = 0; i < WORKERS; i++)
		targets[i].tile = one.geometry->worker_tiles[(order + 5 * i) % WORKERS];
	for (uint32_t i = 0; i < 2 && begin[i + 1] > 0; i++) {
		uint32_t count = begin[i + 1] - begin[i];
		struct span part = span_part(span, begin[i] * stride, count * stride);

		device_row->noc_write_packed(
			&script->stage, &targets[begin[i]], count, BASE + at, stride, part, 0);
		for (uint32_t j = 0; j < count; j++)
			expect((order + 5 * (begin[i] + j)) % WORKERS, at,
				span_part(part, j * stride, stride));
	}
}

/* Half of the packed writes go to one of two places, as in a ring. */
static void packed(struct script *script, uint32_t at, struct span span)
{
	struct span same;

	if (below(2) == 0) {
		packed_in_order(script, at, span, below(3) == 0 ? below(WORKERS) : 0);
		return;
	}
	same = some_span(WORKERS * 32);
	packed_in_order(script, 512 + 64 * below(2), same, 0);
	span_release(same);
}

/* Runs one operation of the stage on worker 0. */
static void operate(struct script *script)
{
	uint32_t length = some_length(), at = below(BYTES - length + 1), worker = below(WORKERS);
	struct span span = some_span(length);
	uint8_t bytes[BYTES];

	switch (below(6)) {
	case 0:
	case 1:
		multicast(script, at, span);
		break;
	case 2:
		packed(script, at, span);
		break;
	case 3:
		device_row->noc_write(
			&script->stage, one.geometry->worker_tiles[worker], BASE + at, span);
		expect(worker, at, span);
		break;
	case 4:
		device_row->store_span(&script->stage, BASE + at, span);
		expect(0, at, span);
		break;
	default:
		if (span_read(span, 0, length, bytes) == STATUS_OK) {
			device_row->store(&script->stage, BASE + at, bytes, length);
			expect(0, at, span);
		}
		break;
	}
	span_release(span);
}

static void check_own(struct script *script)
{
	uint32_t length = some_length(), at = below(BYTES - length + 1);

	check_worker(&script->stage, 0, at, length);
	check_view(&script->stage, 0, at, length);
}

/* The script runs an operation, waits for its acknowledgement, then checks. */
static bool all_done(const struct script *script)
{
	return script->stage.writes_done == script->stage.writes_posted;
}

static void operate_or_look(struct script *script)
{
	if (script->round % 2 == 0)
		operate(script);
	else
		check_own(script);
}

static void random_operations(struct cluster *cluster)
{
	static const struct action step[] = {
		{.met = all_done, .run = operate_or_look, .repeat = 2 * OPERATIONS}};

	one.random = 7;
	one.device = device_row->chip(cluster, 0);
	one.geometry = device_row->info(cluster)->chips[0].geometry;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct script *script = &one.scripts[round];

		SCRIPT_INIT(script, one.device, one.geometry->worker_tiles[0], step);
		script->ends = true;
		script_start(script);
		sim_chip_drain(cluster);
		check_equal(script->at, 1);
		for (uint32_t at = 0; at < BYTES; at += 16)
			check_shared(at);
		for (uint32_t worker = 0; worker < WORKERS; worker++) {
			uint32_t length = some_length();

			check_worker(NULL, worker, below(BYTES - length + 1), length);
			if (round % 10 == 9)
				for (uint32_t at = 0; at < BYTES; at += 64)
					check_worker(NULL, worker, at, 64);
		}
	}
	check(one.shared > 1000, "only %u comparisons", one.shared);
}

TEST(random_operations_equal_flat_memories)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = random_operations});
}

/* ---- numbers of a range ---- */

static void send_all(struct script *script)
{
	struct span span = span_of(extent_new_elided(64));

	device_row->noc_multicast(&script->stage,
		(struct worker_rect){.column1 = COLUMNS - 1, .row1 = ROWS - 1}, BASE, span);
	span_release(span);
}

static void ask_number(struct script *script)
{
	one.number[one.asked++] = device_row->shared(&script->stage, BASE, 16);
}

static void write_own(struct script *script)
{
	device_row->store(&script->stage, BASE, &one.random, sizeof one.random);
}

static void numbers_of_a_range(struct cluster *cluster)
{
	static const struct action steps[] = {{.run = send_all},
		{.met = all_done, .run = ask_number}, {.run = write_own}, {.run = ask_number}};
	struct script *script = &one.scripts[0];

	SCRIPT_INIT(script, device_row->chip(cluster, 0),
		device_row->info(cluster)->chips[0].geometry->worker_tiles[0], steps);
	script->ends = true;
	script_start(script);
	sim_chip_drain(cluster);
	check(one.number[0] != 0, "a multicast has no number");
	check_equal(one.number[1], 0);
}

TEST(a_range_loses_its_number_with_the_first_own_bytes)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = numbers_of_a_range});
}

/* ---- memory use ---- */

static const struct worker_rect all = {.column1 = COLUMNS - 1, .row1 = ROWS - 1};

enum { CONFIGS = 128 };

static void send_configs(struct script *script)
{
	for (uint32_t i = 0; i < CONFIGS; i++) {
		struct span span = span_of(extent_new_elided(64));

		device_row->noc_multicast(
			&script->stage, all, BASE + 128 * (CONFIGS * script->number + i), span);
		span_release(span);
	}
}

/* Sends CONFIGS further multicasts. Returns how many bytes of the heap are then in use. */
static size_t used_after(struct cluster *cluster, uint16_t number)
{
	static const struct action send[] = {{.run = send_configs}};
	struct script *script = &one.scripts[number];

	SCRIPT_INIT(
		script, device_row->chip(cluster, 0), one.geometry->dispatch_tiles[number], send);
	script->number = number;
	script->ends = true;
	script_start(script);
	sim_chip_drain(cluster);
	return mallinfo2().uordblks;
}

static void bookkeeping(struct cluster *cluster)
{
	size_t before;

	one.geometry = device_row->info(cluster)->chips[0].geometry;
	before = used_after(cluster, 0);
	/* Each multicast may need at most 128 bytes for its data and two entries of 24 bytes. With
	 * a copy for each worker, it would need 12 times as many entries. */
	check_at_most(used_after(cluster, 1) - before, CONFIGS * 128 + 2 * CONFIGS * 24);
}

TEST(a_multicast_is_kept_once_per_chip)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &one_chip, .body = bookkeeping});
}

TEST_MAIN(NULL, NULL)
