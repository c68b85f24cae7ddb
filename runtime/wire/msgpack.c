/* The codec `msgpack`: msgpack-c writes a body as an array, without a schema. The array holds the
 * fields in the order of commands.def. Records are arrays inside this array, and bytes have the
 * type bin. A reader skips unknown fields at the end, and takes 0 for missing fields. It rejects a
 * field of the wrong type. It also rejects a count that is too large for the body, before the
 * library allocates memory for that count. */
#include <msgpack.h>
#include <string.h>

#include "base/ensure.h"
#include "codec_private.h"

enum { COUNT_BYTES = 5 }; /* most bytes of the head of a bin, an array or a word */

/* The number of fields of each command and record. */
#define RECORD(name, Name)	  enum { name##_fields = 0
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  +1
#define BYTES(name, max)	  +1
#define WORDS(name, max)	  +1
#define LIST(record, name, max)	  +1
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "wire/commands.def"

/* Upper bounds for the number of objects in a command. They are twice the number of objects that
 * this version writes, because a newer writer may append fields. */
#define COMMAND(name, Name, help) enum { name##_objects = 2 * (1
#define NUMBER(bits, name, max) +1
#define BYTES(name, max)	+1
#define WORDS(name, max)	+1 + (int)(max)
#define LIST(record, name, max) +1 + (int)(max) * (1 + (int)record##_fields)
#define RECORD(name, Name)	  enum { name##_objects = 2 * (1
#define END(name)                                                                                  \
	)                                                                                          \
	}                                                                                          \
	;
#include "wire/commands.def"

static const uint64_t objects_max[WIRE_KIND_COUNT] = {
#define COMMAND(name, Name, help) [WIRE_##name] = name##_objects,
#include "wire/commands.def"
};

/* ---- sizes ---- */

#define RECORD(name, Name)                                                                         \
	static size_t name##_bytes(const struct wire_##name *in)                                   \
	{                                                                                          \
		size_t bytes = COUNT_BYTES;                                                        \
		(void)in;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  bytes += 1 + (bits) / 8;
#define BYTES(name, max)	  bytes += COUNT_BYTES + in->name.count;
#define WORDS(name, max)	  bytes += COUNT_BYTES + 5 * (size_t)in->name.count;
#define LIST(record, name, max)                                                                    \
	bytes += COUNT_BYTES;                                                                      \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		bytes += record##_bytes(&in->name.at[i]);
#define END(name)                                                                                  \
	return bytes;                                                                              \
	}
#include "wire/commands.def"

static size_t msgpack_bytes(const struct wire_command *command)
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

/* ---- writing ---- */

struct sink {
	uint8_t *memory;
	size_t room, used;
};

static int sink_write(void *data, const char *bytes, size_t count)
{
	struct sink *sink = data;

	ensure(count <= sink->room - sink->used, "%zu B more than %zu of %zu", count, sink->used,
		sink->room);
	memcpy(sink->memory + sink->used, bytes, count);
	sink->used += count;
	return 0;
}

/* Each function that writes creates its own packer. The compiler then knows which callback the
 * packer calls, and can turn calls of the library into plain stores. */
static inline msgpack_packer packer_to(struct sink *sink)
{
	return (msgpack_packer){sink, sink_write};
}

static void pack_bytes(struct sink *sink, struct wire_bytes bytes)
{
	msgpack_packer packer = packer_to(sink);

	msgpack_pack_bin(&packer, bytes.count);
	if (bytes.count > 0)
		msgpack_pack_bin_body(&packer, bytes.at, bytes.count);
}

static void pack_words(struct sink *sink, struct wire_words words)
{
	msgpack_packer packer = packer_to(sink);

	msgpack_pack_array(&packer, words.count);
	for (uint32_t i = 0; i < words.count; i++)
		msgpack_pack_uint32(&packer, words.at[i]);
}

