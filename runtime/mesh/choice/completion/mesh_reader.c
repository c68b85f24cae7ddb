/* The reader thread of a mesh (completion_parts.h). Devices deliver records in any order. So the
 * thread polls all queues in which it expects records, and takes the records that have arrived. If
 * no record has arrived, the thread waits for a short time at the queue whose record was expected
 * first. While a pool thread takes the records of a read, the reader does not touch that read's
 * lane. */
#include "completion_parts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/choice.h"
#include "mesh/queue/job.h"
#include "world/pool.h"
#include "world/queue.h"

enum {
	EXPECTED_MAX = 4096, /* maximum number of messages that wait for the thread */
	/* time in ns after which the thread leaves an empty queue and polls the other queues */
	STAY_NS = 20000
};

/* A message to the thread: records to expect, or a read whose records the pool has taken. */
struct announcement {
	struct expectation expected;
	struct handed *taken; /* NULL: the message announces records to expect */
};

/* A read whose records a thread of the pool takes. */
struct handed {
	struct mesh_reader *reader;
	struct expectation expectation;
	struct pool_batch *batch;
	struct announcement end;
	struct handed *next;
};

struct mesh_reader {
	struct mesh_device *mesh;
	struct queue *announced; /* elements are struct announcement */
	struct thread *thread;
	/* the pool that takes the records of reads; NULL: the reader thread itself takes these
	 * records */
	struct pool *pool;
	/* The members from here on are only for the reader thread. `expected` has the records that
	 * it expects, in the order of their announcements. */
	struct expectation *expected;
	uint32_t count, capacity;
	struct handed *handed; /* reads that the pool has not taken yet */
	uint32_t look;	       /* number of the latest round over all queues */
	/* [queue * devices + device] number of the last round in which the lane was checked */
	uint32_t *looked;
	bool *busy; /* [queue * devices + device] true while the pool takes records of the lane */
};

uint32_t mesh_reader_count(uint32_t devices, uint32_t queues)
{
	(void)devices;
	(void)queues;
	return 1;
}

static uint32_t mesh_reader_slot(const struct mesh_reader *reader, const struct lane *lane)
{
	return lane->queue->index * reader->mesh->devices + lane->device;
}

static void mesh_reader_keep(struct mesh_reader *reader, const struct expectation *expected)
{
	if (reader->count == reader->capacity) {
		reader->capacity = reader->capacity ? 2 * reader->capacity : 64;
		reader->expected = allocate_more(
			reader->expected, reader->capacity, sizeof(*reader->expected));
	}
	reader->expected[reader->count++] = *expected;
}

/* Waits until the task `handed` of the pool, which takes the records of a read, has ended. After
 * that, the reader may use the lane of this read again. */
static void mesh_reader_end(struct mesh_reader *reader, struct handed *handed)
{
	struct handed **at = &reader->handed;

	while (*at != handed)
		at = &(*at)->next;
	*at = handed->next;
	pool_wait(reader->pool, handed->batch, reader->mesh->config.host.reader_wait);
	reader->busy[mesh_reader_slot(reader, handed->expectation.lane)] = false;
	free(handed);
}

static void mesh_reader_accept(struct mesh_reader *reader, struct announcement *announcement)
{
	if (announcement->taken != NULL) {
		mesh_reader_end(reader, announcement->taken);
		return;
	}
	mesh_reader_keep(reader, &announcement->expected);
	free(announcement);
}

/* Returns true if no pool thread is taking records of the lane, so that the reader may check it. */
static bool mesh_reader_may_look(const struct mesh_reader *reader, const struct lane *lane)
{
	return !reader->busy[mesh_reader_slot(reader, lane)];
}

/* Returns the oldest expectation whose lane the reader may check; NULL if there is none. */
static const struct expectation *mesh_reader_first(const struct mesh_reader *reader)
{
	for (uint32_t i = 0; i < reader->count; i++)
		if (mesh_reader_may_look(reader, reader->expected[i].lane))
			return &reader->expected[i];
	return NULL;
}

/* Takes all messages out of the queue `announced`. If the reader has no expectation whose lane it
 * may check (mesh_reader_may_look()), first blocks until a message brings one. Returns false if
 * the queue is closed before that. */
static bool mesh_reader_hear(struct mesh_reader *reader)
{
	enum wait_mode mode = reader->mesh->config.host.reader_wait;
	void *item;

	while (mesh_reader_first(reader) == NULL) {
		if (queue_pop(reader->announced, &item, DEADLINE_NEVER, mode) != STATUS_OK)
			return false;
		mesh_reader_accept(reader, item);
	}
	while (queue_count(reader->announced) > 0 &&
		queue_pop(reader->announced, &item, 0, mode) == STATUS_OK)
		mesh_reader_accept(reader, item);
	return true;
}

