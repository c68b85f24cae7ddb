/* An address space that is given out in ranges and taken back. Holds no bytes, and does not know
 * who has what. A range that is given back twice is a bug. */
#ifndef WORLD_SPACE_H
#define WORLD_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct space_gap {
	uint64_t address, bytes;
};

struct space {
	uint64_t top, end;	/* nothing from `top` to `end` has been given out */
	struct space_gap *gaps; /* below `top`: by address, apart from each other and from it */
	uint32_t count, capacity;
};

/* Addresses [first, end), none given out. */
void space_init(struct space *space, uint64_t first, uint64_t end);
void space_fini(struct space *space);

/* `bytes` > 0 of it: in the first gap that has room, else behind all that was given out. False if
 * there is no room. */
bool space_take(struct space *space, uint64_t bytes, uint64_t *address);

/* Takes back what was given out there. */
void space_give(struct space *space, uint64_t address, uint64_t bytes);

#endif
