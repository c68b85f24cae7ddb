/* Lock-step allocator of one address range. The range stands for the same range in every bank or
 * tile of every device of a mesh, so an allocated address is valid on all devices (spec 3.1.2,
 * 3.3.2). A mesh has one allocator for its DRAM banks and one for the L1 of its workers.
 * Sub-devices have further allocators (spec 3.3.4). The allocator takes the best fit, joins
 * neighbouring free blocks, and is deterministic. Allocations never move. Not thread safe. */
#ifndef MEMORY_ALLOCATOR_H
#define MEMORY_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct allocator; /* opaque */

/* Numbers for messages and reports. */
struct allocator_usage {
	uint64_t total_bytes, free_bytes, largest_free_bytes, peak_used_bytes;
	/* lowest allocated address, or the end of the range if nothing is allocated */
	uint64_t lowest;
	uint32_t allocations; /* number of current allocations */
	uint32_t free_blocks; /* number of separate blocks of free memory */
};

/* Creates an allocator for the addresses from `base` to `base + bytes` - 1. `alignment` is a power
 * of two. Every address and size is a multiple of `alignment`; the base is rounded up and the end
 * is rounded down. `name` ("DRAM bank", "worker L1") is for messages, and must outlive the
 * allocator. */
struct allocator *allocator_new(
	const char *name, uint64_t base, uint64_t bytes, uint32_t alignment);

/* Frees the allocator, even if it has allocations. NULL is allowed. */
void allocator_free(struct allocator *allocator);

/* Allocates `bytes` bytes (> 0, rounded up) from the smallest free block that is large enough. If
 * `bottom_up` is set, takes the low end of the block, and among equal blocks the lowest one.
 * Otherwise takes the high end of the block, and among equal blocks the highest one. Sets *address.
 * Returns OK, or NO_SPACE; `why` (may be NULL) then gets the allocator's sizes. Charges
 * WORK_ALLOCATE. */
enum status allocator_take(struct allocator *allocator, uint64_t bytes, bool bottom_up,
	uint64_t *address, struct text *why);

/* Allocates `bytes` bytes (> 0, rounded up) at `address`, which another allocator of the same range
 * has chosen. Returns OK, or an error with a sentence in `why` (may be NULL). EXISTS: some of the
 * bytes are already allocated. OUT_OF_RANGE: the bytes are outside the range, or `address` is not
 * aligned. Charges WORK_ALLOCATE. */
enum status allocator_take_at(
	struct allocator *allocator, uint64_t bytes, uint64_t address, struct text *why);

/* Frees the allocation at `address`. Charges WORK_ALLOCATE. */
void allocator_release(struct allocator *allocator, uint64_t address);

/* Moves the low end of the range to `base`, rounded up. Allocations keep their addresses. Returns
 * OK, or NO_SPACE with a sentence in `why` (may be NULL) if an allocation or the whole range lies
 * below `base`. */
enum status allocator_begin_at(struct allocator *allocator, uint64_t base, struct text *why);

/* Returns the lowest allocated address, or the end of the range if nothing is allocated. */
uint64_t allocator_lowest(const struct allocator *allocator);

/* Returns the current numbers of the allocator. */
struct allocator_usage allocator_usage(const struct allocator *allocator);

#endif
