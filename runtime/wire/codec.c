/* Encodes and decodes frames. This file writes and reads the header that all codecs share, and
 * checks a command before and after a codec handles its body. */
#include "wire/codec.h"

#include <string.h>

#include "base/ensure.h"
#include "codec_private.h"

static const char magic[4] = {'m', 's', 'h', 'w'};

enum {
	AT_MAJOR = 4,
	AT_CODEC = 5,
	AT_MINOR = 6,
	AT_BYTES = 8,
	AT_KIND = 12,
	AT_MESH = 14,
	/* most bytes that a library needs for a record, in addition to the struct */
	RECORD_EXTRA = 256,
	FIELD_EXTRA = 64,
};

/* Upper bounds of the memory, in bytes, that the lists of each record and command need. The bounds
 * do not include data that stay in the frame. */
#define RECORD(name, Name)	  enum { name##_lists = 0
#define COMMAND(name, Name, help) RECORD(name, Name)
#define LIST(record, name, max)	  +(int)(max) * (int)(sizeof(struct wire_##record) + RECORD_EXTRA)
#define WORDS(name, max)	  +(int)(max)*4
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "wire/commands.def"

static const size_t lists_bytes[WIRE_KIND_COUNT] = {
#define COMMAND(name, Name, help) [WIRE_##name] = name##_lists,
#include "wire/commands.def"
};

/* The most bytes that a library needs for the fields of all commands together. */
enum {
	FIELDS_BYTES = 0
#define LIST(record, name, max) +FIELD_EXTRA
#define WORDS(name, max)	+FIELD_EXTRA
#define BYTES(name, max)	+FIELD_EXTRA
#define NUMBER(bits, name, max) +FIELD_EXTRA
#include "wire/commands.def"
};

union any_record {
#define RECORD(name, Name) struct wire_##name name;
#include "wire/commands.def"
};

enum wire_kind wire_kind_of(const uint8_t *frame, size_t bytes)
{
	uint16_t kind = WIRE_NO_COMMAND;

	if (bytes >= WIRE_HEADER_BYTES && memcmp(frame, magic, sizeof magic) == 0)
		kind = get16(frame + AT_KIND);
	return kind < WIRE_KIND_COUNT ? (enum wire_kind)kind : WIRE_NO_COMMAND;
}

size_t wire_scratch_bytes_of(enum wire_kind kind, size_t frame_bytes)
{
	/* A record or word takes at least one byte of the frame. */
	size_t most = frame_bytes * (sizeof(union any_record) + RECORD_EXTRA);

	if (lists_bytes[kind] < most)
		most = lists_bytes[kind];
	/* Scratch memory may have to hold the frame twice: as an aligned copy, and as copies of its
	 * parts that a library makes. */
	return FIELDS_BYTES + most + 2 * frame_bytes;
}

size_t wire_scratch_bytes(size_t frame_bytes)
{
	size_t most = 0;

	for (enum wire_kind kind = WIRE_NO_COMMAND; kind < WIRE_KIND_COUNT; kind++) {
		size_t bytes = wire_scratch_bytes_of(kind, frame_bytes);

		most = bytes > most ? bytes : most;
	}
	return most;
}

size_t wire_frame_bytes(const struct wire_codec *codec, const struct wire_command *command)
{
	ensure(codec->ops != NULL, "%s is not in this build", codec->entry.name);
	return WIRE_HEADER_BYTES + codec->ops->body_bytes(command);
}

/* Appends a sentence to `why` which says that the library of the codec is not built in. Returns
 * UNSUPPORTED. */
static enum status absent(const struct wire_codec *codec, struct text *why)
{
	if (why)
		text_printf(why, "%s is not in this build: apt install %s, and build again",
			codec->entry.name, codec->packages);
	return STATUS_UNSUPPORTED;
}

static void put_header(uint8_t *frame, const struct wire_codec *codec,
	const struct wire_command *command, uint32_t body_bytes)
{
	memcpy(frame, magic, sizeof magic);
	put8(frame + AT_MAJOR, WIRE_MAJOR);
	put8(frame + AT_CODEC, (uint8_t)codec->id);
	put16(frame + AT_MINOR, WIRE_MINOR);
	put32(frame + AT_BYTES, body_bytes);
	put16(frame + AT_KIND, (uint16_t)command->kind);
	put16(frame + AT_MESH, command->mesh);
}

enum status wire_encode(const struct wire_codec *codec, const struct wire_command *command,
	struct wire_scratch *scratch, uint8_t *memory, size_t room, struct wire_bytes *frame,
	struct text *why)
{
	size_t used = scratch->used, most;
	struct wire_bytes body = {NULL, 0};
	enum status status;
	uint8_t *start;

	if (!codec->ops)
		return absent(codec, why);
	status = wire_check(command, why);
	if (status != STATUS_OK)
		return status;
	ensure((uintptr_t)memory % WIRE_ALIGN == 0, "a frame at %p", (void *)memory);
	most = wire_frame_bytes(codec, command);
	if (room < most) {
		if (why)
			text_printf(why, "%s: a frame of up to %zu B, room for %zu B",
				wire_kind_name(command->kind), most, room);
		return STATUS_NO_SPACE;
	}
	/* Give the codec only as much room as it needs, because some codecs write from the end of
	 * the room towards its start. */
	status = codec->ops->encode(
		command, scratch, memory + WIRE_HEADER_BYTES, most - WIRE_HEADER_BYTES, &body);
	scratch->used = used;
	if (status != STATUS_OK) {
		if (why)
			text_printf(why, "%s: %zu B of scratch are too few",
				wire_kind_name(command->kind), scratch->bytes);
		return status;
	}
	start = memory + (body.at - memory - WIRE_HEADER_BYTES);
	put_header(start, codec, command, body.count);
	*frame = (struct wire_bytes){start, WIRE_HEADER_BYTES + body.count};
	return STATUS_OK;
}

