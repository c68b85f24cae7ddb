/* Statistics of sorted samples: percentile or mean, and a confidence interval for the ratio of
 * two sets (bootstrap with a fixed seed: the same samples give the same interval). */
#ifndef ANALYSIS_OPERATIONS_STATISTICS_H
#define ANALYSIS_OPERATIONS_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

enum { STATISTIC_MEAN = 0 }; /* else a percentile in per mille: 500, 990 */

struct sorted {
	const int64_t *at; /* ascending */
	uint32_t count;
};

/* Nearest rank, or the mean; 0 of nothing. */
double statistic(const struct sorted *samples, uint32_t which);

/* By how much a percentile may be off by chance, as the variance of its logarithm over the places
 * in the order that it may have: great where a gap in the values is near. */
double statistic_variance(const struct sorted *samples, uint32_t which);

/* What an interval is of. */
enum margin_kind {
	MARGIN_SEEDS, /* between seeds, or of runs without noise */
	MARGIN_RUN,   /* of the operations of one seed: others may differ by more */
	MARGIN_NONE   /* one seed, and a run has one of it: low and high are the ratio */
};

/* By how much of `first` the second is larger, and the bounds of its 95 % interval. */
struct margin {
	double ratio, low, high;
	enum margin_kind kind;
	double least; /* lower bound of the 98 % interval: what decides, since the best is looked
			 for */
	bool few; /* too few samples of something that varies: nobody knows the interval */
};

struct margin margin_of(const struct sorted *first, const struct sorted *second, uint32_t which);

/* What nobody should choose a design by, even if it is certain. */
#define MARGIN_LEAST 0.01

/* True if the second is larger beyond doubt: the interval is known, even that of 98 % excludes 0,
 * and the margin is not negligible. */
bool margin_decides(const struct margin *margin);

#endif
