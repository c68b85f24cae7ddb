/* Reading and writing baselines, the YAML files that analysis/check.h describes. */
#ifndef ANALYSIS_CHECK_BASELINE_H
#define ANALYSIS_CHECK_BASELINE_H

#include "analysis/check.h"
#include "base/diag.h"
#include "base/tree.h"
#include "measurements.h"

struct baseline {
	struct measured_runs measured;
	struct check_tolerance *tolerances;
	uint32_t tolerance_count;
	struct tree *tree; /* owns all texts */
};

/* Reads a baseline. Numbers and lists live in `arena`, texts until baseline_close(). False after
 * located errors in `diag`. */
bool baseline_open(
	struct baseline *baseline, const char *path, struct arena *arena, struct diag *diag);

void baseline_close(struct baseline *baseline);

/* Appends a baseline that holds the figures in `measured` and the given tolerances. */
void baseline_write(const struct measured_runs *measured, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct text *out);

#endif
