/* Readers `per-mesh` (spec 3.9.2): one thread for the completion queues of all devices. Devices are
 * ready in any order. So the thread polls all queues in which it expects records, and takes the
 * records that have arrived. If none has arrived, it waits for a while at the queue whose record
 * was expected first. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/choice/rows.h"
#include "mesh/queue/job.h"
#include "completion_parts.h"
#include "world/queue.h"

enum {
	EXPECTED_MAX = 4096, /* number of expectations that the thread has not taken over yet */
	STAY_NS = 20000	     /* time at one empty queue before the thread polls the others */
};

struct mesh_reader {
	struct mesh_device *mesh;
	struct queue *announced; /* elements are struct expectation, each allocated */
	struct thread *thread;
	/* Only the thread uses the members below: its expectations, oldest first. */
	struct expectation *expected;
	uint32_t count, capacity;
	uint32_t look;	  /* number of the last round over all queues */
	uint32_t *looked; /* [queue * devices + device] -> last round that checked this lane */
};

static uint32_t readers_per_mesh_thread_count(uint32_t devices, uint32_t queues)
{
	(void)devices;
	(void)queues;
	return 1;
}

static void readers_per_mesh_keep(struct mesh_reader *reader, struct expectation *announced)
{
	if (reader->count == reader->capacity) {
		reader->capacity = reader->capacity ? 2 * reader->capacity : 64;
		reader->expected = allocate_more(
			reader->expected, reader->capacity, sizeof(*reader->expected));
	}
	reader->expected[reader->count++] = *announced;
	free(announced);
}

/* Takes over the expectations in the queue `announced`. If the thread then has no expectation at
 * all, blocks until there is one. Returns true, or false if the queue is closed. */
static bool readers_per_mesh_hear(struct mesh_reader *reader)
{
	enum wait_mode mode = reader->mesh->config.host.reader_wait;
	void *item;

	if (reader->count == 0) {
		if (queue_pop(reader->announced, &item, DEADLINE_NEVER, mode) != STATUS_OK)
			return false;
		readers_per_mesh_keep(reader, item);
	}
	while (queue_count(reader->announced) > 0 &&
		queue_pop(reader->announced, &item, 0, mode) == STATUS_OK)
		readers_per_mesh_keep(reader, item);
	return true;
}

/* Returns true for the first record of a lane in a round. Later records of the lane wait for the
 * next round. */
static bool is_next_of_its_lane(struct mesh_reader *reader, const struct lane *lane)
{
	uint32_t *looked =
		&reader->looked[lane->queue->index * reader->mesh->devices + lane->device];
	bool first = *looked != reader->look;

	*looked = reader->look;
	return first;
}

/* Checks all lanes once, takes the records that have arrived, and returns their number. */
static uint32_t readers_per_mesh_look(struct mesh_reader *reader)
{
	uint32_t left = 0, count = reader->count;

	reader->look++;
	for (uint32_t i = 0; i < count; i++) {
		struct expectation expectation = reader->expected[i];
		struct lane *lane = expectation.lane;

		if (is_next_of_its_lane(reader, lane) &&
			completion_queue_wait(lane->completion, 0) == STATUS_OK)
			expectation_take(&expectation);
		else
			reader->expected[left++] = expectation;
	}
	reader->count = left;
	return count - left;
}

static void readers_per_mesh_loop(void *arg)
{
	struct mesh_reader *reader = arg;

	while (readers_per_mesh_hear(reader))
		if (readers_per_mesh_look(reader) == 0)
			completion_queue_wait(
				reader->expected[0].lane->completion, world->now_ns() + STAY_NS);
}

static void readers_per_mesh_start(struct mesh_device *mesh)
{
	struct mesh_reader *reader = allocate(1, sizeof(*reader));

	mesh->readers = reader;
	reader->mesh = mesh;
	reader->announced = queue_new("reads to expect", EXPECTED_MAX);
	reader->looked = allocate(mesh->queue_count * mesh->devices, sizeof(*reader->looked));
	reader->thread =
		world->spawn("reader", host_threads_place(mesh), readers_per_mesh_loop, reader);
}

static void readers_per_mesh_stop(struct mesh_device *mesh)
{
	struct mesh_reader *reader = mesh->readers;

	queue_close(reader->announced);
	world->join(reader->thread);
	queue_free(reader->announced);
	free(reader->expected);
	free(reader->looked);
	free(reader);
}

static void readers_per_mesh_expect(struct lane *lane, struct read *read, uint32_t event)
{
	struct mesh_device *mesh = lane->queue->mesh;
	struct mesh_reader *reader = mesh->readers;
	struct expectation *expectation = allocate(1, sizeof(*expectation));
	enum status status;

	*expectation = (struct expectation){lane, read, event};
	status = queue_push(
		reader->announced, expectation, DEADLINE_NEVER, mesh->config.host.caller_wait);
	ensure(status == STATUS_OK, "nothing can be expected: %s", status_message(status));
}

const struct readers_ops readers_per_mesh = {
	.entry = {.name = "per-mesh",
		.description = "one reader thread for the completion queues of all devices",
		.section = "3.9.2",
		.resources = "one thread"},
	.thread_count = readers_per_mesh_thread_count,
	.start = readers_per_mesh_start,
	.stop = readers_per_mesh_stop,
	.expect = readers_per_mesh_expect,
};
