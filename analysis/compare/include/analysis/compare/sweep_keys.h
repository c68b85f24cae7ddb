/* Swept keys: their names, which of them are conditions, and their values as numbers. */
#ifndef ANALYSIS_COMPARE_SWEEP_KEYS_H
#define ANALYSIS_COMPARE_SWEEP_KEYS_H

#include "analysis/read/summary.h"

/* Name of the swept key at `index`, as "runtime.forward.path". */
const char *swept_key(const struct summary *summary, uint32_t index);

/* What a design meets and does not choose: workload, platform, model, mesh shape. */
bool key_is_condition(const char *name);

/* "[8, 8]" is 64, "12" is 12. False if the text is no number. */
bool key_number(const char *text, double *number);

#endif
