/* The codec `packed`, the project's own format. A body begins with the length of its fixed part (32
 * bits). The fixed part holds the command's fields in order, without gaps. Fields of variable
 * length follow after the fixed part, and the fixed part holds a reference to each of them. A
 * reference is an offset in the body and a count, 32 bits each; a reference to a list also has the
 * length of a record. A reader ignores unknown fields at the end of a fixed part or record, and
 * takes 0 for fields that an older writer did not have. It rejects a reference to bytes outside of
 * the body, and a reference to words that are not aligned. */
#include <string.h>

#include "base/ensure.h"
#include "codec_private.h"

enum { REFERENCE_BYTES = 8, LIST_BYTES = 12, FIXED_AT = 4, PART_ALIGN = 4 };

/* Sizes of fixed parts and records in bytes. */
#define RECORD(name, Name)	  enum { name##_bytes = 0
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  +(bits) / 8
#define BYTES(name, max)	  +REFERENCE_BYTES
#define WORDS(name, max)	  +REFERENCE_BYTES
#define LIST(record, name, max)	  +LIST_BYTES
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "wire/commands.def"

static size_t padded(size_t bytes)
{
	return (bytes + PART_ALIGN - 1) & ~(size_t)(PART_ALIGN - 1);
}

/* ---- sizes of the parts after the fixed part ---- */

