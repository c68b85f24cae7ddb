/* Checks the formats and lengths of MessagePack data without allocating memory. */
#include "codec_private.h"

enum { FIXED_FIRST = 0xc0, FIXED_LAST = 0xdf };

/* The layout of an object, which depends on its first byte. */
struct format {
	/* number of bytes at the start of an object, up to the part whose length varies; 0: no
	 * object begins with this first byte */
	uint8_t head;
	/* number of bytes of the length field, which is big endian and follows the first byte */
	uint8_t length;
	/* number of objects that follow, for each unit of the length field: 0 for bytes, 1 for
	 * arrays, 2 for maps */
	uint8_t objects;
};

static const struct format formats[FIXED_LAST - FIXED_FIRST + 1] = {
	[0x00] = {1, 0, 0}, /* nil; 0xc1 is never used */
	[0x02] = {1, 0, 0}, /* false, true */
	[0x03] = {1, 0, 0},
	[0x04] = {2, 1, 0}, /* bin */
	[0x05] = {3, 2, 0},
	[0x06] = {5, 4, 0},
	[0x07] = {3, 1, 0}, /* ext */
	[0x08] = {4, 2, 0},
	[0x09] = {6, 4, 0},
	[0x0a] = {5, 0, 0}, /* float */
	[0x0b] = {9, 0, 0},
	[0x0c] = {2, 0, 0}, /* unsigned */
	[0x0d] = {3, 0, 0},
	[0x0e] = {5, 0, 0},
	[0x0f] = {9, 0, 0},
	[0x10] = {2, 0, 0}, /* signed */
	[0x11] = {3, 0, 0},
	[0x12] = {5, 0, 0},
	[0x13] = {9, 0, 0},
	[0x14] = {3, 0, 0}, /* ext of 1, 2, 4, 8, 16 bytes */
	[0x15] = {4, 0, 0},
	[0x16] = {6, 0, 0},
	[0x17] = {10, 0, 0},
	[0x18] = {18, 0, 0},
	[0x19] = {2, 1, 0}, /* text */
	[0x1a] = {3, 2, 0},
	[0x1b] = {5, 4, 0},
	[0x1c] = {3, 2, 1}, /* array */
	[0x1d] = {5, 4, 1},
	[0x1e] = {3, 2, 2}, /* map */
	[0x1f] = {5, 4, 2},
};

/* Measures the object at `at`. Sets *own to the size of the object in bytes, not counting the
 * objects inside it, and *objects to the number of objects inside it. Returns false if the object
 * is invalid, or does not end within `bytes` bytes. */
static bool measure(const uint8_t *at, size_t bytes, size_t *own, uint64_t *objects)
{
	const struct format *format;
	uint64_t length = 0;
	uint8_t first = at[0];

	*own = 1;
	*objects = 0;
	if (first < 0x80 || first >= 0xe0)
		return true;
	if (first < 0xa0) {
		*objects = (uint64_t)(first & 0x0f) * (first < 0x90 ? 2 : 1);
		return true;
	}
	if (first < FIXED_FIRST) {
		*own = 1 + (size_t)(first & 0x1f);
		return *own <= bytes;
	}
	format = &formats[first - FIXED_FIRST];
	if (format->head == 0 || format->head > bytes)
		return false;
	for (uint8_t i = 1; i <= format->length; i++)
		length = length << 8 | at[i];
	*objects = length * format->objects;
	*own = format->head + (format->objects ? 0 : length);
	return *own <= bytes;
}

bool msgpack_is_bounded(const uint8_t *at, size_t bytes, uint64_t objects_max)
{
	uint64_t wanted = 1, seen = 0, inside;
	size_t own;

	for (; wanted > 0; wanted--, seen++) {
		if (bytes == 0 || !measure(at, bytes, &own, &inside))
			return false;
		at += own;
		bytes -= own;
		wanted += inside;
		/* Each object takes at least one byte. */
		if (seen > objects_max || wanted - 1 > bytes || inside > objects_max)
			return false;
	}
	return bytes == 0;
}
