/* Commands for tests of codecs: empty, largest and random ones, whether two are equal, and frames.
 */
#ifndef TEST_WIRE_COMMANDS_H
#define TEST_WIRE_COMMANDS_H

#include "base/arena.h"
#include "base/stream.h"
#include "wire/codec.h"

enum wire_fill { WIRE_EMPTY, WIRE_LARGEST, WIRE_RANDOM };

/* A command whose fields are all 0 and empty, all at their limits, or drawn; of drawn ones no list
 * and no bytes are longer than `most`. Lives in the arena. `stream` is for WIRE_RANDOM only. */
struct wire_command wire_command_make(enum wire_kind kind, enum wire_fill fill, uint32_t most,
	struct stream *stream, struct arena *arena);

/* The first field in which they differ, or NULL. */
const char *wire_difference(const struct wire_command *one, const struct wire_command *other);

/* What a case has: memory for a frame and scratch, both of exactly the promised sizes. */
struct wire_rig {
	const struct wire_codec *codec;
	struct arena arena;
	struct wire_scratch scratch;
	uint8_t *memory, *frame; /* of the last encoded; it lies in the memory */
	size_t room, bytes;	 /* of the memory, of the frame */
};

void wire_rig_init(struct wire_rig *rig, const struct wire_codec *codec);
void wire_rig_fini(struct wire_rig *rig);

/* Encodes, which must succeed, to rig->frame. */
void wire_rig_encode(struct wire_rig *rig, const struct wire_command *command);

/* Decodes `bytes` bytes from a block of exactly that size; the result refers to it and to the
 * rig's scratch until the next call. */
enum status wire_rig_decode(struct wire_rig *rig, const uint8_t *frame, size_t bytes,
	struct wire_command *command, struct text *why);

/* The same for whatever may be in the frame: what is decoded must be within its limits, and come
 * back as it is when it is encoded again. */
enum status wire_rig_try(struct wire_rig *rig, const uint8_t *frame, size_t bytes);

/* A fuzzer's input: the kind of a command and a body, or a frame as it is. Nothing is tried if the
 * codec is not in this build. */
void wire_fuzz(const char *codec, const uint8_t *input, size_t size);

/* Runs each case on every codec of this build, as "<codec>: <case>"; others are skipped by name.
 * The state of a case is its codec. For main(). */
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
