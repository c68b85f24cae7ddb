/* Tests how often the intervals of `compare` contain the truth, and how often equal designs are
 * called different, over many random comparisons of designs with several seeds.
 * label: full  timeout: 600 */
#include "test.h"

#include "analysis/compare/sweep_points.h"
#include "base/stream.h"

enum { COMPARISONS = 500, COVER_SEEDS = 6 };

/* Returns the median of a random run of a design. `common` is the noise of the seed, which is the
 * same for all designs. `own_noise` is the width of the noise that differs between designs. */
static double median_of(double cost, double common, double own_noise, struct stream *stream)
{
	return cost * (1 + 0.1 * common) * (1 + own_noise * stream_normal(stream));
}

struct cover {
	uint32_t held, decided;
};

/* Makes COMPARISONS comparisons of two designs with the same seeds. The second design is slower by
 * the fraction `part`. Counts how often the interval contains `part`, and how often one design is
 * declared better. */
static struct cover cover(double part, double own_noise)
{
	const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
	struct cover cover = {0, 0};
	struct stream stream;

	stream_init(&stream, 17, "test/cover");
	for (uint32_t i = 0; i < COMPARISONS; i++) {
		struct point_run runs[2][COVER_SEEDS] = {0};
		struct sweep_point designs[2];
		for (uint64_t seed = 0; seed < COVER_SEEDS; seed++) {
			double common = stream_normal(&stream);
			for (int d = 0; d < 2; d++) {
				runs[d][seed].seed = seed;
				runs[d][seed].figures[FIGURE_METRIC] = median_of(
					d ? 1e7 * (1 + part) : 1e7, common, own_noise, &stream);
			}
		}
		for (int d = 0; d < 2; d++)
			designs[d] = (struct sweep_point){
				.good = true, .seeds = COVER_SEEDS, .runs = runs[d]};
		struct margin there =
			sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
		struct margin back = sweep_margin(&points, &designs[1], &designs[0], FIGURE_METRIC);
		cover.held += there.low <= part && part <= there.high;
		cover.decided += margin_decides(&there) || margin_decides(&back);
	}
	return cover;
}

TEST(intervals_hold_the_truth_of_500_comparisons)
{
	static const double parts[] = {0, 0.01, 0.05, 0.5}, noises[] = {0.005, 0.03, 0.1};

	for (int p = 0; p < 4; p++)
		for (int n = 0; n < 3; n++) {
			struct cover seen = cover(parts[p], noises[n]);
			if (seen.held < 0.92 * COMPARISONS || seen.held > 0.98 * COMPARISONS)
				fail_msg("%g dearer, noise %g: held %u of %d", parts[p], noises[n],
					seen.held, COMPARISONS);
		}
}

TEST(equal_designs_are_called_different_in_one_of_twenty_at_most)
{
	static const double noises[] = {0.001, 0.01, 0.03, 0.1};

	for (int n = 0; n < 4; n++) {
		struct cover seen = cover(0, noises[n]);
		if (seen.decided > 0.05 * COMPARISONS)
			fail_msg("noise %g: called different %u of %d", noises[n], seen.decided,
				COMPARISONS);
	}
}

TEST_MAIN(NULL, NULL)
