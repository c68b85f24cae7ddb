/* Mesh buffers inside this room. */
#ifndef MESH_DEVICE_BUFFER_H
#define MESH_DEVICE_BUFFER_H

#include "memory/allocator.h"
#include "mesh/buffer.h"

struct mesh_buffer {
	struct mesh_device *mesh;
	struct placement placement;  /* on each device */
	struct mesh_spread spread;   /* over devices */
	uint64_t address;	     /* of 32 bits, but in system memory */
	struct allocator *allocator; /* of its address */
	uint8_t sub_device;	     /* whose workers alone use it; SUB_DEVICE_NONE: all may */
};

/* As mesh_buffer_new(), with an address from `allocator`. */
enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer);

#endif
