/* The interface of a codec: three functions that handle the body of a frame. codec.c handles the
 * header. Only files of this folder include this header. C++ files may include it. */
#ifndef WIRE_CODEC_PRIVATE_H
#define WIRE_CODEC_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

#include "wire/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of decoding a body, with the first error in it. */
struct wire_reader {
	const uint8_t *body; /* aligned to the codec's `align` */
	size_t bytes;
	struct wire_scratch *scratch;
	enum status status; /* OK, or the first error */
	/* set with OUT_OF_RANGE: the name of the field, its value, and the largest allowed value */
	const char *field;
	uint64_t value, max;
};

struct wire_codec_ops {
	uint8_t align; /* alignment of bodies for decode(), at most WIRE_ALIGN */
	/* Returns an upper bound of the number of bytes that encode() uses of its room. */
	size_t (*body_bytes)(const struct wire_command *command);
	/* Writes the body of a command into `memory`, which is aligned to WIRE_ALIGN and has `room`
	 * bytes, at least body_bytes(). The caller has checked the command with wire_check(). Sets
	 * *body to the part of `memory` that holds the body. Returns OK, or NO_SPACE if scratch is
	 * too small. */
	enum status (*encode)(const struct wire_command *command, struct wire_scratch *scratch,
		uint8_t *memory, size_t room, struct wire_bytes *body);
	/* Reads the body that `reader` describes into *command, whose kind the caller has set.
	 * Stores the first error in the reader. Must reject values that do not fit into the members
	 * of the structs. Must reject a list that is longer than its limit before it takes memory
	 * for the list. The caller then checks all other limits and all indices with
	 * wire_check(). */
	void (*decode)(struct wire_reader *reader, struct wire_command *command);
};

/* Stores an error in the reader: the body is broken, or scratch memory is too small. If the reader
 * has an error already, keeps the earlier error. */
static inline void reader_refuse(struct wire_reader *reader, enum status status)
{
	if (reader->status == STATUS_OK)
		reader->status = status;
}

/* Returns true if `value` is at most `max`. Otherwise rejects the body. */
static inline bool reader_within(
	struct wire_reader *reader, const char *field, uint64_t value, uint64_t max)
{
	if (value <= max)
		return true;
	if (reader->status == STATUS_OK) {
		reader->status = STATUS_OUT_OF_RANGE;
		reader->field = field;
		reader->value = value;
		reader->max = max;
	}
	return false;
}

/* Takes scratch memory for `count` elements of `size` bytes. The memory is aligned for any type,
 * and is not cleared. Returns NULL if there is not enough scratch memory left. */
static inline void *scratch_take(struct wire_scratch *scratch, size_t count, size_t size)
{
	enum { ALIGN = 16 };
	size_t start = (0 - (uintptr_t)(scratch->memory + scratch->used)) % ALIGN;
	size_t room = scratch->bytes - scratch->used;
	uint8_t *taken = scratch->memory + scratch->used + start;

	if (start > room || (size && count > (room - start) / size))
		return NULL;
	scratch->used += start + count * size;
	return taken;
}

/* Takes scratch memory for decoded data. If the data do not fit, rejects the body. */
static inline void *reader_take(struct wire_reader *reader, size_t count, size_t size)
{
	void *taken = scratch_take(reader->scratch, count, size);

	if (!taken)
		reader_refuse(reader, STATUS_NO_SPACE);
	return taken;
}

#define CODEC(row, symbol, ...) extern const struct wire_codec_ops wire_##symbol;
#include "world/codecs.def"

#ifdef __cplusplus
}
#endif

/* The check of a body before msgpack-c parses it. */

/* Returns true if the bytes are exactly one object with at most `objects_max` elements. This check
 * must come before the library decodes the bytes: the library reads a count in the bytes and
 * allocates memory for this number of elements, before it finds out whether the elements exist. */
bool msgpack_is_bounded(const uint8_t *at, size_t bytes, uint64_t objects_max);

#ifndef __cplusplus

/* Little-endian numbers in frames, at any alignment. Words in a frame are used without conversion,
 * so the host must be little endian too. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hosts are little endian");

#define LITTLE_ENDIAN_NUMBER(bits)                                                                 \
	static inline void put##bits(uint8_t *at, uint##bits##_t value)                            \
	{                                                                                          \
		memcpy(at, &value, sizeof value);                                                  \
	}                                                                                          \
	static inline uint##bits##_t get##bits(const uint8_t *at)                                  \
	{                                                                                          \
		uint##bits##_t value;                                                              \
		memcpy(&value, at, sizeof value);                                                  \
		return value;                                                                      \
	}

LITTLE_ENDIAN_NUMBER(8)
LITTLE_ENDIAN_NUMBER(16)
LITTLE_ENDIAN_NUMBER(32)
LITTLE_ENDIAN_NUMBER(64)

#endif

#endif
