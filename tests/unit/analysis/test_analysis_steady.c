/* Tests which part of a short series of completions is found to be steady. The warm-up at the
 * beginning must be cut off. A rate must count as steady if it varies by less than the smallest
 * margin that `compare` reports. */
#include "test.h"

#include "analysis/metrics/completions.h"

enum { ENTRIES = 29, MEASURED = 59 };

/* Intervals between completions in us: `count` of them take `us` each. */
struct stretch {
	uint32_t count;
	double us;
};

/* Returns the steady part, if calls are `called_us` apart; 0: the times of calls are unknown. */
static struct steady steady_called(const struct stretch *stretches, double called_us)
{
	struct completion series[ENTRIES] = {{0, 1, 0}};
	struct arena arena;
	struct steady steady;
	uint32_t made = 1;

	for (; stretches->count; stretches++)
		for (uint32_t i = 0; i < stretches->count && made < ENTRIES; i++, made++)
			series[made] = (struct completion){
				series[made - 1].time + (int64_t)(stretches->us * 1e6), 1,
				(int64_t)(made * called_us * 1e6)};
	assert_int_equal(made, ENTRIES);
	arena_init(&arena);
	steady = steady_find(series, made, false, &arena);
	arena_fini(&arena);
	return steady;
}

static struct steady steady_of(const struct stretch *stretches)
{
	return steady_called(stretches, 0);
}

static void expect_interval(const char *what, struct steady steady, double us)
{
	double seen = (double)steady.duration / 1e6 / (double)steady.weight;

	if (!steady.known || steady.needed)
		fail_msg("%s: no steady state, %u needed", what, steady.needed);
	if (seen < 0.995 * us || seen > 1.005 * us)
		fail_msg("%s: an interval of %g us, not %g us", what, seen, us);
}

TEST(a_rate_that_varies_by_a_thousandth_is_steady)
{
	struct stretch early[] = {
		{5, 21.7186}, {1, 21.9551}, {6, 21.8102}, {1, 21.5737}, {15, 21.7186}, {0, 0}};
	struct stretch both[] = {{5, 22.7702}, {1, 22.5852}, {18, 22.6786}, {1, 22.6606},
		{1, 22.6966}, {2, 22.6786}, {0, 0}};
	struct stretch late[] = {{20, 20}, {8, 20.06}, {0, 0}};

	expect_interval("other intervals in the first half", steady_of(early), 21.72);
	expect_interval("other intervals at both ends", steady_of(both), 22.68);
	expect_interval("other intervals behind the middle", steady_of(late), 20.02);
}

TEST(warm_up_is_cut_off_beside_small_variations)
{
	struct stretch stretches[] = {{4, 10}, {9, 20.08}, {15, 20}, {0, 0}};

	expect_interval("4 short intervals at first", steady_of(stretches), 20.03);
}

TEST(a_rate_that_changes_at_the_middle_is_not_steady)
{
	struct stretch stretches[] = {{14, 20}, {14, 21}, {0, 0}};
	struct steady steady = steady_of(stretches);

	if (steady.known || steady.needed == 0)
		fail_msg("5 %% slower from the middle on: known %d, needed %u", steady.known,
			steady.needed);
}

TEST(a_rate_that_keeps_changing_is_not_steady)
{
	struct stretch stretches[ENTRIES] = {{0, 0}};
	struct steady steady;

	for (uint32_t i = 0; i + 1 < ENTRIES; i++)
		stretches[i] = (struct stretch){1, 20 + i / 4.0};
	steady = steady_of(stretches);
	if (steady.known)
		fail_msg("from 20 to 27 us: %u to %u are steady", steady.first, steady.last);
}

TEST(a_burst_of_work_that_had_piled_up_is_not_steady)
{
	struct stretch stretches[] = {{7, 400}, {21, 6}, {0, 0}};
	struct steady steady = steady_called(stretches, 90);

	if (steady.known || steady.needed == 0)
		fail_msg("called each 90 us, told each 6 us: known %d, needed %u", steady.known,
			steady.needed);
	expect_interval("called ahead of completions", steady_called(stretches, 3), 6);
	expect_interval("called in batches", steady_called(stretches, 8), 6);
}

/* Finds the steady part of a series like those of a real machine. The first 30 intervals are
 * longer, because memory is touched for the first time. The later intervals are `late_us` long on
 * average, and the last of them `last_us`; in both parts, neighbouring intervals differ by a tenth.
 */
static struct steady steady_measured(double late_us, double last_us, bool measured)
{
	struct completion series[MEASURED] = {{0, 1, 0}};
	struct arena arena;
	struct steady steady;

	for (uint32_t i = 1; i < MEASURED; i++) {
		double us = i > 44 ? last_us : late_us;

		us = i < 31 ? (i % 7 ? 1.7 : 4.6) : us * (i % 2 ? 0.95 : 1.05);
		series[i] = (struct completion){series[i - 1].time + (int64_t)(us * 1e6), 1, 0};
	}
	arena_init(&arena);
	steady = steady_find(series, MEASURED, measured, &arena);
	arena_fini(&arena);
	return steady;
}

TEST(a_machine_that_warms_up_for_half_of_its_rounds_has_a_steady_state_behind_them)
{
	struct steady steady = steady_measured(1.5, 1.5, true);

	expect_interval("behind 30 of 58", steady, 1.5);
	if (steady.first < 29 || steady.first > 32)
		fail_msg("cold until 30: steady from %u", steady.first);
	if (steady_measured(1.5, 1.5, false).known)
		fail_msg("simulated times, which no repetitions measure, are steady behind 30 of "
			 "58");
}

TEST(a_machine_whose_rate_still_changes_has_no_steady_state)
{
	struct steady steady = steady_measured(1.5, 1.8, true);

	if (steady.known)
		fail_msg("1.5 us, then 1.8 us: %u to %u are steady", steady.first, steady.last);
}

TEST_MAIN(NULL, NULL)
