/* Executes writes and reads of the shards of a buffer that belong to this executor's devices, and
 * loads shards from the executor's own storage (spec 4.3.3). Incoming data are kept until the
 * devices have them: in ordinary memory, from which the mesh copies them, or in pinned memory,
 * which the devices read themselves (spec 4.9). The pieces of a write must arrive in order. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"

/* The devices that a message addresses: all devices of this executor, or a single device of the
 * whole mesh. `here` is false if the single device belongs to another host. */
struct place {
	bool here, one;
	struct device_range range; /* devices in coordinates of the part's mesh */
};

static bool executor_data_find_place(const struct served *served, const struct wire_range *ranges,
	uint32_t count, struct place *place)
{
	struct device_range range = device_range_all(served->part.whole);

	if (count > 1 || (count == 1 && !part_from_wire(ranges, &range)))
		return false;
	place->one = count == 1;
	place->here = part_cut(&served->part, range, &place->range);
	return count == 0 || device_range_count(range) == 1;
}

static uint64_t piece_bytes(const struct remote_buffer *buffer, bool one)
{
	return buffer->spread.device_bytes * (one ? 1 : buffer->shards);
}

/* Returns the size of the data that this host is sent for a write. */
static uint64_t sent_bytes(const struct remote_buffer *buffer, bool one)
{
	return buffer->spread.device_bytes * (one ? 1 : buffer->near_shards);
}

/* Returns the buffer whose number is in a message. Returns NULL if the buffer or the queue does not
 * exist. */
static struct remote_buffer *executor_data_find(
	struct served *served, uint32_t queue, uint64_t buffer, struct text *why)
{
	struct remote_buffer *found = things_find(&served->buffers, buffer);

	if (executor_queue(served, queue) == NULL)
		found = NULL;
	if (found == NULL && why != NULL)
		text_printf(
			why, "no queue %u, or no buffer %llu", queue, (unsigned long long)buffer);
	return found;
}

/* ---- memory for incoming data ---- */

/* Returns true if the host writes the buffer itself, because it lies in system memory. */
static bool is_of_host(const struct remote_buffer *buffer)
{
	return mesh_buffer_placement(buffer->buffer)->config.type == BUFFER_SYSTEM;
}

/* Allocates memory for data that come for a buffer. The memory is pinned if the chosen variant of
 * `receive` uses pinned memory, and if the devices can read the data themselves: the buffer must be
 * in their memory, the write must go to all devices of the part, and no trace may capture it. If no
 * pinned memory is available, the memory is ordinary memory. */
static struct arrived arrived_new(struct served *served, const struct remote_buffer *buffer,
	uint32_t queue, const struct place *place, uint64_t bytes)
{
	const struct receive_ops *row = served->executor->settings->receive;
	struct arrived made = {.offset = 0};

	if (row != NULL && row->pinned && !is_of_host(buffer) && !place->one &&
		!served->capturing[queue] && bytes > 0)
		made.pinned = pinned_take(served, bytes);
	if (made.pinned == NULL)
		made.data = allocate(1, bytes > 0 ? bytes : 1);
	return made;
}

static void arrived_free(struct served *served, struct arrived *arrived)
{
	free(arrived->data);
	pinned_keep(served, arrived->pinned);
	span_release(arrived->landed);
	*arrived = (struct arrived){.offset = 0};
}

static bool arrived_none(const struct arrived *arrived)
{
	return arrived->data == NULL && arrived->pinned == NULL && arrived->landed.extent == NULL;
}

/* Copies data into the memory. Charges nothing; arrived_charge() charges the copies. */
static void arrived_put(
	const struct arrived *arrived, uint64_t offset, const uint8_t *from, uint64_t bytes)
{
	if (arrived->pinned != NULL)
		host_memory_store(arrived->pinned->memory, offset, from, bytes);
	else
		memcpy(arrived->data + offset, from, bytes);
}

static void arrived_charge(const struct arrived *arrived, uint64_t bytes)
{
	world->work_copy(bytes, MEMORY_CACHED, arrived->pinned ? MEMORY_PINNED : MEMORY_CACHED);
}

