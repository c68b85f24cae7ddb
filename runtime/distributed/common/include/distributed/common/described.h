/* Buffers as CREATE_BUFFER has them, and cores as programs and sub-devices have them. Says nothing
 * of where buffers lie. */
#ifndef DISTRIBUTED_COMMON_DESCRIBED_H
#define DISTRIBUTED_COMMON_DESCRIBED_H

#include "memory/mesh_layout.h"
#include "mesh/cores.h"
#include "wire/command.h"

/* The message without number, buffer and address. */
struct wire_create_buffer described_buffer(
	const struct mesh_layout *layout, const struct buffer_config *config);

/* Layout over all hosts, and within a device. */
void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config);

struct wire_cores cores_to_wire(struct cores cores);
struct cores cores_from_wire(const struct wire_cores *from);

#endif
