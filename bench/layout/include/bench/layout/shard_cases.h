/* Cases about sharding as a file states them, held against this runtime: `meshsim shard --cases`.
 * Sections are those of the format that real cases come in: config_validation,
 * sweep_shard_and_concat_*, sweep_orientations, device_local_sharding_sweep,
 * expected_placement_derived_from_rule, behaviour; and mapper: {shape, dim or dims, expect, ...}.
 * Refuses sections and statements that it does not know: they are listed as not run. */
#ifndef BENCH_LAYOUT_SHARD_CASES_H
#define BENCH_LAYOUT_SHARD_CASES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "layout/mapper.h"

struct shard_cases;

/* Reads and tries every case; `mesh` is for files that do not name theirs. NULL after errors, which
 * are in `diag`. */
struct shard_cases *shard_cases_run(
	const char *path, const struct mapper_mesh *mesh, struct diag *diag);

/* Frees the cases. NULL is allowed. */
void shard_cases_free(struct shard_cases *cases);

/* Cases that differ from what the file expects; statements that were not tried. */
uint32_t shard_cases_differ(const struct shard_cases *cases);
uint32_t shard_cases_not_run(const struct shard_cases *cases);

/* Counts per section, and each case that differs. */
void shard_cases_print(const struct shard_cases *cases, FILE *out);

/* Every case. */
void shard_cases_json(const struct shard_cases *cases, FILE *out);

#endif
