/* The internal structure of mesh buffers. */
#ifndef MESH_DEVICE_BUFFER_H
#define MESH_DEVICE_BUFFER_H

#include "memory/allocator.h"
#include "mesh/buffer.h"

struct mesh_buffer {
	struct mesh_device *mesh;
	struct placement placement;  /* on each device */
	struct mesh_spread spread;   /* over devices */
	uint64_t address;	     /* fits 32 bits, except in system memory */
	struct allocator *allocator; /* that the address came from */
	uint8_t sub_device;	     /* only its workers use the buffer; SUB_DEVICE_NONE: all may */
};

/* As mesh_buffer_new(), with an address from `allocator`. */
enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer);

#endif
