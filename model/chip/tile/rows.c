/* Rows of a layer (rows.h). */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

static void release(const struct row *row)
{
	for (uint32_t i = 0; i < row->part_count; i++)
		span_release(row->parts[i].span);
}

void sim_rows_fini(struct rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++)
		release(&rows->row[i]);
	for (uint32_t i = 0; i < rows->target_count; i++) {
		free(rows->targets[i].targets);
		free(rows->targets[i].place);
	}
	free(rows->row);
}

/* ---- targets ---- */

/* Fills list->place: for each tile, 1 plus its index in the list of targets. Returns false if a
 * target is not a member of the layer, or if it occurs twice. */
static bool fill(struct row_targets *list, const struct device *device, const struct layer *layer)
{
	for (uint32_t i = 0; i < list->count; i++) {
		uint16_t tile = list->targets[i].tile;

		if (device->tiles[tile].layer != layer || list->place[tile] != 0)
			return false;
		list->place[tile] = (uint16_t)(i + 1);
	}
	return true;
}

const struct row_targets *sim_rows_targets(struct rows *rows, const struct device *device,
	const struct layer *layer, const struct packed_target *targets, uint32_t count)
{
	struct row_targets *list;

	for (uint32_t i = 0; i < rows->target_count; i++) {
		list = &rows->targets[i];
		if (list->count == count && list->targets[0].tile == targets[0].tile &&
			memcmp(list->targets, targets, count * sizeof *targets) == 0)
			return list;
	}
	if (rows->target_count == ROW_TARGETS)
		return NULL;
	list = &rows->targets[rows->target_count];
	list->targets = allocate(count, sizeof *list->targets);
	list->place = allocate(device->grid->tile_count, sizeof *list->place);
	list->count = count;
	memcpy(list->targets, targets, count * sizeof *targets);
	if (fill(list, device, layer)) {
		rows->target_count++;
		return list;
	}
	free(list->targets);
	free(list->place);
	return NULL;
}

/* ---- rows ---- */

static uint32_t row_end(const struct row *row)
{
	return row->address + row->length;
}

uint32_t sim_rows_find(struct rows *rows, uint32_t address)
{
	uint32_t low = 0, high = rows->count, hint = rows->hint;

	if (hint < rows->count && row_end(&rows->row[hint]) > address &&
		(hint == 0 || row_end(&rows->row[hint - 1]) <= address))
		return hint;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (row_end(&rows->row[middle]) > address)
			high = middle;
		else
			low = middle + 1;
	}
	rows->hint = low;
	return low;
}

static struct row *row_new(struct rows *rows, uint32_t i, uint32_t address, uint32_t length)
{
	if (rows->count == rows->capacity) {
		rows->capacity = rows->capacity ? 2 * rows->capacity : 4;
		rows->row = allocate_more(rows->row, rows->capacity, sizeof *rows->row);
	}
	memmove(&rows->row[i + 1], &rows->row[i], (rows->count++ - i) * sizeof *rows->row);
	rows->row[i] = (struct row){.address = address, .length = length};
	return &rows->row[i];
}

uint32_t sim_rows_split(struct rows *rows, uint32_t address)
{
	uint32_t i = sim_rows_find(rows, address), before;
	struct row *row, *rest;

	if (i == rows->count || rows->row[i].address >= address)
		return i;
	before = address - rows->row[i].address;
	rest = row_new(rows, i + 1, address, rows->row[i].length - before);
	row = &rows->row[i];
	row->length = before;
	rest->part_count = row->part_count;
	rest->covered = row->covered;
	for (uint32_t p = 0; p < row->part_count; p++) {
		rest->parts[p] = row->parts[p];
		rest->parts[p].offset += before;
		span_hold(rest->parts[p].span);
	}
	return i + 1;
}

static bool are_apart(const struct row_targets *a, const struct row_targets *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (b->place[a->targets[i].tile] != 0)
			return false;
	return true;
}

/* Returns the index of the part with these targets, or row->part_count if there is none. */
static uint32_t part_of(const struct row *row, const struct row_targets *to)
{
	uint32_t i = 0;

	while (i < row->part_count && row->parts[i].to != to)
		i++;
	return i;
}