/* Called for each expectation in a round, oldest first. Returns true for the first expectation of
 * each lane. The records of a lane's other expectations are taken in later rounds. */
static bool is_next_of_its_lane(struct mesh_reader *reader, const struct lane *lane)
{
	uint32_t *looked = &reader->looked[mesh_reader_slot(reader, lane)];
	bool first = *looked != reader->look;

	*looked = reader->look;
	return first;
}

/* Runs as a task of the pool. */
static void mesh_reader_take_handed(void *arg, uint32_t index)
{
	struct handed *handed = arg;
	struct mesh_device *mesh = handed->reader->mesh;

	(void)index;
	expectation_take(&handed->expectation);
	/* when the mesh closes, the queue may be closed already; the message is then not needed */
	queue_push(handed->reader->announced, &handed->end, DEADLINE_NEVER,
		mesh->config.host.worker_wait);
}

static void mesh_reader_hand(struct mesh_reader *reader, const struct expectation *expectation)
{
	struct handed *handed = allocate(1, sizeof(*handed));

	*handed = (struct handed){.reader = reader, .expectation = *expectation};
	handed->end.taken = handed;
	reader->busy[mesh_reader_slot(reader, expectation->lane)] = true;
	handed->next = reader->handed;
	reader->handed = handed;
	handed->batch = pool_submit(reader->pool, 1, mesh_reader_take_handed, handed);
}

/* Checks each lane once. Skips lanes that a pool thread uses, and lanes of which no records are
 * expected. If records have arrived, takes those of the lane's oldest expectation, or lets the pool
 * take them. Returns the number of expectations whose records were taken or given to the pool. */
static uint32_t mesh_reader_look(struct mesh_reader *reader)
{
	uint32_t left = 0, count = reader->count;

	reader->look++;
	for (uint32_t i = 0; i < count; i++) {
		struct expectation expectation = reader->expected[i];
		struct lane *lane = expectation.lane;

		if (!is_next_of_its_lane(reader, lane) || !mesh_reader_may_look(reader, lane) ||
			completion_queue_wait(lane->completion, 0) != STATUS_OK)
			reader->expected[left++] = expectation;
		else if (reader->pool != NULL && expectation.read != NULL)
			mesh_reader_hand(reader, &expectation);
		else
			expectation_take(&expectation);
	}
	reader->count = left;
	return count - left;
}

static void mesh_reader_loop(void *arg)
{
	struct mesh_reader *reader = arg;
	struct mesh_device *mesh = reader->mesh;
	const struct threads_ops *threads = mesh->config.host.threads;
	const struct expectation *first;

	while (mesh_reader_hear(reader)) {
		/* The pool may not exist yet when this thread starts. It exists when the first
		 * record is expected */
		if (mesh->config.host.readers->offloads)
			reader->pool = threads->pool(mesh);
		first = mesh_reader_look(reader) == 0 ? mesh_reader_first(reader) : NULL;
		if (first != NULL)
			completion_queue_wait(first->lane->completion, world->now_ns() + STAY_NS);
	}
	while (reader->handed != NULL)
		mesh_reader_end(reader, reader->handed);
}

void mesh_reader_start(struct mesh_device *mesh)
{
	struct mesh_reader *reader = allocate(1, sizeof(*reader));
	uint32_t lanes = mesh->queue_count * mesh->devices;

	mesh->readers = reader;
	reader->mesh = mesh;
	reader->announced = queue_new("reads to expect", EXPECTED_MAX);
	reader->looked = allocate(lanes, sizeof(*reader->looked));
	reader->busy = allocate(lanes, sizeof(*reader->busy));
	reader->thread = world->spawn("reader", host_threads_place(mesh), mesh_reader_loop, reader);
}

void mesh_reader_stop(struct mesh_device *mesh)
{
	struct mesh_reader *reader = mesh->readers;

	queue_close(reader->announced);
	world->join(reader->thread);
	queue_free(reader->announced);
	free(reader->expected);
	free(reader->looked);
	free(reader->busy);
	free(reader);
}

void mesh_reader_expect(struct lane *lane, struct read *read, uint32_t event)
{
	struct mesh_device *mesh = lane->queue->mesh;
	struct mesh_reader *reader = mesh->readers;
	struct announcement *announcement = allocate(1, sizeof(*announcement));
	enum status status;

	*announcement = (struct announcement){{lane, read, event}, NULL};
	status = queue_push(
		reader->announced, announcement, DEADLINE_NEVER, mesh->config.host.caller_wait);
	ensure(status == STATUS_OK, "nothing can be expected: %s", status_message(status));
}
