/* L1 above the words. Data that a multicast writes to a rectangle of workers are stored once for
 * all of them, in a layer under the tiles' own memories: a binary for 80 cores is one piece, not
 * 80. Data written to a single tile hide its layer; a later multicast over them removes them again.
 */
#ifndef CHIP_LAYER_H
#define CHIP_LAYER_H

#include "chip/tile/tile.h"

/* The workers of one rectangle of one chip. A tile is in one layer at most. */
struct layer {
	struct layer *next;
	const struct sim_multicast *members; /* tiles; its source does not matter */
	struct sparse memory;
	uint64_t version; /* number of the last multicast to it, of all to the cluster's layers */
	uint64_t *own;	  /* bit per LAYER_GRAIN bytes: some member may have its own data there */
};

enum { LAYER_GRAIN = 16, LAYER_TILES_MIN = 8 };

/* Applies a multicast to all its tiles, at an address above the words. */
void sim_layer_write(struct device *device, const struct sim_multicast *multicast, uint32_t address,
	struct span span);

void sim_layers_free(struct device *device);

/* A tile's view of its memory, with its layer. Semantics as in base/sparse.h. */
void sim_bulk_write(struct tile *tile, uint32_t address, struct span span);
void sim_bulk_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length);
enum status sim_bulk_read(struct tile *tile, uint32_t address, uint32_t length, void *out);
struct span sim_bulk_view(struct tile *tile, uint32_t address, uint32_t length);

/* The version of the tile's layer, if every byte of the range is the layer's; else 0. Equal
 * versions mean equal bytes (device.h, shared). */
uint64_t sim_bulk_shared(const struct tile *tile, uint32_t address, uint32_t length);
struct span sim_bulk_view_piece(struct tile *tile, uint32_t address, uint32_t length);

#endif
