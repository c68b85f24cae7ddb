/* The system descriptor (spec 4.2, B.1), which describes the machine of an executor. The executor
 * sends it to the controller when it joins, so that the controller can answer queries without a
 * chip of its own. It holds the contents of struct cluster_info: the shapes of chips after
 * harvesting, the chips with PCIe, the mesh, and the links of the fabric. */
#ifndef WIRE_SYSTEM_H
#define WIRE_SYSTEM_H

#include "base/arena.h"
#include "base/text.h"
#include "wire/command.h"
#include "world/device.h"

/* Makes the SYSTEM_DESCRIPTOR of a machine, in the arena. Values above the limits are rejected when
 * the message is encoded. The message refers to the platform's name in `info`. */
struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena);

/* Reads the machine from a message into the arena. The result does not refer to the message.
 * Returns OK, or OUT_OF_RANGE, with a sentence in `why` (may be NULL), if the message names a chip,
 * shape, tile or word that it does not contain. */
enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why);

#endif
