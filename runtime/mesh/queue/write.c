/* Writes to buffers (spec 3.3.5). If all devices get the same data, the commands are built once and
 * may be broadcast. Shards, and data that devices read from pinned memory, go to each device
 * separately. */
#include "mesh/queue/transfer.h"

#include <stdlib.h>

#include "base/ensure.h"
#include "mesh/device/buffer.h"
#include "mesh/plan/plan.h"
#include "mesh/queue.h"
#include "mesh/queue/job.h"

struct write_job {
	struct job job; /* must be the first member */
	struct placement placement;
	struct mesh_spread spread;
	struct page_range pages; /* the pages of each device's part that are written */
	uint32_t address;
	bool local;  /* `data` is one device's part, not the whole buffer */
	bool elided; /* the data are not simulated */
	const uint8_t *data;
	const struct write_maker *maker; /* makes the data; NULL: the data are in `data` */
	uint8_t *owned;			 /* memory that is freed with the job, or NULL */
	enum memory_kind from;		 /* kind of the memory of `data` */
	uint64_t pinned;		 /* host address of the pinned data, or 0 */
};

/* Returns the position of a device's data in the user's data. */
static struct shard_rows device_rows(const struct write_job *write, uint32_t device)
{
	uint32_t columns = write->spread.device_columns;
	struct shard_rows rows = {.rows = 1};

	if (!write->local)
		(void)mesh_spread_shard(&write->spread, device / columns, device % columns, &rows);
	return rows;
}

static uint8_t *new_part(const struct write_job *write)
{
	uint8_t *part = malloc(write->spread.device_bytes);

	ensure_memory(
		part != NULL, "a shard of %llu B", (unsigned long long)write->spread.device_bytes);
	return part;
}

/* The rows of a shard from `first` to `first + count` - 1. */
struct taken {
	uint64_t first, count;
};

/* Returns the rows in which the written pages lie. */
static struct taken rows_of_pages(const struct write_job *write, uint64_t row_bytes)
{
	uint64_t page_bytes = write->placement.config.page_bytes;
	uint64_t begin = write->pages.first * page_bytes;
	uint64_t last = begin + write->pages.count * page_bytes - 1;

	return (struct taken){begin / row_bytes, last / row_bytes - begin / row_bytes + 1};
}

/* Returns the data of a device in one piece. Returns NULL if the data are not simulated or lie in
 * pinned memory. If the rows of the data are not contiguous, or if `maker` makes the data, the
 * piece is a new allocation in *owned, which the caller frees. */
static const uint8_t *device_data(const struct write_job *write, uint32_t device, uint8_t **owned)
{
	uint32_t columns = write->spread.device_columns;
	struct shard_rows rows = device_rows(write, device);
	struct taken taken = {0, 1};

	*owned = NULL;
	if (write->maker != NULL) {
		*owned = write->elided ? NULL : new_part(write);
		write->maker->make(write->maker->context, device, *owned);
		return *owned;
	}
	if (rows.rows > 1)
		taken = rows_of_pages(write, rows.row_bytes);
	if (taken.count > 1) /* the copy of the first row is charged together with the pages */
		world->work(WORK_COPY_RUN, taken.count - 1);
	if (write->elided || write->pinned != 0)
		return NULL;
	if (rows.rows == 1)
		return write->data + rows.first_byte;
	*owned = new_part(write);
	mesh_spread_gather_rows(&write->spread, device / columns, device % columns, taken.first,
		taken.count, write->data, *owned);
	return *owned;
}

static struct command_stream *stream(struct job *job, uint32_t device)
{
	struct write_job *write = (struct write_job *)job;
	struct command_stream *stream = job_stream_slot(job, device);
	uint8_t *owned;
	struct page_source source = {
		.placement = &write->placement,
		.pages = write->pages,
		.address = write->address,
		.elided = write->elided,
		.from = write->from,
		.entry_bytes = job->queue->mesh->config.limits->fetch_entry_bytes,
	};

	source.data = device_data(write, device, &owned);
	if (write->pinned != 0)
		source.pinned = write->pinned + device_rows(write, device).first_byte;
	/* this write replaces the old data, which workers may still read */
	stream_wait_workers(stream, job->queue->mesh, job->waits, DISPATCH_DATA);
	write_pages(stream, &source);
	command_stream_finish(stream);
	free(owned);
	return stream;
}

