/* What the files share that compare two result files. */
#ifndef ANALYSIS_COMPARE_PAIR_PRIVATE_H
#define ANALYSIS_COMPARE_PAIR_PRIVATE_H

#include "analysis/compare/comparison.h"

/* Notes what differs between the scenarios and the platforms of two runs with the same keys. */
void pair_differ(struct comparison *comparison, const struct sweep_point *first,
	const struct sweep_point *second);

/* The same of the files: program, build, seeds. */
void pair_differ_files(struct comparison *comparison);

#endif
