/* The figures of a subject in one run. */
#ifndef ANALYSIS_COMPARE_SWEEP_MEASURE_H
#define ANALYSIS_COMPARE_SWEEP_MEASURE_H

#include "analysis/compare/sweep_points.h"

/* A run in a file, and where its figures are stored. */
struct sweep_run_of {
	struct summary *summary;
	const char *group;
	struct arena *scratch; /* for figures */
	struct arena *arena;   /* for charges */
};

/* True if more than a tenth of a run is other work than that of the points: operations that are
 * called before the subject's first call or after the subject's last end. Time in which several
 * operations are in flight counts once. */
bool sweep_shares_run(const struct operations *operations, const struct sweep_points *points);

/* Measures a run. Sets *made to the number of the subject's operations, and adds the charges that
 * explain the figures to *charges; if there are none, they are unknown. Returns false, with a
 * sentence in `why`, if the charges cannot be read. */
bool sweep_measure(const struct operations *operations, const struct sweep_points *points,
	const struct sweep_run_of *of, struct measured *measured, uint32_t *made,
	struct charges *charges, struct text *why);

#endif
