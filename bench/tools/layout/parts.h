/* What tables, JSON and drawings of a layout have in common. */
#ifndef BENCH_TOOLS_LAYOUT_PARTS_H
#define BENCH_TOOLS_LAYOUT_PARTS_H

#include <stdbool.h>

#include "base/json.h"
#include "bench/tools/layout/layout_view.h"
#include "layout/padding.h"
#include "memory/mesh_layout.h"
#include "base/text.h"

/* Which shard of a mesh layout each device holds. */

struct placed {
	uint64_t shard_y, shard_x;
	uint64_t first_row, first_column; /* of the shard, in elements of the global buffer */
};

/* The shard of device (row, column). False if it holds none. */
bool placed_on(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct placed *placed);

/* Places of one shard by kind. */
struct shard_places {
	uint64_t count[PLACE_KIND_COUNT];
};

struct shard_places shard_places(const struct layout *layout, const struct layout_shape *shard);

/* Elements of padding of all shards. */
uint64_t padding_total(const struct layout *layout);

/* "2,3" of an index. */
const char *index_text(const struct layout_shape *index, struct text *out);

/* "key": [2, 3] of a shape or an index. */
void shape_json(struct json *json, const char *key, const struct layout_shape *shape);

/* A panel of a drawing: all but the last two dimensions of the grid are fixed. A grid of rank 1 is
 * a row. */
struct panel {
	struct layout_shape shard; /* the leading coordinates */
	uint64_t rows, columns;
};

uint64_t panel_count(const struct layout *layout);
struct panel panel_at(const struct layout *layout, uint64_t number);
struct layout_shape panel_shard(const struct panel *panel, uint64_t row, uint64_t column);

/* Prints the drawing of a terminal. */
void layout_draw(const struct layout *layout, uint32_t columns, FILE *out);

/* Rectangles and words of drawings in SVG. */

/* Begins a drawing of so many pixels; ends it. */
void svg_start(struct text *out, double width, double height);
void svg_end(struct text *out);

/* A rectangle of a class: data, gap, grid, tile, or frame, which is not filled. */
void svg_rect(struct text *out, const char *kind, double x, double y, double width, double height);

/* Words at their left end; `text` is escaped. */
void svg_words(struct text *out, double x, double y, const char *text);

#endif
