/* Prints a layout on a machine (`meshsim layout`) and a lowered mesh mapper (`meshsim shard`), as
 * text, JSON and SVG. The callers have checked the layout or mapper, so these functions report no
 * errors. */
#ifndef BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H
#define BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "layout/machine.h"
#include "layout/mapper.h"

enum {
	LAYOUT_VIEW_SHARDS_MAX = 64,	    /* most rows in the table */
	LAYOUT_VIEW_JSON_SHARDS_MAX = 65536 /* most shards in JSON */
};

struct layout_view {
	const struct layout *layout;
	const struct layout_machine *machine;
	const struct layout_shape *index; /* an element to locate in the layout, or NULL */
	uint32_t columns;		  /* width of the terminal */
};

void layout_view_print(const struct layout_view *view, FILE *out);
void layout_view_json(const struct layout_view *view, FILE *out);
void layout_view_svg(const struct layout_view *view, struct text *out);

/* The kind of files with drawings. A file is recognized by the head that layout_view_svg() and
 * shard_view_svg() write. */
extern const struct output_kind drawing_kind;

/* A lowered mesh mapper, for `meshsim shard`. mapper.h has lowered it for this mesh, so the
 * lowering is valid here. */

struct shard_view {
	const char *mapper; /* the mapper in TTNN's notation */
	const struct mapper_tensor *tensor;
	const struct mapper_mesh *mesh;
	const struct mapper_lowering *lowering; /* valid if `refusal` is MAPPER_NONE */
	enum mapper_refusal refusal;
	const char *why;
	uint32_t columns; /* width of the terminal */
};

void shard_view_print(const struct shard_view *view, FILE *out);
void shard_view_json(const struct shard_view *view, FILE *out);
void shard_view_svg(const struct shard_view *view, struct text *out);

#endif
