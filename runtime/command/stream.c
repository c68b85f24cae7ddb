/* Builds command streams. Nothing may be appended to a finished stream; stream_patch.c patches
 * finished streams. */
#include "command/stream.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "command/dispatch.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum {
	EXTENT_FIRST = 512,
	EXTENT_MOST = 128 * 1024,
	/* maximum length of data that are copied; a separate piece for shorter data would cost more
	 * than the copy */
	COPIED_MOST = 256,
};

void command_stream_init(struct command_stream *stream, uint32_t operation)
{
	*stream = (struct command_stream){
		.relay = STREAM_NOWHERE,
		.last_relay = STREAM_NOWHERE,
		.last_dispatch = STREAM_NOWHERE,
		.operation = operation,
	};
}

void command_stream_place(struct command_stream *stream, const struct chip_geometry *physical)
{
	stream->physical = physical;
}

void command_stream_fini(struct command_stream *stream)
{
	for (uint32_t i = 0; i < stream->count; i++)
		span_release(stream->pieces[i].span);
	free(stream->pieces);
	free(stream->operations);
	command_stream_init(stream, 0);
}

/* ---- pieces ---- */

static void piece_add(struct command_stream *stream, struct span span, enum memory_kind from)
{
	if (stream->count == stream->capacity) {
		stream->capacity = stream->capacity ? 2 * stream->capacity : 8;
		stream->pieces =
			allocate_more(stream->pieces, stream->capacity, sizeof *stream->pieces);
	}
	stream->pieces[stream->count++] = (struct command_piece){stream->bytes, span, from};
	stream->bytes += span.length;
}

/* Makes sure that the stream has room for `length` more bytes in its own memory. If the last piece
 * lacks room, moves it to a larger block of memory, or adds a new piece. */
static void room_make(struct command_stream *stream, uint32_t length)
{
	struct command_piece *last = stream->count ? &stream->pieces[stream->count - 1] : NULL;
	uint32_t capacity = EXTENT_FIRST, used;
	struct extent *extent;

	if (stream->room >= length)
		return;
	if (last == NULL || stream->room == 0 || last->span.length >= EXTENT_MOST / 2) {
		while (capacity < length)
			capacity *= 2;
		piece_add(stream, (struct span){.extent = extent_new(capacity)}, MEMORY_CACHED);
		stream->room = capacity;
		return;
	}
	used = last->span.length;
	while (capacity < used + length || capacity <= used + stream->room)
		capacity *= 2;
	extent = extent_new(capacity);
	memcpy(extent->bytes, last->span.extent->bytes, used);
	extent_release(last->span.extent);
	last->span.extent = extent;
	stream->room = capacity - used;
}

/* Appends `length` bytes to the stream, and returns a pointer for writing them. */
static uint8_t *stream_extend(struct command_stream *stream, uint32_t length)
{
	struct command_piece *last;
	uint8_t *at;

	room_make(stream, length);
	last = &stream->pieces[stream->count - 1];
	at = last->span.extent->bytes + last->span.length;
	last->span.length += length;
	stream->room -= length;
	stream->bytes += length;
	return at;
}

void command_stream_pad(struct command_stream *stream)
{
	uint32_t past = (uint32_t)(stream->bytes % COMMAND_ALIGN);
	uint32_t length = command_padded(past) - past;

	if (length > 0)
		memset(stream_extend(stream, length), 0, length);
}

/* ---- operation ids ---- */

static void operation_note(struct command_stream *stream, uint64_t offset)
{
	if (stream->operation_count == stream->operation_capacity) {
		uint32_t capacity = stream->operation_capacity ? 2 * stream->operation_capacity : 8;

		stream->operations =
			allocate_more(stream->operations, capacity, sizeof *stream->operations);
		stream->operation_capacity = capacity;
	}
	stream->operations[stream->operation_count++] = offset;
}

static void operation_put(struct command_stream *stream, uint64_t offset, uint8_t *word)
{
	bytes_put32(word, stream->operation);
	operation_note(stream, offset);
}

/* ---- commands ---- */

/* Makes room for a command of `length` aligned bytes at the end of the stream, and returns a
 * pointer to it. Sets *offset to the offset of the command in the stream. */
static uint8_t *command_open(struct command_stream *stream, uint32_t length, uint64_t *offset)
{
	command_stream_pad(stream);
	*offset = stream->bytes;
	return stream_extend(stream, length);
}

