/* The check of a body before msgpack-c parses it. Private to the room. */
#ifndef WIRE_MSGPACK_BOUNDS_H
#define WIRE_MSGPACK_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the bytes are exactly one object with at most `objects_max` elements. The library
 * allocates by the counts that it reads, before it sees whether there are that many. */
bool msgpack_is_bounded(const uint8_t *at, size_t bytes, uint64_t objects_max);

#endif
