/* Reads of buffers without reader threads. The data stay in the completion queues until a call
 * synchronizes. Then the host threads of runtime.host.threads take the data out
 * (completion_parts.h). */
#include "completion_parts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/plan/plan.h"
#include "mesh/queue/job.h"
#include "mesh/queue/transfer.h"

/* The reads whose records have not yet arrived in a lane's completion queue, oldest first. */
struct read_queue {
	struct read **at;
	uint32_t first, count, capacity; /* a ring; capacity is a power of two */
	uint64_t bytes; /* number of bytes that the records of these reads occupy */
};

static void completion_reads_start(struct mesh_device *mesh)
{
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t i = 0; i < mesh->devices; i++) {
			struct read_queue *reads = allocate(1, sizeof(*reads));

			mesh->queues[queue].lanes[i].reads = reads;
		}
}

static void completion_reads_stop(struct mesh_device *mesh)
{
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t i = 0; i < mesh->devices; i++) {
			struct read_queue *reads = mesh->queues[queue].lanes[i].reads;

			free(reads->at);
			free(reads);
		}
}

static void completion_reads_grow(struct read_queue *reads)
{
	uint32_t capacity = reads->capacity ? 2 * reads->capacity : 8;
	struct read **at = allocate(capacity, sizeof(*at));

	for (uint32_t i = 0; i < reads->count; i++)
		at[i] = reads->at[(reads->first + i) & (reads->capacity - 1)];
	free(reads->at);
	*reads = (struct read_queue){at, 0, reads->count, capacity, reads->bytes};
}

static void completion_reads_expect(struct lane *lane, struct read *read)
{
	struct read_queue *reads = lane->reads;

	if (reads->count == reads->capacity)
		completion_reads_grow(reads);
	reads->at[(reads->first + reads->count++) & (reads->capacity - 1)] = read;
	reads->bytes += read_record_bytes(read);
}

/* The argument of drain_lane(), which host threads run for each device of a range. It takes the
 * data of all reads that were sent before `event` out of the completion queue. */
struct drain {
	struct command_queue *queue;
	uint32_t event;
};

static void drain_lane(void *arg, uint32_t device)
{
	struct drain *drain = arg;
	struct lane *lane = &drain->queue->lanes[device];
	struct read_queue *reads = lane->reads;

	while (reads->count > 0) {
		struct read *read = reads->at[reads->first];

		if ((int32_t)(read->before - drain->event) > 0)
			break;
		reads->first = (reads->first + 1) & (reads->capacity - 1);
		reads->count--;
		reads->bytes -= read_record_bytes(read);
		read_receive(read, lane);
	}
}

static bool pending(struct command_queue *queue, struct device_range range, uint32_t event)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		const struct read_queue *reads =
			queue->lanes[range_device(queue->mesh, range, i)].reads;

		if (reads->count > 0 && (int32_t)(reads->at[reads->first]->before - event) <= 0)
			return true;
	}
	return false;
}

void reads_drain(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct drain arg = {queue, event};

	host_threads_wait(queue->mesh); /* wait until threads have registered all reads */
	if (!pending(queue, range, event))
		return;
	host_threads_post(queue->mesh, range, drain_lane, NULL, &arg);
	host_threads_wait(queue->mesh);
}

static void wait(struct read *read)
{
	reads_drain(read->queue, read->range, read->before);
	ensure(read->remaining == 0, "a read is not complete after its records");
}

/* Implements read_ops.must_wait. The host takes data out of a completion queue only when it
 * synchronizes. So the data of all pending reads must fit into the queue. Otherwise, the device
 * would wait for room for ever. The limit is three quarters of a queue, because a device learns
 * only later that the host has freed room. */
static bool completion_reads_must_wait(
	struct command_queue *queue, struct device_range range, uint64_t bytes)
{
	uint64_t room = (uint64_t)sizes_completion_queue(&queue->mesh->config) / 4 * 3;
	uint32_t count = device_range_count(range);

	if (bytes > room)
		return true;
	host_threads_wait(queue->mesh);
	for (uint32_t i = 0; i < count; i++) {
		const struct read_queue *reads =
			queue->lanes[range_device(queue->mesh, range, i)].reads;

		if (reads->bytes + bytes > room) {
			reads_drain(queue, range, queue->mesh->next_event + 1);
			return false;
		}
	}
	return false;
}

const struct read_ops reads_when_synchronized = {.start = completion_reads_start,
	.stop = completion_reads_stop,
	.expect = completion_reads_expect,
	.wait = wait,
	.must_wait = completion_reads_must_wait};
