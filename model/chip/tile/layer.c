/* A layer stores L1 data that several workers share, so that they are stored once. A tile is in at
 * most one layer. If the rectangles of two multicasts overlap, only the larger rectangle gets a
 * layer; data for the smaller rectangle are stored in each of its tiles. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/tile/tile.h"
#include "rows.h"

enum { BITS = 64 };

struct layer {
	struct layer *next;
	const struct sim_multicast *members; /* the tiles of the layer; the source is not used */
	struct sparse memory;
	struct rows rows;
	/* number of the last multicast to this layer; all multicasts of the cluster are numbered */
	uint64_t version;
	uint64_t *own;	  /* a bit for each LAYER_GRAIN bytes: a member may have data of its own */
	uint64_t differs; /* how often a member got data of its own */
	/* ranges that did not differ: address and length, and `differs` then */
	uint64_t same[2][2];
};

/* ---- where members have their own data ---- */

/* Returns the bits of [from, to) that are in element `index` of the bit set. */
static uint64_t mask(uint32_t index, uint32_t from, uint32_t to)
{
	uint32_t first = index * BITS, low = from > first ? from - first : 0;
	uint32_t high = to < first + BITS ? to - first : BITS;

	return (high == BITS ? ~UINT64_C(0) : (UINT64_C(1) << high) - 1) & (~UINT64_C(0) << low);
}

static bool any_set(const uint64_t *bits, uint32_t address, uint32_t length)
{
	uint32_t from = address / LAYER_GRAIN;
	uint32_t to = (address + length + LAYER_GRAIN - 1) / LAYER_GRAIN;

	if (length == 0)
		return false;
	if (from / BITS == (to - 1) / BITS) /* true for most ranges */
		return bits[from / BITS] >> from % BITS << (BITS - (to - from)) != 0;
	for (uint32_t i = from / BITS; i * BITS < to; i++)
		if (bits[i] & mask(i, from, to))
			return true;
	return false;
}

static void set(uint64_t *bits, uint32_t address, uint32_t length)
{
	uint32_t from = address / LAYER_GRAIN;
	uint32_t to = (address + length + LAYER_GRAIN - 1) / LAYER_GRAIN;

	for (uint32_t i = from / BITS; i * BITS < to; i++)
		bits[i] |= mask(i, from, to);
}

/* Clears the bits of grains (LAYER_GRAIN bytes) that lie completely in the range. */
static void clear(uint64_t *bits, uint32_t address, uint32_t length)
{
	uint32_t from = (address + LAYER_GRAIN - 1) / LAYER_GRAIN;
	uint32_t to = (address + length) / LAYER_GRAIN;

	for (uint32_t i = from / BITS; from < to && i * BITS < to; i++)
		bits[i] &= ~mask(i, from, to);
}

/* True if a row has data in the range. */
static bool has_rows(struct layer *layer, uint32_t address, uint32_t length)
{
	return sim_rows_reach(&layer->rows, address, length) &&
	       sim_rows_touch(&layer->rows, sim_rows_find(&layer->rows, address), address, length);
}

/* True if a member may have data in the range that differ from the layer's data. */
static bool may_differ(struct layer *layer, uint32_t address, uint32_t length)
{
	return any_set(layer->own, address, length) || has_rows(layer, address, length);
}

/* True if no member may differ in the range. The workers of a launch ask of the same two ranges. */
static bool is_same(struct layer *layer, uint32_t address, uint32_t length)
{
	uint64_t asked[2] = {(uint64_t)address << 32 | length, layer->differs};

	if (memcmp(layer->same[0], asked, sizeof asked) == 0 ||
		memcmp(layer->same[1], asked, sizeof asked) == 0)
		return true;
	if (may_differ(layer, address, length))
		return false;
	memcpy(layer->same[1], layer->same[0], sizeof asked);
	memcpy(layer->same[0], asked, sizeof asked);
	return true;
}

/* ---- layers of a chip ---- */

static struct tile *member(struct device *device, const struct layer *layer, uint32_t i)
{
	return &device->tiles[layer->members->tiles[i]];
}

static struct layer *layer_new(struct device *device, const struct sim_multicast *members)
{
	struct layer *layer = allocate(1, sizeof *layer);
	uint32_t bytes = device->info->geometry->l1_bytes;
	uint32_t words = (bytes / LAYER_GRAIN + 1 + BITS - 1) / BITS;

