/* Frames as a program with another minor version would write them. They contain the command
 * ENQUEUE_RECORD_EVENT. In the newer version, the command and its records have additional fields at
 * the end. In the older version, the command has only the fields `number` and `queue`. The frames
 * are written with the codecs' own libraries, and with schemas of these versions. */
#ifndef TEST_WIRE_NEXT_H
#define TEST_WIRE_NEXT_H

#include <stddef.h>
#include <stdint.h>

enum {
	NEXT_NUMBER = 7,
	NEXT_QUEUE = 1,
	NEXT_EVENT = 0x123456,
	NEXT_REACH = 2,
	NEXT_RANGES = 2, /* number of ranges; their rows and columns are NEXT_FIRST, NEXT_FIRST + 1,
			  * ... */
	NEXT_FIRST = 11,
	NEXT_OPERATION = 19,
	NEXT_HEADER_BYTES = 16,
};

/* newer() and older() write the body of a frame of the newer or older version, at most `room`
 * bytes, and return its size. `body` is aligned to 8 bytes. */
struct next_writer {
	const char *codec;
	size_t (*newer)(uint8_t *body, size_t room);
	size_t (*older)(uint8_t *body, size_t room);
};

/* Returns the writer of a codec in this build. */
const struct next_writer *next_writer_of(const char *codec);

extern const struct next_writer next_packed;
#ifdef __cplusplus
extern "C" {
#endif
extern const struct next_writer next_flatbuffers;
#ifdef __cplusplus
}
#endif
extern const struct next_writer next_protobuf, next_msgpack;

#endif
