/* needs: simgrid timeout: 300 Transactions are numbered with eight bits (spec 3.8.4): however many
 * of them are pending between two of the other kind, none of them overtakes, on any queue and in
 * both worlds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_case.h"
#include "row.h"

enum { SIDE = 2, ROW = 1, COLUMN = 1, WORDS = 8, BYTES = 4 * WORDS };

static const uint32_t pending_counts[] = {254, 255, 256, 257, 258, 511, 512, 513};

static struct mesh_case test;
static struct mesh_buffer *buffer;

/* Writes the number everywhere, which is broadcast, or to one device. */
static void write_number(struct command_queue *queue, uint32_t number, bool everywhere)
{
	static uint32_t words[1024][WORDS]; /* valid until the finish */
	uint32_t *data = words[number];
	enum status status;

	for (int i = 0; i < WORDS; i++)
		data[i] = number;
	status = everywhere ? enqueue_write_buffer(queue, buffer, data, false, 0)
			    : enqueue_write_shard(queue, buffer, ROW, COLUMN, data, false, 0);
	assert_int_equal(status, STATUS_OK);
}

/* An event that `queue` records next, and that another queue may wait for already now. */
static struct mesh_event next_event(struct command_queue *queue, struct device_range range)
{
	struct mesh_event event;

	assert_int_equal(enqueue_record_event(queue, range, false, 0, &event), STATUS_OK);
	event.id++;
	return event;
}

/* Holds the queue at the one device by a transaction of one kind, sends `pending` of the other
 * kind, then one of the first. */
static void write_behind(uint32_t pending, uint32_t number, bool broadcast_last)
{
	struct device_range all = device_range_all(mesh_device_shape(test.mesh));
	struct device_range one = {ROW, COLUMN, ROW, COLUMN};
	struct command_queue *queue = mesh_queue(test.mesh, number);
	struct command_queue *other = mesh_queue(test.mesh, 1 - number);
	struct mesh_event release = next_event(other, broadcast_last ? all : one), event;
	uint32_t back[WORDS];

	assert_int_equal(enqueue_wait_event(queue, &release, 0), STATUS_OK);
	for (uint32_t i = 0; i < pending; i++)
		write_number(queue, i, !broadcast_last);
	write_number(queue, pending, broadcast_last);
	assert_int_equal(enqueue_record_event(other, release.range, false, 0, &event), STATUS_OK);
	assert_int_equal(event.id, release.id);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(enqueue_read_shard(queue, buffer, ROW, COLUMN, back, true, 0), STATUS_OK);
	if (back[0] != pending)
		fail_msg("%s with %u pending, queue %u: write %u is there last",
			broadcast_last ? "broadcast behind unicasts" : "unicast behind broadcasts",
			pending, number, back[0]);
}

static void behind_any_number(struct cluster *cluster, bool broadcast_last)
{
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = BYTES};
	struct mesh_layout layout = {.size_bytes = BYTES};

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.limits.fetch_entries = 1024;
	test.cluster = cluster;
	mesh_case_attach(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t queue = 0; queue < 2; queue++)
		for (size_t i = 0; i < sizeof(pending_counts) / sizeof(*pending_counts); i++)
			write_behind(pending_counts[i], queue, broadcast_last);
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
}

static void a_broadcast_comes_behind_any_number_of_unicasts(struct cluster *cluster)
{
	behind_any_number(cluster, true);
}

static void a_unicast_comes_behind_any_number_of_broadcasts(struct cluster *cluster)
{
	behind_any_number(cluster, false);
}

static const struct test_cluster cluster = {.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		{"a broadcast comes behind any number of unicasts",
			a_broadcast_comes_behind_any_number_of_unicasts, &cluster},
		{"a unicast comes behind any number of broadcasts",
			a_unicast_comes_behind_any_number_of_broadcasts, &cluster},
	};

	return row_run_suite("mesh_order", cases, sizeof(cases) / sizeof(*cases));
}
