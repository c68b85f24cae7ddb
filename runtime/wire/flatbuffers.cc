/* Codec `flatbuffers`: encodes commands as tables of commands.fbs (schemas.cmake) with FlatBuffers,
 * a C++ library. The library writes from the end of the frame's memory towards its start. Decoding
 * first runs the library's verifier, and rejects a message that the verifier rejects. Then it reads
 * the frame in place. The codec allocates nothing. */
#include <cstdlib>

#include "codec_private.h"
#include "commands_generated.h"

namespace
{
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::Vector;

enum {
	/* Upper bounds of sizes in bytes, with padding. TABLE_BYTES: a table, with its vtable and
	 * its entry in the builder's list. VECTOR_BYTES: the count of a vector. FIELD_BYTES: the
	 * value of a field, its entry in a vtable, and the builder's record of the field. */
	TABLE_BYTES = 32,
	VECTOR_BYTES = 16,
	FIELD_BYTES = 32,
	ROOT_BYTES = 64,
	DEPTH_MAX = 4,
};

/* The most tables of a command. A newer writer may append lists, so twice as many are allowed. */
#define RECORD(name, Name)	  enum { name##_tables = 2 * (1
#define COMMAND(name, Name, help) RECORD(name, Name)
#define LIST(record, name, max)	  +(max)
#define END(name)                                                                                  \
	)                                                                                          \
	}                                                                                          \
	;
#include "wire/commands.def"

uint32_t tables_max(enum wire_kind kind)
{
	switch (kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		return name##_tables;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return 0;
}

/* ---- sizes ---- */

#define RECORD(name, Name)                                                                         \
	size_t name##_bytes(const struct wire_##name *in)                                          \
	{                                                                                          \
		size_t bytes = TABLE_BYTES;                                                        \
		(void)in;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  bytes += FIELD_BYTES;
#define BYTES(name, max)	  bytes += FIELD_BYTES + VECTOR_BYTES + in->name.count;
#define WORDS(name, max)	  bytes += FIELD_BYTES + VECTOR_BYTES + 4 * size_t(in->name.count);
#define LIST(record, name, max)                                                                    \
	bytes += FIELD_BYTES + VECTOR_BYTES + 4 * size_t(in->name.count);                          \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		bytes += record##_bytes(&in->name.at[i]);
#define END(name)                                                                                  \
	return bytes;                                                                              \
	}
#include "wire/commands.def"

size_t body_bytes(const struct wire_command *command)
{
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		return ROOT_BYTES + name##_bytes(&command->name);
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return ROOT_BYTES;
}

/* ---- writing ---- */

/* Gives the builder the frame's memory, once. */
struct FrameMemory : flatbuffers::Allocator {
	uint8_t *body;
	size_t room;

	FrameMemory(uint8_t *given, size_t bytes) : body(given), room(bytes)
	{
	}
	uint8_t *allocate(size_t size) override
	{
		if (size > room)
			std::abort(); /* body_bytes() said too little */
		room = 0;
		return body;
	}
	void deallocate(uint8_t *, size_t) override
	{
	}
};

struct Writing {
	FlatBufferBuilder &builder;
	struct wire_scratch *scratch;
	bool good; /* false: scratch is too small */
};

/* The offsets of the parts of a table; these parts are written before the table. */
#define RECORD(name, Name)                                                                         \
	using name##_table = wire::Name;                                                           \
	struct name##_parts {
#define COMMAND(name, Name, help) RECORD(name, Name)
#define BYTES(name, max)	  Offset<Vector<uint8_t>> name;
#define WORDS(name, max)	  Offset<Vector<uint32_t>> name;
#define LIST(record, name, max)	  Offset<Vector<Offset<record##_table>>> name;
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "wire/commands.def"

#define RECORD(name, Name)                                                                         \
	Offset<wire::Name> name##_table_write(FlatBufferBuilder &builder,                          \
		const struct wire_##name *in, const name##_parts &parts)                           \
	{                                                                                          \
		(void)parts;                                                                       \
		return wire::Create##Name(builder
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  , in->name
#define BYTES(name, max)	  , parts.name
#define WORDS(name, max)	  , parts.name
#define LIST(record, name, max)	  , parts.name
#define END(name)                                                                                  \
	);                                                                                         \
	}
