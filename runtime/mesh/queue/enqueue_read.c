/* Reads of buffers (spec 3.3.5). Each device that holds part of the data gets a request. With every
 * event path, the device answers through its completion queue. If the destination is pinned memory,
 * devices may write the data directly there; the completion queue then gets only records without
 * data. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/device/buffer.h"
#include "mesh/plan/plan.h"
#include "mesh/queue.h"
#include "mesh/queue/job.h"
#include "mesh/queue/transfer.h"

struct read_job {
	struct job job; /* must be the first member */
	struct read *read;
};

/* Appends the command that relays `count` contiguous pages. */
static void relay_linear(struct command_stream *stream, const struct read *read,
	struct page_place place, uint32_t count)
{
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_LINEAR};

	relay.relay_linear.tile = place.tile;
	relay.relay_linear.address = read->address + (uint32_t)place.offset;
	relay.relay_linear.length = count * read->placement.page_stride;
	command_stream_prefetch(stream, &relay);
}

/* Appends the commands that relay interleaved pages [page, page + count) in order. If a page fits
 * into one command, a single command relays all these pages. */
static void relay_interleaved(
	struct command_stream *stream, const struct read *read, uint32_t page, uint32_t count)
{
	const struct placement *placement = &read->placement;
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_PAGED};
	uint32_t slots = placement->slot_count, stride = placement->page_stride;

	if (stride > PAGE_WHOLE_MAX) {
		for (uint32_t i = 0; i < count; i++)
			relay_linear(stream, read, placement_page(placement, page + i), 1);
		return;
	}
	if (!buffer_type_in_dram(placement->config.type))
		relay.flags = PREFETCH_L1;
	relay.relay_paged.start_page = (uint16_t)(page % slots);
	relay.relay_paged.base = read->address + page / slots * stride;
	relay.relay_paged.page_bytes = stride;
	relay.relay_paged.pages = count;
	command_stream_prefetch(stream, &relay);
}

/* Appends the commands that relay the next `count` pages of the walk (memory/placement.h). The
 * pages are relayed in the order in which they lie on the device, because the receiver expects them
 * in this order. */
static void relay_sharded(struct command_stream *stream, const struct read *read,
	struct placement_walk *walk, uint32_t count)
{
	struct page_place place;
	struct page_run run = {.count = 0};
	uint32_t stretch, runs;

	for (; count > 0; count -= stretch) {
		stretch = placement_walk_stretch(walk, count, &place, &runs);
		relay_linear(stream, read, place, stretch);
		for (uint32_t left = stretch; left > 0; left -= run.count)
			(void)placement_walk_next(walk, left, &run);
	}
}

/* Appends the dispatch command that sends pages to the host: the next `pages` pages that the
 * prefetcher relays. They go to `address` in the host window, or to the completion queue if
 * `address` is 0. */
static void send_up(
	struct command_stream *stream, const struct read *read, uint32_t pages, uint64_t address)
{
	struct dispatch_command command = {.kind = DISPATCH_WRITE_HOST};

	command.write_host.length = pages * read->placement.page_stride;
	command.write_host.address = address;
	if (address != 0)
		command.flags = DISPATCH_DIRECT;
	command_stream_dispatch(stream, &command);
}

/* Appends the commands that relay interleaved pages to address `to` of the host window, or to a
 * completion queue if `to` is 0. The pages are relayed in pieces; each piece has one relay command
 * and returns one record. */
static void relay_interleaved_pieces(
	struct command_stream *stream, const struct read *read, uint64_t to)
{
	const struct placement *placement = &read->placement;
	uint32_t piece = read_piece_pages(placement), count;

	for (uint32_t left = read->pages.count; left > 0; left -= count) {
		uint32_t page = read->pages.first + read->pages.count - left;
		uint64_t at = to != 0 ? to + (uint64_t)page * placement->page_stride : 0;

		count = left < piece ? left : piece;
		send_up(stream, read, count, at);
		relay_interleaved(stream, read, page, count);
	}
}

