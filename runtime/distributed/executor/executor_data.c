/* Writes and reads of the part's piece of a buffer, and shards that the executor loads itself
 * (spec 4.3.3). What comes is copied to memory of the executor's own (spec 4.9), which it holds
 * until devices have it. Refuses pieces that do not follow each other. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "executor_private.h"

/* Which devices a message is for: all of the part, or one of the whole, which may be another's. */
struct place {
	bool here, one;
	struct device_range range; /* of the part's mesh */
};

static bool find_place(const struct executor *executor, const struct wire_range *ranges,
	uint32_t count, struct place *place)
{
	struct device_range range = device_range_all(executor->part.whole);

	if (count > 1 || (count == 1 && !part_from_wire(ranges, &range)))
		return false;
	place->one = count == 1;
	place->here = part_cut(&executor->part, range, &place->range);
	return count == 0 || device_range_count(range) == 1;
}

static uint64_t piece_bytes(const struct remote_buffer *buffer, bool one)
{
	return buffer->spread.device_bytes * (one ? 1 : buffer->shards);
}

/* The buffer of a message for a queue, or NULL. */
static struct remote_buffer *find(
	struct executor *executor, uint32_t queue, uint64_t buffer, struct text *why)
{
	struct remote_buffer *found = things_find(&executor->buffers, buffer);

	if (executor_queue(executor, queue) == NULL)
		found = NULL;
	if (found == NULL && why != NULL)
		text_printf(
			why, "no queue %u, or no buffer %llu", queue, (unsigned long long)buffer);
	return found;
}

/* ---- writes ---- */

/* Sends data, which it takes, to the devices. */
static enum status send(struct executor *executor, const struct wire_head *head,
	const struct remote_buffer *buffer, const struct place *place, bool blocking,
	uint32_t operation, uint8_t *data)
{
	struct command_queue *queue = mesh_queue(executor->mesh, head->queue);
	uint64_t bytes = piece_bytes(buffer, place->one);
	enum status status = STATUS_OK;

	if (blocking && executor->capturing[head->queue])
		status = STATUS_INVALID;
	else if (place->one)
		status = enqueue_write_shard(queue, buffer->buffer, place->range.row0,
			place->range.column0, data, false, operation);
	else if (buffer->shards > 0)
		status = enqueue_write_buffer(queue, buffer->buffer, data, false, operation);
	if (status != STATUS_OK || executor->capturing[head->queue])
		free(data);
	else
		pending_hold(executor, head->queue, data, bytes);
	if (status == STATUS_OK && blocking)
		pending_add(executor, head, PENDING_ANSWER, place->range, operation, NULL, 0);
	return status;
}

/* Takes a piece; *data is all of them when the last has come, else NULL. */
static enum status gather_pieces(struct remote_buffer *buffer,
	const struct wire_write_buffer *message, uint64_t bytes, uint8_t **data, struct text *why)
{
	*data = NULL;
	if (message->offset == 0) {
		free(buffer->pieces);
		buffer->pieces = allocate(1, bytes);
		buffer->pieces_bytes = bytes;
		buffer->pieces_have = 0;
	}
	if (message->bytes != bytes || buffer->pieces == NULL || buffer->pieces_bytes != bytes ||
		message->offset != buffer->pieces_have ||
		message->data.count > bytes - buffer->pieces_have)
		return refuse(why, STATUS_INVALID, "%u B at %llu of %llu B, not %llu of %llu",
			message->data.count, (unsigned long long)message->offset,
			(unsigned long long)message->bytes, (unsigned long long)buffer->pieces_have,
			(unsigned long long)bytes);
	memcpy(buffer->pieces + message->offset, message->data.at, message->data.count);
	world->work_copy(message->data.count, MEMORY_CACHED, MEMORY_CACHED);
	buffer->pieces_have += message->data.count;
	if (buffer->pieces_have == bytes) {
		*data = buffer->pieces;
		buffer->pieces = NULL;
	}
	return STATUS_OK;
}

