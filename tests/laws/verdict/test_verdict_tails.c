/* label: full
 * Tests intervals for a 99th percentile near a gap in the distribution. By chance, the percentiles
 * of all six seeds may lie on the same side of the gap. Their spread then does not show that the
 * true percentile may lie on the other side, but the interval must extend to that side. Samples are
 * drawn at random; the mean over all comparisons is taken as the true value. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/sweep_points.h"
#include "base/stream.h"

enum { COMPARISONS = 500, SEEDS = 6, OPERATIONS = 400 };

static const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
static struct point_run runs[COMPARISONS][2][SEEDS];

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* One in 160 operations takes `slow` times as long. */
static void draw(struct point_run *run, uint64_t seed, double slow, struct stream *stream)
{
	int64_t values[OPERATIONS];
	struct sorted samples = {values, OPERATIONS};

	for (int i = 0; i < OPERATIONS; i++) {
		double time = 1e7 * (1 + 0.02 * stream_normal(stream));
		values[i] = (int64_t)(stream_below(stream, 160) == 0 ? slow * time : time);
	}
	qsort(values, OPERATIONS, sizeof *values, by_value);
	run->seed = seed;
	run->figures[FIGURE_P99] = statistic(&samples, 990);
	run->variances[FIGURE_P99] = statistic_variance(&samples, 990);
}

static struct margin margin_between(uint32_t comparison)
{
	struct sweep_point designs[2];

	for (int d = 0; d < 2; d++)
		designs[d] = (struct sweep_point){
			.good = true, .seeds = SEEDS, .runs = runs[comparison][d]};
	return sweep_margin(&points, &designs[0], &designs[1], FIGURE_P99);
}

/* Returns the number of intervals that contain the true difference. In the second design, one in
 * 160 operations takes `slow` times as long as the others. */
static uint32_t held(double slow)
{
	struct stream stream;
	double sum = 0, truth;
	uint32_t count = 0;

	stream_init(&stream, 23, "test/tails");
	for (uint32_t i = 0; i < COMPARISONS; i++) {
		for (int d = 0; d < 2; d++)
			for (uint64_t seed = 0; seed < SEEDS; seed++)
				draw(&runs[i][d][seed], seed, d ? slow : 1, &stream);
		sum += log1p(margin_between(i).ratio);
	}
	truth = expm1(sum / COMPARISONS);
	for (uint32_t i = 0; i < COMPARISONS; i++) {
		struct margin margin = margin_between(i);
		count += margin.low <= truth && truth <= margin.high;
	}
	return count;
}

TEST(intervals_of_tails_hold_the_truth_beside_a_gap)
{
	static const double slow[] = {1, 1.5, 3, 10};

	for (int i = 0; i < 4; i++) {
		uint32_t seen = held(slow[i]);
		if (seen < 0.92 * COMPARISONS)
			fail_msg("%g times as long: held %u of %d", slow[i], seen, COMPARISONS);
	}
}

/* Without a gap, intervals are wide only because of noise. They must not be much wider than the
 * noise requires. */
TEST(intervals_of_tails_without_a_gap_stay_narrow)
{
	struct margin margin;

	held(1);
	margin = margin_between(0);
	if (margin.high - margin.low > 0.03)
		fail_msg("%g to %g", margin.low, margin.high);
}

/* Each design has one run. Within a run, all operations take nearly the same time, but the two runs
 * differ by 30 %. Two native runs of one design might differ as much by chance, so only more runs
 * could decide. */
TEST(one_native_run_of_each_design_decides_nothing)
{
	int64_t values[2][OPERATIONS];
	struct sweep_point designs[2];
	struct margin margin;

	held(1);
	for (int d = 0; d < 2; d++) {
		for (int i = 0; i < OPERATIONS; i++)
			values[d][i] = (100 + 30 * d) * 1000000 + i;
		runs[0][d][0].figures[FIGURE_METRIC] = (double)values[d][OPERATIONS / 2];
		designs[d] = (struct sweep_point){.good = true,
			.seeds = 1,
			.samples = {values[d], OPERATIONS},
			.runs = runs[0][d]};
	}
	margin = sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
	if (!margin_decides(&margin))
		fail_msg("simulated, %g to %g: does not decide", margin.low, margin.high);
	for (int d = 0; d < 2; d++) {
		designs[d].native = true;
		margin = sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
		if (margin_decides(&margin))
			fail_msg("native, %g to %g: decides", margin.low, margin.high);
	}
}

TEST_MAIN(NULL, NULL)
