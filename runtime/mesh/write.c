/* Writes to buffers (spec 3.3.5): pages, padded as they lie on the device, inside dispatch
 * commands. What all devices get alike is built once and may be broadcast; shards go to their
 * devices one by one. */
#include "write.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "mesh/queue.h"
#include "queue_private.h"

struct write_job {
	struct job job; /* first */
	struct placement placement;
	struct mesh_spread spread;
	uint32_t address;
	bool local;  /* `data` is one device's part */
	bool elided; /* nobody looks at the data */
	const uint8_t *data;
	uint8_t *owned; /* freed with the job, or NULL */
};

/* The data of a device as one piece, gathered if its rows are apart (then *owned is to be freed).
 */
static const uint8_t *device_data(const struct write_job *write, uint32_t device, uint8_t **owned)
{
	uint32_t row = device / write->spread.device_columns;
	uint32_t column = device % write->spread.device_columns;
	struct shard_rows rows;

	*owned = NULL;
	if (write->local || write->elided || !mesh_spread_shard(&write->spread, row, column, &rows))
		return write->data;
	if (rows.rows == 1)
		return write->data + rows.first_byte;
	*owned = malloc(write->spread.device_bytes);
	ensure(*owned != NULL, "no memory for a shard of %llu B",
		(unsigned long long)write->spread.device_bytes);
	mesh_spread_gather(&write->spread, row, column, write->data, *owned);
	return *owned;
}

/* Pages [page, page + count), each padded to its stride. */
static struct span padded_pages(
	const struct placement *placement, const uint8_t *data, uint32_t page, uint32_t count)
{
	uint32_t bytes = placement->config.page_bytes, stride = placement->page_stride;
	struct span span = span_of(extent_new(count * stride));
	uint8_t *to = span.extent->bytes;
	const uint8_t *from = data + (uint64_t)page * bytes;

	if (bytes == stride) {
		memcpy(to, from, (size_t)count * bytes);
		return span;
	}
	for (uint32_t i = 0; i < count; i++, to += stride, from += bytes) {
		memcpy(to, from, bytes);
		memset(to + bytes, 0, stride - bytes);
	}
	return span;
}

static void put_pages(struct command_stream *stream, const struct write_job *write,
	const uint8_t *data, uint32_t page, uint32_t count)
{
	struct span span =
		write->elided ? span_of(extent_new_elided(count * write->placement.page_stride))
			      : padded_pages(&write->placement, data, page, count);

	command_stream_data(stream, span);
	span_release(span);
	command_stream_break(stream); /* a command of its own each, so that it can be routed */
}

/* Pages that one command carries: no more than a piece of the issue queue. */
static uint32_t pages_per_command(const struct write_job *write)
{
	uint32_t most = write->job.queue->mesh->config.limits->fetch_entry_bytes;
	uint32_t pages = (most - 4 * COMMAND_BYTES) / write->placement.page_stride;

	return pages > 0 ? pages : 1;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void put_interleaved(
	struct command_stream *stream, const struct write_job *write, const uint8_t *data)
{
	const struct placement *placement = &write->placement;
	uint32_t slots = placement->slot_count, stride = placement->page_stride, count;

	for (uint32_t page = 0; page < placement->page_count; page += count) {
		struct dispatch_command command = {.kind = DISPATCH_WRITE_PAGED,
			.flags = placement->config.type == BUFFER_L1 ? DISPATCH_L1 : 0};

		count = smaller(pages_per_command(write), placement->page_count - page);
		command.write_paged.start_page = (uint16_t)(page % slots);
		command.write_paged.base = write->address + page / slots * stride;
		command.write_paged.page_bytes = stride;
		command.write_paged.pages = count;
		command_stream_dispatch(stream, &command);
		put_pages(stream, write, data, page, count);
	}
}

static void put_sharded(
	struct command_stream *stream, const struct write_job *write, const uint8_t *data)
{
	const struct placement *placement = &write->placement;
	uint32_t count;

	for (uint32_t page = 0; page < placement->page_count; page += count) {
		struct page_place place = placement_page(placement, page);
		struct dispatch_command command = {.kind = DISPATCH_WRITE_LINEAR};

		count = smaller(pages_per_command(write), placement_run(placement, page));
		command.write_linear.tile = place.tile;
		command.write_linear.address = write->address + (uint32_t)place.offset;
		command.write_linear.length = count * placement->page_stride;
		command_stream_dispatch(stream, &command);
		put_pages(stream, write, data, page, count);
	}
}

static struct command_stream *stream(struct job *job, uint32_t device)
{
	struct write_job *write = (struct write_job *)job;
	struct command_stream *stream = job_stream_slot(job, device);
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
	uint8_t *owned;
	const uint8_t *data = device_data(write, device, &owned);

	/* workers may still read what is overwritten */
	command_stream_dispatch(stream, &wait);
	if (write->placement.config.layout == LAYOUT_INTERLEAVED)
		put_interleaved(stream, write, data);
	else
		put_sharded(stream, write, data);
	command_stream_finish(stream);
	free(owned);
	return stream;
}

static bool expect(struct job *job, struct lane *lane)
{
	const struct write_job *write = (struct write_job *)job;
	uint32_t columns = write->spread.device_columns;
	struct shard_rows rows;

	return write->local || mesh_spread_shard(&write->spread, lane->device / columns,
				       lane->device % columns, &rows);
}

static void fini(struct job *job)
{
	free(((struct write_job *)job)->owned);
}

static const struct job_ops write_ops = {.stream = stream, .expect = expect, .fini = fini};

static struct write_job *write_new(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, const void *data, uint32_t operation)
{
	struct write_job *write = job_new(sizeof(*write), &write_ops, queue, range, operation);
	uint64_t limit = queue->mesh->config.elide_above_bytes;

	ensure(buffer->mesh == queue->mesh, "a buffer of another mesh device");
	write->placement = buffer->placement;
	write->spread = buffer->spread;
	write->address = buffer->address;
	write->data = data;
	write->elided = limit > 0 && buffer->spread.device_bytes > limit;
	return write;
}

static void write_send(struct write_job *write)
{
	job_streams_prepare(&write->job);
	job_send(&write->job);
}

void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images)
{
	struct write_job *write = write_new(queue, buffer, range, images, 0);

	write->job.same = write->job.uniform = true;
	write->owned = images;
	write->elided = false; /* somebody looks at kernels' headers */
	write_send(write);
}

enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation)
{
	const struct mesh_spread *spread = &buffer->spread;
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	struct write_job *write;

	queue_called(operation, queue);
	write = write_new(queue, buffer, all, data, operation);
	write->job.same = spread->replicated_rows && spread->replicated_columns;
	write->job.uniform = write->job.same;
	write_send(write);
	return queue_returned(queue, all, blocking, operation);
}

enum status enqueue_write_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, const void *data, bool blocking, uint32_t operation)
{
	struct device_range range = {row, column, row, column};
	struct write_job *write;

	queue_called(operation, queue);
	if (!device_range_valid(range, queue->mesh->plan.mesh.shape))
		return STATUS_OUT_OF_RANGE;
	write = write_new(queue, buffer, range, data, operation);
	write->local = true;
	write_send(write);
	return queue_returned(queue, range, blocking, operation);
}
