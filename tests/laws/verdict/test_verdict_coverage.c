/* label: full  timeout: 600
 * Tests `compare` on many random comparisons of designs with several seeds: how often its intervals
 * contain the true difference, and how often it calls equal designs different. Also tests
 * comparisons in many contexts: how often chance decides one of them, and how often true
 * differences are found. */
#include "test.h"

#include "analysis/compare/sweep_points.h"
#include "base/stream.h"

enum { COMPARISONS = 500, COVER_SEEDS = 6 };

/* Returns the median of one random run of a design. `common` is the noise that the seed causes in
 * all designs. `own_noise` is the standard deviation of the noise that differs between designs. */
static double median_of(double cost, double common, double own_noise, struct stream *stream)
{
	return cost * (1 + 0.1 * common) * (1 + own_noise * stream_normal(stream));
}

struct cover {
	uint32_t held, decided;
};

/* Compares two designs with the same seeds, COMPARISONS times. The second design is slower than the
 * first by the fraction `part`. Counts how often the interval of the margin contains `part`, and
 * how often one of the designs is declared better. */
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

/* ---- many contexts ---- */

enum { FAMILIES = 500, CONTEXTS_MOST = 50 };

#define NOISE 0.03 /* of each run */

static struct stream stream;

/* Returns the margin between two designs over several seeds. The first design is better: the second
 * takes longer by the fraction `part` on average. */
static struct margin margin_of_runs(double part)
{
	const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
	struct point_run runs[2][COVER_SEEDS] = {0};
	struct sweep_point designs[2];

	for (uint64_t seed = 0; seed < COVER_SEEDS; seed++)
		for (int d = 0; d < 2; d++) {
			runs[d][seed].seed = seed;
			runs[d][seed].figures[FIGURE_METRIC] =
				1e7 * (1 + d * part) * (1 + NOISE * stream_normal(&stream));
		}
	for (int d = 0; d < 2; d++)
		designs[d] =
			(struct sweep_point){.good = true, .seeds = COVER_SEEDS, .runs = runs[d]};
	struct margin there = sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
	return there.ratio >= 0 ? there
				: sweep_margin(&points, &designs[1], &designs[0], FIGURE_METRIC);
}

/* Compares two designs in several contexts. In the first `differing` contexts, one design takes
 * longer by `part`. In the next `equal` contexts, both take equally long on average. Returns the
 * number of contexts with a decided margin. Adds to *chance how many of these are among the `equal`
 * contexts. */
static uint32_t decided(uint32_t differing, double part, uint32_t equal, uint32_t *chance)
{
	struct margin margins[CONTEXTS_MOST];
	double chances[CONTEXTS_MOST], level;
	uint32_t count = differing + equal, found = 0;

	for (uint32_t i = 0; i < count; i++) {
		margins[i] = margin_of_runs(i < differing ? part : 0);
		chances[i] = margins[i].chance;
	}
	level = margins_level(chances, count);
	for (uint32_t i = 0; i < count; i++) {
		margins[i].level = level;
		if (!margin_decides(&margins[i]))
			continue;
		found++;
		*chance += i >= differing;
	}
	return found;
}

TEST(chance_decides_any_of_many_equal_contexts_in_one_family_of_fifty)
{
	static const uint32_t counts[] = {1, 5, 20, 50};

	for (int i = 0; i < 4; i++) {
		uint32_t families = 0, chance = 0;
		stream_init(&stream, counts[i], "test/contexts");
		for (uint32_t f = 0; f < FAMILIES; f++)
			families += decided(0, 0, counts[i], &chance) > 0;
		/* 10 are expected; chance makes 19 in one of two hundred tests */
		if (families >= 19)
			fail_msg("%u equal contexts: some are decided in %u of %d families",
				counts[i], families, FAMILIES);
	}
}

TEST(differences_in_all_of_many_contexts_are_decided)
{
	static const uint32_t counts[] = {1, 5, 20, 50};

	for (int i = 0; i < 4; i++) {
		uint32_t found = 0, chance = 0, families = FAMILIES / counts[i] + 1;
		stream_init(&stream, counts[i], "test/contexts");
		for (uint32_t f = 0; f < families; f++)
			found += decided(counts[i], 0.15, 0, &chance);
		if (found < 0.95 * families * counts[i])
			fail_msg("%u contexts that differ: %u of %u are decided", counts[i], found,
				families * counts[i]);
	}
}

TEST(a_large_difference_among_many_equal_contexts_is_decided)
{
	uint32_t found = 0, chance = 0;

	stream_init(&stream, 1, "test/contexts");
	for (uint32_t f = 0; f < FAMILIES; f++)
		found += decided(1, 0.35, 29, &chance) > 0;
	if (found < 0.95 * FAMILIES || chance >= 19)
		fail_msg("one of 30 contexts: %u of %d are decided, and %u equal ones", found,
			FAMILIES, chance);
}

TEST_MAIN(NULL, NULL)
