/* Prints a layout on a machine (`meshsim layout`), or a mesh mapper that was converted to the
 * configuration of a mesh buffer (`meshsim shard`), as text, JSON or SVG. The caller has checked
 * the layout or the mapper, so these functions report no errors. */
#ifndef BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H
#define BENCH_TOOLS_LAYOUT_LAYOUT_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
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

/* `meshsim shard --cases`: runs cases about sharding from a file, and compares their outcomes with
 * the expected outcomes. The sections of a file are config_validation, sweep_shard_and_concat_*,
 * sweep_orientations, device_local_sharding_sweep, expected_placement_derived_from_rule, behaviour,
 * and mapper: {shape, dim or dims, expect, ...}. All sections except `mapper` have the format of
 * published cases. An unknown section, key, call or layout counts as a case with an unexpected
 * outcome. Unknown statements in `behaviour` are listed as not tried. */

struct shard_cases;

/* Reads a file and runs all its cases, on `mesh` if the file does not name a mesh. Adds errors to
 * `diag`, and returns NULL if there are any. */
struct shard_cases *shard_cases_run(
	const char *path, const struct mapper_mesh *mesh, struct diag *diag);

/* Like shard_cases_run(), but reads the `length` bytes at `text` instead of a file. Messages use
 * `name` as the file name. */
struct shard_cases *shard_cases_run_text(const char *name, const char *text, size_t length,
	const struct mapper_mesh *mesh, struct diag *diag);

/* Frees the cases. NULL is allowed. */
void shard_cases_free(struct shard_cases *cases);

/* Returns the number of cases that differ from the file's expectations. */
uint32_t shard_cases_differ(const struct shard_cases *cases);

/* Prints the counts of each section, and each case that does not agree. */
void shard_cases_print(const struct shard_cases *cases, FILE *out);

/* Prints all cases as JSON. */
void shard_cases_json(const struct shard_cases *cases, FILE *out);

#endif
