/* The variant `per-device` of struct readers_ops (spec 3.8.7, 3.9.1, today's design): one thread
 * for each completion queue, that is, one thread for each device and command queue. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/choice/rows.h"
#include "mesh/queue/job.h"
#include "completion_parts.h"
#include "world/queue.h"

enum { EXPECTED_MAX = 1024, NAME_BYTES = 48 };

struct reader {
	struct queue *expected;
	struct thread *thread;
	enum wait_mode mode;
	uint32_t next;
	struct expectation slots[EXPECTED_MAX +
				 /* room for the expectation that the thread works on, and for the
				  * one that is being filled in */
				 2];
};

static uint32_t thread_count(uint32_t devices, uint32_t queues)
{
	return devices * queues;
}

static void readers_per_device_loop(void *arg)
{
	struct reader *reader = arg;
	void *item;

	while (queue_pop(reader->expected, &item, DEADLINE_NEVER, reader->mode) == STATUS_OK)
		expectation_take(item);
}

static void start_reader(struct lane *lane)
{
	struct mesh_device *mesh = lane->queue->mesh;
	struct reader *reader = allocate(1, sizeof(*reader));
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "reader-%u-%u", lane->chip, lane->queue->index);
	reader->mode = mesh->config.host.reader_wait;
	reader->expected = queue_new("reads to expect", EXPECTED_MAX);
	lane->reads = reader;
	reader->thread =
		world->spawn(name, host_threads_place(mesh), readers_per_device_loop, reader);
}

static void readers_per_device_start(struct mesh_device *mesh)
{
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t i = 0; i < mesh->devices; i++)
			if (mesh_is_near(mesh, i))
				start_reader(&mesh->queues[queue].lanes[i]);
}

static void readers_per_device_stop(struct mesh_device *mesh)
{
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t i = 0; i < mesh->devices; i++) {
			struct reader *reader = mesh->queues[queue].lanes[i].reads;

			if (reader != NULL)
				queue_close(reader->expected);
		}
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t i = 0; i < mesh->devices; i++) {
			struct reader *reader = mesh->queues[queue].lanes[i].reads;

			if (reader == NULL)
				continue;
			world->join(reader->thread);
			queue_free(reader->expected);
			free(reader);
		}
}

static void readers_per_device_expect(struct lane *lane, struct read *read, uint32_t event)
{
	struct reader *reader = lane->reads;
	struct expectation *slot = &reader->slots[reader->next++ % (EXPECTED_MAX + 2)];
	enum wait_mode mode = lane->queue->mesh->config.host.caller_wait;
	enum status status;

	*slot = (struct expectation){lane, read, event};
	status = queue_push(reader->expected, slot, DEADLINE_NEVER, mode);
	ensure(status == STATUS_OK, "nothing can be expected: %s", status_message(status));
}

const struct readers_ops readers_per_device = {
	.entry = {.name = "per-device",
		.description = "a reader thread per device and queue",
		.section = "3.9.1",
		.resources = "one thread per device and queue"},
	.thread_count = thread_count,
	.start = readers_per_device_start,
	.stop = readers_per_device_stop,
	.expect = readers_per_device_expect,
};
