/* label: full
 * Tests intervals over native repetitions. The times are not measured but computed: they are those
 * of a machine that is cold at first, or becomes slower, or is used by other programs. So the
 * result does not depend on the load of the real machine that runs the test. */
#include "test.h"

#include <math.h>

#include "analysis/compare/sweep_points.h"
#include "base/stream.h"
#include "ordered_runs.h"

enum { GROUPS = 1000, REPETITIONS = 6, RUNS = 2 * REPETITIONS, REPETITIONS_MOST = 12 };

#define COLD  2.0  /* the first run takes longer than a warm run by this share */
#define WARMS 0.02 /* each further run keeps this share of the extra time */
#define DRIFT 0.01 /* each run takes longer than the one before by this share */

/* Medians of 24 native runs of one design, us, of a machine that others used at the same time. */
static const double recorded[] = {29.7, 30.9, 31.2, 31.9, 33.1, 29.9, 30.5, 38.8, 29.4, 30.4, 31.8,
	123.5, 30.6, 43.5, 41.6, 29.6, 29.6, 30.9, 44.2, 38.1, 29.5, 30.5, 37.1, 30.8};

static const char scenario[] =
	"meshsim: 1\nname: repetitions\nplatform: n150\nworkload:\n  - finish\n"
	"sweep: {runtime.command_queues: [1, 2]}\nmeasure: {seeds: 6}\n";

struct seen {
	uint32_t held, decided;
	double width; /* mean width of the logarithms */
};

static struct stream stream;
static bool alone; /* no other program uses the machine; `recorded` is not used */

/* Returns the time of the run that is made `place` runs after the start. */
static double take(uint32_t place)
{
	uint32_t one = (uint32_t)stream_below(&stream, sizeof recorded / sizeof *recorded);

	return (alone ? 30 : recorded[one]) * 1e6 * (1 + COLD * pow(WARMS, place)) *
	       (1 + DRIFT * place) * exp(0.03 * stream_normal(&stream));
}

/* Makes GROUPS comparisons of two designs that are equal. Their runs are made in the order of
 * `numbers`, after `thrown` runs whose results are not used. */
static struct seen compare_groups(const uint32_t *numbers, uint32_t thrown)
{
	const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
	struct seen seen = {0, 0, 0};

	stream_init(&stream, 1, "test/repetitions");
	for (uint32_t group = 0; group < GROUPS; group++) {
		struct point_run runs[2][REPETITIONS] = {0};
		struct sweep_point designs[2];
		for (uint32_t i = 0; i < RUNS; i++) {
			struct point_run *run =
				&runs[numbers[i] / REPETITIONS][numbers[i] % REPETITIONS];
			run->seed = numbers[i] % REPETITIONS;
			run->figures[FIGURE_METRIC] = take(i + thrown);
		}
		for (int d = 0; d < 2; d++)
			designs[d] = (struct sweep_point){.good = true,
				.native = true,
				.seeds = REPETITIONS,
				.runs = runs[d]};
		struct margin margin =
			sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
		seen.held += margin.low <= 0 && 0 <= margin.high;
		seen.width += (log1p(margin.high) - log1p(margin.low)) / GROUPS;
	}
	return seen;
}

TEST(intervals_over_repetitions_hold_the_truth_on_a_machine_that_warms_up_and_drifts)
{
	uint32_t numbers[RUNS];
	struct seen seen;

	alone = true;
	order_runs(scenario, numbers, RUNS);
	seen = compare_groups(numbers, 1);
	if (seen.held < 0.92 * GROUPS || seen.held > 0.98 * GROUPS)
		fail_msg("held %u of %d, mean width %g", seen.held, GROUPS, seen.width);
}

/* Some runs take four times as long as the others. This makes Student's intervals wider than
 * necessary, so they contain the true difference a little more often. */
TEST(they_hold_it_on_a_machine_that_others_use)
{
	uint32_t numbers[RUNS];
	struct seen seen;

	alone = false;
	order_runs(scenario, numbers, RUNS);
	seen = compare_groups(numbers, 1);
	if (seen.held < 0.92 * GROUPS || seen.held > 0.99 * GROUPS)
		fail_msg("held %u of %d, mean width %g", seen.held, GROUPS, seen.width);
}

TEST(the_first_run_is_thrown_away_since_it_widens_intervals)
{
	uint32_t numbers[RUNS];
	struct seen with, without;

	alone = true;
	order_runs(scenario, numbers, RUNS);
	with = compare_groups(numbers, 1);
	without = compare_groups(numbers, 0);
	if (with.width > 0.95 * without.width)
		fail_msg(
			"mean width %g, and %g if the first run counts", with.width, without.width);
}

/* ---- a machine whose cores are shared ---- */

/* Draws the time of a run of a design on a machine whose cores all have other work. Of 100 runs, 85
 * take about `often`, the others about `seldom`. One of two hundred takes four times as long. Such
 * times were recorded on a real machine: 48 and 22 us with a thread for each device, 22 and 16 us
 * without. */