/* The part's shards out of the whole, which is freed. */
static uint8_t *cut(
	const struct executor *executor, const struct remote_buffer *buffer, uint8_t *whole)
{
	uint64_t bytes = piece_bytes(buffer, false);
	uint8_t *piece = allocate(1, bytes ? bytes : 1);

	part_gather(&executor->part, &buffer->spread, whole, piece);
	world->work_copy(bytes, MEMORY_CACHED, MEMORY_CACHED);
	free(whole);
	return piece;
}

enum status executor_write(
	struct executor *executor, const struct wire_write_buffer *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer = find(executor, message->queue, message->buffer, why);
	struct place place;
	uint8_t *data;
	enum status status;

	if (buffer == NULL)
		return STATUS_NOT_FOUND;
	if (!find_place(executor, message->ranges.at, message->ranges.count, &place) ||
		(place.one && message->whole))
		return refuse(why, STATUS_OUT_OF_RANGE, "neither all devices nor one");
	if (!place.here)
		return STATUS_OK;
	status = gather_pieces(buffer, message,
		message->whole ? buffer->spread.layout.size_bytes : piece_bytes(buffer, place.one),
		&data, why);
	if (status != STATUS_OK || data == NULL)
		return status;
	if (message->whole)
		data = cut(executor, buffer, data);
	return send(executor, &head, buffer, &place, message->blocking, message->operation, data);
}

/* ---- reads ---- */

enum status executor_read(
	struct executor *executor, const struct wire_read_buffer *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer = find(executor, message->queue, message->buffer, why);
	struct place place;
	uint64_t bytes;
	uint8_t *data;
	enum status status;

	if (buffer == NULL)
		return STATUS_NOT_FOUND;
	if (executor->capturing[message->queue])
		return refuse(why, STATUS_UNSUPPORTED, "a trace of reads to another host");
	if (!find_place(executor, message->ranges.at, message->ranges.count, &place))
		return refuse(why, STATUS_OUT_OF_RANGE, "neither all devices nor one");
	if (!place.here || (!place.one && !part_is_read(&executor->part, &buffer->spread)))
		return STATUS_OK;
	bytes = piece_bytes(buffer, place.one);
	data = allocate(1, bytes);
	if (place.one) {
		status = enqueue_read_shard(mesh_queue(executor->mesh, message->queue),
			buffer->buffer, place.range.row0, place.range.column0, data, false,
			message->operation);
	} else {
		place.range = mesh_buffer_read_range(buffer->buffer);
		status = enqueue_read_buffer(mesh_queue(executor->mesh, message->queue),
			buffer->buffer, data, false, message->operation);
	}
	if (status != STATUS_OK) {
		free(data);
		return status;
	}
	pending_add(executor, &head, PENDING_READ, place.range, 0, data, bytes);
	return STATUS_OK;
}

/* ---- shards of its own ---- */

struct loading {
	const struct executor_loader *loader;
	char name[4096 + 1];
	uint8_t *piece;
	struct text *why;
};

static enum status load_run(void *context, struct part_run run)
{
	const struct loading *loading = context;

	return loading->loader->load(loading->loader->context, loading->name, run.whole, run.bytes,
		loading->piece + run.piece, loading->why);
}

enum status executor_load(
	struct executor *executor, const struct wire_load_shard *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer = find(executor, message->queue, message->buffer, why);
	struct loading loading = {&executor->settings->loader, "", NULL, why};
	struct place place;
	enum status status;

	if (buffer == NULL || !find_place(executor, NULL, 0, &place))
		return STATUS_NOT_FOUND;
	if (loading.loader->load == NULL || message->name.count >= sizeof loading.name)
		return refuse(why, STATUS_UNSUPPORTED, "this executor loads no shards");
	memcpy(loading.name, message->name.at, message->name.count);
	loading.piece = allocate(1, piece_bytes(buffer, false) + 1);
	status = part_each_run(&executor->part, &buffer->spread, load_run, &loading);
	if (status == STATUS_OK)
		return send(executor, &head, buffer, &place, message->blocking, message->operation,
			loading.piece);
	free(loading.piece);
	return status;
}
