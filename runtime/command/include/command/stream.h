/* Command streams. A stream contains the prefetch commands of one operation. The host builds a
 * stream, and may keep it for later (spec 3.10.3). The stream has copies of commands and bytes in
 * its own extents; of data given as spans, it only has references. A finished stream may be
 * submitted to any number of issue queues, and patched between two submissions. If a patch changes
 * bytes to which other references exist, the bytes are copied first.
 *
 *     command_stream_init(&stream);
 *     command_stream_dispatch(&stream, &write);     opens a RELAY_INLINE by itself
 *     command_stream_data(&stream, span, MEMORY_CACHED);
 *     command_stream_prefetch(&stream, &relay);     closes the RELAY_INLINE; the relayed data
 *     command_stream_dispatch(&stream, &go);        come after the last dispatch command
 *     command_stream_finish(&stream);
 *
 * Building charges WORK_BUILD_COMMAND per command, and WORK_BUILD_BYTES for copied bytes. Not
 * thread safe. */
#ifndef COMMAND_STREAM_H
#define COMMAND_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "command/dispatch.h"
#include "command/prefetch.h"
#include "world/world.h"

/* The value of an offset that does not exist. */
#define STREAM_NOWHERE UINT64_MAX

/* A stream, with the offsets of all words that contain the id of its operation. */
struct command_stream {
	struct command_piece *pieces; /* pieces in order; each piece holds a reference */
	uint32_t count, capacity;
	uint64_t bytes;		/* bytes of the stream so far; a multiple of 16 when finished */
	uint64_t relay;		/* offset of the open RELAY_INLINE, or STREAM_NOWHERE */
	uint64_t last_relay;	/* offset of the RELAY_INLINE that was closed last; STREAM_NOWHERE:
				 * none */
	uint64_t last_dispatch; /* offset of the last dispatch command, or STREAM_NOWHERE */
	uint32_t room;		/* number of free bytes in the extent of the last piece */
	uint32_t operation;	/* id of the operation; 0: none */
	uint64_t *operations;	/* offsets of the words that contain the operation's id */
	uint32_t operation_count, operation_capacity;
	uint32_t commands; /* number of commands that were encoded; for reports */
	bool part;	   /* true: the stream is a part of a longer stream, so its last command
			    * does not end the operation */
	const struct chip_geometry *physical; /* geometry of the target chip, if commands contain
					       * physical coordinates (command/dispatch.h); NULL:
					       * virtual coordinates */
};

/* One piece of a stream. `span` begins at `offset` of the stream. */
struct command_piece {
	uint64_t offset;
	struct span span;
	enum memory_kind from; /* kind of the memory from which the bytes are copied into an issue
				* queue */
};

/* Initializes an empty stream for operation `operation` (0: none). Allocates nothing. */
void command_stream_init(struct command_stream *stream, uint32_t operation);

/* Makes commands that are appended later use the physical coordinates of a chip. */
void command_stream_place(struct command_stream *stream, const struct chip_geometry *physical);

/* Releases the pieces and everything else that the stream holds. */
void command_stream_fini(struct command_stream *stream);

/* Appends a prefetch command. Closes an open RELAY_INLINE. If commands of this kind contain an
 * operation id, writes the id of the stream's operation. Returns the offset of the command's
 * header. */
uint64_t command_stream_prefetch(
	struct command_stream *stream, const struct prefetch_command *command);

/* Appends a dispatch command. Opens a RELAY_INLINE if none is open. If commands of this kind
 * contain an operation id (for example GO and WAIT), writes the id of the stream's operation.
 * Returns the offset of the command's header. */
uint64_t command_stream_dispatch(
	struct command_stream *stream, const struct dispatch_command *command);

/* Appends a copy of data for the last command, without padding. Returns the offset of the data. */
uint64_t command_stream_bytes(struct command_stream *stream, const void *bytes, uint32_t length);

/* Appends data for the last command, without padding. Copies small data. For larger data, stores
 * `span` with a reference of its own, so the bytes are copied only when they go into an issue
 * queue. `from` is the kind of memory that contains them until then. Returns the offset of the
 * data. */
uint64_t command_stream_data(
	struct command_stream *stream, struct span span, enum memory_kind from);

/* Pads with zeros to the next unit. Functions that append commands do this themselves. */
void command_stream_pad(struct command_stream *stream);

/* Closes an open RELAY_INLINE, so that the next command begins a new prefetch command. Use it to
 * split a long sequence of commands into several prefetch commands, which can be routed separately:
 * a ROUTE contains only whole prefetch commands. */
void command_stream_break(struct command_stream *stream);

/* Appends a finished stream whose member `part` is set. */
void command_stream_append(struct command_stream *stream, const struct command_stream *part);

/* Closes an open RELAY_INLINE. If the stream is not a part, also sets DISPATCH_LAST on the last
 * dispatch command and PREFETCH_OPERATION_END on the last RELAY_INLINE. Nothing can be appended
 * afterwards. The last command must not be EXECUTE. The caller must append a dispatch command after
 * an EXECUTE, for example a WAIT without flags, which does nothing. */
void command_stream_finish(struct command_stream *stream);

/* ---- a finished stream ---- */

/* Initializes `stream` with a copy of the bytes of a finished stream, which was built elsewhere.
 * The caller must set the offsets of the words with operation ids. Charges nothing. */
void command_stream_take(struct command_stream *stream, const uint8_t *bytes, uint32_t length);

/* Overwrites the word at `offset`, which must lie within one piece. Charges nothing; the caller
 * must charge WORK_PATCH_ARGUMENT. */
void command_stream_patch_word(struct command_stream *stream, uint64_t offset, uint32_t value);

/* Returns a pointer for writing `length` bytes at `offset`; these bytes must lie in one piece. Use
 * it to patch many arguments at once. The pointer is valid until the next call for this stream. */
uint8_t *command_stream_edit(struct command_stream *stream, uint64_t offset, uint32_t length);

/* Changes the operation id in all commands of the stream that contain it. */
void command_stream_set_operation(struct command_stream *stream, uint32_t operation);

/* Copies bytes of the stream to `out`; for tests and traces. Returns OK, or ELIDED if the bytes are
 * not simulated. */
enum status command_stream_read(
	const struct command_stream *stream, uint64_t offset, uint64_t length, void *out);

#endif
