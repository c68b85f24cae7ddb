/* Packed bodies of another minor version, written by hand as described at the top of packed.c. */
#include <string.h>

#include "check.h"
#include "next.h"

struct bytes {
	uint8_t *at;
	size_t used, room;
};

static void put(struct bytes *bytes, int width, uint64_t value)
{
	check(bytes->used + (size_t)width <= bytes->room, "room for %zu B", bytes->room);
	for (int i = 0; i < width; i++)
		bytes->at[bytes->used++] = (uint8_t)(value >> 8 * i);
}

static size_t newer(uint8_t *body, size_t room)
{
	enum {
		FIXED = 8 + 4 + 8 + 1 + 12 + 4 + 8 + 8,
		RANGE = 4 * 2 + 4,
		RANGES_AT = 64,
		NOTE = 5
	};
	struct bytes bytes = {body, 0, room};

	put(&bytes, 4, FIXED);
	put(&bytes, 8, NEXT_NUMBER);
	put(&bytes, 4, NEXT_QUEUE);
	put(&bytes, 8, NEXT_EVENT);
	put(&bytes, 1, NEXT_REACH);
	put(&bytes, 4, RANGES_AT);
	put(&bytes, 4, NEXT_RANGES);
	put(&bytes, 4, RANGE);
	put(&bytes, 4, NEXT_OPERATION);
	put(&bytes, 8, UINT64_MAX); /* new: a number, then bytes */
	put(&bytes, 4, RANGES_AT + NEXT_RANGES * RANGE);
	put(&bytes, 4, NOTE);
	while (bytes.used < RANGES_AT)
		put(&bytes, 1, 0);
	for (uint64_t i = 0; i < 4 * NEXT_RANGES; i++) {
		put(&bytes, 2, NEXT_FIRST + i);
		if (i % 4 == 3)
			put(&bytes, 4, UINT32_MAX); /* new in the record */
	}
	put(&bytes, NOTE, 0x2a2a2a2a2a);
	return bytes.used;
}

static size_t older(uint8_t *body, size_t room)
{
	struct bytes bytes = {body, 0, room};

	put(&bytes, 4, 12);
	put(&bytes, 8, NEXT_NUMBER);
	put(&bytes, 4, NEXT_QUEUE);
	return bytes.used;
}

const struct next_writer next_packed = {"packed", newer, older};