static void relay_sharded_pieces(struct command_stream *stream, const struct read *read)
{
	const struct placement *placement = &read->placement;
	struct placement_walk walk = {.placement = placement, .only = read->pages};
	uint32_t piece = read_piece_pages(placement), count;

	for (uint32_t left = read->pages.count; left > 0; left -= count) {
		count = left < piece ? left : piece;
		send_up(stream, read, count, 0);
		relay_sharded(stream, read, &walk, count);
	}
}

/* Appends the commands that read sharded pages and send them to address `to` in pinned memory. Each
 * run of pages (struct page_run) gets one relay command of the prefetcher, and one command of the
 * dispatcher, which sends one record. */
static void relay_direct(struct command_stream *stream, const struct read *read, uint64_t to)
{
	struct placement_walk walk = {.placement = &read->placement};
	struct page_run run;

	while (placement_walk_next(&walk, read_piece_pages(&read->placement), &run)) {
		send_up(stream, read, run.count,
			to + (uint64_t)run.page * read->placement.page_stride);
		relay_linear(stream, read, run.place, run.count);
	}
}

/* Returns the offset of the device's part in the user's data. */
static uint64_t first_byte(const struct read *read, uint32_t device)
{
	uint32_t columns = read->spread.device_columns;
	struct shard_rows rows = {0};

	if (!read->local)
		(void)mesh_spread_shard(&read->spread, device / columns, device % columns, &rows);
	return rows.first_byte;
}

static struct command_stream *enqueue_read_stream(struct job *job, uint32_t device)
{
	const struct read *read = ((struct read_job *)job)->read;
	struct command_stream *stream = job_stream_slot(job, device);
	struct prefetch_command stall = {.kind = PREFETCH_STALL};
	uint64_t to = 0;

	/* The prefetcher would read the data before the dispatcher has executed earlier writes. So
	 * it must stall until the data of these writes have arrived. */
	stream_wait_workers(
		stream, job->queue->mesh, job->waits, DISPATCH_BARRIER | DISPATCH_RELEASE);
	command_stream_prefetch(stream, &stall);
	if (read->records > 0)
		to = read->memory->address + read->offset + first_byte(read, device);
	if (read->placement.config.layout == LAYOUT_INTERLEAVED)
		relay_interleaved_pieces(stream, read, to);
	else if (to != 0)
		relay_direct(stream, read, to);
	else
		relay_sharded_pieces(stream, read);
	command_stream_finish(stream);
	return stream;
}

static bool enqueue_read_holds(const struct read *read, uint32_t device)
{
	uint32_t columns = read->spread.device_columns;
	struct shard_rows rows;

	if (read->taker != NULL)
		return read->taker->holds(read->taker->context, device);
	return read->local ||
	       mesh_spread_shard(&read->spread, device / columns, device % columns, &rows);
}

static bool takes_part(const struct job *job, uint32_t device)
{
	return ((const struct read_job *)job)->read->held[device];
}

static void expect(struct job *job, struct lane *lane)
{
	job->queue->mesh->config.completion->reads->expect(lane, ((struct read_job *)job)->read);
}

static void fini(struct job *job)
{
	read_release(((struct read_job *)job)->read);
}

static void await(struct job *job)
{
	job->queue->mesh->config.completion->reads->wait(((struct read_job *)job)->read);
}

static struct job *enqueue_read_again(
	const struct job *job, struct command_queue *queue, uint32_t events, uint32_t operation);

static const struct job_ops read_ops = {.stream = enqueue_read_stream,
	.holds = takes_part,
	.expect = expect,
	.fini = fini,
	.again = enqueue_read_again,
	.await = await};

static struct job *enqueue_read_again(
	const struct job *job, struct command_queue *queue, uint32_t events, uint32_t operation)
{
	const struct read *captured = ((const struct read_job *)job)->read;
	struct read_job *made = job_new(sizeof(*made), &read_ops, queue, job->range, operation);
	size_t bytes = queue->mesh->devices * sizeof(*captured->held);

	made->read = allocate(1, sizeof(*made->read));
	*made->read = *captured;
	made->read->held = memcpy(allocate(1, bytes), captured->held, bytes);
	made->read->queue = queue;
	made->read->operation = operation;
	made->read->before = events + captured->before;
	made->read->references = captured->remaining + 1;
	return &made->job;
}

