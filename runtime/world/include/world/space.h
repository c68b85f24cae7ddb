/* An allocator of address ranges. It does not access the memory in the ranges, and does not record
 * their owners. A range must be given back only once. */
#ifndef WORLD_SPACE_H
#define WORLD_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct space_gap {
	uint64_t address, bytes;
};

struct space {
	uint64_t top, end;	/* nothing in [top, end) is allocated */
	struct space_gap *gaps; /* free ranges below `top`, sorted by address; neighbouring free
				 * ranges are always joined, and a free range that ends at `top`
				 * lowers `top` instead */
	uint32_t count, capacity;
};

/* Initializes the space [first, end), with nothing allocated. */
void space_init(struct space *space, uint64_t first, uint64_t end);
void space_fini(struct space *space);

/* Allocates `bytes` (> 0) bytes: in the first gap with enough room, otherwise at `top`. Returns
 * false if there is no room. */
bool space_take(struct space *space, uint64_t bytes, uint64_t *address);

/* Returns a range that space_take() allocated. */
void space_give(struct space *space, uint64_t address, uint64_t bytes);

#endif
