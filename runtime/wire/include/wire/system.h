/* The system descriptor (spec 4.2, B.1): what an executor tells the controller of its machine when
 * it joins, so that the controller can ask without a chip of its own. Holds what struct
 * cluster_info does: shapes of chips with what harvesting left of them, who has PCIe, the mesh, the
 * fabric's links. Refuses to measure or to keep anything. */
#ifndef WIRE_SYSTEM_H
#define WIRE_SYSTEM_H

#include "base/arena.h"
#include "base/text.h"
#include "wire/command.h"
#include "world/device.h"

/* SYSTEM_DESCRIPTOR of a machine, in the arena; what is too large is refused when it is encoded.
 * The platform's name is borrowed. */
struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena);

/* The machine that a message describes, in the arena: nothing of it refers to the message. OK;
 * OUT_OF_RANGE, with a sentence in `why` (may be NULL), if it names a chip, shape, tile or word
 * that is not there. */
enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why);

#endif
