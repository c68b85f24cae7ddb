/* Reads of buffers (spec 3.3.5): a request to every device that is read from; data come back
 * through each device's completion queue, whatever the event path. */
#include <stdlib.h>

#include "base/ensure.h"
#include "buffer_private.h"
#include "mesh/queue.h"
#include "queue_private.h"
#include "read.h"

struct read_job {
	struct job job; /* first */
	struct read *read;
};

/* Pages in order: by one command if they are interleaved, else run by run. */
static void relay_pages(struct command_stream *stream, const struct read *read)
{
	const struct placement *placement = &read->placement;
	uint32_t stride = placement->page_stride, count;
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_PAGED};

	if (placement->config.layout == LAYOUT_INTERLEAVED && stride <= PREFETCH_PAGE_MAX) {
		if (placement->config.type == BUFFER_L1)
			relay.flags = PREFETCH_L1;
		relay.relay_paged.base = read->address;
		relay.relay_paged.page_bytes = stride;
		relay.relay_paged.pages = placement->page_count;
		command_stream_prefetch(stream, &relay);
		return;
	}
	relay.kind = PREFETCH_RELAY_LINEAR;
	for (uint32_t page = 0; page < placement->page_count; page += count) {
		struct page_place place = placement_page(placement, page);

		count = placement_run(placement, page);
		relay.relay_linear.tile = place.tile;
		relay.relay_linear.address = read->address + (uint32_t)place.offset;
		relay.relay_linear.length = count * stride;
		command_stream_prefetch(stream, &relay);
	}
}

static struct command_stream *stream(struct job *job, uint32_t device)
{
	const struct read *read = ((struct read_job *)job)->read;
	struct command_stream *stream = job_stream_slot(job, device);
	struct prefetch_command stall = {.kind = PREFETCH_STALL};
	struct dispatch_command command = {.kind = DISPATCH_WAIT,
		.flags = DISPATCH_WORKERS | DISPATCH_BARRIER | DISPATCH_RELEASE};

	/* the prefetcher reads ahead: not before everything in front of it has been written */
	command_stream_dispatch(stream, &command);
	command_stream_prefetch(stream, &stall);
	command = (struct dispatch_command){.kind = DISPATCH_WRITE_HOST};
	command.write_host.length = read->placement.page_count * read->placement.page_stride;
	command_stream_dispatch(stream, &command);
	relay_pages(stream, read);
	command_stream_finish(stream);
	return stream;
}

static bool holds(const struct read *read, uint32_t device)
{
	uint32_t columns = read->spread.device_columns;
	struct shard_rows rows;

	return read->local ||
	       mesh_spread_shard(&read->spread, device / columns, device % columns, &rows);
}

static bool expect(struct job *job, struct lane *lane)
{
	struct read *read = ((struct read_job *)job)->read;

	if (!holds(read, lane->device))
		return false;
	job->queue->mesh->config.completion->expect_read(lane, read);
	return true;
}

static void fini(struct job *job)
{
	read_release(((struct read_job *)job)->read);
}

static const struct job_ops read_ops = {.stream = stream, .expect = expect, .fini = fini};

/* A read with references for every lane, for the job and for the caller. */
static struct read *read_new(struct command_queue *queue, const struct mesh_buffer *buffer,
	struct device_range range, bool local, void *data, uint32_t operation)
{
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range);
	struct read *read = calloc(1, sizeof(*read));

	ensure(read != NULL, "no memory for a read");
	ensure(buffer->mesh == mesh, "a buffer of another mesh device");
	read->queue = queue;
	read->range = range;
	read->operation = operation;
	read->placement = buffer->placement;
	read->spread = buffer->spread;
	read->local = local;
	read->data = data;
	read->address = buffer->address;
	for (uint32_t i = 0; i < count; i++)
		read->remaining += holds(read, range_device(mesh, range, i));
	read->references = read->remaining + 2;
	return read;
}

static enum status send(struct read *read, bool blocking)
{
	struct command_queue *queue = read->queue;
	struct mesh_device *mesh = queue->mesh;
	const struct completion_ops *completion = mesh->config.completion;
	uint64_t bytes = read_record_bytes(&read->placement);
	bool wait = blocking || completion->read_must_wait(queue, read->range, bytes);
	struct read_job *job =
		job_new(sizeof(*job), &read_ops, queue, read->range, read->operation);
	enum status status = STATUS_OK;

	job->read = read;
	job->job.same = true;
	job_streams_prepare(&job->job);
	read->before = mesh->next_event + 1;
	job_send(&job->job);
	if (wait)
		completion->wait_read(read);
	if (blocking) { /* otherwise whoever synchronizes is told */
		world->monitor_enter(mesh->completed);
		status = read->status;
		mesh->read_status = STATUS_OK;
		world->monitor_exit(mesh->completed);
	}
	read_release(read);
	return status;
}

enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation)
{
	struct device_range range = device_range_all(queue->mesh->plan.mesh.shape);
	const struct mesh_spread *spread = &buffer->spread;
	enum status status;

	queue_called(operation, queue);
	if (spread->replicated_rows && spread->replicated_columns)
		range = (struct device_range){0, 0, 0, 0};
	else if (spread->replicated_rows || spread->replicated_columns) {
		if (spread->layout.orientation == ORIENTATION_ROW_MAJOR)
			range.row1 = 0;
		else
			range.column1 = 0;
	}
	status = send(read_new(queue, buffer, range, false, data, operation), blocking);
	(void)queue_returned(queue, range, false, operation);
	return status;
}

enum status enqueue_read_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, void *data, bool blocking, uint32_t operation)
{
	struct device_range range = {row, column, row, column};
	enum status status;

	queue_called(operation, queue);
	if (!device_range_valid(range, queue->mesh->plan.mesh.shape))
		return STATUS_OUT_OF_RANGE;
	status = send(read_new(queue, buffer, range, true, data, operation), blocking);
	(void)queue_returned(queue, range, false, operation);
	return status;
}