	layer->members = members;
	sparse_init(&layer->memory, bytes);
	layer->own = allocate(words, sizeof *layer->own);
	layer->next = device->layers;
	device->layers = layer;
	for (uint32_t i = 0; i < members->count; i++) {
		struct tile *tile = member(device, layer, i);

		tile->layer = layer;
		for (uint32_t p = 0; p < tile->memory.count; p++)
			set(layer->own, (uint32_t)tile->memory.pieces[p].address,
				tile->memory.pieces[p].span.length);
	}
	return layer;
}

static void layer_free(struct layer *layer)
{
	sparse_fini(&layer->memory);
	sim_rows_fini(&layer->rows);
	free(layer->own);
	free(layer);
}

/* Moves the row's bytes to the tile's own memory, except where that memory already has data. */
static void row_to_tile(struct tile *tile, uint32_t address, struct span span)
{
	while (span.length > 0) {
		struct span own = sparse_view_piece(&tile->memory, address, span.length);

		if (own.extent == NULL)
			sparse_write(&tile->memory, address, span_part(span, 0, own.length));
		address += own.length;
		span = span_part(span, own.length, span.length - own.length);
		span_release(own);
	}
}

/* Moves the data of row i to the tiles, and drops the row. */
static void row_flush(struct device *device, struct layer *layer, uint32_t i)
{
	const struct row *row = &layer->rows.row[i];

	for (uint32_t p = 0; p < row->part_count; p++) {
		const struct row_part *part = &row->parts[p];

		for (uint32_t t = 0; t < part->to->count; t++)
			row_to_tile(&device->tiles[part->to->targets[t].tile], row->address,
				span_part(
					part->span, t * part->stride + part->offset, row->length));
	}
	set(layer->own, row->address, row->length);
	layer->differs++;
	sim_rows_drop(&layer->rows, i);
}

/* Drops the data of all rows in the range. Called before a write to all members of the layer
 * replaces these data. */
static void rows_give_way(struct layer *layer, uint32_t address, uint32_t length)
{
	struct rows *rows = &layer->rows;
	uint32_t i;

	sim_rows_split(rows, address + length);
	i = sim_rows_split(rows, address);
	while (sim_rows_touch(rows, i, address, length))
		sim_rows_drop(rows, i);
}

/* Copies the data that members still see in the layer to every member. Removes the layer. */
static void dissolve(struct device *device, struct layer *layer)
{
	struct layer **place = &device->layers;

	while (layer->rows.count > 0)
		row_flush(device, layer, 0);
	for (uint32_t i = 0; i < layer->members->count; i++)
		sim_tile_alone(member(device, layer, i));
	for (uint32_t i = 0; i < layer->members->count; i++) {
		struct tile *tile = member(device, layer, i);

		for (uint32_t p = 0; p < layer->memory.count; p++) {
			uint64_t address = layer->memory.pieces[p].address;
			uint32_t left = layer->memory.pieces[p].span.length;

			while (left > 0) {
				struct span span =
					sim_bulk_view_piece(tile, (uint32_t)address, left);

				sparse_write(&tile->memory, address, span);
				address += span.length;
				left -= span.length;
				span_release(span);
			}
		}
		tile->layer = NULL;
	}
	while (*place != layer)
		place = &(*place)->next;
	*place = layer->next;
	layer_free(layer);
}

