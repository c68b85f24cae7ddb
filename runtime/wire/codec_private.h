/* What a codec is to the rest of the room: three functions over bodies, without the frame's header.
 * Private to the room. C++ may include it. */
#ifndef WIRE_CODEC_PRIVATE_H
#define WIRE_CODEC_PRIVATE_H

#include <stdbool.h>

#include "wire/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body that is decoded, and what is wrong with it. */
struct wire_reader {
	const uint8_t *body; /* aligned to WIRE_ALIGN */
	size_t bytes;
	struct wire_scratch *scratch;
	enum status status; /* OK: nothing; the first fault stays */
	const char *field; /* with OUT_OF_RANGE: the field, what it has, and the most it may have */
	uint64_t value, max;
};

struct wire_codec_ops {
	uint8_t align; /* of a body that decode() reads in place; at most WIRE_ALIGN */
	/* The most bytes that encode() writes or uses of its room. */
	size_t (*body_bytes)(const struct wire_command *command);
	/* Writes the body of a command that was checked; *body is where it lies. `memory` is
	 * aligned to WIRE_ALIGN and has room for body_bytes(). OK; NO_SPACE (scratch). */
	enum status (*encode)(const struct wire_command *command, struct wire_scratch *scratch,
		uint8_t *memory, size_t room, struct wire_bytes *body);
	/* Reads a body; command->kind is set. What is wrong is said in the reader. Values that are
	 * too large for the structs are its own to refuse, limits and indices are not: wire_check()
	 * comes after it. Lists longer than their limit it refuses before it takes memory. */
	void (*decode)(struct wire_reader *reader, struct wire_command *command);
};

/* Refuses the body: it is broken, or scratch is too small. */
static inline void reader_refuse(struct wire_reader *reader, enum status status)
{
	if (reader->status == STATUS_OK)
		reader->status = status;
}

/* Whether `value` is no more than `max`; the body is refused if not. */
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

/* `count` elements of `size` bytes, aligned for any type, not cleared; NULL if they do not fit. */
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

/* The same for what is decoded; the body is refused if it does not fit. */
static inline void *reader_take(struct wire_reader *reader, size_t count, size_t size)
{
	void *taken = scratch_take(reader->scratch, count, size);

	if (!taken)
		reader_refuse(reader, STATUS_NO_SPACE);
	return taken;
}

extern const struct wire_codec_ops wire_packed, wire_flatbuffers, wire_protobuf, wire_msgpack;

#ifdef __cplusplus
}
#endif

#endif
