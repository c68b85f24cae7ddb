/* The interface between the files that compare two result files. */
#ifndef ANALYSIS_COMPARE_PAIR_PRIVATE_H
#define ANALYSIS_COMPARE_PAIR_PRIVATE_H

#include "analysis/compare/comparison.h"

/* Notes the differences between the scenarios and platforms of two runs with the same keys. */
void pair_differ(struct comparison *comparison, const struct sweep_point *first,
	const struct sweep_point *second);

/* Notes the differences between the files: program, commit, build, SimGrid, world. */
void pair_differ_files(struct comparison *comparison);

#endif