static bool same_rect(struct worker_rect a, struct worker_rect b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* Returns the layer with exactly the target tiles of the multicast. If there is none, creates it,
 * and removes smaller layers of these tiles. Returns NULL if there are too few tiles for a layer,
 * or if one of the tiles is in another layer of at least as many tiles. */
static struct layer *layer_of(struct device *device, const struct sim_multicast *multicast)
{
	struct layer *layer = device->tiles[multicast->tiles[0]].layer;

	if (layer != NULL && same_rect(layer->members->rect, multicast->rect))
		return layer;
	if (multicast->count < LAYER_TILES_MIN)
		return NULL;
	for (uint32_t i = 0; i < multicast->count; i++) {
		layer = device->tiles[multicast->tiles[i]].layer;
		if (layer != NULL && layer->members->count >= multicast->count)
			return NULL;
	}
	for (uint32_t i = 0; i < multicast->count; i++) {
		layer = device->tiles[multicast->tiles[i]].layer;
		if (layer != NULL)
			dissolve(device, layer);
	}
	return layer_new(device, multicast);
}

#define FETCH_AHEAD 8u
static void write_each(struct device *device, const struct sim_multicast *multicast,
	uint32_t address, struct span span)
{
	for (uint32_t i = 0; i < multicast->count + FETCH_AHEAD; i++) {
		uint32_t at = i - FETCH_AHEAD, half = i - FETCH_AHEAD / 2;

		if (i < multicast->count)
			sim_tile_fetch(&device->tiles[multicast->tiles[i]]);
		if (half < multicast->count)
			sim_tile_fetch_written(&device->tiles[multicast->tiles[half]]);
		if (at < multicast->count)
			sim_bulk_write(&device->tiles[multicast->tiles[at]], address, span);
	}
}

/* Removes the tile's own data from the range, so that reads of the range find the layer's data.
 * `hole` is a span without data, as long as the range. The range is above the words, so this does
 * not split the tile's crew (struct crew). */
static void own_drop(struct tile *tile, uint32_t address, struct span hole)
{
	sparse_write(&tile->memory, address, hole);
}

void sim_layer_write(struct device *device, const struct sim_multicast *multicast, uint32_t address,
	struct span span)
{
	struct layer *layer = layer_of(device, multicast);
	struct span hole = {.length = span.length};

	if (layer == NULL) {
		write_each(device, multicast, address, span);
		return;
	}
	if (may_differ(layer, address, span.length)) {
		rows_give_way(layer, address, span.length);
		if (any_set(layer->own, address, span.length))
			for (uint32_t i = 0; i < multicast->count; i++)
				own_drop(member(device, layer, i), address, hole);
		clear(layer->own, address, span.length);
	}
	layer->version = ++device->cluster->layer_versions;
	sparse_write(&layer->memory, address, span);
}

/* ---- rows ---- */

/* Clears the row's bits of own data if no member has its own data there. */
static void row_forget_own(struct device *device, struct layer *layer, const struct row *row)
{
	for (uint32_t i = 0; i < layer->members->count; i++) {
		struct span own = sparse_view_piece(
			&member(device, layer, i)->memory, row->address, row->length);

		span_release(own);
		if (own.extent != NULL || own.length < row->length)
			return;
	}
	clear(layer->own, row->address, row->length);
}

bool sim_layer_write_packed(struct device *device, const struct packed_target *targets,
	uint32_t count, uint32_t address, uint32_t stride, struct span span)
{
	struct layer *layer = device->tiles[targets[0].tile].layer;
	struct span hole = {.length = stride};
	const struct row_targets *to;
	struct rows *rows;
	uint32_t i;

	if (layer == NULL || count < ROW_TILES_MIN || stride == 0 || span.extent == NULL)
		return false;
	to = sim_rows_targets(&layer->rows, device, layer, targets, count);
	if (to == NULL)
		return false;
	rows = &layer->rows;
	sim_rows_split(rows, address + stride);
	i = sim_rows_split(rows, address);
	if (!sim_rows_can_take(rows, i, address + stride, to)) {
		while (sim_rows_touch(rows, i, address, stride))
			row_flush(device, layer, i);
		return false;
	}
	layer->differs++;
	sim_rows_put(rows, i, address, stride, to, span);
	if (!any_set(layer->own, address, stride))
		return true;
	for (uint32_t t = 0; t < count; t++)
		own_drop(&device->tiles[targets[t].tile], address, hole);
	for (i = sim_rows_find(rows, address); sim_rows_touch(rows, i, address, stride); i++)
		if (rows->row[i].covered == layer->members->count)
			row_forget_own(device, layer, &rows->row[i]);
	return true;
}

uint32_t sim_layer_packed(const struct tile *tile, uint32_t address, uint32_t length,
	struct sim_packed *parts, uint32_t most)
{
	struct layer *layer = tile->layer;
	const struct row *row;
	uint32_t i;

	if (layer == NULL || length == 0 || any_set(layer->own, address, length))
		return 0;
	i = sim_rows_find(&layer->rows, address);
	if (!sim_rows_touch(&layer->rows, i, address, 1))
		return 0;
	row = &layer->rows.row[i];
	if (address + length > row->address + row->length || row->part_count > most)
		return 0;
	for (uint32_t p = 0; p < row->part_count; p++) {
		const struct row_part *part = &row->parts[p];

		parts[p] = (struct sim_packed){part->to->targets, part->to->count, part->stride,
			address - row->address + part->offset, part->span};
	}
	return row->part_count;
}

bool sim_layer_is(const struct tile *tile, const struct sim_multicast *multicast)
{
	return tile->layer != NULL && same_rect(tile->layer->members->rect, multicast->rect);
}

void sim_layers_free(struct device *device)
{
	while (device->layers != NULL) {
		struct layer *next = device->layers->next;

		layer_free(device->layers);
		device->layers = next;
	}
}

/* ---- a tile's view ---- */

/* Zeros that a tile stores explicitly, because they hide data of the layer. */
static struct span real_zeros(uint32_t length)
{
	struct extent *extent = extent_new(length);

	memset(extent->bytes, 0, length);
	return span_of(extent);
}

void sim_bulk_write(struct tile *tile, uint32_t address, struct span span)
{
	sim_tile_alone(tile);
	if (tile->layer == NULL) {
		sparse_write(&tile->memory, address, span);
		return;
	}
	set(tile->layer->own, address, span.length);
	tile->layer->differs++;
	if (span.extent == NULL && span.length > 0) {
		span = real_zeros(span.length);
		sparse_write(&tile->memory, address, span);
		span_release(span);
	} else {
		sparse_write(&tile->memory, address, span);
	}
}

void sim_bulk_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length)
{
	struct span span;

	sim_tile_alone(tile);
	if (tile->layer == NULL) {
		sparse_store(&tile->memory, address, bytes, length);
		return;
	}
	span = span_copy(bytes, length);
	sim_bulk_write(tile, address, span);
	span_release(span);
}

