/* The configuration of a mesh device in messages: the values of struct mesh_config and the names of
 * its rows. Settings of a single host are not included: costs, limits and faults of the firmware,
 * and the server. Unknown rows and values are rejected. */
#ifndef DISTRIBUTED_COMMON_OPTIONS_H
#define DISTRIBUTED_COMMON_OPTIONS_H

#include "base/arena.h"
#include "mesh/config.h"
#include "wire/command.h"

/* Numbers from configuration keys are sent with bit 63 set. Some codecs write small numbers in
 * fewer bytes; without the bit a key's value would change the length of messages and thereby their
 * times. */
#define OPTION_NUMBER (UINT64_C(1) << 63)

static inline uint64_t option_number(uint64_t value)
{
	return OPTION_NUMBER | value;
}

/* The number in a message; also accepts numbers without the bit. */
static inline uint64_t option_value(uint64_t number)
{
	return number & ~OPTION_NUMBER;
}

/* Fills in the options of OPEN_MESH, in the arena. */
void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message);

/* Sets the options of the message in *config. INVALID, with a sentence in `why` (may be NULL): an
 * unknown option or row, or a value that is too large. */
enum status options_read(
	const struct wire_open_mesh *message, struct mesh_config *config, struct text *why);

#endif
