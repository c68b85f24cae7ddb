/* What the files that read sweep points share. */
#ifndef ANALYSIS_COMPARE_SWEEP_PRIVATE_H
#define ANALYSIS_COMPARE_SWEEP_PRIVATE_H

#include "analysis/compare/sweep_points.h"

/* Sets what is measured and what may contradict it: as wished, or else as the rule says. False with
 * a sentence in `why`. */
bool sweep_metric_choose(struct sweep_points *points, const struct sweep_wish *wish,
	enum measure_mode rule, struct arena *arena, struct text *why);

/* How many keys tell the points of a source apart, and their texts for the run of a row, in
 * `arena`:
 * "-" where the run has none. */
uint32_t sweep_key_count(const struct sweep_source *source);
const char **sweep_key_texts(const struct sweep_source *source, uint64_t row, struct arena *arena);

#endif
