/* First-fit allocation among returned ranges. A returned range is merged with its neighbours. */
#include "world/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

void space_init(struct space *space, uint64_t first, uint64_t end)
{
	*space = (struct space){.top = first, .end = end};
}

void space_fini(struct space *space)
{
	free(space->gaps);
	*space = (struct space){.top = 0};
}

static void remove_gap(struct space *space, uint32_t index)
{
	space->count--;
	memmove(&space->gaps[index], &space->gaps[index + 1],
		(space->count - index) * sizeof(*space->gaps));
}

static void insert_gap(struct space *space, uint32_t index, struct space_gap gap)
{
	if (space->count == space->capacity) {
		space->capacity = space->capacity ? 2 * space->capacity : 8;
		space->gaps = allocate_more(space->gaps, space->capacity, sizeof(*space->gaps));
	}
	memmove(&space->gaps[index + 1], &space->gaps[index],
		(space->count - index) * sizeof(*space->gaps));
	space->gaps[index] = gap;
	space->count++;
}

bool space_take(struct space *space, uint64_t bytes, uint64_t *address)
{
	for (uint32_t i = 0; i < space->count; i++) {
		struct space_gap *gap = &space->gaps[i];

		if (gap->bytes < bytes)
			continue;
		*address = gap->address;
		gap->address += bytes;
		gap->bytes -= bytes;
		if (gap->bytes == 0)
			remove_gap(space, i);
		return true;
	}
	if (bytes > space->end - space->top)
		return false;
	*address = space->top;
	space->top += bytes;
	return true;
}

/* Returns the index of the first gap after `address`. */
static uint32_t gap_behind(const struct space *space, uint64_t address)
{
	uint32_t low = 0, high = space->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (space->gaps[middle].address > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void space_give(struct space *space, uint64_t address, uint64_t bytes)
{
	struct space_gap gap = {address, bytes};
	uint32_t at = gap_behind(space, address);

	ensure(bytes > 0 && address + bytes <= space->top, "%llu B at 0x%llx were not given out",
		(unsigned long long)bytes, (unsigned long long)address);
	ensure((at == space->count || address + bytes <= space->gaps[at].address) &&
			(at == 0 ||
				space->gaps[at - 1].address + space->gaps[at - 1].bytes <= address),
		"%llu B at 0x%llx are given back twice", (unsigned long long)bytes,
		(unsigned long long)address);
	if (at < space->count && space->gaps[at].address == address + bytes) {
		gap.bytes += space->gaps[at].bytes;
		remove_gap(space, at);
	}
	if (at > 0 && space->gaps[at - 1].address + space->gaps[at - 1].bytes == address) {
		gap.address = space->gaps[at - 1].address;
		gap.bytes += space->gaps[at - 1].bytes;
		remove_gap(space, --at);
	}
	if (gap.address + gap.bytes == space->top)
		space->top = gap.address;
	else
		insert_gap(space, at, gap);
}