/* ---- writes ---- */

static enum status executor_data_enqueue(struct served *served, struct command_queue *queue,
	const struct remote_buffer *buffer, const struct place *place, uint32_t operation,
	const struct arrived *arrived)
{
	if (place->one)
		return enqueue_write_shard(queue, buffer->buffer, place->range.row0,
			place->range.column0, arrived->data, false, operation);
	if (buffer->shards == 0)
		return STATUS_OK;
	if (arrived->landed.extent != NULL)
		return enqueue_write_pinned(queue, buffer->buffer, served->executor->landing.memory,
			arrived->offset, false, operation);
	if (arrived->pinned != NULL)
		return enqueue_write_pinned(
			queue, buffer->buffer, arrived->pinned->memory, 0, false, operation);
	return enqueue_write_buffer(queue, buffer->buffer, arrived->data, false, operation);
}

/* Sends data to the devices; takes ownership of the data. */
static enum status executor_data_send(struct served *served, const struct wire_head *head,
	const struct remote_buffer *buffer, const struct place *place, bool blocking,
	uint32_t operation, struct arrived *arrived)
{
	struct command_queue *queue = mesh_queue(served->mesh, head->queue);
	const struct point point = {
		place->range, mesh_buffer_sub_devices(buffer->buffer), operation};
	uint64_t bytes = piece_bytes(buffer, place->one);
	enum status status = STATUS_OK;

	if (blocking && served->capturing[head->queue])
		status = STATUS_INVALID;
	else
		status = executor_data_enqueue(served, queue, buffer, place, operation, arrived);
	if (status != STATUS_OK || served->capturing[head->queue])
		arrived_free(served, arrived);
	else
		pending_hold(served, head->queue, point.sub_devices, *arrived, bytes);
	if (status == STATUS_OK && blocking)
		pending_add(served, head, PENDING_ANSWER, point, NULL, 0);
	return status;
}

/* Stores a piece of a write. After the last piece, sets *arrived to the whole data. Before that,
 * leaves *arrived empty. */
static enum status gather_pieces(struct served *served, struct remote_buffer *buffer,
	const struct wire_write_buffer *message, const struct place *place, struct arrived *arrived,
	struct text *why)
{
	uint64_t bytes =
		message->whole ? buffer->spread.layout.size_bytes : sent_bytes(buffer, place->one);
	static const struct place cut_later = {.one = true};

	if (message->offset == 0) {
		arrived_free(served, &buffer->pieces);
		buffer->pieces = arrived_new(
			served, buffer, message->queue, message->whole ? &cut_later : place, bytes);
		buffer->pieces_bytes = bytes;
		buffer->pieces_have = 0;
	}
	if (message->bytes != bytes || arrived_none(&buffer->pieces) ||
		buffer->pieces_bytes != bytes || message->offset != buffer->pieces_have ||
		message->data.count > bytes - buffer->pieces_have)
		return refuse(why, STATUS_INVALID, "%u B at %llu of %llu B, not %llu of %llu",
			message->data.count, (unsigned long long)message->offset,
			(unsigned long long)message->bytes, (unsigned long long)buffer->pieces_have,
			(unsigned long long)bytes);
	arrived_put(&buffer->pieces, message->offset, message->data.at, message->data.count);
	arrived_charge(&buffer->pieces, message->data.count);
	buffer->pieces_have += message->data.count;
	if (buffer->pieces_have == bytes) {
		*arrived = buffer->pieces;
		buffer->pieces = (struct arrived){.offset = 0};
	}
	return STATUS_OK;
}

struct cutting {
	const uint8_t *whole;
	const struct arrived *to;
};

static enum status cut_run(void *context, struct part_run run)
{
	const struct cutting *cutting = context;

	arrived_put(cutting->to, run.piece, cutting->whole + run.whole, run.bytes);
	return STATUS_OK;
}

/* Copies the shards of this executor's devices out of `whole`, the data of the whole buffer. Then
 * frees `whole`. */