uint64_t sim_bulk_shared(const struct tile *tile, uint32_t address, uint32_t length)
{
	struct layer *layer = tile->layer;
	bool same = layer != NULL && address >= tile->word_bytes && is_same(layer, address, length);

	return same ? layer->version : 0;
}

/* Returns a piece of the tile's data at this address: from the tile's own memory, else from a row
 * of its layer (rows.h), else from the memory of its layer. */
static struct span view_own_piece(struct tile *tile, uint32_t address, uint32_t length)
{
	struct span span;

	sim_tile_alone(tile);
	span = sparse_view_piece(&tile->memory, address, length);
	if (span.extent != NULL || tile->layer == NULL)
		return span;
	span = sim_rows_view_piece(&tile->layer->rows, tile->number, address, span.length);
	if (span.extent != NULL)
		return span;
	return sparse_view_piece(&tile->layer->memory, address, span.length);
}

struct span sim_bulk_view_piece(struct tile *tile, uint32_t address, uint32_t length)
{
	if (tile->layer != NULL && !may_differ(tile->layer, address, length))
		return sparse_view_piece(&tile->layer->memory, address, length);
	return view_own_piece(tile, address, length);
}

enum status sim_bulk_read(struct tile *tile, uint32_t address, uint32_t length, void *out)
{
	uint8_t *to = out;

	if (tile->layer == NULL)
		return sparse_read(&tile->memory, address, length, out);
	if (!may_differ(tile->layer, address, length))
		return sparse_read(&tile->layer->memory, address, length, out);
	while (length > 0) {
		struct span span = view_own_piece(tile, address, length);
		enum status status = span_read(span, 0, span.length, to);

		span_release(span);
		if (status != STATUS_OK)
			return status;
		address += span.length;
		length -= span.length;
		to += to != NULL ? span.length : 0;
	}
	return STATUS_OK;
}

struct span sim_bulk_view(struct tile *tile, uint32_t address, uint32_t length)
{
	struct layer *layer = tile->layer;
	struct span span;

	if (layer == NULL || length == 0)
		return sparse_view_joined(
			&tile->memory, address, length, &tile->device->cluster->joins);
	if (!any_set(layer->own, address, length)) {
		if (sim_rows_reach(&layer->rows, address, length) &&
			sim_rows_view(&layer->rows, tile->number, address, length, &span))
			return span;
		if (!has_rows(layer, address, length))
			return sparse_view(&layer->memory, address, length);
	}
	span = view_own_piece(tile, address, length);
	if (span.length == length)
		return span;
	span_release(span);
	span = span_of(extent_new(length));
	if (sim_bulk_read(tile, address, length, span.extent->bytes) != STATUS_OK) {
		span_release(span);
		span = span_of(extent_new_elided(length));
	}
	return span;
}