#include "wire/commands.def"

#define RECORD(name, Name)                                                                         \
	Offset<wire::Name> name##_write(Writing &writing, const struct wire_##name *in)            \
	{                                                                                          \
		name##_parts parts;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define BYTES(name, max)                                                                           \
	if (in->name.count > 0)                                                                    \
		parts.name = writing.builder.CreateVector(in->name.at, in->name.count);
#define WORDS(name, max) BYTES(name, max)
#define LIST(record, name, max)                                                                    \
	if (in->name.count > 0) {                                                                  \
		auto *offsets = static_cast<Offset<record##_table> *>(                             \
			scratch_take(writing.scratch, in->name.count, sizeof(parts.name)));        \
                                                                                                   \
		for (uint32_t i = 0; offsets && i < in->name.count; i++)                           \
			offsets[i] = record##_write(writing, &in->name.at[i]);                     \
		if (offsets)                                                                       \
			parts.name = writing.builder.CreateVector(offsets, in->name.count);        \
		else                                                                               \
			writing.good = false;                                                      \
	}
#define END(name)                                                                                  \
	return name##_table_write(writing.builder, in, parts);                                     \
	}
#include "wire/commands.def"

enum status encode(const struct wire_command *command, struct wire_scratch *scratch, uint8_t *given,
	size_t room, struct wire_bytes *body)
{
	FrameMemory memory(given, room);
	FlatBufferBuilder builder(room & ~size_t(WIRE_ALIGN - 1), &memory);
	Writing writing = {builder, scratch, true};

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		builder.Finish(name##_write(writing, &command->name));                             \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	*body = {builder.GetBufferPointer(), builder.GetSize()};
	return writing.good ? STATUS_OK : STATUS_NO_SPACE;
}

/* ---- reading ---- */

#define RECORD(name, Name)                                                                         \
	void name##_read(                                                                          \
		struct wire_reader *reader, const wire::Name *in, struct wire_##name *out)         \
	{                                                                                          \
		(void)reader;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  out->name = in->name();
#define BYTES(name, max)                                                                           \
	out->name.count = in->name() ? in->name()->size() : 0;                                     \
	out->name.at = out->name.count ? in->name()->data() : nullptr;
#define WORDS(name, max) BYTES(name, max)
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		uint32_t count = in->name() ? in->name()->size() : 0;                              \
		struct wire_##record *records = nullptr;                                           \
                                                                                                   \
		if (count > 0 && reader_within(reader, #name, count, max))                         \
			records = static_cast<struct wire_##record *>(                             \
				reader_take(reader, count, sizeof *records));                      \
		for (uint32_t i = 0; records && i < count; i++)                                    \
			record##_read(reader, in->name()->Get(i), &records[i]);                    \
		out->name.at = records;                                                            \
		out->name.count = records ? count : 0;                                             \
	}
#define END(name) }
#include "wire/commands.def"

void decode(struct wire_reader *reader, struct wire_command *command)
{
	flatbuffers::Verifier verifier(
		reader->body, reader->bytes, DEPTH_MAX, tables_max(command->kind));

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		if (verifier.VerifyBuffer<wire::Name>(nullptr))                                    \
			name##_read(reader, flatbuffers::GetRoot<wire::Name>(reader->body),        \
				&command->name);                                                   \
		else                                                                               \
			reader_refuse(reader, STATUS_INVALID);                                     \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
}
} // namespace

const struct wire_codec_ops wire_flatbuffers = {WIRE_ALIGN, body_bytes, encode, decode};
