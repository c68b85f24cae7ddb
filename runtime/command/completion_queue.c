/* The host's side of a completion queue. It reads records from a ring in pinned memory, and reports
 * to the device how far it has read. If a record contains values that a device never writes,
 * returns INVALID. */
#include "command/completion.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_BYTES = 48 };

struct completion_queue {
	struct completion_queue_config config;
	char name[NAME_BYTES];
	uint64_t ring, write_word; /* host addresses of the ring and of the write word */
	uint64_t position;	   /* number of bytes read since the start */
	uint32_t posted;	   /* number of units that were reported to the device as read */
	uint32_t left;		   /* number of data bytes of the current record that were not
				    * read yet */
};

/* Returns the bytes of the ring and of the page after it, which contains the write word. */
static uint64_t reserved_bytes(const struct completion_queue_config *config)
{
	return (uint64_t)config->ring_bytes + WINDOW_PAGE_BYTES;
}

enum status completion_queue_new(
	const struct completion_queue_config *config, struct completion_queue **out)
{
	struct completion_queue *queue = allocate(1, sizeof *queue);
	enum status status;

	ensure(config->ring_bytes > 0 && config->ring_bytes % WINDOW_PAGE_BYTES == 0,
		"completion queue of %u B", config->ring_bytes);
	queue->config = *config;
	snprintf(queue->name, sizeof queue->name, "%s", config->name);
	queue->config.name = queue->name;
	status = device_row->window_reserve(
		config->cluster, queue->name, reserved_bytes(config), &queue->ring);
	if (status != STATUS_OK) {
		free(queue);
		return status;
	}
	queue->write_word = queue->ring + config->ring_bytes;
	*out = queue;
	return STATUS_OK;
}

void completion_queue_free(struct completion_queue *queue)
{
	if (queue != NULL)
		device_row->window_release(
			queue->config.cluster, queue->ring, reserved_bytes(&queue->config));
	free(queue);
}

uint64_t completion_queue_ring(const struct completion_queue *queue)
{
	return queue->ring;
}

uint64_t completion_queue_write_word(const struct completion_queue *queue)
{
	return queue->write_word;
}

/* ---- reading ---- */

static uint32_t units_read(const struct completion_queue *queue)
{
	return (uint32_t)(queue->position / COMPLETION_BYTES);
}

static uint64_t ring_address(const struct completion_queue *queue)
{
	return queue->ring + queue->position % queue->config.ring_bytes;
}

static enum status wait_unit(struct completion_queue *queue, int64_t deadline_ns)
{
	return device_row->window_wait(queue->config.cluster, queue->write_word,
		units_read(queue) + 1, deadline_ns, queue->config.mode,
		"a record in a completion queue");
}

/* Advances the read position. Reports it to the device only when a quarter of the ring was read
 * since the last report, because a report is a posted write over PCIe. */
static void advance(struct completion_queue *queue, uint32_t bytes)
{
	uint32_t quarter = queue->config.ring_bytes / COMPLETION_BYTES / 4;

	queue->position += bytes;
	if (units_read(queue) - queue->posted < quarter)
		return;
	queue->posted = units_read(queue);
	device_row->post_word(
		queue->config.device, queue->config.tile, queue->config.read_word, queue->posted);
}

static enum status header_take(struct completion_queue *queue, struct completion_record *record)
{
	uint8_t bytes[COMPLETION_BYTES];
	enum status status = device_row->window_read(
		queue->config.cluster, ring_address(queue), sizeof bytes, bytes);

	if (status == STATUS_OK)
		status = completion_decode(bytes, record);
	if (status != STATUS_OK)
		return STATUS_INVALID;
	world->work_copy(sizeof bytes, MEMORY_PINNED, MEMORY_CACHED);
	queue->left = record->kind == COMPLETION_DATA ? record->length : 0;
	advance(queue, sizeof bytes);
	return STATUS_OK;
}

enum status completion_queue_next(
	struct completion_queue *queue, int64_t deadline_ns, struct completion_record *record)
{
	enum status status;

	ensure(queue->left == 0, "%u B of a record in %s are not read", queue->left, queue->name);
	status = wait_unit(queue, deadline_ns);
	return status == STATUS_OK ? header_take(queue, record) : status;
}

enum status completion_queue_wait(struct completion_queue *queue, int64_t deadline_ns)
{
	ensure(queue->left == 0, "%u B of a record in %s are not read", queue->left, queue->name);
	return wait_unit(queue, deadline_ns);
}

enum status completion_queue_try(struct completion_queue *queue, struct completion_record *record)
{
	uint32_t written = device_row->window_word(queue->config.cluster, queue->write_word);

	ensure(queue->left == 0, "%u B of a record in %s are not read", queue->left, queue->name);
	world->work(WORK_POLL, 1);
	if (written == units_read(queue))
		return STATUS_EMPTY;
	return header_take(queue, record);
}

/* Returns the number of data bytes of the record that have arrived. Counts only bytes up to the end
 * of the record and of the ring. */
static uint32_t completion_queue_available(const struct completion_queue *queue)
{
	uint32_t written = device_row->window_word(queue->config.cluster, queue->write_word);
	uint64_t bytes = (uint64_t)(written - units_read(queue)) * COMPLETION_BYTES -
			 queue->position % COMPLETION_BYTES;
	uint64_t straight = queue->config.ring_bytes - queue->position % queue->config.ring_bytes;

	if (bytes > straight)
		bytes = straight;
	return bytes < queue->left ? (uint32_t)bytes : queue->left;
}

/* Skips the padding of a record's data. */
static void data_end(struct completion_queue *queue)
{
	uint32_t over = (uint32_t)(queue->position % COMPLETION_BYTES);

	if (queue->left == 0 && over != 0)
		advance(queue, COMPLETION_BYTES - over);
}

enum status completion_queue_read(struct completion_queue *queue, uint32_t length,
	int64_t deadline_ns, void *out, enum memory_kind to)
{
	enum status result = STATUS_OK;
	uint8_t *at = out;

	if (length > queue->left)
		return STATUS_OUT_OF_RANGE;
	while (length > 0) {
		uint32_t part = completion_queue_available(queue);
		enum status status = STATUS_OK;

		if (part == 0) {
			status = wait_unit(queue, deadline_ns);
			if (status != STATUS_OK)
				return status;
			continue;
		}
		if (part > length)
			part = length;
		if (at != NULL) {
			status = device_row->window_read(
				queue->config.cluster, ring_address(queue), part, at);
			world->work_copy(part, MEMORY_PINNED, to);
			if (status != STATUS_OK)
				result = status;
			at += part;
		}
		queue->left -= part;
		length -= part;
		advance(queue, part);
	}
	data_end(queue);
	return result;
}
