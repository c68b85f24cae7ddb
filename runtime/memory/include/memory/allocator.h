/* Lock-step allocator of one address range. The range stands for the same range in every bank or
 * tile of every device of a mesh, so an address is valid on all devices (spec 3.1.2, 3.3.2). A mesh
 * has one allocator for its DRAM banks and one for worker L1; sub-devices have their own (spec
 * 3.3.4). Best fit with coalescing; deterministic. Allocations never move. Not thread safe. */
#ifndef MEMORY_ALLOCATOR_H
#define MEMORY_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct allocator; /* opaque */

/* Figures for messages and reports. */
struct allocator_usage {
	uint64_t total_bytes, free_bytes, largest_free_bytes, peak_used_bytes;
	uint64_t lowest;      /* lowest allocated address, or the end */
	uint32_t allocations; /* current allocations */
	uint32_t free_blocks; /* fragments of the free memory */
};

/* Makes an allocator of [base, base + bytes). `alignment` is a power of two. Every address and size
 * is a multiple of it; the base is rounded up and the end is rounded down. `name` ("DRAM bank",
 * "worker L1") is for messages and must outlive the allocator. */
struct allocator *allocator_new(
	const char *name, uint64_t base, uint64_t bytes, uint32_t alignment);

/* Frees the allocator, including current allocations. NULL is allowed. */
void allocator_free(struct allocator *allocator);

/* Allocates `bytes` (> 0, rounded up) from the smallest free block that fits: from its low end if
 * `bottom_up` is set, else from its high end. Among equal blocks, takes the lowest if `bottom_up`
 * is set, else the highest. Returns OK, or NO_SPACE with the figures appended to `why` (may be
 * NULL). Charges WORK_ALLOCATE. */
enum status allocator_take(struct allocator *allocator, uint64_t bytes, bool bottom_up,
	uint64_t *address, struct text *why);

/* Allocates `bytes` (> 0, rounded up) at `address`, which another allocator of the same range has
 * chosen. Returns OK, EXISTS if some of these bytes are allocated, or OUT_OF_RANGE if they are
 * outside of the range or not aligned. On an error, `why` (may be NULL) gets a sentence. Charges
 * WORK_ALLOCATE. */
enum status allocator_take_at(
	struct allocator *allocator, uint64_t bytes, uint64_t address, struct text *why);

/* Frees an allocation at `address`. Charges WORK_ALLOCATE. */
void allocator_release(struct allocator *allocator, uint64_t address);

/* Lowest address of any allocation, or the end of the range if there is none. */
uint64_t allocator_lowest(const struct allocator *allocator);

/* Current figures. */
struct allocator_usage allocator_usage(const struct allocator *allocator);

#endif
