/* The lock-step allocator. Free blocks are in two sorted arrays: one is sorted by address, to join
 * neighbouring blocks, and the other by size, to find the best fit. Searches are binary. An
 * insertion or removal moves all later blocks of the array, which is cheap while there are few
 * blocks. */
#include "memory/allocator.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "world/world.h"

struct block {
	uint64_t address, bytes;
};

/* A sorted array of blocks. */
struct blocks {
	struct block *at;
	uint32_t count, capacity;
	bool by_size;
};

struct allocator {
	const char *name;
	uint64_t end, total_bytes, free_bytes, peak_used_bytes;
	uint32_t alignment;
	struct blocks free_by_address, free_by_size;
	struct blocks taken; /* allocated blocks, sorted by address */
};

static bool before(const struct blocks *blocks, struct block a, struct block b)
{
	if (blocks->by_size && a.bytes != b.bytes)
		return a.bytes < b.bytes;
	return a.address < b.address;
}

/* Returns the index of the first block that does not come before `block` in the array's order. */
static uint32_t lower_bound(const struct blocks *blocks, struct block block)
{
	uint32_t low = 0, high = blocks->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (before(blocks, blocks->at[middle], block))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void allocator_insert(struct blocks *blocks, struct block block)
{
	uint32_t index = lower_bound(blocks, block);

	if (blocks->count == blocks->capacity) {
		blocks->capacity = blocks->capacity ? 2 * blocks->capacity : 16;
		blocks->at = allocate_more(blocks->at, blocks->capacity, sizeof(*blocks->at));
	}
	memmove(&blocks->at[index + 1], &blocks->at[index],
		(blocks->count - index) * sizeof(*blocks->at));
	blocks->at[index] = block;
	blocks->count++;
}

static void allocator_drop(struct blocks *blocks, struct block block)
{
	uint32_t index = lower_bound(blocks, block);

	ensure(index < blocks->count && blocks->at[index].address == block.address,
		"block at %llu not found", (unsigned long long)block.address);
	blocks->count--;
	memmove(&blocks->at[index], &blocks->at[index + 1],
		(blocks->count - index) * sizeof(*blocks->at));
}

static void insert_free(struct allocator *allocator, struct block block)
{
	allocator_insert(&allocator->free_by_address, block);
	allocator_insert(&allocator->free_by_size, block);
}

static void drop_free(struct allocator *allocator, struct block block)
{
	allocator_drop(&allocator->free_by_address, block);
	allocator_drop(&allocator->free_by_size, block);
}

struct allocator *allocator_new(const char *name, uint64_t base, uint64_t bytes, uint32_t alignment)
{
	struct allocator *allocator = allocate(1, sizeof(*allocator));
	uint64_t mask = (uint64_t)alignment - 1;
	uint64_t end = (base + bytes) & ~mask;

	ensure(alignment != 0 && (alignment & mask) == 0, "alignment %u of %s", alignment, name);
	base = (base + mask) & ~mask;
	allocator->name = name;
	allocator->alignment = alignment;
	allocator->end = end;
	allocator->free_by_size.by_size = true;
	if (end > base) {
		allocator->total_bytes = allocator->free_bytes = end - base;
		insert_free(allocator, (struct block){base, end - base});
	}
	return allocator;
}

void allocator_free(struct allocator *allocator)
{
	if (allocator == NULL)
		return;
	free(allocator->free_by_address.at);
	free(allocator->free_by_size.at);
	free(allocator->taken.at);
	free(allocator);
}

static void allocator_explain(const struct allocator *allocator, uint64_t bytes, struct text *why)
{
	struct allocator_usage usage = allocator_usage(allocator);

	if (why == NULL)
		return;
	if (usage.total_bytes == 0) {
		text_printf(why, "%s: %llu B wanted, and there is none", allocator->name,
			(unsigned long long)bytes);
		return;
	}
	text_printf(why,
		"%s: %llu B wanted, %llu of %llu B free in %u blocks, the largest has %llu B",
		allocator->name, (unsigned long long)bytes, (unsigned long long)usage.free_bytes,
		(unsigned long long)usage.total_bytes, usage.free_blocks,
		(unsigned long long)usage.largest_free_bytes);
}

/* Returns a free block of the smallest size that is at least `bytes` bytes, or NULL if there is
 * none. If several blocks have this size, returns the block with the lowest address if `bottom_up`
 * is set, otherwise the block with the highest address. */
static struct block *best_fit(struct allocator *allocator, uint64_t bytes, bool bottom_up)
{
	struct blocks *blocks = &allocator->free_by_size;
	uint32_t index = lower_bound(blocks, (struct block){0, bytes});

	if (index == blocks->count)
		return NULL;
	if (!bottom_up) {
		struct block next = {0, blocks->at[index].bytes + 1};

		index = lower_bound(blocks, next) - 1;
	}
	return &blocks->at[index];
}

/* Allocates `part`, which lies in the free block `whole`. */
static void take_of(struct allocator *allocator, struct block whole, struct block part)
{
	uint64_t whole_end = whole.address + whole.bytes, part_end = part.address + part.bytes;

	drop_free(allocator, whole);
	if (part.address > whole.address)
		insert_free(allocator, (struct block){whole.address, part.address - whole.address});
	if (whole_end > part_end)
		insert_free(allocator, (struct block){part_end, whole_end - part_end});
	allocator_insert(&allocator->taken, part);
	allocator->free_bytes -= part.bytes;
	LOG_TO(ALLOCATOR, DEBUG, "%s: %llu B at %#llx are taken", allocator->name,
		(unsigned long long)part.bytes, (unsigned long long)part.address);
	if (allocator->total_bytes - allocator->free_bytes > allocator->peak_used_bytes)
		allocator->peak_used_bytes = allocator->total_bytes - allocator->free_bytes;
}

enum status allocator_take(struct allocator *allocator, uint64_t bytes, bool bottom_up,
	uint64_t *address, struct text *why)
{
	uint64_t mask = (uint64_t)allocator->alignment - 1;
	uint64_t rounded = (bytes + mask) & ~mask;
	struct block *found = NULL;
	struct block whole;

	ensure(bytes > 0, "empty allocation from %s", allocator->name);
	world->work(WORK_ALLOCATE, 1);
	if (rounded >= bytes)
		found = best_fit(allocator, rounded, bottom_up);
	if (found == NULL) {
		allocator_explain(allocator, bytes, why);
		LOG_TO(ALLOCATOR, WARNING, "%s: no room for %llu B: %llu B are free",
			allocator->name, (unsigned long long)bytes,
			(unsigned long long)allocator->free_bytes);
		return STATUS_NO_SPACE;
	}
	whole = *found;
	*address = bottom_up ? whole.address : whole.address + whole.bytes - rounded;
	take_of(allocator, whole, (struct block){*address, rounded});
	return STATUS_OK;
}

enum status allocator_take_at(
	struct allocator *allocator, uint64_t bytes, uint64_t address, struct text *why)
{
	const struct blocks *blocks = &allocator->free_by_address;
	uint64_t mask = (uint64_t)allocator->alignment - 1;
	struct block wanted = {address, (bytes + mask) & ~mask};
	uint64_t first = allocator->end - allocator->total_bytes;
	uint32_t index;

	ensure(bytes > 0, "empty allocation from %s", allocator->name);
	world->work(WORK_ALLOCATE, 1);
	if ((address & mask) != 0 || address < first || address > allocator->end ||
		wanted.bytes < bytes || wanted.bytes > allocator->end - address)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"%s: %llu B at %llu, which is not in it, or not aligned", allocator->name,
			(unsigned long long)bytes, (unsigned long long)address);
	index = lower_bound(blocks, (struct block){address + 1, 0});
	if (index == 0 || blocks->at[index - 1].address + blocks->at[index - 1].bytes <
				  address + wanted.bytes)
		return refuse(why, STATUS_EXISTS, "%s: %llu B at %llu are taken", allocator->name,
			(unsigned long long)bytes, (unsigned long long)address);
	take_of(allocator, blocks->at[index - 1], wanted);
	return STATUS_OK;
}

