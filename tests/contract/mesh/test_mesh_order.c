/* label: full  needs: simgrid timeout: 300
 * Tests the order of transactions, which have 8-bit numbers (spec 3.8.4), on every queue, in the
 * native and the simulated world. No transaction overtakes another, even if many unicasts are
 * pending between two broadcasts, or many broadcasts between two unicasts. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "mesh_case.h"
#include "row.h"

enum { SIDE = 2, ROW = 1, COLUMN = 1, WORDS = 8, BYTES = 4 * WORDS };

static const uint32_t pending_counts[] = {254, 255, 256, 257, 258, 511, 512, 513};

static struct mesh_case test;
static struct mesh_buffer *buffer;

/* Writes the number to all devices, by broadcast, or to one device. */
static void write_number(struct command_queue *queue, uint32_t number, bool everywhere)
{
	static uint32_t words[1024][WORDS]; /* must stay valid until the finish */
	uint32_t *data = words[number];
	enum status status;

	for (int i = 0; i < WORDS; i++)
		data[i] = number;
	status = everywhere ? enqueue_write_buffer(queue, buffer, data, false, 0)
			    : enqueue_write_shard(queue, buffer, ROW, COLUMN, data, false, 0);
	assert_int_equal(status, STATUS_OK);
}

/* The event that `queue` will record next, so that another queue can wait for it already. */
static struct mesh_event next_event(struct command_queue *queue, struct device_range range)
{
	struct mesh_event event;

	assert_int_equal(enqueue_record_event(queue, range, false, 0, &event), STATUS_OK);
	event.id++;
	return event;
}

/* Makes queue `number` wait for an event. After the wait, enqueues `pending` writes and one last
 * write. If `broadcast_last` is set, the event and the last write are broadcasts, and the other
 * writes are unicasts. If not, the event and the last write are unicasts, and the others are
 * broadcasts. Then records the event, so that the queue goes on. Returns the number of the write
 * whose data device (ROW, COLUMN) has at the end. */
static uint32_t write_behind(uint32_t pending, uint32_t number, bool broadcast_last)
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
	return back[0];
}

static void open_mesh(struct cluster *cluster, const struct ordering_ops *ordering)
{
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = BYTES};
	struct mesh_layout layout = {.size_bytes = BYTES};

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.forward.ordering = ordering;
	test.limits.fetch_entries = 1024;
	test.cluster = cluster;
	mesh_case_attach(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
}

static void close_mesh(void)
{
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
}

static void behind_any_number(struct cluster *cluster, const char *ordering)
{
	open_mesh(cluster, ordering_find(ordering));
	for (uint32_t both = 0; both < 4; both++)
		for (size_t i = 0; i < sizeof(pending_counts) / sizeof(*pending_counts); i++) {
			uint32_t pending = pending_counts[i], queue = both % 2;
			uint32_t last = write_behind(pending, queue, both / 2);

			if (last != pending)
				fail_msg("%s, %s with %u pending, queue %u: write %u is there last",
					ordering,
					both / 2 ? "broadcast behind unicasts"
						 : "unicast behind broadcasts",
					pending, queue, last);
		}
	close_mesh();
}

static void counter_keeps_order_behind_any_number(struct cluster *cluster)
{
	behind_any_number(cluster, "counter");
}

static void event_keeps_order_behind_any_number(struct cluster *cluster)
{
	behind_any_number(cluster, "event");
}

/* Writes by unicast and by broadcast in random order, and calls finish from time to time. At the
 * end, the device must hold the data of the last write. */
static void random_turns(struct cluster *cluster, const char *ordering)
{
	struct command_queue *queue;
	struct stream stream;

	open_mesh(cluster, ordering_find(ordering));
	queue = mesh_queue(test.mesh, 0);
	stream_init(&stream, 1, "turns");
	for (uint32_t round = 0; round < 60; round++) {
		uint32_t count = 1 + (uint32_t)stream_below(&stream, round % 10 ? 8 : 400);
		uint32_t back[WORDS], odds = 1 + (uint32_t)stream_below(&stream, 300);

		for (uint32_t i = 0; i < count; i++)
			write_number(queue, i, stream_below(&stream, odds) > 0);
		if (stream_below(&stream, 2) == 0)
			assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
		assert_int_equal(
			enqueue_read_shard(queue, buffer, ROW, COLUMN, back, true, 0), STATUS_OK);
		if (back[0] != count - 1)
			fail_msg("%s, round %u: write %u of %u is there last", ordering, round,
				back[0], count);
	}
	close_mesh();
}

static void counter_keeps_the_order_of_turns(struct cluster *cluster)
{
	random_turns(cluster, "counter");
}

static void event_keeps_the_order_of_turns(struct cluster *cluster)
{
	random_turns(cluster, "event");
}

static void without_order_a_broadcast_is_overtaken(struct cluster *cluster)
{
	uint32_t last;

	open_mesh(cluster, ordering_find("none"));
	last = write_behind(1, 0, false);
	/* natively this depends on the threads */
	if (row_current()->timed)
		assert_int_equal(last, 0);
	close_mesh();
}

/* Fails if a row is added that this suite does not test. */
static void no_row_is_left_out(struct cluster *cluster)
{
	(void)cluster;
	assert_string_equal(ordering_name(0), "counter");
	assert_string_equal(ordering_name(1), "event");
	assert_string_equal(ordering_name(2), "none");
	assert_null(ordering_name(3));
}

static const struct test_cluster cluster = {.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(counter_keeps_order_behind_any_number, cluster),
		ROW_CASE(event_keeps_order_behind_any_number, cluster),
		ROW_CASE(counter_keeps_the_order_of_turns, cluster),
		ROW_CASE(event_keeps_the_order_of_turns, cluster),
		ROW_CASE(without_order_a_broadcast_is_overtaken, cluster),
		{"no row is left out", no_row_is_left_out, NULL},
	};

	return ROW_RUN_SUITE("mesh_order", cases);
}
