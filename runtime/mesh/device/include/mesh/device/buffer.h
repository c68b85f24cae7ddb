/* Mesh buffers inside this room. */
#ifndef MESH_DEVICE_BUFFER_H
#define MESH_DEVICE_BUFFER_H

#include "mesh/buffer.h"

struct mesh_buffer {
	struct mesh_device *mesh;
	struct placement placement; /* on each device */
	struct mesh_spread spread;  /* over devices */
	uint32_t address;
};

#endif
