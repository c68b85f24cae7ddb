/* A lowered mesh mapper, for people and programs: `meshsim shard`. Refuses nothing: the lowering
 * was made by mapper.h for this mesh. */
#ifndef BENCH_TOOLS_LAYOUT_SHARD_VIEW_H
#define BENCH_TOOLS_LAYOUT_SHARD_VIEW_H

#include <stdio.h>

#include "layout/mapper.h"

struct shard_view {
	const char *mapper; /* as TTNN writes it */
	const struct mapper_tensor *tensor;
	const struct mapper_mesh *mesh;
	const struct mapper_lowering *lowering; /* or why there is none: */
	enum mapper_refusal refusal;
	const char *why;
	uint32_t columns; /* of the terminal */
};

void shard_view_print(const struct shard_view *view, FILE *out);
void shard_view_json(const struct shard_view *view, FILE *out);
void shard_view_svg(const struct shard_view *view, struct text *out);

#endif
