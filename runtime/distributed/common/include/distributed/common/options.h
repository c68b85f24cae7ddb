/* What a mesh device is made of, as messages have it: the values of struct mesh_config and the
 * names of its rows. What is of one host alone is not among them: costs, limits and faults of the
 * firmware, the server. Refuses rows and values that this program does not have. */
#ifndef DISTRIBUTED_COMMON_OPTIONS_H
#define DISTRIBUTED_COMMON_OPTIONS_H

#include "base/arena.h"
#include "mesh/config.h"
#include "wire/command.h"

/* Numbers that keys decide have bit 63 set on their way, since some codecs write small ones in
 * fewer bytes: a key would move times by the length of its text. */
#define OPTION_NUMBER (UINT64_C(1) << 63)

static inline uint64_t option_number(uint64_t value)
{
	return OPTION_NUMBER | value;
}

/* The number of a message; also of a writer that sets no bit. */
static inline uint64_t option_value(uint64_t number)
{
	return number & ~OPTION_NUMBER;
}

/* Fills the list of OPEN_MESH, in the arena. */
void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message);

/* Sets what the list says in *config. INVALID with a sentence in `why` (may be NULL): an option or
 * row that is not there, or a value that is too large. */
enum status options_read(
	const struct wire_open_mesh *message, struct mesh_config *config, struct text *why);

#endif
