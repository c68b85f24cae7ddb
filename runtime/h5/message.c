/* Reads the list of messages in the header of an object, version 1 or 2 (private.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "private.h"

/* The state of reading an object header. */
struct reading {
	struct h5_file *file;
	struct arena *arena;
	struct message *messages; /* the messages; not const, for free() */
	uint32_t count, capacity;
	/* Total size in bytes of the blocks read so far. Reading fails if the total exceeds the
	 * length of the file. So reading ends even if continuation blocks refer to each other in a
	 * circle. */
	uint64_t bytes;
	unsigned version;
	bool has_order; /* each message has a number of 2 bytes */
};

static void message_add(struct reading *reading, const struct message *message)
{
	if (reading->count == reading->capacity) {
		reading->capacity = reading->capacity ? 2 * reading->capacity : 64;
		reading->messages = allocate_more(
			reading->messages, reading->capacity, sizeof *reading->messages);
	}
	reading->messages[reading->count++] = *message;
}

/* Adds the messages of a block. If the bytes left at the end are too few for a message, they are a
 * gap and are skipped. */
static bool message_read_block(struct reading *reading, struct cursor block)
{
	const size_t head = reading->version == 1 ? 8 : reading->has_order ? 6 : 4;

	while (block.left >= head) {
		struct message message = {0};
		uint64_t type = cursor_number(&block, reading->version == 1 ? 2 : 1);
		uint64_t length = cursor_number(&block, 2);
		uint64_t flags = cursor_number(&block, 1);
		const unsigned char *body;

		cursor_bytes(&block, head - (reading->version == 1 ? 5 : 4));
		body = cursor_bytes(&block, length);
		if (!body)
			return false;
		message.type = type > UINT8_MAX ? 0 : (uint8_t)type;
		message.is_shared = (flags & 2) != 0;
		message.body = (struct cursor){body, length, false};
		if (message.type != 0)
			message_add(reading, &message);
	}
	return true;
}

/* Reads a continuation block, which lies elsewhere in the file. */
static bool read_continuation(struct reading *reading, struct cursor place)
{
	uint64_t address = cursor_number(&place, 8), bytes = cursor_number(&place, 8);
	struct cursor block;

	if (place.bad || bytes > reading->file->length - reading->bytes ||
		!h5_file_load(reading->file, address, bytes, reading->arena, &block))
		return false;
	reading->bytes += bytes;
	if (reading->version == 1)
		return message_read_block(reading, block);
	if (bytes < 8 || !cursor_signature(&block, "OCHK"))
		return false;
	block.left -= 4; /* without the block's checksum */
	return message_read_block(reading, block);
}

/* Reads the first block of a header of version 2. */
static bool message_read_head(struct reading *reading, uint64_t address)
{
	enum { HEAD_MOST = 4 + 1 + 1 + 16 + 4 + 8 };
	unsigned char head[HEAD_MOST];
	uint64_t room = reading->file->length - address, flags, bytes;
	size_t some = room < HEAD_MOST ? (size_t)room : HEAD_MOST;
	struct cursor at = {head, some, false}, block;

	if (!h5_file_read(reading->file, address, head, some) || !cursor_signature(&at, "OHDR") ||
		cursor_number(&at, 1) != 2)
		return false;
	flags = cursor_number(&at, 1);
	reading->has_order = (flags & 4) != 0;
	cursor_bytes(&at, flags & 32 ? 16 : 0); /* times */
	cursor_bytes(&at, flags & 16 ? 4 : 0);	/* limits for moving attributes to a heap */
	bytes = cursor_number(&at, 1u << (flags & 3));
	reading->bytes = bytes;
	return !at.bad &&
	       h5_file_load(
		       reading->file, address + (some - at.left), bytes, reading->arena, &block) &&
	       message_read_block(reading, block);
}

/* Reads the first block of a header of version 1. */
static bool read_old_head(struct reading *reading, uint64_t address)
{
	enum { HEAD_BYTES = 16 };
	unsigned char head[HEAD_BYTES];
	struct cursor at = {head, sizeof head, false}, block;
	uint64_t bytes;

	if (!h5_file_read(reading->file, address, head, sizeof head) || cursor_number(&at, 1) != 1)
		return false;
	cursor_bytes(&at, 7);
	bytes = cursor_number(&at, 4);
	reading->bytes = bytes;
	return h5_file_load(reading->file, address + HEAD_BYTES, bytes, reading->arena, &block) &&
	       message_read_block(reading, block);
}

enum status object_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct object *object)
{
	struct reading reading = {.file = file, .arena = arena};
	unsigned char first = 0;
	bool good = h5_file_read(file, address, &first, 1);

	memset(object, 0, sizeof *object);
	reading.version = first == 'O' ? 2 : 1;
	good = good && (first == 'O' ? message_read_head(&reading, address)
				     : read_old_head(&reading, address));
	for (uint32_t i = 0; good && i < reading.count; i++)
		if (reading.messages[i].type == MESSAGE_CONTINUATION)
			good = !reading.messages[i].is_shared &&
			       read_continuation(&reading, reading.messages[i].body);
	if (good) {
		object->messages = arena_array(arena, reading.count, sizeof *object->messages);
		object->count = reading.count;
		object->bytes = reading.bytes;
		if (reading.count > 0)
			memcpy(object->messages, reading.messages,
				reading.count * sizeof *object->messages);
	}
	free(reading.messages);
	return good ? STATUS_OK : h5_file_refuse(file, NULL);
}

const struct message *object_message(const struct object *object, enum message_type type)
{
	for (uint32_t i = 0; i < object->count; i++)
		if (object->messages[i].type == type)
			return &object->messages[i];
	return NULL;
}