void read_job_to(struct job *job, void *data)
{
	ensure(job->ops == &read_ops, "a job that reads nothing");
	((struct read_job *)job)->read->data = data;
}

/* Makes a read. Each lane holds a reference, and so do the job and the caller. */
static struct read *read_new(struct command_queue *queue, const struct mesh_buffer *buffer,
	struct device_range range, bool local, void *data, const struct read_taker *taker,
	uint32_t operation)
{
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range);
	struct read *read = allocate(1, sizeof(*read));

	ensure(buffer->mesh == mesh, "a buffer of another mesh device");
	if (queue->capture != NULL)
		queue->capture->hold(queue->capture, buffer);
	read->queue = queue;
	read->range = range;
	read->operation = operation;
	read->placement = buffer->placement;
	read->spread = buffer->spread;
	read->pages = placement_pages(&buffer->placement);
	read->local = local;
	read->data = data;
	read->taker = taker;
	read->to = sizes_user_memory(&mesh->config,
		taker ? mesh_buffer_device_bytes(buffer) : mesh_buffer_bytes(buffer));
	read->address = mesh_buffer_address(buffer);
	read->sub_devices = mesh_buffer_sub_devices(buffer);
	read->held = allocate(mesh->devices, sizeof(*read->held));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(mesh, range, i);

		read->held[device] = enqueue_read_holds(read, device);
		read->remaining += read->held[device] && mesh_is_near(mesh, device);
	}
	read->references = read->remaining + 2;
	return read;
}

/* Returns true if devices hold different parts. */
static bool spread_apart(const struct mesh_spread *spread)
{
	return !spread->replicated_rows || !spread->replicated_columns;
}

static struct read_job *read_job_new(struct read *read)
{
	struct read_job *job =
		job_new(sizeof(*job), &read_ops, read->queue, read->range, read->operation);

	job->read = read;
	job->job.same = read->records == 0 || !spread_apart(&read->spread);
	job->job.names_tiles = pages_name_tiles(&read->placement);
	job->job.to_host = true;
	job->job.waits = read->sub_devices;
	job_streams_prepare(&job->job);
	return job;
}

/* Hands the read to the trace. Each replay makes a new read from it. */
static enum status capture(struct read *read)
{
	struct capture *capture = read->queue->capture;

	read->before = capture->events + 1;
	read->references = 1;
	capture->read_bytes += read_record_bytes(read);
	job_enqueue(&read_job_new(read)->job, CAPTURED_READ);
	return STATUS_OK;
}

static enum status enqueue_read_send(struct read *read, bool blocking)
{
	struct command_queue *queue = read->queue;
	struct mesh_device *mesh = queue->mesh;
	const struct read_ops *reads = mesh->config.completion->reads;
	uint64_t bytes = read_record_bytes(read);
	bool wait = blocking ||
		    (reads->must_wait != NULL && reads->must_wait(queue, read->range, bytes));
	struct read_job *job = read_job_new(read);
	enum status status = STATUS_OK;

	read->before = mesh->next_event + 1;
	job_send(&job->job);
	if (wait)
		reads->wait(read);
	if (blocking) { /* for a non-blocking read, the synchronizing call reports the status */
		world->monitor_enter(mesh->completed);
		status = read->status;
		mesh->read_status = STATUS_OK;
		world->monitor_exit(mesh->completed);
	}
	read_release(read);
	return status;
}

static enum status enqueue(struct read *read, bool blocking)
{
	return read->queue->capture != NULL ? capture(read) : enqueue_read_send(read, blocking);
}

/* Returns true if the buffer is in system memory, not on devices. */
static bool is_of_host(const struct mesh_buffer *buffer)
{
	return buffer->placement.config.type == BUFFER_SYSTEM;
}

/* Reads from all devices of the buffer. If `taker` is not NULL, it receives the data; otherwise the
 * data are stored in `data`. */
