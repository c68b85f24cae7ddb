/* Functions that several writers of a layout use: for positions in shards, panels of drawings, and
 * elements of SVG. Only for files of this folder. */
#ifndef BENCH_TOOLS_LAYOUT_PARTS_H
#define BENCH_TOOLS_LAYOUT_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "base/tree.h"
#include "bench/tools/layout/layout_view.h"
#include "layout/layout.h"
#include "memory/mesh_layout.h"

/* The shard of a mesh layout that is on a device. */

struct placed {
	uint64_t shard_y, shard_x;
	uint64_t first_row, first_column; /* place of its first element in the global buffer */
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

/* Functions for cases about sharding: those that run the cases of each section of a file, those
 * that read the members of a case, and the list of outcomes. Only for files of this folder. */

enum outcome_kind { OUTCOME_AGREES, OUTCOME_DIFFERS, OUTCOME_BY_DESIGN, OUTCOME_NOT_RUN };

struct outcome {
	enum outcome_kind kind;
	const char *section;
	const char *label;	     /* a short name of the case */
	const char *expected, *seen; /* the expected and the actual outcome, as sentences */
	struct location where;
};

enum { CASES_MAX = 100000 };

struct shard_cases {
	struct arena arena;
	struct tree *tree;
	struct diag *diag;
	struct mapper_mesh mesh;
	const char *section; /* name of the current section */
	struct outcome *outcomes;
	uint32_t count, capacity;
};

/* Adds the outcome of a case. Texts are copied. */
void cases_add(struct shard_cases *cases, const struct tree_node *where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen);

/* Adds an outcome for a case that contains an unknown name. The case counts as one that differs
 * from its expected outcome. The message is like "unknown key 'shar', did you mean 'shard'?".
 * `what` is the kind of name ("key"). `known` lists the allowed names and ends with NULL. */
void cases_add_unknown(struct shard_cases *cases, struct location where, const char *what,
	const char *name, const char *const *known);

/* Checks the form of a case. Returns true if the case may be run: it is a map, and all its keys are
 * known. `known` lists keys, and ends with NULL; keys for the mesh and for notes are always known.
 * If the case is not a map, reports an error. If a key is unknown, records that the case differs
 * from its expected outcome. */
bool cases_known_keys(
	struct shard_cases *cases, const struct tree_node *node, const char *const *known);

/* Returns the number of cases in a section. If the section is not a list, reports an error and
 * returns 0. */
uint32_t cases_in(struct shard_cases *cases, const struct tree_node *section);

/* Adds the outcome of a case. `expected` is "ok", or a rejection such as "throw (...)". `refused`
 * is true if the runtime rejected the case; `why` is then the reason. */
void cases_add_verdict(struct shard_cases *cases, const struct tree_node *where, const char *label,
	const char *expected, bool refused, const char *why);

/* These functions read members of a case. If a member is missing or has the wrong type, they report
 * an error and return false. The error cites the place of the member, or of the case if the member
 * is missing. */
bool cases_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint32_t *numbers, uint32_t count);
/* Like cases_numbers(), but for extents, which may be as large as the extents of tensors. */
bool cases_extents(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint64_t *extents, uint32_t count);
bool cases_optional_number(
	struct shard_cases *cases, const struct tree_node *node, const char *key, uint64_t *number);
/* Reads the size of an element in bytes, 1 to 1024, from datum_B if the case has this key. */
bool cases_element_bytes(struct shard_cases *cases, const struct tree_node *node, uint32_t *bytes);
const char *cases_text(const struct tree_node *node, const char *key);

/* Reads a whole number from 0 to `most`. */
bool cases_number(
	struct shard_cases *cases, const struct tree_node *node, uint64_t most, uint64_t *number);

/* Reads the mesh of the case. If the case has no mesh, uses the mesh of the file. */
bool cases_mesh(struct shard_cases *cases, const struct tree_node *node, struct mapper_mesh *mesh);

/* Makes a mesh layout from the keys `global`, `shard` and `orientation` of a case. */
bool cases_layout(struct shard_cases *cases, const struct tree_node *node, uint32_t element_bytes,
	struct mesh_layout *layout);
bool cases_orientation(
	struct shard_cases *cases, const struct tree_node *node, enum orientation *orientation);

/* The functions that try the cases of a section. */
void cases_config(struct shard_cases *cases, const struct tree_node *section);
void cases_placement(struct shard_cases *cases, const struct tree_node *section);
void cases_round_trip(struct shard_cases *cases, const struct tree_node *section,
	const struct tree_node *orientations, uint32_t element_bytes);
void cases_device(struct shard_cases *cases, const struct tree_node *section);
void cases_mapper(struct shard_cases *cases, const struct tree_node *section);
void cases_behaviour(struct shard_cases *cases, const struct tree_node *section);

#endif
