/* Swept keys: their names, whether they are conditions, and their values as numbers. */
#ifndef ANALYSIS_COMPARE_SWEEP_KEYS_H
#define ANALYSIS_COMPARE_SWEEP_KEYS_H

#include "analysis/read/summary.h"

/* Name of the swept key at `index`, such as "runtime.forward.path". */
const char *swept_key(const struct summary *summary, uint32_t index);

/* True if a key is a condition, which a design cannot choose: workload, platform, model, mesh
 * shape. */
bool key_is_condition(const char *name);

/* Value of a number or of a list, which is the product of its numbers: "12" is 12, "[8, 8]" is 64.
 * False if the text is neither. */
bool key_number(const char *text, double *number);

#endif
