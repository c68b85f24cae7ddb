/* Sparse memory made of spans, for an L1, a DRAM bank or a window of host memory. Bytes that were
 * never written read as zero. Writing a span stores a reference to the span's extent, and releases
 * the references to extents that it overwrites; no bytes are copied. Not thread safe: the owner
 * must serialize calls. */
#ifndef BASE_SPARSE_H
#define BASE_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"

struct sparse {
	uint64_t size;		     /* size of the address space in bytes */
	struct sparse_piece *pieces; /* pieces, sorted by address; they do not overlap */
	uint32_t count, capacity;
	uint32_t written[2], read[2]; /* indices of the pieces that were written and read last;
				       * searches start at these pieces */
};

struct sparse_piece {
	uint64_t address;
	struct span span;
};

/* Makes an empty memory of `size` bytes. Allocates nothing. */
void sparse_init(struct sparse *memory, uint64_t size);

/* Releases all pieces. */
void sparse_fini(struct sparse *memory);

/* Stores `span` at `address`. The range must lie inside the memory. Takes a reference of its own to
 * the span's extent. If a neighbouring piece continues the same extent, the two pieces are
 * joined. */
void sparse_write(struct sparse *memory, uint64_t address, struct span span);

/* Copies bytes into the memory; use it for small amounts. If one piece covers the range and has the
 * only reference to its extent, the bytes are copied into that extent. Otherwise a new extent is
 * made. */
void sparse_store(struct sparse *memory, uint64_t address, const void *bytes, uint32_t length);

/* Copies `length` bytes to `out`. Returns OK, or ELIDED if some of the bytes are not simulated. If
 * `out` is NULL, copies nothing and only returns the status. */
enum status sparse_read(struct sparse *memory, uint64_t address, uint32_t length, void *out);

/* Returns the range as one span; the caller releases its reference. If one piece covers the range,
 * nothing is copied. Otherwise the bytes are copied into a new extent. If any part of the range is
 * elided (not simulated), the new extent is elided. */
struct span sparse_view(struct sparse *memory, uint64_t address, uint32_t length);

/* Copies of ranges that lay in two pieces, made last. All zeros: none. */
enum { SPARSE_JOINS = 16 };

struct sparse_joins {
	struct sparse_join {
		struct span first, second; /* the range's parts of the two pieces */
		struct span whole;	   /* the copy */
	} known[SPARSE_JOINS];
	uint32_t turn;
};

/* Like sparse_view(), but ranges that consist of the same parts of two extents, in any memories,
 * get the same copy as long as `joins` knows it. `joins` has references to parts and copies, so
 * that their bytes do not change. */
struct span sparse_view_joined(
	struct sparse *memory, uint64_t address, uint32_t length, struct sparse_joins *joins);

/* Releases all references of `joins`. */
void sparse_joins_fini(struct sparse_joins *joins);

/* Returns the longest part of the range, from its start, that lies in one piece or was never
 * written. The caller releases the reference. `length` must be above 0. The bytes of such a part
 * are either all elided or all present. So with repeated calls, the caller can get a whole range
 * part by part without copying bytes. */
struct span sparse_view_piece(struct sparse *memory, uint64_t address, uint32_t length);

#endif