static bool row_can_take(const struct row *row, const struct row_targets *to)
{
	if (part_of(row, to) < row->part_count)
		return true;
	for (uint32_t i = 0; i < row->part_count; i++)
		if (!are_apart(row->parts[i].to, to))
			return false;
	return row->part_count < ROW_PARTS;
}

bool sim_rows_can_take(
	const struct rows *rows, uint32_t i, uint32_t end, const struct row_targets *to)
{
	for (; i < rows->count && rows->row[i].address < end; i++)
		if (!row_can_take(&rows->row[i], to))
			return false;
	return true;
}

static void row_put(struct row *row, const struct row_part *data)
{
	uint32_t at = part_of(row, data->to);

	if (at == row->part_count) {
		row->part_count++;
		row->covered += data->to->count;
	} else {
		span_release(row->parts[at].span);
	}
	row->parts[at] = *data;
	span_hold(data->span);
}

/* True if the bytes of row b follow the bytes of row a in the same data. */
static bool continues(const struct row *a, const struct row *b)
{
	if (row_end(a) != b->address || a->part_count != b->part_count)
		return false;
	for (uint32_t i = 0; i < a->part_count; i++) {
		const struct row_part *one = &a->parts[i], *other = &b->parts[part_of(b, one->to)];

		if (other == &b->parts[b->part_count] || one->stride != other->stride ||
			one->offset + a->length != other->offset ||
			one->span.extent != other->span.extent ||
			one->span.offset != other->span.offset)
			return false;
	}
	return true;
}

static void join_next(struct rows *rows, uint32_t i)
{
	if (i + 1 >= rows->count || !continues(&rows->row[i], &rows->row[i + 1]))
		return;
	rows->row[i].length += rows->row[i + 1].length;
	sim_rows_drop(rows, i + 1);
}

void sim_rows_put(struct rows *rows, uint32_t i, uint32_t address, uint32_t stride,
	const struct row_targets *to, struct span span)
{
	struct row_part data = {.to = to, .stride = stride, .span = span};
	uint32_t first = i, next;

	for (; data.offset < stride; i++) {
		uint32_t at = address + data.offset, until = address + stride;

		if (i == rows->count || rows->row[i].address > at) {
			next = i < rows->count ? rows->row[i].address : until;
			row_new(rows, i, at, (next < until ? next : until) - at);
		}
		row_put(&rows->row[i], &data);
		data.offset += rows->row[i].length;
	}
	while (i-- > first)
		join_next(rows, i);
	if (first > 0)
		join_next(rows, first - 1);
}

void sim_rows_drop(struct rows *rows, uint32_t i)
{
	release(&rows->row[i]);
	memmove(&rows->row[i], &rows->row[i + 1], (--rows->count - i) * sizeof *rows->row);
}

/* Sets *span to the bytes that a row has for the tile. The span gets no reference of its own.
 * Returns false if the row has no bytes for the tile. */
static bool bytes_of(const struct row *row, uint16_t tile, struct span *span)
{
	for (uint32_t i = 0; i < row->part_count; i++) {
		uint32_t place = row->parts[i].to->place[tile];

		if (place == 0)
			continue;
		*span = span_part(row->parts[i].span,
			(place - 1) * row->parts[i].stride + row->parts[i].offset, row->length);
		return true;
	}
	return false;
}

struct span sim_rows_view_piece(struct rows *rows, uint16_t tile, uint32_t address, uint32_t length)
{
	struct span view = {.length = length}, bytes;

	for (uint32_t i = sim_rows_find(rows, address); sim_rows_touch(rows, i, address, length);
		i++) {
		const struct row *row = &rows->row[i];
		uint32_t from;

		if (!bytes_of(row, tile, &bytes))
			continue;
		if (row->address > address) {
			view.length = row->address - address;
			return view;
		}
		from = address - row->address;
		if (length > row->length - from)
			length = row->length - from;
		view = span_part(bytes, from, length);
		span_hold(view);
		return view;
	}
	return view;
}

bool sim_rows_view(
	struct rows *rows, uint16_t tile, uint32_t address, uint32_t length, struct span *span)
{
	uint32_t i = sim_rows_find(rows, address);
	const struct row *row = &rows->row[i];

	if (i == rows->count || row->address > address || row_end(row) < address + length ||
		!bytes_of(row, tile, span))
		return false;
	span->offset += address - row->address;
	span->length = length;
	span_hold(*span);
	return true;
}
