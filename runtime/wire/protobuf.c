/* The codec `protobuf`: encodes the messages of commands.proto (schemas.cmake) with protobuf-c. The
 * library builds a tree of structs and copies bytes; the tree and the copies are in scratch memory.
 * Words are packed fixed32. The codec also rejects numbers that are too large, which the library
 * does not check. */
#include <string.h>

#include "base/ensure.h"
#include "codec_private.h"
#include "commands.pb-c.h"

enum { TAG_BYTES = 2, LENGTH_BYTES = 5 };

/* ---- sizes ---- */

#define RECORD(name, Name)                                                                         \
	static size_t name##_bytes(const struct wire_##name *in)                                   \
	{                                                                                          \
		size_t bytes = 0;                                                                  \
		(void)in;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  bytes += TAG_BYTES + (bits) / 7 + 1;
#define BYTES(name, max)	  bytes += TAG_BYTES + LENGTH_BYTES + in->name.count;
#define WORDS(name, max)	  bytes += TAG_BYTES + LENGTH_BYTES + 4 * (size_t)in->name.count;
#define LIST(record, name, max)                                                                    \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		bytes += TAG_BYTES + LENGTH_BYTES + record##_bytes(&in->name.at[i]);
#define END(name)                                                                                  \
	return bytes;                                                                              \
	}
#include "wire/commands.def"

static size_t protobuf_bytes(const struct wire_command *command)
{
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		return name##_bytes(&command->name);
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return 0;
}

/* ---- writing: returns false if scratch is too small ---- */

/* Removes const. The library's structs are not const, but packing only reads them. */
static void *borrowed(const void *from)
{
	void *pointer;

	memcpy(&pointer, &from, sizeof pointer);
	return pointer;
}

#define RECORD(name, Name)                                                                         \
	static bool name##_write(                                                                  \
		const struct wire_##name *in, struct wire_scratch *scratch, Wire__##Name *out)     \
	{                                                                                          \
		(void)scratch;                                                                     \
		wire__##name##__init(out);
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  out->name = in->name;
#define BYTES(name, max)                                                                           \
	out->name.len = in->name.count;                                                            \
	out->name.data = borrowed(in->name.at);
#define WORDS(name, max)                                                                           \
	out->n_##name = in->name.count;                                                            \
	out->name = borrowed(in->name.at);
#define LIST(record, name, max)                                                                    \
	if (in->name.count > 0) {                                                                  \
		__typeof__(**out->name) *messages =                                                \
			scratch_take(scratch, in->name.count, sizeof *messages);                   \
                                                                                                   \
		out->name = scratch_take(scratch, in->name.count, sizeof *out->name);              \
		if (!messages || !out->name)                                                       \
			return false;                                                              \
		out->n_##name = in->name.count;                                                    \
		for (uint32_t i = 0; i < in->name.count; i++) {                                    \
			out->name[i] = &messages[i];                                               \
			if (!record##_write(&in->name.at[i], scratch, &messages[i]))               \
				return false;                                                      \
		}                                                                                  \
	}
#define END(name)                                                                                  \
	return true;                                                                               \
	}
#include "wire/commands.def"

static enum status protobuf_encode(const struct wire_command *command, struct wire_scratch *scratch,
	uint8_t *memory, size_t room, struct wire_bytes *body)
{
	size_t bytes = 0;
	bool good = false;

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name: {                                                                        \
		Wire__##Name message;                                                              \
                                                                                                   \
		good = name##_write(&command->name, scratch, &message);                            \
		if (good)                                                                          \
			bytes = wire__##name##__pack(&message, memory);                            \
		break;                                                                             \
	}
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	ensure(bytes <= room, "wrote %zu B, room for %zu B", bytes, room);
	*body = (struct wire_bytes){memory, (uint32_t)bytes};
	return good ? STATUS_OK : STATUS_NO_SPACE;
}

/* ---- reading ---- */

/* The allocator that the library uses. It takes memory from scratch memory, which is freed as a
 * whole. */
static void *take(void *reader, size_t bytes)
{
	return reader_take(reader, bytes, 1);
}

static void give_back(void *reader, void *memory)
{
	(void)reader;
	(void)memory;
}

#define RECORD(name, Name)                                                                         \
	static void name##_read(                                                                   \
		struct wire_reader *reader, const Wire__##Name *in, struct wire_##name *out)       \
	{
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)                                                                    \
	reader_within(reader, #name, in->name, max);                                               \
	out->name = (uint##bits##_t)in->name;
#define BYTES(name, max)                                                                           \
	reader_within(reader, #name, in->name.len, max);                                           \
	out->name = (struct wire_bytes){in->name.data, (uint32_t)in->name.len};
#define WORDS(name, max)                                                                           \
	reader_within(reader, #name, in->n_##name, max);                                           \
	out->name = (struct wire_words){in->name, (uint32_t)in->n_##name};
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		struct wire_##record *records = NULL;                                              \
                                                                                                   \
		if (in->n_##name > 0 && reader_within(reader, #name, in->n_##name, max))           \
			records = reader_take(reader, in->n_##name, sizeof *records);              \
		for (size_t i = 0; records && i < in->n_##name; i++)                               \
			record##_read(reader, in->name[i], &records[i]);                           \
		out->name.at = records;                                                            \
		out->name.count = records ? (uint32_t)in->n_##name : 0;                            \
	}
#define END(name) }
#include "wire/commands.def"

static void protobuf_decode(struct wire_reader *reader, struct wire_command *command)
{
	ProtobufCAllocator allocator = {take, give_back, reader};

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name: {                                                                        \
		const Wire__##Name *message =                                                      \
			wire__##name##__unpack(&allocator, reader->bytes, reader->body);           \
                                                                                                   \
		if (message)                                                                       \
			name##_read(reader, message, &command->name);                              \
		else                                                                               \
			reader_refuse(reader, STATUS_INVALID);                                     \
		break;                                                                             \
	}
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
}

const struct wire_codec_ops wire_protobuf = {
	WIRE_ALIGN, protobuf_bytes, protobuf_encode, protobuf_decode};
