/* label: full  needs: simgrid
 * Tests the order of blocking and non-blocking reads, in the native and the simulated world. When a
 * blocking read returns, all earlier reads of the same queue from the same devices must be
 * complete. Other non-blocking reads need not be complete before a finish. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_case.h"
#include "mesh_rows.h"

enum { SIDE = 2, SHARDED_BYTES = SIDE * SIDE << 16, REPLICATED_BYTES = 2048, READS_MAX = 16 };

/* Orders of reads. A letter is a read: s of the sharded buffer, r of the replicated buffer, l of
 * the replica on the last device. Capital letters are blocking reads. A digit is the queue of the
 * reads after it. */
static const char *const orders[] = {
	"sR",
	"rsR",
	"srR",
	"sL",
	"slR",
	"lsRL",
	"rlS",
	"slrS",
	"srRS",
	"sRsLsR",
	"0s1sR0R",
	"0s1r0r1S0R",
	"0sl1slR0L",
	"0rs1R0L1S",
};

struct pending_read {
	struct device_range range;
	uint32_t queue, bytes;
	uint8_t *back;
};

static struct mesh_case test;
static struct mesh_buffer *sharded, *replicated;
static uint8_t sharded_data[SHARDED_BYTES], replicated_data[REPLICATED_BYTES];

static const uint8_t *data_of(const struct pending_read *read)
{
	return read->bytes == SHARDED_BYTES ? sharded_data : replicated_data;
}

static void start_read(struct pending_read *read, char kind, uint32_t number, bool blocking)
{
	struct command_queue *queue = mesh_queue(test.mesh, number);
	enum status status;

	*read = (struct pending_read){.queue = number};
	read->bytes = kind == 's' ? SHARDED_BYTES : REPLICATED_BYTES;
	read->back = calloc(read->bytes, 1);
	read->range = mesh_buffer_read_range(kind == 's' ? sharded : replicated);
	if (kind == 'l') {
		read->range = (struct device_range){SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1};
		status = enqueue_read_shard(
			queue, replicated, SIDE - 1, SIDE - 1, read->back, blocking, 0);
	} else {
		status = enqueue_read_buffer(
			queue, kind == 's' ? sharded : replicated, read->back, blocking, 0);
	}
	assert_int_equal(status, STATUS_OK);
}

/* Checks that everything read by `queue` from `range` so far has arrived. */
static void check_reads(const struct pending_read *reads, uint32_t count, uint32_t queue,
	struct device_range range, const char *order)
{
	for (uint32_t i = 0; i < count; i++)
		if (reads[i].queue == queue && device_range_covers(range, reads[i].range) &&
			memcmp(reads[i].back, data_of(&reads[i]), reads[i].bytes) != 0)
			fail_msg("order %s: read %u is not there after read %u", order, i,
				count - 1);
}

static void read_in_order(const char *order)
{
	struct device_range all = device_range_all(mesh_device_shape(test.mesh));
	struct pending_read reads[READS_MAX];
	uint32_t count = 0, queue = 0;

	for (const char *at = order; *at; at++) {
		bool blocking = *at >= 'A' && *at <= 'Z';

		if (*at == '0' || *at == '1') {
			queue = (uint32_t)(*at - '0');
			continue;
		}
		start_read(
			&reads[count++], blocking ? (char)(*at - 'A' + 'a') : *at, queue, blocking);
		if (blocking)
			check_reads(reads, count, queue, reads[count - 1].range, order);
	}
	for (queue = 0; queue < 2; queue++) {
		assert_int_equal(
			queue_finish(mesh_queue(test.mesh, queue), 0, DEADLINE_NEVER), STATUS_OK);
		check_reads(reads, count, queue, all, order);
	}
	for (uint32_t i = 0; i < count; i++)
		free(reads[i].back);
}

static struct mesh_buffer *write_new(const struct mesh_layout *layout, uint8_t *data)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_buffer *buffer;

	mesh_case_fill(data, layout->size_bytes, layout->size_bytes);
	assert_int_equal(mesh_buffer_new(test.mesh, layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(
		enqueue_write_buffer(mesh_queue(test.mesh, 0), buffer, data, true, 0), STATUS_OK);
	return buffer;
}

static void read_in_all_orders(struct cluster *cluster)
{
	struct mesh_layout shards = {.sharded = true,
		.size_bytes = SHARDED_BYTES,
		.global_height = SIDE,
		.global_width = SHARDED_BYTES / SIDE / 4,
		.shard_height = 1,
		.shard_width = SHARDED_BYTES / SIDE / SIDE / 4};
	struct mesh_layout replica = {.size_bytes = REPLICATED_BYTES};

	test.cluster = cluster;
	mesh_case_attach(&test);
	sharded = write_new(&shards, sharded_data);
	replicated = write_new(&replica, replicated_data);
	assert_int_equal(device_range_count(mesh_buffer_read_range(sharded)), SIDE * SIDE);
	assert_int_equal(device_range_count(mesh_buffer_read_range(replicated)), 1);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		read_in_order(orders[i]);
	mesh_buffer_free(sharded);
	mesh_buffer_free(replicated);
	mesh_close(test.mesh);
}

static void run_row(const struct row *row, const char *completion, const char *threads,
	const struct readers_ops *readers, uint32_t pollers)
{
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "unicast", 0, completion, threads);
	test.config.host.count = 2;
	test.config.host.readers = readers;
	test.config.host.pollers = pollers;
	mesh_row_run(row, &test, read_in_all_orders, "%s, %s", completion, threads);
}

/* If the event path has readers, runs the test with every implementation of readers. If the event
 * path polls, runs the test with 1, 3 and 5 pollers. */
static void run_readers(
	const struct row *row, const struct completion_ops *completion, const char *threads)
{
	const struct registry_entry *entry = &completion->entry;
	bool reads = registry_entry_has_key(entry, "runtime.host.readers");
	bool polls = registry_entry_has_key(entry, "runtime.host.pollers");

	for (size_t r = 0; readers_row(r) != NULL && (reads || r == 0); r++)
		for (uint32_t pollers = 1; pollers <= (polls ? 5 : 1); pollers += 2)
			if (!readers_row(r)->offloads || threads_find(threads)->pool != NULL)
				run_row(row, entry->name, threads, readers_row(r), pollers);
}

TEST(a_blocking_read_brings_the_earlier_ones_of_its_devices)
{
	for (uint32_t row = 0; row < row_count; row++)
		for (size_t c = 0; sound_row(c) != NULL; c++)
			for (size_t t = 0; threads_row(t) != NULL; t++)
				run_readers(rows[row], sound_row(c), threads_name(t));
}

TEST_MAIN(NULL, NULL)
