/* Commands and frames for tests of codecs. Commands are empty, of the largest size, or random, and
 * two commands can be compared. */
#ifndef TEST_WIRE_COMMANDS_H
#define TEST_WIRE_COMMANDS_H

#include "base/arena.h"
#include "base/stream.h"
#include "wire/codec.h"

enum wire_fill { WIRE_EMPTY, WIRE_LARGEST, WIRE_RANDOM };

/* Makes a command in the arena. With WIRE_EMPTY, all its fields are 0 or empty. With WIRE_LARGEST,
 * all fields are at their limits. With WIRE_RANDOM, the fields are drawn from `stream`, and lists
 * and bytes have at most `most` elements. */
struct wire_command wire_command_make(enum wire_kind kind, enum wire_fill fill, uint32_t most,
	struct stream *stream, struct arena *arena);

/* Returns the name of the first field that differs, or NULL. */
const char *wire_difference(const struct wire_command *one, const struct wire_command *other);

/* The memory that a case has for one encoded frame and for scratch data. Both have exactly the
 * sizes that the codec requires. */
struct wire_rig {
	const struct wire_codec *codec;
	struct arena arena;
	struct wire_scratch scratch;
	uint8_t *memory, *frame; /* memory of the case; the last encoded frame in it */
	size_t room, bytes;	 /* size of the memory; size of the frame */
};

void wire_rig_init(struct wire_rig *rig, const struct wire_codec *codec);
void wire_rig_fini(struct wire_rig *rig);

/* Encodes a command to rig->frame. Encoding must succeed. */
void wire_rig_encode(struct wire_rig *rig, const struct wire_command *command);

/* Decodes a copy of the first `bytes` bytes of `frame`. The copy has exactly this size, so that
 * sanitizers detect reads past its end. The result refers to the copy and to the rig's scratch
 * memory. It is valid until the next call. */
enum status wire_rig_decode(struct wire_rig *rig, const uint8_t *frame, size_t bytes,
	struct wire_command *command, struct text *why);

/* Decodes any frame. If decoding succeeds, checks that the command is within its limits, and that
 * it is the same after it is encoded and decoded again. */
enum status wire_rig_try(struct wire_rig *rig, const uint8_t *frame, size_t bytes);

/* Handles the input of a fuzzer. The input is either the kind of a command and a body, or a raw
 * frame. Does nothing if this build does not have the codec. */
void wire_fuzz(const char *codec, const uint8_t *input, size_t size);

/* A case that runs on every codec of this build, as the test "<codec>: <case>". Codecs that this
 * build does not have are reported as skipped. The cmocka state of a case is its codec. Call
 * wire_cases_run() from main(). */
struct wire_case {
	const char *name;
	void (*run)(void **codec);
};

#define WIRE_CASE(body)                                                                            \
	{                                                                                          \
#body, body                                                                        \
	}

int wire_cases_run(const char *suite, const struct wire_case *cases, size_t count);

#endif
