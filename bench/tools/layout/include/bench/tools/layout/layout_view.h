/* Prints a layout on a machine (`meshsim layout`), or a mesh mapper that was converted to the
 * configuration of a mesh buffer (`meshsim shard`), as text, JSON or SVG. The caller has checked
 * the layout or the mapper, so these functions report no errors. */
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

/* The kind of output files that are drawings. An existing file counts as a drawing if it begins
 * with the text that layout_view_svg() and shard_view_svg() write first. */
extern const struct output_kind drawing_kind;

/* A mesh mapper for `meshsim shard`. The functions of mapper.h have already converted it for this
 * mesh, so `lowering` is valid for the mesh. */

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