#define RECORD(name, Name)                                                                         \
	static size_t name##_more(const struct wire_##name *in)                                    \
	{                                                                                          \
		size_t bytes = 0;                                                                  \
		(void)in;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define BYTES(name, max)	  bytes += padded(in->name.count);
#define WORDS(name, max)	  bytes += (size_t)in->name.count * 4;
#define LIST(record, name, max)                                                                    \
	bytes += padded((size_t)in->name.count * record##_bytes);                                  \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		bytes += record##_more(&in->name.at[i]);
#define END(name)                                                                                  \
	return bytes;                                                                              \
	}
#include "wire/commands.def"

static size_t packed_bytes(const struct wire_command *command)
{
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		return padded(FIXED_AT + name##_bytes) + name##_more(&command->name);
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return 0;
}

/* ---- writing ---- */

struct writer {
	uint8_t *body;
	size_t end; /* end of the parts written so far */
};

/* Reserves `bytes` bytes after the parts written so far, and returns their offset. Fills the gap
 * before the next part with 0. */
static size_t writer_part(struct writer *writer, size_t bytes)
{
	size_t offset = writer->end;

	writer->end += padded(bytes);
	memset(writer->body + offset + bytes, 0, writer->end - offset - bytes);
	return offset;
}

static void put_reference(uint8_t *at, size_t offset, uint32_t count)
{
	put32(at, (uint32_t)offset);
	put32(at + 4, count);
}

static void packed_put_part(
	struct writer *writer, uint8_t *at, const void *part, uint32_t count, size_t size)
{
	size_t offset = writer_part(writer, count * size);

	put_reference(at, offset, count);
	if (count > 0)
		memcpy(writer->body + offset, part, count * size);
}

#define RECORD(name, Name)                                                                         \
	static void name##_put(struct writer *writer, uint8_t *at, const struct wire_##name *in)   \
	{                                                                                          \
		(void)writer;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)                                                                    \
	put##bits(at, in->name);                                                                   \
	at += (bits) / 8;
#define BYTES(name, max)                                                                           \
	packed_put_part(writer, at, in->name.at, in->name.count, 1);                               \
	at += REFERENCE_BYTES;
#define WORDS(name, max)                                                                           \
	packed_put_part(writer, at, in->name.at, in->name.count, 4);                               \
	at += REFERENCE_BYTES;
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		size_t part = writer_part(writer, (size_t)in->name.count * record##_bytes);        \
                                                                                                   \
		put_reference(at, part, in->name.count);                                           \
		put32(at + REFERENCE_BYTES, record##_bytes);                                       \
		for (uint32_t i = 0; i < in->name.count; i++)                                      \
			record##_put(writer, writer->body + part + (size_t)i * record##_bytes,     \
				&in->name.at[i]);                                                  \
		at += LIST_BYTES;                                                                  \
	}
#define END(name)                                                                                  \
	(void)at;                                                                                  \
	}
#include "wire/commands.def"

static enum status packed_encode(const struct wire_command *command, struct wire_scratch *scratch,
	uint8_t *memory, size_t room, struct wire_bytes *body)
{
	struct writer writer = {memory, 0};

	(void)scratch;
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		writer_part(&writer, FIXED_AT + name##_bytes);                                     \
		put32(memory, name##_bytes);                                                       \
		name##_put(&writer, memory + FIXED_AT, &command->name);                            \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	ensure(writer.end <= room, "wrote %zu B, room for %zu B", writer.end, room);
	*body = (struct wire_bytes){memory, (uint32_t)writer.end};
	return STATUS_OK;
}

/* ---- reading ---- */

/* Returns the elements to which the reference at `at` refers: `count` elements of `size` bytes
 * each. Returns NULL if the count is 0, or if there is an error, which is then stored in the
 * reader. */
static const uint8_t *get_part(
	struct wire_reader *reader, const uint8_t *at, size_t size, const char *field, uint32_t max)
{
	uint32_t offset = get32(at), count = get32(at + 4);

	if (count == 0 || !reader_within(reader, field, count, max))
		return NULL;
	if (size == 0 || offset > reader->bytes || count > (reader->bytes - offset) / size) {
		reader_refuse(reader, STATUS_INVALID);
		return NULL;
	}
	return reader->body + offset;
}

static struct wire_bytes packed_get_bytes(
	struct wire_reader *reader, const uint8_t *at, const char *field, uint32_t max)
{
	const uint8_t *part = get_part(reader, at, 1, field, max);

	return (struct wire_bytes){part, part ? get32(at + 4) : 0};
}

static struct wire_words packed_get_words(
	struct wire_reader *reader, const uint8_t *at, const char *field, uint32_t max)
{
	const uint8_t *part = get_part(reader, at, 4, field, max);

	if (!part)
		return (struct wire_words){NULL, 0};
	if ((uintptr_t)part % _Alignof(uint32_t) != 0) {
		reader_refuse(reader, STATUS_INVALID);
		return (struct wire_words){NULL, 0};
	}
	return (struct wire_words){(const void *)part, get32(at + 4)};
}

/* Returns at least `known` bytes of a fixed part or record, the bytes that this version reads. The
 * frame has `given` bytes of it, at `at`; a frame of another version may have more or fewer than
 * `known`. If it has fewer, copies them to `copy`, sets the missing bytes there to 0, and returns
 * `copy`. */
static const uint8_t *packed_whole(const uint8_t *at, size_t given, size_t known, uint8_t *copy)
{
	if (given >= known)
		return at;
	memset(copy, 0, known);
	memcpy(copy, at, given);
	return copy;
}

#define RECORD(name, Name)                                                                         \
	static void name##_get(                                                                    \
		struct wire_reader *reader, const uint8_t *at, struct wire_##name *out)            \
	{                                                                                          \
		(void)reader;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)                                                                    \
	out->name = get##bits(at);                                                                 \
	at += (bits) / 8;
#define BYTES(name, max)                                                                           \
	out->name = packed_get_bytes(reader, at, #name, max);                                      \
	at += REFERENCE_BYTES;
#define WORDS(name, max)                                                                           \
	out->name = packed_get_words(reader, at, #name, max);                                      \
	at += REFERENCE_BYTES;
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		uint32_t given = get32(at + REFERENCE_BYTES);                                      \
		const uint8_t *part = get_part(reader, at, given, #name, max);                     \
		uint32_t count = part ? get32(at + 4) : 0;                                         \
		struct wire_##record *records =                                                    \
			count ? reader_take(reader, count, sizeof *records) : NULL;                \
                                                                                                   \
		for (uint32_t i = 0; records && i < count; i++) {                                  \
			uint8_t copy[record##_bytes];                                              \
                                                                                                   \
			record##_get(reader,                                                       \
				packed_whole(                                                      \
					part + (size_t)i * given, given, record##_bytes, copy),    \
				&records[i]);                                                      \
		}                                                                                  \
		out->name.at = records;                                                            \
		out->name.count = records ? count : 0;                                             \
		at += LIST_BYTES;                                                                  \
	}
#define END(name)                                                                                  \
	(void)at;                                                                                  \
	}
#include "wire/commands.def"

static void packed_decode(struct wire_reader *reader, struct wire_command *command)
{
	uint32_t fixed = reader->bytes >= FIXED_AT ? get32(reader->body) : UINT32_MAX;
	const uint8_t *at = reader->body + FIXED_AT;

	if (reader->bytes < FIXED_AT || fixed > reader->bytes - FIXED_AT) {
		reader_refuse(reader, STATUS_INVALID);
		return;
	}
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name: {                                                                        \
		uint8_t copy[name##_bytes];                                                        \
                                                                                                   \
		name##_get(reader, packed_whole(at, fixed, name##_bytes, copy), &command->name);   \
		break;                                                                             \
	}
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
}

const struct wire_codec_ops wire_packed = {PART_ALIGN, packed_bytes, packed_encode, packed_decode};
