/* The system descriptor (spec 4.2, B.1): a message that describes the machine of an executor. An
 * executor sends it to the controller when it joins. So the controller can answer queries about
 * chips although it has no chips itself. The descriptor has the contents of struct cluster_info:
 * the geometry of each chip without its disabled tiles, the chips with PCIe, the mesh, and the
 * links of the fabric. */
#ifndef WIRE_SYSTEM_H
#define WIRE_SYSTEM_H

#include "base/arena.h"
#include "base/text.h"
#include "wire/command.h"
#include "world/device.h"

/* Returns the SYSTEM_DESCRIPTOR of a machine, with its lists in the arena. The message uses the
 * platform's name in `info` without a copy. This function does not check values against their
 * limits; wire_encode() does. */
struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena);

/* Reads the machine in `message` into *info. All memory is allocated in the arena; *info does not
 * refer to the message. Returns OK. Returns OUT_OF_RANGE, with a sentence in `why` (may be NULL),
 * if the message refers to a chip, shape, tile or word that it does not contain. */
enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why);

#endif
