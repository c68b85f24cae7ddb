/* The host's side of an issue queue. It reserves room in the ring in pinned memory, rings
 * doorbells, and finds out how much the prefetchers have read. The host never reads over PCIe. */
#include "command/issue_queue.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 48, READ_WORD_STRIDE = 64 };

struct issue_queue {
	struct issue_queue_config config;
	struct issue_reader *readers;
	char name[NAME_BYTES];
	uint64_t ring, words; /* host addresses of the ring and of the words for read positions */
	uint32_t end;	      /* end of the last piece in the ring */
	uint64_t head, tail;  /* numbers of bytes that were reserved (head) and freed (tail) since
			       * the start, including bytes skipped at the ring's end */
	/* number of entries that were posted and that were freed since the start */
	uint32_t posted, freed;
	uint64_t *piece_ends; /* [entry % fetch_entries] value of `head` after the entry was posted.
			       * NULL before the first entry: many queues never have one, so the
			       * array is allocated late */
	uint32_t reserved;    /* size in bytes of the piece that was reserved and not posted yet; 0:
			       * none */
	struct issue_queue_counters counters;
};

/* Returns the bytes of the ring and of one word for each reader. */
static uint64_t reserved_bytes(const struct issue_queue_config *config)
{
	return config->ring_bytes + window_pages((uint64_t)config->reader_count * READ_WORD_STRIDE);
}

enum status issue_queue_new(const struct issue_queue_config *config, struct issue_queue **out)
{
	struct issue_queue *queue = allocate(1, sizeof *queue);
	enum status status;

	ensure(config->reader_count >= 1 && config->fetch_entries > 0 &&
			config->entry_bytes_max > 0 && config->entry_bytes_max <= ISSUE_ENTRY_MAX &&
			config->entry_bytes_max % COMMAND_ALIGN == 0 &&
			config->ring_bytes % WINDOW_PAGE_BYTES == 0 &&
			config->ring_bytes / 2 >= config->entry_bytes_max,
		"issue queue of %u B for %u readers, %u entries of up to %u B", config->ring_bytes,
		config->reader_count, config->fetch_entries, config->entry_bytes_max);
	queue->config = *config;
	snprintf(queue->name, sizeof queue->name, "%s", config->name);
	queue->config.name = queue->name;
	queue->readers = allocate(config->reader_count, sizeof *queue->readers);
	memcpy(queue->readers, config->readers, config->reader_count * sizeof *queue->readers);
	queue->config.readers = queue->readers;
	status = device_row->window_reserve(
		config->cluster, queue->name, reserved_bytes(config), &queue->ring);
	if (status != STATUS_OK) {
		issue_queue_free(queue);
		return status;
	}
	queue->words = queue->ring + config->ring_bytes;
	*out = queue;
	return STATUS_OK;
}

void issue_queue_free(struct issue_queue *queue)
{
	if (queue == NULL)
		return;
	if (queue->ring != 0)
		device_row->window_release(
			queue->config.cluster, queue->ring, reserved_bytes(&queue->config));
	free(queue->piece_ends);
	free(queue->readers);
	free(queue);
}

uint64_t issue_queue_ring(const struct issue_queue *queue)
{
	return queue->ring;
}

uint64_t issue_queue_read_word(const struct issue_queue *queue, uint32_t reader)
{
	ensure(reader < queue->config.reader_count, "reader %u of %u", reader,
		queue->config.reader_count);
	return queue->words + (uint64_t)reader * READ_WORD_STRIDE;
}

/* ---- free room ---- */

/* Frees the entries that the slowest reader has read. */
static void free_update(struct issue_queue *queue)
{
	uint32_t least = queue->posted;

	for (uint32_t i = 0; i < queue->config.reader_count; i++) {
		uint32_t read = device_row->window_word(
			queue->config.cluster, issue_queue_read_word(queue, i));

		if ((int32_t)(read - least) < 0)
			least = read;
	}
	if (least == queue->freed)
		return;
	queue->freed = least;
	queue->tail = queue->piece_ends[(least - 1) % queue->config.fetch_entries];
}

static bool fits(const struct issue_queue *queue, uint64_t need)
{
	return queue->posted - queue->freed < queue->config.fetch_entries &&
	       queue->config.ring_bytes - (queue->head - queue->tail) >= need;
}

/* Returns how many entries prefetchers must have read since the start of the queue, so that there
 * is room for `need` bytes. */
static uint32_t entries_to_free(const struct issue_queue *queue, uint64_t need)
{
	uint32_t entries = queue->config.fetch_entries, count = queue->freed + 1;

	while (count != queue->posted &&
		queue->config.ring_bytes -
				(queue->head - queue->piece_ends[(count - 1) % entries]) <
			need)
		count++;
	return count;
}

