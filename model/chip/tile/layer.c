/* Layers of L1 that workers share. A tile has one layer at most. If the rectangles of two
 * multicasts overlap, the larger one gets the layer, and data for the other are stored in each
 * tile. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/tile/tile.h"

enum { BITS = 64 };

/* ---- where members have their own data ---- */

/* The bits of [from, to) that lie in the word at `index`. */
static uint64_t mask(uint32_t index, uint32_t from, uint32_t to)
{
	uint32_t first = index * BITS, low = from > first ? from - first : 0;
	uint32_t high = to < first + BITS ? to - first : BITS;

	return (high == BITS ? ~UINT64_C(0) : (UINT64_C(1) << high) - 1) & (~UINT64_C(0) << low);
}

static bool may_own(const struct layer *layer, uint32_t address, uint32_t length)
{
	uint32_t from = address / LAYER_GRAIN;
	uint32_t to = (address + length + LAYER_GRAIN - 1) / LAYER_GRAIN;

	for (uint32_t i = from / BITS; i * BITS < to; i++)
		if (layer->own[i] & mask(i, from, to))
			return true;
	return false;
}

static void set_own(struct layer *layer, uint32_t address, uint32_t length)
{
	uint32_t from = address / LAYER_GRAIN;
	uint32_t to = (address + length + LAYER_GRAIN - 1) / LAYER_GRAIN;

	for (uint32_t i = from / BITS; i * BITS < to; i++)
		layer->own[i] |= mask(i, from, to);
}

/* Clears the bits of grains that lie fully in the range. A grain has LAYER_GRAIN bytes. */
static void clear_own(struct layer *layer, uint32_t address, uint32_t length)
{
	uint32_t from = (address + LAYER_GRAIN - 1) / LAYER_GRAIN;
	uint32_t to = (address + length) / LAYER_GRAIN;

	for (uint32_t i = from / BITS; from < to && i * BITS < to; i++)
		layer->own[i] &= ~mask(i, from, to);
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
			set_own(layer, (uint32_t)tile->memory.pieces[p].address,
				tile->memory.pieces[p].span.length);
	}
	return layer;
}

static void layer_free(struct layer *layer)
{
	sparse_fini(&layer->memory);
	free(layer->own);
	free(layer);
}

/* Copies the layer's visible data to every member and removes the layer. */
static void dissolve(struct device *device, struct layer *layer)
{
	struct layer **place = &device->layers;

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

/* The layer of exactly these tiles. Creates it if useful. Returns NULL if the tiles are too few, or
 * if one of them is in a layer of at least as many tiles. */
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

void sim_layer_write(struct device *device, const struct sim_multicast *multicast, uint32_t address,
	struct span span)
{
	struct layer *layer = layer_of(device, multicast);
	struct span hole = {.length = span.length};

	if (layer == NULL) {
		write_each(device, multicast, address, span);
		return;
	}
	if (may_own(layer, address, span.length)) {
		for (uint32_t i = 0; i < multicast->count; i++)
			sparse_write(&member(device, layer, i)->memory, address, hole);
		clear_own(layer, address, span.length);
	}
	layer->version = ++device->cluster->layer_versions;
	sparse_write(&layer->memory, address, span);
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

/* Zeros that are stored explicitly, so that they hide the layer. */
static struct span real_zeros(uint32_t length)
{
	struct extent *extent = extent_new(length);

	memset(extent->bytes, 0, length);
	return span_of(extent);
}

void sim_bulk_write(struct tile *tile, uint32_t address, struct span span)
{
	if (tile->layer == NULL) {
		sparse_write(&tile->memory, address, span);
		return;
	}
	set_own(tile->layer, address, span.length);
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
	const struct layer *layer = tile->layer;

	return layer == NULL || address < tile->word_bytes || may_own(layer, address, length)
		       ? 0
		       : layer->version;
}

/* A piece of the tile's own memory, or where that has a hole, of its layer. */
static struct span view_own_piece(struct tile *tile, uint32_t address, uint32_t length)
{
	struct span span = sparse_view_piece(&tile->memory, address, length);

	if (span.extent != NULL || tile->layer == NULL)
		return span;
	return sparse_view_piece(&tile->layer->memory, address, span.length);
}

struct span sim_bulk_view_piece(struct tile *tile, uint32_t address, uint32_t length)
{
	if (tile->layer != NULL && !may_own(tile->layer, address, length))
		return sparse_view_piece(&tile->layer->memory, address, length);
	return view_own_piece(tile, address, length);
}

enum status sim_bulk_read(struct tile *tile, uint32_t address, uint32_t length, void *out)
{
	uint8_t *to = out;

	if (tile->layer == NULL)
		return sparse_read(&tile->memory, address, length, out);
	if (!may_own(tile->layer, address, length))
		return sparse_read(&tile->layer->memory, address, length, out);
	while (length > 0) {
		struct span span = view_own_piece(tile, address, length);
		enum status status = span_read(span, 0, span.length, to);

		span_release(span);
		if (status != STATUS_OK)
			return status;
		address += span.length;
		length -= span.length;
		to += span.length;
	}
	return STATUS_OK;
}

struct span sim_bulk_view(struct tile *tile, uint32_t address, uint32_t length)
{
	struct span span;

	if (tile->layer == NULL || length == 0)
		return sparse_view(&tile->memory, address, length);
	if (!may_own(tile->layer, address, length))
		return sparse_view(&tile->layer->memory, address, length);
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
