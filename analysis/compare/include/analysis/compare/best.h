/* The best point of a sweep over all its design choices: one for each context of conditions, such
 * as a workload or a platform. */
#ifndef ANALYSIS_COMPARE_BEST_H
#define ANALYSIS_COMPARE_BEST_H

#include <stdio.h>

#include "analysis/compare/comparison.h"

/* Prints the best point of each context of the first subject, at most three. Prints nothing for two
 * files, or if no point is good. Points that failed or are saturated are never best. */
void best_print(struct comparison *comparison, FILE *out);

/* Writes the member `best`: a list of all contexts. */
void best_json(struct comparison *comparison, struct json *json);

#endif