static bool is_ours(const uint8_t *frame, size_t bytes)
{
	return bytes >= WIRE_HEADER_BYTES && memcmp(frame, magic, sizeof magic) == 0;
}

static const struct wire_codec *codec_by_id(uint8_t id)
{
	for (size_t i = 0; wire_codec_row(i); i++)
		if ((uint8_t)wire_codec_row(i)->id == id)
			return wire_codec_row(i);
	return NULL;
}

const struct wire_codec *wire_codec_of(const uint8_t *frame, size_t bytes)
{
	if (!is_ours(frame, bytes) || get8(frame + AT_MAJOR) != WIRE_MAJOR)
		return NULL;
	return codec_by_id(get8(frame + AT_CODEC));
}

/* Checks the header. Returns OK, or an error with a sentence in `why`. */
static enum status header_check(
	const struct wire_codec *codec, const uint8_t *frame, size_t bytes, struct text *why)
{
	const struct wire_codec *writer;
	struct text nowhere = {0};
	enum status status = STATUS_UNSUPPORTED;

	why = why ? why : &nowhere;
	if (!is_ours(frame, bytes)) {
		text_append(why, "not a command of meshsim");
		status = STATUS_INVALID;
	} else if (get8(frame + AT_MAJOR) != WIRE_MAJOR) {
		text_printf(why, "command of version %u.%u, this program reads %d.x",
			get8(frame + AT_MAJOR), get16(frame + AT_MINOR), WIRE_MAJOR);
	} else if (get8(frame + AT_CODEC) != (uint8_t)codec->id) {
		writer = codec_by_id(get8(frame + AT_CODEC));
		text_printf(why, "command written by %s, read as %s",
			writer ? writer->entry.name : "an unknown codec", codec->entry.name);
	} else if (get16(frame + AT_KIND) == WIRE_NO_COMMAND ||
		   get16(frame + AT_KIND) >= WIRE_KIND_COUNT) {
		text_printf(why,
			"command %u of version %u.%u, this program of version %d.%d has "
			"%d",
			get16(frame + AT_KIND), get8(frame + AT_MAJOR), get16(frame + AT_MINOR),
			WIRE_MAJOR, WIRE_MINOR, WIRE_KIND_COUNT - 1);
	} else if (get32(frame + AT_BYTES) != bytes - WIRE_HEADER_BYTES) {
		text_printf(why, "command of %u B in a frame of %zu B", get32(frame + AT_BYTES),
			bytes - WIRE_HEADER_BYTES);
		status = STATUS_INVALID;
	} else {
		status = STATUS_OK;
	}
	text_fini(&nowhere);
	return status;
}

/* Appends to `why` what the codec found to be wrong. */
static void reader_explain(const struct wire_reader *reader, enum wire_kind kind, struct text *why)
{
	if (!why)
		return;
	text_printf(why, "%s: ", wire_kind_name(kind));
	if (reader->status == STATUS_OUT_OF_RANGE && !reader->field)
		text_append(why, "more in its lists than any command may have");
	else if (reader->status == STATUS_OUT_OF_RANGE)
		text_printf(why, "%s is %llu, at most %llu", reader->field,
			(unsigned long long)reader->value, (unsigned long long)reader->max);
	else if (reader->status == STATUS_NO_SPACE)
		text_printf(why, "%zu B of scratch are too few", reader->scratch->bytes);
	else
		text_append(why, "broken");
}

/* Returns the body of the frame. If the codec needs aligned memory and the body is not aligned,
 * returns an aligned copy, or NULL if the scratch memory is too small for the copy. */
static const uint8_t *aligned(
	const struct wire_codec *codec, const uint8_t *body, struct wire_reader *reader)
{
	uint8_t *copy;

	if ((uintptr_t)body % codec->ops->align == 0)
		return body;
	copy = reader_take(reader, reader->bytes, 1);
	if (copy)
		memcpy(copy, body, reader->bytes);
	return copy;
}

enum status wire_decode(const struct wire_codec *codec, const uint8_t *frame, size_t bytes,
	struct wire_scratch *scratch, struct wire_command *command, struct text *why)
{
	struct wire_reader reader = {.scratch = scratch};
	bool is_enough = scratch->bytes - scratch->used >=
			 wire_scratch_bytes_of(wire_kind_of(frame, bytes), bytes);
	enum status status;

	if (!codec->ops)
		return absent(codec, why);
	status = header_check(codec, frame, bytes, why);
	if (status != STATUS_OK)
		return status;
	command->kind = get16(frame + AT_KIND);
	command->mesh = get16(frame + AT_MESH);
	reader.bytes = bytes - WIRE_HEADER_BYTES;
	reader.body = aligned(codec, frame + WIRE_HEADER_BYTES, &reader);
	if (reader.body)
		codec->ops->decode(&reader, command);
	/* A library may use up scratch for a list before it finds that the list is too long. If
	 * scratch is large enough for every valid frame, there is no other reason for NO_SPACE. So
	 * report OUT_OF_RANGE. */
	if (reader.status == STATUS_NO_SPACE && is_enough)
		reader.status = STATUS_OUT_OF_RANGE;
	if (reader.status != STATUS_OK) {
		reader_explain(&reader, command->kind, why);
		return reader.status;
	}
	return wire_check(command, why);
}