#define RECORD(name, Name)                                                                         \
	static void name##_pack(struct sink *sink, const struct wire_##name *in)                   \
	{                                                                                          \
		msgpack_packer packer = packer_to(sink);                                           \
                                                                                                   \
		msgpack_pack_array(&packer, name##_fields);
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  msgpack_pack_uint##bits(&packer, in->name);
#define BYTES(name, max)	  pack_bytes(sink, in->name);
#define WORDS(name, max)	  pack_words(sink, in->name);
#define LIST(record, name, max)                                                                    \
	msgpack_pack_array(&packer, in->name.count);                                               \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		record##_pack(sink, &in->name.at[i]);
#define END(name) }
#include "wire/commands.def"

static enum status msgpack_encode(const struct wire_command *command, struct wire_scratch *scratch,
	uint8_t *memory, size_t room, struct wire_bytes *body)
{
	struct sink sink = {memory, room, 0};

	(void)scratch;
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		name##_pack(&sink, &command->name);                                                \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	*body = (struct wire_bytes){memory, (uint32_t)sink.used};
	return STATUS_OK;
}

/* ---- reading ---- */

/* Returns the field at `index`, or NULL if an older writer did not have this field. */
static const msgpack_object *field(msgpack_object_array array, uint32_t index)
{
	return index < array.size ? &array.ptr[index] : NULL;
}

static uint64_t get_number(
	struct wire_reader *reader, const msgpack_object *object, const char *name, uint64_t max)
{
	if (!object)
		return 0;
	if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER) {
		reader_refuse(reader, STATUS_INVALID);
		return 0;
	}
	return reader_within(reader, name, object->via.u64, max) ? object->via.u64 : 0;
}

static struct wire_bytes msgpack_get_bytes(
	struct wire_reader *reader, const msgpack_object *object, const char *name, uint32_t max)
{
	if (object && object->type != MSGPACK_OBJECT_BIN)
		reader_refuse(reader, STATUS_INVALID);
	else if (object && object->via.bin.size > 0 &&
		 reader_within(reader, name, object->via.bin.size, max))
		return (struct wire_bytes){(const void *)object->via.bin.ptr, object->via.bin.size};
	return (struct wire_bytes){NULL, 0};
}

/* Returns the elements of a list. After an error, returns an empty list. */
static msgpack_object_array get_array(
	struct wire_reader *reader, const msgpack_object *object, const char *name, uint32_t max)
{
	if (object && object->type != MSGPACK_OBJECT_ARRAY)
		reader_refuse(reader, STATUS_INVALID);
	else if (object && reader_within(reader, name, object->via.array.size, max))
		return object->via.array;
	return (msgpack_object_array){0, NULL};
}

static struct wire_words msgpack_get_words(
	struct wire_reader *reader, const msgpack_object *object, const char *name, uint32_t max)
{
	msgpack_object_array array = get_array(reader, object, name, max);
	uint32_t *words = array.size ? reader_take(reader, array.size, sizeof *words) : NULL;

	for (uint32_t i = 0; words && i < array.size; i++)
		words[i] = (uint32_t)get_number(reader, &array.ptr[i], name, UINT32_MAX);
	return (struct wire_words){words, words ? array.size : 0};
}

#define RECORD(name, Name)                                                                         \
	static void name##_get(                                                                    \
		struct wire_reader *reader, const msgpack_object *object, struct wire_##name *out) \
	{                                                                                          \
		msgpack_object_array fields = get_array(reader, object, #name, UINT32_MAX);        \
		uint32_t at = 0;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)                                                                    \
	out->name = (uint##bits##_t)get_number(reader, field(fields, at++), #name, max);
#define BYTES(name, max) out->name = msgpack_get_bytes(reader, field(fields, at++), #name, max);
#define WORDS(name, max) out->name = msgpack_get_words(reader, field(fields, at++), #name, max);
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		msgpack_object_array list = get_array(reader, field(fields, at++), #name, max);    \
		struct wire_##record *records =                                                    \
			list.size ? reader_take(reader, list.size, sizeof *records) : NULL;        \
                                                                                                   \
		for (uint32_t i = 0; records && i < list.size; i++)                                \
			record##_get(reader, &list.ptr[i], &records[i]);                           \
		out->name.at = records;                                                            \
		out->name.count = records ? list.size : 0;                                         \
	}
#define END(name) }
#include "wire/commands.def"

static void command_get(
	struct wire_reader *reader, const msgpack_object *object, struct wire_command *command)
{
	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		name##_get(reader, object, &command->name);                                        \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
}

static void msgpack_decode(struct wire_reader *reader, struct wire_command *command)
{
	const char *body = (const void *)reader->body;
	msgpack_unpacked unpacked;
	size_t read = 0;

	if (!msgpack_is_bounded(reader->body, reader->bytes, objects_max[command->kind])) {
		reader_refuse(reader, STATUS_INVALID);
		return;
	}
	msgpack_unpacked_init(&unpacked);
	if (msgpack_unpack_next(&unpacked, body, reader->bytes, &read) == MSGPACK_UNPACK_SUCCESS &&
		read == reader->bytes)
		command_get(reader, &unpacked.data, command);
	else
		reader_refuse(reader, STATUS_INVALID);
	msgpack_unpacked_destroy(&unpacked);
}

const struct wire_codec_ops wire_msgpack = {
	WIRE_ALIGN, msgpack_bytes, msgpack_encode, msgpack_decode};
