/* Reference-counted pieces of memory, called extents, and parts of extents, called spans. For
 * example, a binary that is sent to many tiles is a single extent with many references. While an
 * extent has more than one reference, its bytes must not change; to change them, make a new extent.
 * When the process has several threads, references are counted with atomic operations, so threads
 * may exchange spans. */
#ifndef BASE_EXTENT_H
#define BASE_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/single_threaded.h>

#include "base/status.h"

struct extent {
	uint32_t references; /* number of references, see above */
	uint32_t length;     /* length in bytes */
	bool elided;	     /* the extent has a length but no bytes; reading it gives
			      * STATUS_ELIDED */
	bool placed;	     /* the extent lies in memory of an extent_home, see extent_place() */
	_Alignas(8) uint8_t bytes[]; /* aligned, so that codecs can read messages in place */
};

/* A part of an extent. A copy of the struct has no reference of its own; the comment of each
 * function below states if the function takes a reference. A span with extent == NULL reads as
 * zeros. */
struct span {
	struct extent *extent;
	uint32_t offset; /* offset into extent->bytes */
	uint32_t length; /* length in bytes */
};

/* Creates an extent of `length` uninitialized bytes. It has one reference, which the caller
 * owns. */
struct extent *extent_new(uint32_t length);

/* Creates an elided extent. It stands for `length` bytes that are not simulated, and stores none of
 * these bytes. It has one reference, which the caller owns. */
struct extent *extent_new_elided(uint32_t length);

/* The owner of memory in which an extent is placed. */
struct extent_home {
	/* Called in any thread when the last reference is released. */
	void (*free)(struct extent_home *home);
};

enum { EXTENT_PLACE_BYTES = sizeof(struct extent_home *) + sizeof(struct extent) };

/* Creates an extent in `memory`, which consists of EXTENT_PLACE_BYTES followed by the `length`
 * bytes of the extent. These bytes keep their values. The memory must be aligned to 8 bytes. The
 * extent has one reference, which the caller owns. */
struct extent *extent_place(struct extent_home *home, void *memory, uint32_t length);

/* Frees an extent whose last reference was released. `before` is the number of references before
 * this release. If `before` is 0, there was a bug, and the process ends. */
void extent_free(struct extent *extent, uint32_t before);

/* Takes another reference. NULL is allowed. */
static inline void extent_hold(struct extent *extent)
{
	if (extent == NULL)
		return;
	if (__libc_single_threaded)
		extent->references++;
	else
		__atomic_fetch_add(&extent->references, 1, __ATOMIC_RELAXED);
}

/* Releases a reference, and frees the extent with the last one. NULL is allowed. */
static inline void extent_release(struct extent *extent)
{
	uint32_t before;

	if (extent == NULL)
		return;
	if (__libc_single_threaded)
		before = extent->references--;
	else
		before = __atomic_fetch_sub(&extent->references, 1, __ATOMIC_ACQ_REL);
	if (before <= 1)
		extent_free(extent, before);
}

/* Returns the whole extent as a span. */
struct span span_of(struct extent *extent);

/* Creates an extent with a copy of `length` bytes. It has one reference, which the caller owns. */
struct span span_copy(const void *bytes, uint32_t length);

/* Returns a part of `span`. Takes no further reference. The range from `offset` to `offset +
 * length` must lie inside `span`. */
struct span span_part(struct span span, uint32_t offset, uint32_t length);

/* Copies `length` bytes of the span, from `offset` on, to `out`. If `out` is NULL, copies nothing.
 * Returns OK, or ELIDED if the bytes are not simulated. */
enum status span_read(struct span span, uint32_t offset, uint32_t length, void *out);

/* Sets *payload to the contents of `span`, with a reference that the caller must release. If `span`
 * has no extent, *payload is a new extent of zeros. Returns OK. Returns OUT_OF_RANGE if the span is
 * longer than `bytes_max`, and ELIDED if its bytes are not simulated. */
enum status span_payload(struct span span, uint32_t bytes_max, struct span *payload);

static inline void span_hold(struct span span)
{
	extent_hold(span.extent);
}

static inline void span_release(struct span span)
{
	extent_release(span.extent);
}

#endif
