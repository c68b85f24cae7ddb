/* Reference-counted payloads and spans of them: a multicast of a binary is one extent, however many
 * tiles hold it. Bytes are immutable once an extent has been shared
 * (more than one reference): who wants to change them makes its own. Counts are atomic as soon as
 * the process has threads, so spans may cross them natively. */
#ifndef BASE_EXTENT_H
#define BASE_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/single_threaded.h>

#include "base/status.h"

struct extent {
	uint32_t references; /* see above */
	uint32_t length;     /* bytes */
	bool elided;         /* length only; bytes are not there, reading them is STATUS_ELIDED */
	bool placed;	     /* in memory of somebody's, see extent_place() */
	_Alignas(8) uint8_t bytes[]; /* as codecs of messages read them in place */
};

/* A piece of an extent. A value: copying it takes no reference; the functions below say who does.
 * A span with extent == NULL reads as zeros. */
struct span {
	struct extent *extent;
	uint32_t offset; /* into extent->bytes */
	uint32_t length; /* bytes */
};

/* New extent of `length` uninitialized bytes with one reference, owned by the caller. */
struct extent *extent_new(uint32_t length);

/* New extent without bytes: stands for `length` bytes that nobody simulates. One reference. */
struct extent *extent_new_elided(uint32_t length);

/* Whose memory an extent lies in. */
struct extent_home {
	/* The last reference is gone, in whichever thread. */
	void (*free)(struct extent_home *home);
};

enum { EXTENT_PLACE_BYTES = sizeof(struct extent_home *) + sizeof(struct extent) };

/* New extent in `memory`, aligned to 8, of EXTENT_PLACE_BYTES and behind them `length` bytes, which
 * stay as they are. One reference. */
struct extent *extent_place(struct extent_home *home, void *memory, uint32_t length);

/* Frees an extent whose last reference is gone; `before`: references before that, 0 is a bug. */
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

/* Gives a reference back; frees with the last. NULL is allowed. */
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

/* Whole extent as a span. */
struct span span_of(struct extent *extent);

/* New extent holding a copy of `length` bytes. The caller owns the one reference. */
struct span span_copy(const void *bytes, uint32_t length);

/* Part of `span`; same reference. `offset + length` must lie inside. */
struct span span_part(struct span span, uint32_t offset, uint32_t length);

/* Copies `length` bytes from `offset` of the span to `out`. ELIDED if they are not simulated. */
enum status span_read(struct span span, uint32_t offset, uint32_t length, void *out);

/* *payload is the span with bytes that are there (zeros, where it has no extent) and a reference of
 * the caller's. OUT_OF_RANGE above `bytes_max`; ELIDED. */
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
