/* Commands as they stand in memory before they are encoded and after they are decoded (spec 4.7). A
 * command owns nothing: what is not a number refers into the caller's memory, or into the frame and
 * scratch that it was decoded from. Says nothing of what a command means: the distributed layer
 * does.
 */
#ifndef WIRE_COMMAND_H
#define WIRE_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "world/bounds.h"

struct wire_bytes {
	const uint8_t *at; /* NULL only if there are none */
	uint32_t count;
};

struct wire_words {
	const uint32_t *at;
	uint32_t count;
};

/* struct wire_range, struct wire_read_buffer and so on. A list has its records `at`, and their
 * `count`. */
#define RECORD(name, Name)	  struct wire_##name {
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  uint##bits##_t name;
#define BYTES(name, max)	  struct wire_bytes name;
#define WORDS(name, max)	  struct wire_words name;
#define LIST(record, name, max)                                                                    \
	struct {                                                                                   \
		const struct wire_##record *at;                                                    \
		uint32_t count;                                                                    \
	} name;
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "wire/commands.def"

/* Numbers stand in frames: they never change. */
enum wire_kind {
	WIRE_NO_COMMAND,
#define COMMAND(name, Name, help) WIRE_##name,
#include "wire/commands.def"
	WIRE_KIND_COUNT
};

/* What every command begins with. */
struct wire_head {
	uint64_t number;
	uint32_t queue;
};

struct wire_command {
	enum wire_kind kind;
	union {
		struct wire_head head; /* of any kind */
#define COMMAND(name, Name, help) struct wire_##name name;
#include "wire/commands.def"
	};
};

/* As the specification names it, such as "ENQUEUE_FINISH"; "?" if there is no such kind. */
const char *wire_kind_name(enum wire_kind kind);

/* What there is to write of a command, or was read: 32-bit words, those of the records of lists
 * among them; bytes of data, texts and names. */
struct wire_contents {
	uint64_t words, bytes;
};

struct wire_contents wire_contents_of(const struct wire_command *command);

/* Whether every field is within the limit of commands.def, and every index within its list. OK, or
 * OUT_OF_RANGE with the field and both numbers in `why` (may be NULL). */
enum status wire_check(const struct wire_command *command, struct text *why);

#endif
