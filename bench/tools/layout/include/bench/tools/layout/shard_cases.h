/* Cases about sharding as a file states them, held against this runtime: `meshsim shard --cases`.
 * Sections are those of the format that real cases come in: config_validation,
 * sweep_shard_and_concat_*, sweep_orientations, device_local_sharding_sweep,
 * expected_placement_derived_from_rule, behaviour; and mapper: {shape, dim or dims, expect, ...}.
 * Sections, keys, calls and layouts that are not known here are cases that differ; statements of
 * `behaviour` that are not are listed as not tried. */
#ifndef BENCH_TOOLS_LAYOUT_SHARD_CASES_H
#define BENCH_TOOLS_LAYOUT_SHARD_CASES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "layout/mapper.h"

struct shard_cases;

/* Reads and tries every case; `mesh` is for files that do not name theirs. NULL after errors, which
 * are in `diag`. */
struct shard_cases *shard_cases_run(
	const char *path, const struct mapper_mesh *mesh, struct diag *diag);

/* The same from `length` bytes; `name` stands for the file in messages. */
struct shard_cases *shard_cases_run_text(const char *name, const char *text, size_t length,
	const struct mapper_mesh *mesh, struct diag *diag);

/* Frees the cases. NULL is allowed. */
void shard_cases_free(struct shard_cases *cases);

/* Cases that differ from what the file expects. */
uint32_t shard_cases_differ(const struct shard_cases *cases);

/* Counts per section, and each case that does not agree. */
void shard_cases_print(const struct shard_cases *cases, FILE *out);

/* Every case. */
void shard_cases_json(const struct shard_cases *cases, FILE *out);

#endif
