/* Statistics of sorted samples: percentiles, means, and confidence intervals for the ratio of two
 * such values. The intervals are computed by a bootstrap with a fixed seed, so equal samples give
 * equal intervals. */
#ifndef ANALYSIS_OPERATIONS_STATISTICS_H
#define ANALYSIS_OPERATIONS_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

enum { STATISTIC_MEAN = 0 }; /* all other statistics are percentiles, in per mille: 500, 990 */

/* The names of a statistic. `suffix` follows the name of a metric in the option --metric (".p99");
 * `name` and `words` are used in texts ("p99", "at p99"). */
struct statistic_names {
	const char *suffix;
	uint32_t which;
	const char *name, *words;
};

/* statistic_suffixed() finds a statistic by its suffix, which is "" for the median. It returns NULL
 * if no statistic has the suffix. statistic_names() returns the names of a statistic, which must be
 * in the table of names. */
const struct statistic_names *statistic_suffixed(const char *suffix);
const struct statistic_names *statistic_names(uint32_t which);

struct sorted {
	const int64_t *at; /* samples in ascending order */
	uint32_t count;
};

/* A percentile by nearest rank, or the mean; 0 if there are no samples. */
double statistic(const struct sorted *samples, uint32_t which);

/* Returns the variance of the logarithm of a percentile. It shows how far the percentile of the
 * samples may be from the true percentile by chance. It is computed from the samples around the
 * percentile, and is large if there is a gap between these samples. */
double statistic_variance(const struct sorted *samples, uint32_t which);

/* Native designs with at least this number of runs are compared by the medians of their runs. With
 * fewer runs, ranks cannot give an interval of about 95 %. */
enum { NATIVE_RUNS_LEAST = 5 };

/* Returns half the width of a 95 % interval, in standard errors: a quantile of Student's
 * distribution with `freedom` degrees of freedom. */
double student_95(uint32_t freedom);

/* Both functions return the probability that a value whose mean is 0 is at least `errors` standard
 * errors away from 0, in either direction. student_chance() uses Student's distribution with
 * `freedom` degrees of freedom, normal_chance() the normal distribution. If `errors` <= 0, the
 * probability is 1. */
double student_chance(double errors, uint32_t freedom);
double normal_chance(double errors);

/* Returns twice the probability that at most `place` of `count` values are below their median: the
 * sign test. */
double signs_chance(uint32_t count, uint32_t place);

/* Where an interval comes from. */
enum margin_kind {
	MARGIN_SEEDS, /* computed from the differences between seeds, or from runs without noise */
	MARGIN_RUN,   /* computed from the operations of one seed; other seeds may differ by more */
	MARGIN_NONE   /* one seed with one value, so no interval: low and high equal the ratio */
};

/* The margin between two values: the second value minus the first, divided by the first. `low` and
 * `high` are the ends of the margin's 95 % interval. */
struct margin {
	double ratio, low, high;
	enum margin_kind kind;
	/* probability that chance alone gives a margin that is at least as large; 1 if the second
	 * value is not larger than the first */
	double chance;
	double level; /* the margin decides only if `chance` is at most this */
	bool few;     /* it decides nothing: too few samples, no steady state, or both saturated */
};

/* The significance level for a single margin. A 95 % interval corresponds to a level of 5 %. The
 * level here is stricter, because the best of several options is sought, which gives chance more
 * opportunities. */
#define MARGIN_CHANCE 0.02

/* Returns the significance level that each of several margins must reach so that chance decides any
 * of them with a probability of at most MARGIN_CHANCE. `chances` are the probabilities of the
 * margins (struct margin); the function sorts them. The method is Hochberg's (1988), the stepwise
 * form of Bonferroni's. */
double margins_level(double *chances, uint32_t count);

struct margin margin_of(const struct sorted *first, const struct sorted *second, uint32_t which);

/* Margins below this decide nothing, even if their interval excludes 0. */
#define MARGIN_LEAST 0.01

/* Returns true if a margin decides (margin_decides()), or may decide when more is measured. A
 * margin whose interval ends below MARGIN_LEAST can never decide: the two values then count as
 * equal. */
bool margin_may_decide(const struct margin *margin);

/* Returns true if the second value is larger and this is not chance: `few` is not set, `chance` is
 * at most `level`, and the margin is at least MARGIN_LEAST. */
bool margin_decides(const struct margin *margin);

#endif