static enum status enqueue_read_all(struct command_queue *queue, struct mesh_buffer *buffer,
	void *data, const struct read_taker *taker, bool blocking, uint32_t operation)
{
	struct device_range range = mesh_buffer_read_range(buffer);
	enum status status;

	if (is_of_host(buffer) && taker == NULL)
		return system_memory_read(queue, buffer, data, operation);
	queue_called(operation, queue);
	if (queue->capture != NULL && (blocking || taker != NULL))
		return STATUS_INVALID;
	status = enqueue(read_new(queue, buffer, range, false, data, taker, operation), blocking);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}

enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation)
{
	return enqueue_read_all(queue, buffer, data, NULL, blocking, operation);
}

enum status read_taken(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct read_taker *taker, uint32_t operation)
{
	return enqueue_read_all(queue, buffer, NULL, taker, true, operation);
}

/* Returns the number of pieces in which a device writes its part into pinned memory. */
static uint32_t piece_count(const struct placement *placement)
{
	struct placement_walk walk = {.placement = placement};
	struct page_run run;
	uint32_t pieces = 0, piece = read_piece_pages(placement);

	if (placement->config.layout == LAYOUT_INTERLEAVED)
		return (placement->page_count - 1) / piece + 1;
	while (placement_walk_next(&walk, piece, &run))
		pieces++;
	return pieces;
}

/* Makes pinned memory the destination of a read. If possible, devices write directly to the pinned
 * memory. Otherwise, the read collects the data in memory that is allocated here, and the host
 * copies them to the pinned memory at the end. */
static void read_into_pinned(struct read *read, struct host_memory *memory, uint64_t offset)
{
	uint64_t bytes = read->spread.layout.size_bytes;
	struct shard_rows rows;

	read->memory = memory;
	read->offset = offset;
	read->to = MEMORY_PINNED;
	if (mesh_spread_shard(&read->spread, 0, 0, &rows) && rows.rows == 1 &&
		pages_go_direct(memory->mesh, &read->placement)) {
		read->records = piece_count(&read->placement);
		return;
	}
	read->data = read->owned = malloc(bytes);
	ensure_memory(read->owned != NULL, "%llu B", (unsigned long long)bytes);
}

enum status enqueue_read_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation)
{
	struct device_range range = mesh_buffer_read_range(buffer);
	enum status status = host_memory_check(memory, offset, mesh_buffer_bytes(buffer));
	struct read *read;

	queue_called(operation, queue);
	if (queue->capture != NULL)
		return blocking ? STATUS_INVALID : STATUS_UNSUPPORTED;
	if (is_of_host(buffer))
		return STATUS_UNSUPPORTED;
	if (status != STATUS_OK)
		return status;
	read = read_new(queue, buffer, range, false, NULL, NULL, operation);
	read_into_pinned(read, memory, offset);
	status = enqueue_read_send(read, blocking);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}

enum status enqueue_read_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, void *data, bool blocking, uint32_t operation)
{
	struct device_range range = {row, column, row, column};
	enum status status;

	queue_called(operation, queue);
	if (queue->capture != NULL && blocking)
		return STATUS_INVALID;
	if (is_of_host(buffer))
		return STATUS_UNSUPPORTED;
	if (!device_range_valid(range, queue->mesh->plan.mesh.shape))
		return STATUS_OUT_OF_RANGE;
	status = enqueue(read_new(queue, buffer, range, true, data, NULL, operation), blocking);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}

enum status enqueue_read_region(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct buffer_region *region, void *data, bool blocking, uint32_t operation)
{
	struct device_range range;
	enum status status = region_check(queue->mesh, buffer, region, &range);
	struct read *read;

	queue_called(operation, queue);
	if (queue->capture != NULL && blocking)
		return STATUS_INVALID;
	if (status != STATUS_OK)
		return status;
	if (!region->of_device)
		range = mesh_buffer_read_range(buffer);
	read = read_new(queue, buffer, range, region->of_device, data, NULL, operation);
	read->pages = region->pages;
	read->to = sizes_user_memory(&queue->mesh->config, region_bytes(buffer, region));
	status = enqueue(read, blocking);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}
