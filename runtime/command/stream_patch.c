/* Patches and reads command streams. If other references to a piece exist, the piece is copied
 * before it is changed. */
#include "command/stream.h"

#include "base/ensure.h"

#include <string.h>

/* Finds the piece that holds byte `offset`. */
static struct command_piece *piece_find(const struct command_stream *stream, uint64_t offset)
{
	uint32_t low = 0, high = stream->count;

	ensure(offset < stream->bytes, "offset %llu of a stream of %llu B",
		(unsigned long long)offset, (unsigned long long)stream->bytes);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (stream->pieces[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return &stream->pieces[low];
}

/* Copies the piece to a separate extent, unless it already lies alone at the start of an extent. */
static void piece_own(struct command_stream *stream, struct command_piece *piece)
{
	struct extent *extent = piece->span.extent, *own;
	bool last = piece == &stream->pieces[stream->count - 1];
	uint32_t room = last ? stream->room : 0;
	enum status status;

	if (extent != NULL && piece->span.offset == 0 &&
		__atomic_load_n(&extent->references, __ATOMIC_ACQUIRE) == 1)
		return;
	own = extent_new(piece->span.length + room);
	status = span_read(piece->span, 0, piece->span.length, own->bytes);
	ensure(status == STATUS_OK, "patch of a piece: %s", status_message(status));
	extent_release(extent);
	piece->span = (struct span){own, 0, piece->span.length};
}

uint8_t *command_stream_edit(struct command_stream *stream, uint64_t offset, uint32_t length)
{
	struct command_piece *piece = piece_find(stream, offset);

	ensure(length <= piece->span.length - (offset - piece->offset),
		"%u B at %llu of a stream lie in two pieces", length, (unsigned long long)offset);
	piece_own(stream, piece);
	return piece->span.extent->bytes + (offset - piece->offset);
}

void command_stream_patch_word(struct command_stream *stream, uint64_t offset, uint32_t value)
{
	bytes_put32(command_stream_edit(stream, offset, 4), value);
}

void command_stream_set_operation(struct command_stream *stream, uint32_t operation)
{
	stream->operation = operation;
	for (uint32_t i = 0; i < stream->operation_count; i++)
		command_stream_patch_word(stream, stream->operations[i], operation);
}

enum status command_stream_read(
	const struct command_stream *stream, uint64_t offset, uint64_t length, void *out)
{
	uint8_t *to = out;

	while (length > 0) {
		const struct command_piece *piece = piece_find(stream, offset);
		uint32_t at = (uint32_t)(offset - piece->offset);
		uint32_t part = piece->span.length - at;
		enum status status;

		if (part > length)
			part = (uint32_t)length;
		status = span_read(piece->span, at, part, to);
		if (status != STATUS_OK)
			return status;
		to += part;
		offset += part;
		length -= part;
	}
	return STATUS_OK;
}
