/* Codecs convert commands to frames and back (spec 4.7). A frame contains its version, codec,
 * command and length. A reader skips the fields that a newer minor version has added, and rejects
 * other major versions. A frame may come from any program and may contain anything: decoding reads
 * only bytes of the frame, and gives either values within their bounds or an error. world/channel.h
 * sends frames.
 *
 * A frame begins with this header, in little endian. The body follows, in the codec's own format:
 *
 *     0-3    "mshw"                      4     major version       5     codec (enum wire_codec_id)
 *     6-7    minor version               8-11  bytes of the body
 *     12-13  command (enum wire_kind)    14-15 mesh, since 1.10; 0 before
 *
 * No function here keeps state. Any number of threads may encode and decode at the same time, each
 * with its own scratch memory. */
#ifndef WIRE_CODEC_H
#define WIRE_CODEC_H

#include "base/table/registry.h"
#include "wire/command.h"

enum {
	WIRE_MAJOR = 1,	 /* incremented if older readers would misread new frames */
	WIRE_MINOR = 11, /* incremented when a field or command is added */
	WIRE_HEADER_BYTES = 16,
	WIRE_ALIGN = 8, /* alignment of memory for frames, in bytes */
};

/* These numbers are in frames and must not change. */
enum wire_codec_id {
#define CODEC(row, symbol, name, number, ...) WIRE_##row = (number),
#include "world/codecs.def"
};

struct wire_codec_ops; /* opaque */

/* A codec. The registry of codecs also contains codecs whose library is not built in. */
struct wire_codec {
	struct registry_entry entry;
	const char *packages; /* Debian packages that are needed to build the codec; "": none */
	enum wire_codec_id id;
	const struct wire_codec_ops *ops; /* NULL if the library is not built in */
};

REGISTRY_DECLARE_OF(wire_codec, wire_codec)

/* Scratch memory, which the caller provides and in which codecs work. A decoded command refers to
 * this memory. When the command is no longer needed, set `used` to 0 to use the memory for another
 * command. */
struct wire_scratch {
	uint8_t *memory;
	size_t bytes, used;
};

/* Returns a size of scratch memory with which any codec can decode a frame of up to `frame_bytes`
 * bytes, or encode a command. The size is an upper bound. Usually codecs touch only the first part
 * of the memory, which is about as large as the frame, so the pages after it cost nothing. */
size_t wire_scratch_bytes(size_t frame_bytes);

/* Like wire_scratch_bytes(), for commands of one kind. WIRE_NO_COMMAND stands for an unknown
 * kind. */
size_t wire_scratch_bytes_of(enum wire_kind kind, size_t frame_bytes);

/* Returns the kind of command in a frame's header. Returns WIRE_NO_COMMAND if the bytes are not the
 * header of a frame, or if the kind is unknown. */
enum wire_kind wire_kind_of(const uint8_t *frame, size_t bytes);

/* Returns an upper bound for the size of the frame of `command` in bytes, including the header. For
 * the codec `packed` this is the exact size. Does not check the command. The codec must be built
 * in. Takes time proportional to the number of records in the command. */
size_t wire_frame_bytes(const struct wire_codec *codec, const struct wire_command *command);

/* Writes the frame of `command` into `memory`, which is aligned to WIRE_ALIGN and has `room` bytes,
 * at least wire_frame_bytes(). Sets *frame to the frame, which may begin later in `memory`, because
 * some libraries write from the end. The same command always gives the same bytes. Does not change
 * scratch->used, and allocates nothing. Returns OK, or an error with a sentence in `why` (may be
 * NULL). Returns NO_SPACE if `room` or scratch is too small, and UNSUPPORTED if the codec is not
 * built in. Also returns the errors of wire_check(). */
enum status wire_encode(const struct wire_codec *codec, const struct wire_command *command,
	struct wire_scratch *scratch, uint8_t *memory, size_t room, struct wire_bytes *frame,
	struct text *why);

/* Reads a frame of `bytes` bytes into *command, which then refers to the frame and to scratch. A
 * frame that is not aligned to WIRE_ALIGN may be copied to scratch first. Only the codec msgpack
 * allocates memory, and frees it before the function returns. Returns OK, or an error with a
 * sentence in `why` (may be NULL). Returns INVALID if the bytes are not a frame, are broken, or
 * have the wrong length. Returns UNSUPPORTED if the codec is not built in, or if the frame has
 * another codec, an unknown command, or another major version. Returns NO_SPACE if scratch is too
 * small. Also returns the errors of wire_check(). If the version is wrong, the sentence names both
 * versions. */
enum status wire_decode(const struct wire_codec *codec, const uint8_t *frame, size_t bytes,
	struct wire_scratch *scratch, struct wire_command *command, struct text *why);

/* Returns the codec of a frame, for readers that accept every codec. Returns NULL if the header has
 * another major version, or if the codec is unknown. */
const struct wire_codec *wire_codec_of(const uint8_t *frame, size_t bytes);

#endif
