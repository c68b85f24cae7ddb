/* The interface between the files that read sweep points. */
#ifndef ANALYSIS_COMPARE_SWEEP_PRIVATE_H
#define ANALYSIS_COMPARE_SWEEP_PRIVATE_H

#include "analysis/compare/sweep_points.h"

/* Sets the metric and the figures that may contradict it, as `wish` says. Without a wish, follows
 * the rule for the mode `rule`. Returns false with a sentence in `why` if a metric or figure does
 * not exist. */
bool sweep_metric_choose(struct sweep_points *points, const struct sweep_wish *wish,
	enum measure_mode rule, struct arena *arena, struct text *why);

/* sweep_key_count() returns the number of keys that identify the points of a source.
 * sweep_key_texts() returns their values in the run of a row, as texts in `arena`; "-" stands for a
 * key that the run does not have. */
uint32_t sweep_key_count(const struct sweep_source *source);
const char **sweep_key_texts(const struct sweep_source *source, uint64_t row, struct arena *arena);

#endif
