/* Receiving of reads: from records of pages, padded as they lie on the device, to rows of the
 * user's buffer. Knows nothing of who calls: a reader thread or whoever synchronizes. */
#include "read.h"

#include <stdlib.h>

#include "base/ensure.h"

uint64_t read_record_bytes(const struct placement *placement)
{
	uint64_t bytes = (uint64_t)placement->page_count * placement->page_stride;

	return COMPLETION_BYTES +
	       (bytes + COMPLETION_BYTES - 1) / COMPLETION_BYTES * COMPLETION_BYTES;
}

void read_release(struct read *read)
{
	if (__atomic_sub_fetch(&read->references, 1, __ATOMIC_ACQ_REL) == 0)
		free(read);
}

/* Next bytes of the current record; NULL drops them. */
static void take(struct lane *lane, uint32_t length, void *out, enum status *worst)
{
	enum status status = completion_queue_read(lane->completion, length, DEADLINE_NEVER, out);

	ensure(status == STATUS_OK || status == STATUS_ELIDED, "data of chip %u: %s", lane->chip,
		status_message(status));
	if (status != STATUS_OK)
		*worst = status;
}

/* The device's linear data [offset, offset + length) go to their rows on the host. */
static void take_rows(struct read *read, struct lane *lane, const struct shard_rows *rows,
	uint64_t offset, uint32_t length, enum status *worst)
{
	while (length > 0) {
		uint64_t row = offset / rows->row_bytes, column = offset % rows->row_bytes;
		uint32_t part = length;

		if (rows->row_bytes - column < part)
			part = (uint32_t)(rows->row_bytes - column);
		take(lane, part, read->data + rows->first_byte + row * rows->stride + column,
			worst);
		offset += part;
		length -= part;
	}
}

static void take_pages(
	struct read *read, struct lane *lane, const struct shard_rows *rows, enum status *worst)
{
	const struct placement *placement = &read->placement;
	uint32_t page_bytes = placement->config.page_bytes;
	uint32_t padding = placement->page_stride - page_bytes;
	uint64_t size = placement->size_bytes;

	if (padding == 0) /* pages follow each other: as few copies as the rows allow */
		page_bytes = size < UINT32_C(1) << 30 ? (uint32_t)size : page_bytes;
	for (uint64_t offset = 0; offset < size; offset += page_bytes) {
		take_rows(read, lane, rows, offset, page_bytes, worst);
		if (padding > 0)
			take(lane, padding, NULL, worst);
	}
}

/* Where the device's data go: a shard's rows of the whole buffer, or one piece. */
static struct shard_rows destination(const struct read *read, const struct lane *lane)
{
	uint32_t columns = read->spread.device_columns;
	struct shard_rows rows = {0, read->spread.device_bytes, 0, 1};

	if (!read->local) {
		bool holds = mesh_spread_shard(
			&read->spread, lane->device / columns, lane->device % columns, &rows);

		ensure(holds, "read of device %u, which holds no shard", lane->device);
	}
	return rows;
}

void read_receive(struct read *read, struct lane *lane)
{
	struct mesh_device *mesh = read->queue->mesh;
	struct shard_rows rows = destination(read, lane);
	struct completion_record record;
	enum status worst = STATUS_OK;
	enum status status = completion_queue_next(lane->completion, DEADLINE_NEVER, &record);

	ensure(status == STATUS_OK && record.kind == COMPLETION_DATA &&
			record.operation == read->operation,
		"chip %u: %s, record %s of operation %u instead of data of %u", lane->chip,
		status_message(status), completion_kind_name(record.kind), record.operation,
		read->operation);
	take_pages(read, lane, &rows, &worst);
	world->work(WORK_COMPLETE, 1);
	world->monitor_enter(mesh->completed);
	if (worst != STATUS_OK)
		read->status = mesh->read_status = worst;
	if (--read->remaining == 0) {
		if (read->operation != 0)
			world->mark(read->operation, MARK_SEEN, read->queue->index);
		world->monitor_notify_all(mesh->completed);
	}
	world->monitor_exit(mesh->completed);
	read_release(read);
}
