/* Writes and reads of buffers in system memory by the host, see mesh/queue/transfer.h. */
#include "mesh/queue/transfer.h"

#include "mesh/device/buffer.h"
#include "mesh/plan/plan.h"
#include "mesh/queue.h"
#include "mesh/queue/job.h"

/* Waits until everything that was sent to the queue is complete, because programs of the queue may
 * use the buffer. */
static enum status settle(struct command_queue *queue)
{
	return queue->mesh->busy[queue->index] ? queue_finish(queue, 0, DEADLINE_NEVER) : STATUS_OK;
}

/* Returns the size of the pieces that the host copies if there is padding between the pages of the
 * buffer: one page without its padding. */
static uint32_t piece_bytes(const struct placement *placement)
{
	return placement->config.page_bytes;
}

static bool is_padded(const struct placement *placement)
{
	return placement->page_stride != placement->config.page_bytes;
}

static void system_memory_charge(
	const struct mesh_buffer *buffer, enum memory_kind from, enum memory_kind to)
{
	const struct placement *placement = &buffer->placement;

	world->work(WORK_COPY_RUN, is_padded(placement) ? placement->page_count : 1);
	world->work_copy(placement->size_bytes, from, to);
}

static void system_memory_store(const struct mesh_buffer *buffer, const uint8_t *data)
{
	const struct placement *placement = &buffer->placement;
	struct host_memory *memory = buffer->mesh->system_memory;

	if (!is_padded(placement)) {
		host_memory_store(memory, buffer->address, data, placement->size_bytes);
		return;
	}
	for (uint32_t page = 0; page < placement->page_count; page++)
		host_memory_store(memory, buffer->address + (uint64_t)page * placement->page_stride,
			data + (uint64_t)page * piece_bytes(placement), piece_bytes(placement));
}

static enum status system_memory_load(const struct mesh_buffer *buffer, uint8_t *data)
{
	const struct placement *placement = &buffer->placement;
	const struct host_memory *memory = buffer->mesh->system_memory;
	enum status status, worst = STATUS_OK;

	if (!is_padded(placement))
		return host_memory_load(memory, buffer->address, data, placement->size_bytes);
	for (uint32_t page = 0; page < placement->page_count; page++) {
		status = host_memory_load(memory,
			buffer->address + (uint64_t)page * placement->page_stride,
			data + (uint64_t)page * piece_bytes(placement), piece_bytes(placement));
		worst = status == STATUS_OK ? worst : status;
	}
	return worst;
}

static bool system_memory_is_elided(const struct mesh_buffer *buffer)
{
	uint64_t limit = buffer->mesh->config.elide_above_bytes;

	return limit > 0 && buffer->placement.size_bytes > limit;
}

enum status system_memory_write(struct command_queue *queue, const struct mesh_buffer *buffer,
	const void *data, uint32_t operation)
{
	enum status status;

	queue_called(operation, queue);
	if (queue->capture != NULL)
		return STATUS_UNSUPPORTED;
	status = settle(queue);
	system_memory_charge(buffer,
		sizes_user_memory(&queue->mesh->config, buffer->placement.size_bytes),
		MEMORY_PINNED);
	if (!system_memory_is_elided(buffer))
		system_memory_store(buffer, data);
	queue_mark(operation, MARK_SEEN, queue);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}

enum status system_memory_read(struct command_queue *queue, const struct mesh_buffer *buffer,
	void *data, uint32_t operation)
{
	enum status status, read;

	queue_called(operation, queue);
	if (queue->capture != NULL)
		return STATUS_UNSUPPORTED;
	status = settle(queue);
	system_memory_charge(buffer, MEMORY_PINNED,
		sizes_user_memory(&queue->mesh->config, buffer->placement.size_bytes));
	read = system_memory_is_elided(buffer) ? STATUS_ELIDED : system_memory_load(buffer, data);
	queue_mark(operation, MARK_SEEN, queue);
	queue_mark(operation, MARK_RETURNED, queue);
	return status == STATUS_OK ? read : status;
}
