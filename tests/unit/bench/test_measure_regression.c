/* Tests how costs are computed from measured times. The computation must find known costs from
 * noisy rows, even if interrupts disturbed some of the rows. It must reject rows from which the
 * costs cannot be determined. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/stream.h"
#include "bench/tools/measure/measure.h"
#include "bench/tools/measure/samples.h"

enum { ROUNDS = 25, SIZES = 8, ROWS_MAX = ROUNDS * SIZES * 3 };

static const double sizes[SIZES] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};

/* Makes rows with y = costs[0] + costs[1] * size + costs[2] * (members - 1). `noise` is the largest
 * relative error of y. If `members` is set, rows have one to three members, otherwise one. If
 * `outlier` is not 0, y is three times as large in every `outlier`-th row. */
static uint32_t make_rows(struct regression_row *rows, const double costs[3], double noise,
	uint32_t outlier, bool members)
{
	struct stream stream;
	uint32_t count = 0;

	stream_init(&stream, 1, "test/regression");
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t size = 0; size < SIZES; size++)
			for (uint32_t more = 0; more < (members ? 3 : 1); more++) {
				double y = costs[0] + costs[1] * sizes[size] + costs[2] * more;

				y *= 1 + noise * (2 * stream_unit(&stream) - 1);
				if (outlier && count % outlier == outlier - 1)
					y *= 3;
				rows[count++] = (struct regression_row){
					.x = {1, sizes[size], more}, .y = y, .round = round};
			}
	return count;
}

static bool shows(const struct regression_term *term)
{
	const struct figure figure = {.unit = "ns", .value = term->value, .spread = term->spread};

	return figure_refusal(&figure) == NULL;
}

static void near(const char *what, double value, double expected, double part)
{
	if (fabs(value - expected) > part * expected)
		fail_msg("%s: %g, expected %g", what, value, expected);
}

TEST(known_costs_come_out)
{
	static const double costs[3] = {1500, 0.25, 400};
	struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = make_rows(rows, costs, 0.05, 0, true);

	assert_true(regression_fit(rows, count, 3, &line));
	near("message", line.terms[0].value, 1500, 0.01);
	near("byte", line.terms[1].value, 0.25, 0.01);
	near("peer", line.terms[2].value, 400, 0.02);
	assert_int_equal(line.rows, count);
	assert_int_equal(line.rounds, ROUNDS);
	assert_true(line.error < 0.05 && line.worst < 0.05);
	for (int term = 0; term < 3; term++)
		assert_true(shows(&line.terms[term]));
}

/* In a third of the rows, the measured time is three times the true time. In a least-squares fit,
 * this would change the result by a tenth. The result of the tested fit must change by less than a
 * twentieth. */
TEST(interrupted_rows_do_not_count)
{
	static const double costs[3] = {1500, 0.25, 0};
	struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = make_rows(rows, costs, 0.05, 3, false);

	assert_true(regression_fit(rows, count, 2, &line));
	near("message", line.terms[0].value, 1500, 0.05);
	near("byte", line.terms[1].value, 0.25, 0.05);
}

/* The fit minimizes errors relative to the time, so small messages have the same weight as large
 * ones. So it must find the fixed cost of a message, although some messages have 1 MiB. */
TEST(errors_are_relative)
{
	static const double costs[3] = {20, 1, 0};
	struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = make_rows(rows, costs, 0.1, 0, false);

	assert_true(regression_fit(rows, count, 2, &line));
	near("message", line.terms[0].value, 20, 0.15);
	near("byte", line.terms[1].value, 1, 0.02);
}

TEST(what_does_not_show_is_refused)
{
	static const double costs[3] = {1000, 1e-7, 0};
	struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = make_rows(rows, costs, 0.3, 0, false);

	assert_true(regression_fit(rows, count, 2, &line));
	near("message", line.terms[0].value, 1000, 0.1);
	if (shows(&line.terms[1]))
		fail_msg("a byte of %g +- %g is shown", line.terms[1].value, line.terms[1].spread);
}

TEST(costs_are_not_below_zero)
{
	struct regression_row rows[SIZES];
	struct regression line;

	for (uint32_t i = 0; i < SIZES; i++)
		rows[i] = (struct regression_row){
			.x = {1, sizes[i]}, .y = 1000 - 0.0005 * sizes[i], .round = 0};
	assert_true(regression_fit(rows, SIZES, 2, &line));
	assert_true(line.terms[0].value > 0);
	assert_true(line.terms[1].value == 0);
	assert_false(shows(&line.terms[1]));
}

TEST(one_round_says_nothing_of_spread)
{
	static const double costs[3] = {1000, 1, 0};
	struct regression_row rows[ROWS_MAX];
	struct regression line;

	(void)make_rows(rows, costs, 0, 0, false);
	assert_true(regression_fit(rows, SIZES, 2, &line));
	near("message", line.terms[0].value, 1000, 0.001);
	assert_false(shows(&line.terms[0]));
}

TEST(too_few_rows_are_no_line)
{
	struct regression_row rows[2] = {{.x = {1, 64}, .y = 5}, {.x = {1, 64}, .y = 0}};
	struct regression line;

	assert_false(regression_fit(rows, 2, 2, &line)); /* a row without time does not count */
	assert_false(regression_fit(rows, 0, 1, &line));
}

/* A small part is fitted with errors relative to the whole, not to the part itself. */
TEST(parts_are_weighed_by_their_whole)
{
	static const double costs[3] = {1500, 0.25, 0};
	struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = make_rows(rows, costs, 0.05, 0, false);

	for (uint32_t i = 0; i < count; i++) {
		rows[i].whole = rows[i].y;
		rows[i].y -= 1000 + 0.25 * rows[i].x[1];
	}
	assert_true(regression_fit(rows, count, 2, &line));
	near("message", line.terms[0].value, 500, 0.1);
	assert_true(line.terms[1].value < 0.01);
}

TEST(figures_are_refused_for_their_reason)
{
	struct figure figure = {.unit = "ps", .value = 20, .spread = 20, .error = 0.4};

	assert_null(figure_refusal(&figure));
	figure.spread = 21;
	assert_string_equal(figure_refusal(&figure), "the spread is larger than the value");
	figure.spread = 1;
	figure.error = 0.6;
	assert_non_null(strstr(figure_refusal(&figure), "no straight line"));
	figure.value = 0.4;
	figure.spread = 0;
	assert_string_equal(figure_refusal(&figure), "too small to be told from nothing");
	figure.unit = "ratio";
	figure.error = 0;
	assert_null(figure_refusal(&figure));
}

TEST(quantiles_are_values_that_occurred)
{
	struct samples samples = {0};
	struct quantiles of;

	assert_true(samples_quantiles(&samples).p50 == 0);
	for (int i = 100; i > 0; i--)
		samples_add(&samples, i);
	of = samples_quantiles(&samples);
	assert_true(of.p50 == 50 && of.p90 == 90 && of.p99 == 99 && of.least == 1);
	assert_true(of.spread == 25);
	samples_fini(&samples);
}

TEST_MAIN(NULL, NULL)
