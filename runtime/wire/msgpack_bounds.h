/* What is looked at before msgpack-c is given a body. Private to the room. */
#ifndef WIRE_MSGPACK_BOUNDS_H
#define WIRE_MSGPACK_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes are one object and all of it, of at most so many elements: the library takes
 * memory by the counts that it reads, before it sees whether there are so many. */
bool msgpack_is_bounded(const uint8_t *at, size_t bytes, uint64_t objects_max);

#endif
