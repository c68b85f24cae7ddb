/* Rings of bytes in a stage's own L1. Reads bytes in order, across the end of the ring. */
#include "firmware/link/ring.h"

enum status ring_load(const struct stage *stage, const struct ring *ring, uint32_t ahead,
	uint32_t length, void *out)
{
	uint32_t straight = ring_straight(ring, ahead);
	enum status status;

	if (length <= straight)
		return device_row->load(stage, ring_address(ring, ahead), length, out);
	status = device_row->load(stage, ring_address(ring, ahead), straight, out);
	if (status == STATUS_OK)
		status = device_row->load(
			stage, ring->address, length - straight, (uint8_t *)out + straight);
	return status;
}

struct span ring_view(
	const struct stage *stage, const struct ring *ring, uint32_t ahead, uint32_t length)
{
	uint32_t straight = ring_straight(ring, ahead);
	struct extent *extent;

	if (length <= straight)
		return device_row->view(stage, ring_address(ring, ahead), length);
	extent = extent_new(length);
	if (ring_load(stage, ring, ahead, length, extent->bytes) != STATUS_OK) {
		extent_release(extent);
		extent = extent_new_elided(length);
	}
	return span_of(extent);
}

/* ---- elided bytes ---- */

enum { UNIT = 16 };

static bool is_elided(const struct stage *stage, uint32_t address, uint32_t length)
{
	struct span span = device_row->view(stage, address, length);
	bool elided = span.extent != NULL && span.extent->elided;

	span_release(span);
	return elided;
}

/* Returns the number of real bytes at the start of a range that contains real and elided bytes. */
static uint32_t real_prefix(const struct stage *stage, uint32_t address, uint32_t length)
{
	uint32_t low = UNIT, high = length;

	while (high - low > UNIT) {
		uint32_t middle = (low + high) / 2 / UNIT * UNIT;

		if (is_elided(stage, address, middle))
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* Returns the length of a piece of elided (not simulated) bytes that begins at `address`. The piece
 * has at most `length` bytes, and lies in one extent (base/extent.h). More elided bytes may follow
 * it. */
static uint32_t elided_prefix(const struct stage *stage, uint32_t address, uint32_t length)
{
	struct span first = device_row->view(stage, address, UNIT);
	uint32_t prefix = least(length, first.extent->length - first.offset) / UNIT * UNIT;

	while (prefix > UNIT) {
		struct span last = device_row->view(stage, address + prefix - UNIT, UNIT);
		bool same =
			last.extent == first.extent && last.offset == first.offset + prefix - UNIT;

		span_release(last);
		if (same)
			break;
		prefix = prefix / 2 / UNIT * UNIT;
	}
	span_release(first);
	return prefix;
}

uint32_t uniform_prefix(const struct stage *stage, uint32_t address, uint32_t length)
{
	if (length <= UNIT || device_row->load(stage, address, length, NULL) == STATUS_OK)
		return length;
	return is_elided(stage, address, UNIT) ? elided_prefix(stage, address, length)
					       : real_prefix(stage, address, length);
}
