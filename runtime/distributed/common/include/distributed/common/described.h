/* Buffers as in CREATE_BUFFER, and cores as in programs and sub-devices. Buffer addresses are set
 * by the callers. */
#ifndef DISTRIBUTED_COMMON_DESCRIBED_H
#define DISTRIBUTED_COMMON_DESCRIBED_H

#include "memory/mesh_layout.h"
#include "mesh/cores.h"
#include "wire/command.h"

/* Checks that CREATE_BUFFER can express the layout: UNSUPPORTED, with a sentence in `why`, if its
 * rows are divided and there are more than 2^32 - 1. */
enum status described_check(const struct mesh_layout *layout, struct text *why);

/* Makes the message, without number, buffer and address, of a layout that passed described_check().
 * Counts larger elements if the extents do not fit. */
struct wire_create_buffer described_buffer(
	const struct mesh_layout *layout, const struct buffer_config *config);

/* Reads the layout over all hosts, and the configuration within a device. */
void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config);

struct wire_cores cores_to_wire(struct cores cores);
struct cores cores_from_wire(const struct wire_cores *from);

#endif