static struct arrived executor_data_cut(struct served *served, const struct remote_buffer *buffer,
	uint32_t queue, const struct place *place, struct arrived whole)
{
	struct arrived piece =
		arrived_new(served, buffer, queue, place, piece_bytes(buffer, false));
	struct cutting cutting = {whole.data, &piece};

	(void)part_each_run(&served->part, &buffer->spread, cut_run, &cutting);
	arrived_charge(&piece, piece_bytes(buffer, false));
	arrived_free(served, &whole);
	return piece;
}

/* Used if the mesh spans all hosts: `part` then contains the devices of all hosts, and `near` those
 * of this host. *arrived has only the shards of this host. Replaces these data by data for all
 * hosts, which have the shards of this host at their places. The bytes at all other places are not
 * used, because the other hosts send their shards to the devices themselves. */
static void executor_data_widen(const struct served *served, const struct remote_buffer *buffer,
	const struct place *place, struct arrived *arrived)
{
	uint64_t bytes = piece_bytes(buffer, false);
	uint8_t *whole, *piece;

	if (place->one || buffer->near_shards == buffer->shards)
		return;
	whole = allocate(1, buffer->spread.layout.size_bytes);
	piece = allocate(1, bytes + 1);
	part_scatter(&served->near, &buffer->spread, arrived->data, whole);
	part_gather(&served->part, &buffer->spread, whole, piece);
	free(whole);
	free(arrived->data);
	arrived->data = piece;
}

/* Returns true if the data of the message can be written without a copy: they are all data of the
 * part, and have arrived in memory that the devices can read themselves. Then sets *offset to the
 * offset of the data in this memory. Returns false if the buffer is in host memory, or if the queue
 * captures a trace. */
static bool has_landed(struct served *served, const struct remote_buffer *buffer,
	const struct wire_write_buffer *message, const struct place *place, uint64_t *offset)
{
	uint64_t bytes = piece_bytes(buffer, false);

	return !is_of_host(buffer) && !place->one && !message->whole &&
	       !served->capturing[message->queue] && message->offset == 0 && bytes > 0 &&
	       message->bytes == bytes && message->data.count == bytes &&
	       landing_has(served, &message->data, offset);
}

/* Returns true if this host has no part of the buffer, and so nothing to write. The controller then
 * does not wait for this host. */
static bool has_no_shards(
	const struct served *served, const struct remote_buffer *buffer, uint32_t queue)
{
	return !served->config.whole.spans && !served->capturing[queue] &&
	       part_shards(&served->part, &buffer->spread) == 0;
}

enum status executor_write(
	struct served *served, const struct wire_write_buffer *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer =
		executor_data_find(served, message->queue, message->buffer, why);
	struct arrived arrived = {.offset = 0};
	struct place place;
	enum status status = STATUS_OK;

	if (buffer == NULL)
		return STATUS_NOT_FOUND;
	if (!executor_data_find_place(served, message->ranges.at, message->ranges.count, &place) ||
		(place.one && message->whole))
		return refuse(why, STATUS_OUT_OF_RANGE, "neither all devices nor one");
	if (!place.here || (message->whole && has_no_shards(served, buffer, message->queue)))
		return STATUS_OK;
	if (served->config.whole.spans && message->bytes == 0) { /* this host sends no data */
		arrived.data = allocate(1, piece_bytes(buffer, place.one) + 1);
	} else if (has_landed(served, buffer, message, &place, &arrived.offset)) {
		arrived.landed = served->executor->message;
		span_hold(arrived.landed);
	} else {
		status = gather_pieces(served, buffer, message, &place, &arrived, why);
	}
	if (status != STATUS_OK || arrived_none(&arrived))
		return status;
	if (message->whole)
		arrived = executor_data_cut(served, buffer, message->queue, &place, arrived);
	else if (message->bytes > 0)
		executor_data_widen(served, buffer, &place, &arrived);
	return executor_data_send(
		served, &head, buffer, &place, message->blocking, message->operation, &arrived);
}

/* ---- reads ---- */

