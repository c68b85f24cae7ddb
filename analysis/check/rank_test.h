/* Mann-Whitney rank test of two sets of times: no assumption about how they are distributed. */
#ifndef ANALYSIS_CHECK_RANK_TEST_H
#define ANALYSIS_CHECK_RANK_TEST_H

#include <stdint.h>

struct ranks {
	double u;	      /* pairs in which the second is greater; ties count half */
	double greater, less; /* one-sided p: second greater, second less; normal law, with ties */
	double effect;	      /* u by the number of pairs: 0.5 without difference */
	double median[2];
};

/* Both counts positive. */
struct ranks ranks_compare(
	const double *first, uint32_t first_count, const double *second, uint32_t second_count);

#endif
