/* One layout on a machine, for people and programs: `meshsim layout`. Refuses nothing: the layout
 * was initialized and the machine checked for it. */
#ifndef BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H
#define BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "layout/machine.h"

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

#endif