static bool write_holds(const struct job *job, uint32_t device)
{
	const struct write_job *write = (const struct write_job *)job;
	uint32_t columns = write->spread.device_columns;
	struct shard_rows rows;

	if (write->maker != NULL)
		return write->maker->holds(write->maker->context, device);
	return write->local ||
	       mesh_spread_shard(&write->spread, device / columns, device % columns, &rows);
}

static void fini(struct job *job)
{
	free(((struct write_job *)job)->owned);
}

static const struct job_ops write_ops = {.stream = stream, .holds = write_holds, .fini = fini};

/* Returns true if the buffer is in system memory, not on devices. */
static bool is_of_host(const struct mesh_buffer *buffer)
{
	return buffer->placement.config.type == BUFFER_SYSTEM;
}

static bool write_is_elided(const struct command_queue *queue, const struct mesh_buffer *buffer)
{
	uint64_t limit = queue->mesh->config.elide_above_bytes;

	return limit > 0 && buffer->spread.device_bytes > limit;
}

static struct write_job *write_new(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, const void *data, uint32_t operation)
{
	struct write_job *write = job_new(sizeof(*write), &write_ops, queue, range, operation);

	ensure(buffer->mesh == queue->mesh, "a buffer of another mesh device");
	if (queue->capture != NULL)
		queue->capture->hold(queue->capture, buffer);
	write->placement = buffer->placement;
	write->spread = buffer->spread;
	write->pages = placement_pages(&buffer->placement);
	write->address = mesh_buffer_address(buffer);
	write->job.waits = mesh_buffer_sub_devices(buffer);
	write->data = data;
	write->elided = write_is_elided(queue, buffer);
	write->from = sizes_user_memory(&queue->mesh->config, mesh_buffer_bytes(buffer));
	return write;
}

static void write_prepare(struct write_job *write)
{
	write->job.names_tiles = pages_name_tiles(&write->placement);
	job_streams_prepare(&write->job);
}

/* Checks whether the write can be captured. Returns OK if a trace can hold the write, or if the
 * queue captures no trace. Returns INVALID for blocking writes and for writes with a `maker`.
 * Returns UNSUPPORTED if the data are not simulated, because the trace must contain the data. */
static enum status capture_refuses(const struct command_queue *queue,
	const struct mesh_buffer *buffer, const struct write_maker *maker, bool blocking)
{
	if (queue->capture == NULL)
		return STATUS_OK;
	if (blocking || maker != NULL)
		return STATUS_INVALID;
	return write_is_elided(queue, buffer) ? STATUS_UNSUPPORTED : STATUS_OK;
}

static void write_enqueue(struct write_job *write)
{
	write_prepare(write);
	job_enqueue(&write->job, CAPTURED_WRITE);
}

void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images)
{
	const struct placement *placement = &buffer->placement;
	struct write_job *write = write_new(queue, buffer, range, images, 0);

	ensure(placement->page_stride == placement->config.page_bytes,
		"images in pages of %u B that lie %u B apart", placement->config.page_bytes,
		placement->page_stride);
	LOG_TO(PROGRAM, INFO, "binaries, devices: %u, %llu B at %#x of each",
		device_range_count(range), (unsigned long long)mesh_buffer_bytes(buffer),
		mesh_buffer_address(buffer));
	write->job.same = write->job.uniform = true;
	write->owned = images;
	/* binaries are never elided, because the firmware reads the headers of kernels from them */
	write->elided = false;
	write->from = MEMORY_CACHED;
	write_prepare(write);
	job_send(&write->job);
}

/* Writes to all devices. If `maker` is not NULL, `maker` makes the data; otherwise writes
 * `data`. */
static enum status write_all(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, const struct write_maker *maker, bool blocking, uint32_t operation)
{
	const struct mesh_spread *spread = &buffer->spread;
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	enum status status = capture_refuses(queue, buffer, maker, blocking);
	struct write_job *write;

