/* Buffers as CREATE_BUFFER has them, and cores as programs and sub-devices have them. Says nothing
 * of where buffers lie. */
#ifndef DISTRIBUTED_COMMON_DESCRIBED_H
#define DISTRIBUTED_COMMON_DESCRIBED_H

#include "memory/mesh_layout.h"
#include "mesh/cores.h"
#include "wire/command.h"

/* Whether CREATE_BUFFER can say the layout: UNSUPPORTED with a sentence in `why` if its rows are
 * divided and more than 2^32 - 1. */
enum status described_check(const struct mesh_layout *layout, struct text *why);

/* The message without number, buffer and address, of a layout that described_check() takes: in
 * larger elements, if extents would not fit. */
struct wire_create_buffer described_buffer(
	const struct mesh_layout *layout, const struct buffer_config *config);

/* Layout over all hosts, and within a device. */
void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config);

struct wire_cores cores_to_wire(struct cores cores);
struct cores cores_from_wire(const struct wire_cores *from);

#endif
