/* Sparse memory made of spans, for an L1, a DRAM bank or a window of host memory. Bytes that were
 * never written read as zero. Writing a span stores a reference, not a copy; overwritten pieces are
 * released. Not thread safe: the owner serializes access. */
#ifndef BASE_SPARSE_H
#define BASE_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"

struct sparse {
	uint64_t size;		     /* bytes of the address space */
	struct sparse_piece *pieces; /* sorted by address, disjoint */
	uint32_t count, capacity;
	uint32_t written[2], read[2]; /* indices of the pieces touched last, two for writes and two
				       * for reads: hints for searches */
};

struct sparse_piece {
	uint64_t address;
	struct span span;
};

/* An empty memory of `size` bytes; allocates nothing. */
void sparse_init(struct sparse *memory, uint64_t size);

/* Releases every piece. */
void sparse_fini(struct sparse *memory);

/* Stores `span` at `address`. The memory takes its own reference. The range must lie inside the
 * memory. If a neighbouring piece continues the same extent, the two pieces are joined. */
void sparse_write(struct sparse *memory, uint64_t address, struct span span);

/* Stores bytes by copying them; for small stores. If one piece covers the range and has the only
 * reference to its extent, its bytes are overwritten in place; otherwise a new extent is made. */
void sparse_store(struct sparse *memory, uint64_t address, const void *bytes, uint32_t length);

/* Copies `length` bytes to `out`. ELIDED if some of them are not simulated. */
enum status sparse_read(struct sparse *memory, uint64_t address, uint32_t length, void *out);

/* Returns the range as one span, with a reference that the caller releases. If one piece covers the
 * range, nothing is copied. Otherwise the bytes are gathered into a new extent, which is elided if
 * any part of the range is elided. */
struct span sparse_view(struct sparse *memory, uint64_t address, uint32_t length);

/* Returns the longest part of the range, from its start, that lies in one piece or was never
 * written; length > 0. The caller releases the reference. Use it to copy by reference, since the
 * bytes of such a part are either all elided or all real. */
struct span sparse_view_piece(struct sparse *memory, uint64_t address, uint32_t length);

#endif