	if (is_of_host(buffer) && maker == NULL)
		return system_memory_write(queue, buffer, data, operation);
	queue_called(operation, queue);
	if (status != STATUS_OK)
		return status;
	write = write_new(queue, buffer, all, data, operation);
	write->maker = maker;
	/* the data were just made, so they are in the host's cache if they fit */
	if (maker != NULL)
		write->from =
			sizes_user_memory(&queue->mesh->config, mesh_buffer_device_bytes(buffer));
	write->job.same = spread->replicated_rows && spread->replicated_columns;
	write->job.uniform = write->job.same;
	write_enqueue(write);
	return queue_returned(queue, all, mesh_buffer_sub_devices(buffer), blocking, operation);
}

enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation)
{
	return write_all(queue, buffer, data, NULL, blocking, operation);
}

enum status write_made(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct write_maker *maker, uint32_t operation)
{
	return write_all(queue, buffer, NULL, maker, true, operation);
}

/* Makes pinned memory the source of a write. If possible, devices read the pinned memory
 * themselves. Otherwise copies the contents of the pinned memory, and writes the copy like other
 * data. */
static void write_from_pinned(
	struct write_job *write, const struct host_memory *memory, uint64_t offset)
{
	const struct device_range all = device_range_all(write->job.queue->mesh->plan.mesh.shape);
	uint64_t bytes = write->spread.layout.size_bytes;
	struct shard_rows rows = device_rows(write, range_device(memory->mesh, all, 0));

	write->elided = false;
	write->from = MEMORY_PINNED;
	if (rows.rows == 1 && pages_go_direct(memory->mesh, &write->placement)) {
		write->pinned = memory->address + offset;
		return;
	}
	write->data = write->owned = malloc(bytes);
	ensure_memory(write->owned != NULL, "%llu B", (unsigned long long)bytes);
	write->elided = host_memory_load(memory, offset, write->owned, bytes) != STATUS_OK;
}

enum status enqueue_write_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation)
{
	const struct mesh_spread *spread = &buffer->spread;
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	enum status status = host_memory_check(memory, offset, mesh_buffer_bytes(buffer));
	struct write_job *write;

	queue_called(operation, queue);
	if (queue->capture != NULL)
		return blocking ? STATUS_INVALID : STATUS_UNSUPPORTED;
	if (is_of_host(buffer))
		return STATUS_UNSUPPORTED;
	if (status != STATUS_OK)
		return status;
	write = write_new(queue, buffer, all, NULL, operation);
	write_from_pinned(write, memory, offset);
	write->job.same = spread->replicated_rows && spread->replicated_columns;
	write_enqueue(write);
	return queue_returned(queue, all, mesh_buffer_sub_devices(buffer), blocking, operation);
}

enum status enqueue_write_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, const void *data, bool blocking, uint32_t operation)
{
	struct device_range range = {row, column, row, column};
	enum status status = capture_refuses(queue, buffer, NULL, blocking);
	struct write_job *write;

	queue_called(operation, queue);
	if (status != STATUS_OK)
		return status;
	if (is_of_host(buffer))
		return STATUS_UNSUPPORTED;
	if (!device_range_valid(range, queue->mesh->plan.mesh.shape))
		return STATUS_OUT_OF_RANGE;
	write = write_new(queue, buffer, range, data, operation);
	write->local = true;
	write_enqueue(write);
	return queue_returned(queue, range, mesh_buffer_sub_devices(buffer), blocking, operation);
}

enum status enqueue_write_region(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct buffer_region *region, const void *data, bool blocking, uint32_t operation)
{
	const struct mesh_spread *spread = &buffer->spread;
	enum status status = capture_refuses(queue, buffer, NULL, blocking);
	struct device_range range;
	struct write_job *write;

	queue_called(operation, queue);
	if (status == STATUS_OK)
		status = region_check(queue->mesh, buffer, region, &range);
	if (status != STATUS_OK)
		return status;
	write = write_new(queue, buffer, range, data, operation);
	write->local = region->of_device;
	write->pages = region->pages;
	write->from = sizes_user_memory(&queue->mesh->config, region_bytes(buffer, region));
	write->job.same = !write->local && spread->replicated_rows && spread->replicated_columns;
	write->job.uniform = write->job.same;
	write_enqueue(write);
	return queue_returned(queue, range, mesh_buffer_sub_devices(buffer), blocking, operation);
}
