/* The Mann-Whitney rank test of two sets of times. It makes no assumption about their
 * distribution. */
#ifndef ANALYSIS_CHECK_RANK_TEST_H
#define ANALYSIS_CHECK_RANK_TEST_H

#include <stdint.h>

struct rank_test {
	double u;	      /* pairs in which the second is greater; ties count half */
	double greater, less; /* one-sided p of the second: normal approximation with ties */
	double effect;	      /* u / number of pairs; 0.5: no difference */
	double median[2];
};

/* Tests two sets. Both counts must be positive. */
struct rank_test rank_test(
	const double *first, uint32_t first_count, const double *second, uint32_t second_count);

#endif