/* Finishes the encoded command at `offset`, which is at `bytes` in memory. Writes the operation's
 * id to byte `at` of the command, unless `at` is 0: such a command has no id. */
static void command_close(
	struct command_stream *stream, uint64_t offset, uint32_t at, uint8_t *bytes)
{
	if (at != 0)
		operation_put(stream, offset + at, bytes + at);
	stream->commands++;
	world->work(WORK_BUILD_COMMAND, 1);
}

static uint64_t prefetch_append(
	struct command_stream *stream, const struct prefetch_command *command)
{
	struct prefetch_command own = *command;
	uint64_t offset;
	uint8_t *bytes = command_open(stream, COMMAND_BYTES, &offset);

	if (stream->physical != NULL)
		prefetch_to_physical(stream->physical, &own);
	prefetch_encode(&own, bytes);
	command_close(stream, offset, prefetch_operation_at(command->kind), bytes);
	return offset;
}

static void relay_open(struct command_stream *stream)
{
	struct prefetch_command command = {.kind = PREFETCH_RELAY_INLINE};

	command.relay_inline.length = COMMAND_ALIGN; /* relay_close() fills in the length */
	stream->relay = prefetch_append(stream, &command);
}

static void relay_close(struct command_stream *stream)
{
	if (stream->relay == STREAM_NOWHERE)
		return;
	command_stream_pad(stream);
	bytes_put32(command_stream_edit(stream, stream->relay + 4, 4),
		(uint32_t)(stream->bytes - stream->relay - COMMAND_BYTES));
	stream->last_relay = stream->relay;
	stream->relay = STREAM_NOWHERE;
}

void command_stream_break(struct command_stream *stream)
{
	relay_close(stream);
}

uint64_t command_stream_prefetch(
	struct command_stream *stream, const struct prefetch_command *command)
{
	ensure(command->kind != PREFETCH_RELAY_INLINE, "%s is appended by other means",
		prefetch_kind_name(command->kind));
	relay_close(stream);
	return prefetch_append(stream, command);
}

uint64_t command_stream_dispatch(
	struct command_stream *stream, const struct dispatch_command *command)
{
	struct dispatch_command own = *command;
	uint64_t offset;
	uint8_t *bytes;

	if (stream->relay == STREAM_NOWHERE)
		relay_open(stream);
	bytes = command_open(stream, dispatch_header_bytes(command->kind), &offset);
	if (stream->physical != NULL)
		dispatch_to_physical(stream->physical, &own);
	dispatch_encode(&own, bytes);
	command_close(stream, offset, dispatch_operation_at(command->kind), bytes);
	stream->last_dispatch = offset;
	return offset;
}

uint64_t command_stream_bytes(struct command_stream *stream, const void *bytes, uint32_t length)
{
	uint64_t offset = stream->bytes;

	if (length == 0)
		return offset;
	memcpy(stream_extend(stream, length), bytes, length);
	world->work(WORK_BUILD_BYTES, length);
	return offset;
}

uint64_t command_stream_data(struct command_stream *stream, struct span span, enum memory_kind from)
{
	uint64_t offset = stream->bytes;
	bool elided = span.extent != NULL && span.extent->elided;

	if (span.length == 0)
		return offset;
	if (span.length <= COPIED_MOST && !elided) {
		(void)span_read(span, 0, span.length, stream_extend(stream, span.length));
		return offset;
	}
	span_hold(span);
	stream->room = 0;
	piece_add(stream, span, from);
	return offset;
}

void command_stream_append(struct command_stream *stream, const struct command_stream *part)
{
	relay_close(stream);
	command_stream_pad(stream);
	for (uint32_t i = 0; i < part->count; i++)
		(void)command_stream_data(stream, part->pieces[i].span, part->pieces[i].from);
}

void command_stream_finish(struct command_stream *stream)
{
	relay_close(stream);
	command_stream_pad(stream);
	stream->room = 0;
	if (stream->part)
		return;
	if (stream->last_dispatch != STREAM_NOWHERE)
		*command_stream_edit(stream, stream->last_dispatch + 1, 1) |= DISPATCH_LAST;
	if (stream->last_relay != STREAM_NOWHERE)
		*command_stream_edit(stream, stream->last_relay + 1, 1) |= PREFETCH_OPERATION_END;
}

void command_stream_take(struct command_stream *stream, const uint8_t *bytes, uint32_t length)
{
	command_stream_init(stream, 0);
	piece_add(stream, span_copy(bytes, length), MEMORY_CACHED);
}