static double take_shared(double often, double seldom)
{
	double time = stream_below(&stream, 100) < 85 ? often : seldom;

	return time * (stream_below(&stream, 200) < 1 ? 4 : 1) * exp(0.02 * stream_normal(&stream));
}

/* Compares two designs whose runs take_shared() draws, GROUPS times, with `count` runs of each
 * design. Counts the comparisons whose interval contains the true margin. If the designs are equal,
 * the true margin is 0. Otherwise, the mean of all margins is used as the true one. */
static struct seen compare_shared(const double *often, const double *seldom, uint32_t count)
{
	const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
	static struct margin margins[GROUPS];
	struct seen seen = {0, 0, 0};
	double truth = 0;

	stream_init(&stream, count, "test/shared");
	for (uint32_t group = 0; group < GROUPS; group++) {
		struct point_run runs[2][REPETITIONS_MOST] = {0};
		struct sweep_point designs[2];
		struct margin back;
		for (int d = 0; d < 2; d++) {
			for (uint32_t i = 0; i < count; i++) {
				runs[d][i].seed = i;
				runs[d][i].figures[FIGURE_METRIC] =
					take_shared(often[d], seldom[d]);
			}
			designs[d] = (struct sweep_point){
				.good = true, .native = true, .seeds = count, .runs = runs[d]};
		}
		margins[group] = sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
		back = sweep_margin(&points, &designs[1], &designs[0], FIGURE_METRIC);
		seen.decided += margin_decides(&margins[group]) || margin_decides(&back);
		truth += log1p(margins[group].ratio) / GROUPS;
	}
	truth = often[0] == often[1] ? 0 : expm1(truth);
	for (uint32_t group = 0; group < GROUPS; group++)
		seen.held += margins[group].low <= truth && truth <= margins[group].high;
	return seen;
}

/* Student's intervals would contain the true difference only in 83 to 87 of 100 comparisons. */
TEST(intervals_hold_the_truth_where_most_runs_are_alike_and_some_are_not)
{
	static const double often[] = {22, 48}, seldom[] = {16, 25};

	for (uint32_t count = 5; count <= REPETITIONS_MOST; count++) {
		struct seen seen = compare_shared(often, seldom, count);
		if (seen.held < (count < 7 ? 0.87 : 0.90) * GROUPS)
			fail_msg("%u repetitions: held %u of %d", count, seen.held, GROUPS);
	}
}

TEST(a_difference_is_decided_although_one_run_is_as_fast_as_those_of_the_other_design)
{
	static const double times[2][REPETITIONS] = {
		{16, 21, 16.2, 21.3, 22, 22.4}, {47, 47.5, 48.6, 48, 48.3, 21.8}};
	const struct sweep_points points = {.mode = MEASURE_EACH, .which = 500};
	struct point_run runs[2][REPETITIONS] = {0};
	struct sweep_point designs[2];
	struct margin margin;

	for (int d = 0; d < 2; d++) {
		for (uint32_t i = 0; i < REPETITIONS; i++) {
			runs[d][i].seed = i;
			runs[d][i].figures[FIGURE_METRIC] = times[d][i];
		}
		designs[d] = (struct sweep_point){
			.good = true, .native = true, .seeds = REPETITIONS, .runs = runs[d]};
	}
	margin = sweep_margin(&points, &designs[0], &designs[1], FIGURE_METRIC);
	if (!margin_decides(&margin))
		fail_msg("%g (%g to %g), chance %g", margin.ratio, margin.low, margin.high,
			margin.chance);
}

TEST(a_difference_of_more_than_twice_the_noise_is_decided_on_a_shared_machine)
{
	static const double often[] = {22, 60}, seldom[] = {16, 40};

	for (uint32_t count = 6; count <= REPETITIONS_MOST; count++) {
		struct seen seen = compare_shared(often, seldom, count);
		if (seen.decided < 0.95 * GROUPS)
			fail_msg("%u repetitions: decided %u of %d", count, seen.decided, GROUPS);
	}
}

TEST(equal_designs_on_a_shared_machine_are_called_different_in_one_of_twenty_at_most)
{
	static const double often[] = {48, 48}, seldom[] = {22, 22};

	for (uint32_t count = 2; count <= REPETITIONS_MOST; count++) {
		struct seen seen = compare_shared(often, seldom, count);
		if (seen.decided > 0.05 * GROUPS || seen.held < 0.92 * GROUPS)
			fail_msg("%u repetitions: decided %u, held %u of %d", count, seen.decided,
				seen.held, GROUPS);
	}
}

/* So the drift of this machine is one that the order must balance. */
TEST(intervals_do_not_hold_the_truth_if_one_design_is_run_after_the_other)
{
	uint32_t numbers[RUNS];
	struct seen seen;

	alone = true;
	for (uint32_t i = 0; i < RUNS; i++)
		numbers[i] = i;
	seen = compare_groups(numbers, 1);
	if (seen.held > 0.9 * GROUPS)
		fail_msg("held %u of %d", seen.held, GROUPS);
}

TEST_MAIN(NULL, NULL)
