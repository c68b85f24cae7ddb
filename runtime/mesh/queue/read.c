/* The receiving side of reads. Copies pages from records to rows of the user's buffer. In a record,
 * pages have the same padding as on the device. Reader threads and synchronizing threads call these
 * functions. */
#include "mesh/queue/transfer.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/queue/job.h"

#define TAKE_MOST ((uint64_t)1 << 30) /* maximum number of bytes in one copy */

uint32_t read_piece_pages(const struct placement *placement)
{
	return DISPATCH_LENGTH_MAX / placement->page_stride;
}

/* Returns the size of a record with `pages` pages. */
static uint64_t record_bytes(const struct placement *placement, uint32_t pages)
{
	uint64_t bytes = (uint64_t)pages * placement->page_stride;

	return COMPLETION_BYTES +
	       (bytes + COMPLETION_BYTES - 1) / COMPLETION_BYTES * COMPLETION_BYTES;
}

uint64_t read_record_bytes(const struct read *read)
{
	const struct placement *placement = &read->placement;
	uint32_t piece = read_piece_pages(placement), pages = read->pages.count;

	if (read->records > 0)
		return (uint64_t)read->records * COMPLETION_BYTES;
	return pages / piece * record_bytes(placement, piece) +
	       (pages % piece > 0 ? record_bytes(placement, pages % piece) : 0);
}

