/* One layout on a machine (`meshsim layout`) and one lowered mesh mapper (`meshsim shard`), for
 * people and programs. Both were checked before: nothing here is an error. */
#ifndef BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H
#define BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "layout/machine.h"
#include "layout/mapper.h"

enum {
	LAYOUT_VIEW_SHARDS_MAX = 64,	    /* rows of the table */
	LAYOUT_VIEW_JSON_SHARDS_MAX = 65536 /* in JSON */
};

struct layout_view {
	const struct layout *layout;
	const struct layout_machine *machine;
	const struct layout_shape *index; /* an element to be located, or NULL */
	uint32_t columns;		  /* of the terminal */
};

void layout_view_print(const struct layout_view *view, FILE *out);
void layout_view_json(const struct layout_view *view, FILE *out);
void layout_view_svg(const struct layout_view *view, struct text *out);

/* Files with drawings: recognised by what layout_view_svg() and shard_view_svg() begin with. */
extern const struct output_kind drawing_kind;

/* A lowered mesh mapper, for people and programs: `meshsim shard`. mapper.h has made the
 * lowering for this mesh, so it is valid here. */

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
