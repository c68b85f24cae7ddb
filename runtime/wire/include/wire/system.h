/* The system descriptor (spec 4.2, B.1): an executor describes its machine to the controller when
 * it joins, so that the controller can answer queries without a chip of its own. It holds the
 * contents of struct cluster_info: shapes of chips after harvesting, chips with PCIe, the mesh, the
 * links of the fabric. */
#ifndef WIRE_SYSTEM_H
#define WIRE_SYSTEM_H

#include "base/arena.h"
#include "base/text.h"
#include "wire/command.h"
#include "world/device.h"

/* Makes the SYSTEM_DESCRIPTOR of a machine, in the arena. Values above the limits are rejected when
 * it is encoded. The platform's name is borrowed. */
struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena);

/* Reads the machine from a message into the arena; nothing in it refers to the message. OK;
 * OUT_OF_RANGE, with a sentence in `why` (may be NULL), if the message names a chip, shape, tile or
 * word that it does not contain. */
enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why);

#endif