void read_release(struct read *read)
{
	if (__atomic_sub_fetch(&read->references, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(read->owned);
	free(read->held);
	free(read);
}

/* Copies the next `length` bytes of the current record to `out`, or skips them if `out` is NULL. If
 * these bytes are not simulated, sets *worst to ELIDED. */
static void read_take(
	struct read *read, struct lane *lane, uint32_t length, void *out, enum status *worst)
{
	enum status status =
		completion_queue_read(lane->completion, length, DEADLINE_NEVER, out, read->to);

	ensure(status == STATUS_OK || status == STATUS_ELIDED, "data of chip %u: %s", lane->chip,
		status_message(status));
	if (status != STATUS_OK)
		*worst = status;
	if (out != NULL)
		world->work(WORK_COPY_RUN, 1);
}

/* The destination of a device's data on the host. */
struct destination {
	uint8_t *data;
	struct shard_rows rows; /* position of the device's data in `data` */
};

/* The current record contains bytes [offset, offset + length) of the device's data. Copies them to
 * the rows of the user's data to which they belong. */
static void take_rows(struct read *read, struct lane *lane, const struct destination *to,
	uint64_t offset, uint64_t length, enum status *worst)
{
	const struct shard_rows *rows = &to->rows;

	while (length > 0) {
		uint64_t row = offset / rows->row_bytes, column = offset % rows->row_bytes;
		uint64_t part = length;

		if (rows->row_bytes - column < part)
			part = rows->row_bytes - column;
		if (part > TAKE_MOST)
			part = TAKE_MOST;
		read_take(read, lane, (uint32_t)part,
			to->data + rows->first_byte + row * rows->stride + column, worst);
		offset += part;
		length -= part;
	}
}

/* Stores pages [page, page + count). Makes as few copies as rows and padding allow. */
static void take_run(struct read *read, struct lane *lane, const struct destination *to,
	uint32_t page, uint32_t count, enum status *worst)
{
	const struct placement *placement = &read->placement;
	uint64_t page_bytes = placement->config.page_bytes;
	uint32_t padding = placement->page_stride - placement->config.page_bytes;

	if (padding == 0) {
		take_rows(read, lane, to, page * page_bytes, count * page_bytes, worst);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		take_rows(read, lane, to, (page + (uint64_t)i) * page_bytes, page_bytes, worst);
		read_take(read, lane, padding, NULL, worst);
	}
}

/* Returns where a lane's data belong on the host: either the rows of a shard in the whole buffer,
 * or one contiguous piece of memory. */
static struct destination destination(const struct read *read, const struct lane *lane)
{
	uint32_t columns = read->spread.device_columns;
	struct destination to = {read->data, {0, read->spread.device_bytes, 0, 1}};

	if (!read->local && read->taker == NULL) {
		bool holds = mesh_spread_shard(
			&read->spread, lane->device / columns, lane->device % columns, &to.rows);

		ensure(holds, "read of device %u, which holds no shard", lane->device);
	}
	return to;
}

_Noreturn void read_halt(const struct lane *lane, const struct completion_record *record,
	enum status status, const char *expected)
{
	struct mesh_device *mesh = lane->queue->mesh;
	const struct firmware_faults *faults = mesh->config.faults;
	const struct firmware_fault fault = {.kind = FAULT_RECORD,
		.chip = lane->chip,
		.tile = FAULT_ON_HOST,
		.stage = "reader",
		.detail = "halted: a completion record out of turn"};

	ensure(faults != NULL, "chip %u: %s, record %s %u of operation %u instead of %s",
		lane->chip, status_message(status), completion_kind_name(record->kind), record->tag,
		record->operation, expected);
	faults->report(faults->context, &fault);
	world->monitor_enter(mesh->completed);
	for (;;)
		(void)world->monitor_wait_until(mesh->completed, DEADLINE_NEVER, WAIT_PARK);
}

/* Takes the next record, which must be of kind `kind` and belong to this read. */
static void next_record(struct read *read, struct lane *lane, enum completion_kind kind)
{
	struct completion_record record;
	enum status status = completion_queue_next(lane->completion, DEADLINE_NEVER, &record);

	if (status != STATUS_OK || record.kind != kind || record.operation != read->operation)
		read_halt(lane, &record, status, completion_kind_name(kind));
}

/* Takes the data records of a lane, and stores the pages that they contain. The pages of a sharded
 * buffer arrive in the order in which relay_sharded() (enqueue_read.c) requested them. */
static void take_pages(
	struct read *read, struct lane *lane, const struct destination *to, enum status *worst)
{
	const struct placement *placement = &read->placement;
	uint32_t piece = read_piece_pages(placement), left = 0;
	struct placement_walk walk = {.placement = placement, .only = read->pages};
	struct page_run run = {.count = 0};

	for (uint32_t taken = 0; taken < read->pages.count; taken += run.count) {
		if (left == 0) {
			next_record(read, lane, COMPLETION_DATA);
			left = piece;
		}
		if (left > read->pages.count - taken)
			left = read->pages.count - taken;
		if (placement->config.layout == LAYOUT_INTERLEAVED)
			run = (struct page_run){.page = read->pages.first + taken, .count = left};
		else
			(void)placement_walk_next(&walk, left, &run);
		take_run(read, lane, to, run.page, run.count, worst);
		left -= run.count;
	}
}

static enum status receive_data(struct read *read, struct lane *lane)
{
	struct destination to = destination(read, lane);
	enum status worst = STATUS_OK;

	if (read->taker != NULL)
		to.data = allocate(1, read->spread.device_bytes);
	take_pages(read, lane, &to, &worst);
	if (read->taker != NULL) {
		read->taker->take(
			read->taker->context, lane->device, worst == STATUS_OK ? to.data : NULL);
		free(to.data);
	}
	return worst;
}

void read_receive(struct read *read, struct lane *lane)
{
	struct mesh_device *mesh = read->queue->mesh;
	enum status worst = STATUS_OK;

	for (uint32_t i = 0; i < read->records; i++)
		next_record(read, lane, COMPLETION_DIRECT);
	if (read->records == 0)
		worst = receive_data(read, lane);
	world->work(WORK_COMPLETE, 1);
	world->monitor_enter(mesh->completed);
	if (worst != STATUS_OK)
		read->status = mesh->read_status = worst;
	if (--read->remaining == 0) {
		if (read->owned != NULL)
			host_memory_store(read->memory, read->offset, read->owned,
				read->spread.layout.size_bytes);
		queue_mark(read->operation, MARK_SEEN, read->queue);
		world->monitor_notify_all(mesh->completed);
	}
	world->monitor_exit(mesh->completed);
	read_release(read);
}
