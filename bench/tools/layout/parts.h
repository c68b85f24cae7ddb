/* Functions that several writers of a layout use: for positions in shards, panels of drawings, and
 * elements of SVG. Only for files of this folder. */
#ifndef BENCH_TOOLS_LAYOUT_PARTS_H
#define BENCH_TOOLS_LAYOUT_PARTS_H

#include <stdbool.h>

#include "base/json.h"
#include "bench/tools/layout/layout_view.h"
#include "layout/padding.h"
#include "memory/mesh_layout.h"
#include "base/text.h"

/* The shard of a mesh layout that is on a device. */

struct placed {
	uint64_t shard_y, shard_x;
	uint64_t first_row, first_column; /* of its first element, in the global buffer */
};

/* Finds the shard of device (row, column). Returns false if the device has none. */
bool placed_on(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct placed *placed);

/* The number of elements of each kind in a shard. */
struct shard_places {
	uint64_t count[PLACE_KIND_COUNT];
};

struct shard_places shard_places(const struct layout *layout, const struct layout_shape *shard);

/* The number of padding elements in all shards. */
uint64_t padding_total(const struct layout *layout);

/* Writes an index to `out`, like "2,3". Returns the text. */
const char *index_text(const struct layout_shape *index, struct text *out);

/* Writes a shape or an index as a member, like "key": [2, 3]. */
void shape_json(struct json *json, const char *key, const struct layout_shape *shape);

/* A panel of a drawing shows the last two dimensions of the grid of shards, at fixed coordinates in
 * all other dimensions. A grid with only one dimension is drawn as a row. */
struct panel {
	struct layout_shape shard; /* coordinates in all dimensions but the last two */
	uint64_t rows, columns;
};

uint64_t panel_count(const struct layout *layout);
struct panel panel_at(const struct layout *layout, uint64_t number);
struct layout_shape panel_shard(const struct panel *panel, uint64_t row, uint64_t column);

/* Draws the layout for a terminal of `columns` columns. */
void layout_draw(const struct layout *layout, uint32_t columns, FILE *out);

/* Rectangles and texts of SVG drawings. */

/* svg_start() begins a drawing of this size in pixels; svg_end() ends it. */
void svg_start(struct text *out, double width, double height);
void svg_end(struct text *out);

/* Draws a rectangle. `kind` is its class: data, gap, grid, tile, or frame, which is not filled. */
void svg_rect(struct text *out, const char *kind, double x, double y, double width, double height);

/* Draws a text from its left end at (x, y). `text` is escaped. */
void svg_words(struct text *out, double x, double y, const char *text);

#endif
