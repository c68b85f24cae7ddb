/* Baselines: the YAML files that analysis/check.h describes. */
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
	struct tree *tree; /* owns the texts */
};

/* Reads a baseline; numbers and lists live in `arena`, texts until baseline_close(). False after
 * located errors in `diag`. */
bool baseline_open(
	struct baseline *baseline, const char *path, struct arena *arena, struct diag *diag);

void baseline_close(struct baseline *baseline);

/* Appends the baseline that `figures` would pass. */
void baseline_write(const struct measured_runs *measured, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct text *out);

#endif