/* Waits until all readers have read `count` entries, counted since the start. */
static enum status wait_read(struct issue_queue *queue, uint32_t count, int64_t deadline_ns)
{
	for (uint32_t i = 0; i < queue->config.reader_count; i++) {
		enum status status = device_row->window_wait(queue->config.cluster,
			issue_queue_read_word(queue, i), count, deadline_ns, queue->config.mode,
			"room in an issue queue");

		if (status != STATUS_OK)
			return status;
	}
	free_update(queue);
	return STATUS_OK;
}

enum status issue_queue_reserve(
	struct issue_queue *queue, uint32_t bytes, int64_t deadline_ns, uint64_t *address)
{
	uint32_t ring_bytes = queue->config.ring_bytes;
	uint32_t place = issue_ring_place(queue->end, bytes, ring_bytes);
	uint64_t skipped = place == queue->end ? 0 : ring_bytes - queue->end;

	ensure(bytes > 0 && bytes % COMMAND_ALIGN == 0 && bytes <= queue->config.entry_bytes_max,
		"a piece of %u B", bytes);
	ensure(queue->reserved == 0, "two pieces reserved in %s", queue->name);
	world->work(WORK_RESERVE, 1);
	if (!fits(queue, skipped + bytes))
		free_update(queue);
	while (!fits(queue, skipped + bytes)) {
		enum status status =
			wait_read(queue, entries_to_free(queue, skipped + bytes), deadline_ns);

		if (status != STATUS_OK)
			return status;
		queue->counters.waits++;
	}
	queue->head += skipped + bytes;
	queue->end = place + bytes;
	queue->reserved = bytes;
	*address = queue->ring + place;
	return STATUS_OK;
}

/* ---- writing ---- */

void issue_queue_write(
	struct issue_queue *queue, uint64_t address, struct span span, enum memory_kind from)
{
	ensure(address >= queue->ring && address + span.length <= queue->ring + queue->end,
		"%u B outside the piece of %s", span.length, queue->name);
	device_row->window_write(queue->config.cluster, address, span);
	world->work_copy(span.length, from, MEMORY_PINNED);
	queue->counters.bytes += span.length;
}

void issue_queue_post(struct issue_queue *queue, uint32_t operation, bool last)
{
	uint32_t index = queue->posted % queue->config.fetch_entries;
	uint32_t word = fetch_entry_encode((struct fetch_entry){
		.bytes = queue->reserved, .last = last, .operation = (uint16_t)operation});

	if (queue->piece_ends == NULL)
		queue->piece_ends = allocate(queue->config.fetch_entries, sizeof(uint64_t));
	queue->piece_ends[index] = queue->head;
	queue->posted++;
	queue->reserved = 0;
	for (uint32_t i = 0; i < queue->config.reader_count; i++) {
		const struct issue_reader *reader = &queue->config.readers[i];

		world->work(WORK_DOORBELL, 1);
		device_row->post_word(
			reader->device, reader->tile, reader->fetch_queue + 4 * index, word);
	}
	queue->counters.entries++;
	queue->counters.doorbells += queue->config.reader_count;
}

struct issue_queue_counters issue_queue_counters(const struct issue_queue *queue)
{
	return queue->counters;
}

/* ---- entries ---- */

enum { ENTRY_UNITS = 0x3fff, ENTRY_LAST = 1 << 14, ENTRY_OPERATION_SHIFT = 15 };

uint32_t fetch_entry_encode(struct fetch_entry entry)
{
	ensure(entry.bytes > 0 && entry.bytes <= ISSUE_ENTRY_MAX &&
			entry.bytes % COMMAND_ALIGN == 0,
		"an entry of %u B", entry.bytes);
	return entry.bytes / COMMAND_ALIGN | (entry.last ? ENTRY_LAST : 0) |
	       (uint32_t)entry.operation << ENTRY_OPERATION_SHIFT;
}

enum status fetch_entry_decode(uint32_t word, struct fetch_entry *entry)
{
	entry->bytes = (word & ENTRY_UNITS) * COMMAND_ALIGN;
	entry->last = word & ENTRY_LAST;
	entry->operation = (uint16_t)(word >> ENTRY_OPERATION_SHIFT);
	return entry->bytes > 0 && word >> 31 == 0 ? STATUS_OK : STATUS_INVALID;
}

uint32_t fetch_entry_operation(uint16_t low, uint32_t near)
{
	int16_t ahead = (int16_t)(uint16_t)(low - (uint16_t)near);

	return (uint32_t)((int64_t)near + ahead);
}