void allocator_release(struct allocator *allocator, uint64_t address)
{
	struct blocks *taken = &allocator->taken, *by_address = &allocator->free_by_address;
	uint32_t index = lower_bound(taken, (struct block){address, 0});
	struct block block;

	ensure(index < taken->count && taken->at[index].address == address,
		"release of %llu, which %s has not given", (unsigned long long)address,
		allocator->name);
	world->work(WORK_ALLOCATE, 1);
	block = taken->at[index];
	LOG_TO(ALLOCATOR, DEBUG, "%s: %llu B at %#llx are freed", allocator->name,
		(unsigned long long)block.bytes, (unsigned long long)address);
	allocator_drop(taken, block);
	allocator->free_bytes += block.bytes;
	index = lower_bound(by_address, block);
	if (index < by_address->count && by_address->at[index].address == address + block.bytes) {
		struct block next = by_address->at[index];

		drop_free(allocator, next);
		block.bytes += next.bytes;
	}
	if (index > 0) {
		struct block previous = by_address->at[index - 1];

		if (previous.address + previous.bytes == block.address) {
			drop_free(allocator, previous);
			block.address = previous.address;
			block.bytes += previous.bytes;
		}
	}
	insert_free(allocator, block);
}

/* Moves the low end of the range from `first` to `base`. Adds the memory in between to the free
 * memory if `base` is lower, and removes it if `base` is higher. */
static void allocator_move(struct allocator *allocator, uint64_t first, uint64_t base)
{
	struct blocks *blocks = &allocator->free_by_address;
	struct block block = {first, 0};

	if (blocks->count > 0 && blocks->at[0].address == first) {
		block = blocks->at[0];
		drop_free(allocator, block);
	}
	block.bytes = first + block.bytes - base;
	block.address = base;
	if (block.bytes > 0)
		insert_free(allocator, block);
	allocator->total_bytes = allocator->end - base;
	allocator->free_bytes = allocator->free_bytes + first - base;
}

enum status allocator_begin_at(struct allocator *allocator, uint64_t base, struct text *why)
{
	uint64_t mask = (uint64_t)allocator->alignment - 1, lowest = allocator_lowest(allocator);

	base = (base + mask) & ~mask;
	if (base > lowest)
		return refuse(why, STATUS_NO_SPACE, "%s: %llu B are wanted below address %llu",
			allocator->name, (unsigned long long)(base - lowest),
			(unsigned long long)base);
	allocator_move(allocator, allocator->end - allocator->total_bytes, base);
	return STATUS_OK;
}

uint64_t allocator_lowest(const struct allocator *allocator)
{
	return allocator->taken.count > 0 ? allocator->taken.at[0].address : allocator->end;
}

struct allocator_usage allocator_usage(const struct allocator *allocator)
{
	const struct blocks *by_size = &allocator->free_by_size;

	return (struct allocator_usage){
		.total_bytes = allocator->total_bytes,
		.free_bytes = allocator->free_bytes,
		.largest_free_bytes = by_size->count ? by_size->at[by_size->count - 1].bytes : 0,
		.peak_used_bytes = allocator->peak_used_bytes,
		.lowest = allocator_lowest(allocator),
		.allocations = allocator->taken.count,
		.free_blocks = by_size->count,
	};
}
