/* `meshsim shard --cases`: runs cases about sharding from a file, and compares their outcomes with
 * the expected outcomes. The sections of a file are config_validation, sweep_shard_and_concat_*,
 * sweep_orientations, device_local_sharding_sweep, expected_placement_derived_from_rule, behaviour,
 * and mapper: {shape, dim or dims, expect, ...}. All sections except `mapper` have the format of
 * published cases. An unknown section, key, call or layout counts as a case that differs from its
 * expected outcome. An unknown statement in `behaviour` is listed as not tried. */
#ifndef BENCH_TOOLS_LAYOUT_SHARD_CASES_H
#define BENCH_TOOLS_LAYOUT_SHARD_CASES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "layout/mapper.h"

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
