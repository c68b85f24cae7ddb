/* Commands in memory, before they are encoded and after they are decoded (spec 4.7). A command owns
 * no memory. Before encoding, its data, words and lists are in the caller's memory; after decoding,
 * they are in the frame and in scratch memory. The distributed layer (runtime/distributed) defines
 * the meaning of commands. */
#ifndef WIRE_COMMAND_H
#define WIRE_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "world/bounds.h"

struct wire_bytes {
	const uint8_t *at; /* NULL only if count is 0 */
	uint32_t count;
};

struct wire_words {
	const uint32_t *at;
	uint32_t count;
};

/* Defines struct wire_range, struct wire_read_buffer and so on from commands.def. The member `at`
 * of a list points to `count` records. */
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

/* These numbers are in frames and must not change. */
enum wire_kind {
	WIRE_NO_COMMAND,
#define COMMAND(name, Name, help) WIRE_##name,
#include "wire/commands.def"
	WIRE_KIND_COUNT
};

/* The first fields of every command. */
struct wire_head {
	uint64_t number;
	uint32_t queue;
};

struct wire_command {
	enum wire_kind kind;
	uint16_t mesh; /* number of the mesh, which the controller assigns; 0 in answers. It is sent
			* in the header of the frame, not as a field */
	union {
		struct wire_head head; /* the first fields of the command, for every kind */
#define COMMAND(name, Name, help) struct wire_##name name;
#include "wire/commands.def"
	};
};

/* Returns the name of a kind in the specification, such as "ENQUEUE_FINISH", or "?" if the kind is
 * unknown. */
const char *wire_kind_name(enum wire_kind kind);

/* The amount of data in a command. `words` counts 32-bit words, including the words of the records
 * in lists. `bytes` counts the bytes of data, texts and names. */
struct wire_contents {
	uint64_t words, bytes;
};

struct wire_contents wire_contents_of(const struct wire_command *command);

/* Checks every field against its limit in commands.def, and every index against the length of its
 * list. Returns OK, or OUT_OF_RANGE; `why` (may be NULL) then gets the field, its value and the
 * limit. */
enum status wire_check(const struct wire_command *command, struct text *why);

#endif
