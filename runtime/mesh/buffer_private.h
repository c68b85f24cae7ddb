/* Mesh buffers inside this room. */
#ifndef MESH_BUFFER_PRIVATE_H
#define MESH_BUFFER_PRIVATE_H

#include "mesh/buffer.h"

struct mesh_buffer {
	struct mesh_device *mesh;
	struct placement placement; /* on each device */
	struct mesh_spread spread;  /* over devices */
	uint32_t address;
};

#endif
