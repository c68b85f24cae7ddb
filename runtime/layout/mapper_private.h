/* Shared by plain and packed lowering of mappers. */
#ifndef LAYOUT_MAPPER_PRIVATE_H
#define LAYOUT_MAPPER_PRIVATE_H

#include "layout/mapper.h"

/* Checks everything except whether the flattened tensor can be split this way; fills pieces, order,
 * device and a replicated config. */
enum mapper_refusal mapper_split(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why);
enum mapper_refusal mapper_split_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

#endif
