/* Mesh tensors inside this room. */
#ifndef MESH_TENSOR_PRIVATE_H
#define MESH_TENSOR_PRIVATE_H

#include "layout/machine.h"
#include "mesh/tensor.h"

struct mesh_tensor {
	struct layout layout;
	struct layout_machine machine;
	struct mesh_shape shape;
	struct mesh_buffer *buffer;
	uint64_t slot_bytes; /* of a shard, in whole pages */
	bool replicated;
};

#endif