enum status executor_read(
	struct served *served, const struct wire_read_buffer *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer =
		executor_data_find(served, message->queue, message->buffer, why);
	struct place place;
	struct captured_read read = {.call = message->operation};
	struct device_range near;
	bool captured;
	uint8_t *data;
	enum status status;

	if (buffer == NULL)
		return STATUS_NOT_FOUND;
	captured = served->capturing[message->queue];
	if (captured && (message->blocking || message->operation == 0))
		return refuse(why, STATUS_INVALID, "a captured read that blocks, or of no number");
	if (!executor_data_find_place(served, message->ranges.at, message->ranges.count, &place))
		return refuse(why, STATUS_OUT_OF_RANGE, "neither all devices nor one");
	if (!place.here || (!place.one && !part_is_read(&served->part, &buffer->spread)))
		return STATUS_OK;
	/* if config.whole.spans is set, this executor has opened the mesh of all hosts as its own
	 * mesh, so place.range is a range of both */
	if (!served->config.whole.spans)
		read.answers = true;
	else if (place.one)
		read.answers = part_cut(&served->near, place.range, &near);
	else
		read.answers = part_is_read(&served->near, &buffer->spread);
	read.cut = !place.one && buffer->near_shards < buffer->shards;
	read.spread = buffer->spread;
	read.bytes = piece_bytes(buffer, place.one);
	data = captured ? NULL
			: allocate(1, read.bytes); /* each replay allocates separate memory */
	if (place.one) {
		status = enqueue_read_shard(mesh_queue(served->mesh, message->queue),
			buffer->buffer, place.range.row0, place.range.column0, data, false,
			message->operation);
	} else {
		place.range = mesh_buffer_read_range(buffer->buffer);
		status = enqueue_read_buffer(mesh_queue(served->mesh, message->queue),
			buffer->buffer, data, false, message->operation);
	}
	if (status != STATUS_OK)
		free(data);
	else if (captured)
		executor_captured(served, message->queue, &read);
	else
		pending_add(served, &head, read.answers ? PENDING_READ : PENDING_POINT,
			(struct point){place.range, mesh_buffer_sub_devices(buffer->buffer), 0},
			data, read.bytes);
	if (status == STATUS_OK && !captured && read.cut)
		pending_cut(served, message->queue, &buffer->spread);
	return status;
}

/* ---- loading of the part's own shards ---- */

struct loading {
	const struct shard_loader *loader;
	char name[BOUND_STORED_NAME_BYTES + 1];
	uint8_t *data;
	struct text *why;
};

static enum status load_run(void *context, struct part_run run)
{
	const struct loading *loading = context;

	storage_charge(run.bytes);
	return loading->loader->load(loading->loader->context, loading->name, run.whole, run.bytes,
		loading->data + run.piece, loading->why);
}

enum status executor_load(
	struct served *served, const struct wire_load_shard *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_buffer *buffer =
		executor_data_find(served, message->queue, message->buffer, why);
	struct loading loading = {&served->executor->settings->loader, "", NULL, why};
	struct arrived arrived;
	struct place place;
	uint64_t bytes;
	enum status status;

	if (buffer == NULL || !executor_data_find_place(served, NULL, 0, &place))
		return STATUS_NOT_FOUND;
	if (loading.loader->load == NULL || message->name.count >= sizeof loading.name)
		return refuse(why, STATUS_UNSUPPORTED, "this executor loads no shards");
	if (message->name.count > 0)
		memcpy(loading.name, message->name.at, message->name.count);
	bytes = sent_bytes(buffer, false);
	loading.data = allocate(1, bytes + 1);
	status = part_each_run(&served->near, &buffer->spread, load_run, &loading);
	if (status == STATUS_OK) {
		arrived = arrived_new(served, buffer, message->queue, &place, bytes);
		arrived_put(&arrived, 0, loading.data, bytes);
		free(loading.data);
		executor_data_widen(served, buffer, &place, &arrived);
		return executor_data_send(served, &head, buffer, &place, message->blocking,
			message->operation, &arrived);
	}
	free(loading.data);
	return status;
}
