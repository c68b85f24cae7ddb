/* Codecs: commands to frames and back (spec 4.7), a row for each library. A frame says its version,
 * its codec, its command and its length; a reader skips fields of newer minor versions and refuses
 * other major ones. A frame may come from anyone: whatever is in it, decoding reads nothing outside
 * of it and gives bounded values or a status. Refuses to send anything: that is world/channel.h.
 *
 * Frame, little endian, then the body in the codec's own format:
 *     0-3    "mshw"                      4     major version       5     codec (enum wire_codec_id)
 *     6-7    minor version               8-11  bytes of the body
 *     12-13  command (enum wire_kind)    14-15 0
 *
 * No function here keeps a state: any number of threads may encode and decode at once, each with
 * scratch of its own.
 */
#ifndef WIRE_CODEC_H
#define WIRE_CODEC_H

#include "wire/command.h"

enum {
	WIRE_MAJOR = 1, /* grows when older readers would misread what is written */
	WIRE_MINOR = 7, /* grows with every field or command that is added */
	WIRE_HEADER_BYTES = 16,
	WIRE_ALIGN = 8, /* of memory for frames */
};

/* Numbers stand in frames: they never change. */
enum wire_codec_id { WIRE_PACKED = 1, WIRE_FLATBUFFERS, WIRE_PROTOBUF, WIRE_MSGPACK };

struct wire_codec_ops; /* opaque */

/* A codec, present or not. */
struct wire_codec {
	const char *name, *section, *description;
	const char *packages; /* of Debian, that building it takes; "": none */
	enum wire_codec_id id;
	const struct wire_codec_ops *ops; /* NULL: this program was built without the library */
};

/* All of them, by index; NULL behind the last. */
const struct wire_codec *wire_codec_at(size_t index);

/* By name; NULL: there is none. */
const struct wire_codec *wire_codec_find(const char *name);

/* Memory of the caller's that codecs work in. What a command was decoded to refers to it, so that
 * it may be used anew (used = 0) only when the command is done with. */
struct wire_scratch {
	uint8_t *memory;
	size_t bytes, used;
};

/* Bytes of scratch that suffice to decode any frame of up to `frame_bytes`, and to encode any
 * command, with every codec; what is more than the frame is not touched unless commands need it. */
size_t wire_scratch_bytes(size_t frame_bytes);

/* The same of commands of one kind; WIRE_NO_COMMAND: of a frame that is none of ours. */
size_t wire_scratch_bytes_of(enum wire_kind kind, size_t frame_bytes);

/* The kind that a frame says; WIRE_NO_COMMAND: it has no header of ours, or says none that there
 * is. */
enum wire_kind wire_kind_of(const uint8_t *frame, size_t bytes);

/* The most bytes that the frame of `command` takes, header included; packed: exactly. The command
 * is not checked, and the codec must be present. Takes time with the number of records. */
size_t wire_frame_bytes(const struct wire_codec *codec, const struct wire_command *command);

/* Writes the frame of `command` into `memory` of `room` bytes, no fewer than wire_frame_bytes(),
 * which is aligned to WIRE_ALIGN. *frame is where it lies in there: some libraries write from the
 * end. The same command gives the same bytes. Scratch is as before when it returns. Allocates
 * nothing. Errors, with a sentence in `why` (may be NULL): OUT_OF_RANGE as of wire_check();
 * NO_SPACE (room or scratch); UNSUPPORTED (the codec is absent). */
enum status wire_encode(const struct wire_codec *codec, const struct wire_command *command,
	struct wire_scratch *scratch, uint8_t *memory, size_t room, struct wire_bytes *frame,
	struct text *why);

/* Reads a frame of `bytes` bytes. *command refers into the frame (aligned to WIRE_ALIGN, or else it
 * is copied first) and into scratch. Only msgpack allocates, and frees it before it returns.
 * Errors, with a sentence in `why` (may be NULL): INVALID (no frame, of another length, broken);
 * UNSUPPORTED (another major version, both are named; another codec; an unknown command; the codec
 * is absent); OUT_OF_RANGE as of wire_check(); NO_SPACE (scratch). */
enum status wire_decode(const struct wire_codec *codec, const uint8_t *frame, size_t bytes,
	struct wire_scratch *scratch, struct wire_command *command, struct text *why);

/* The codec of a frame, for a reader that takes any; NULL if it has no header of this major
 * version, or of no codec of ours. */
const struct wire_codec *wire_codec_of(const uint8_t *frame, size_t bytes);

#endif
