/* Chooses the metric for the questions about a subject, and the figures that may contradict this
 * metric. If the user does not choose them, the rule of docs/verdicts.md is used. */
#include <string.h>

#include "analysis/compare/sweep_runs.h"

static const struct {
	const char *key, *words, *more;
} figures[FIGURE_COUNT] = {
#define X(NAME, key, words, more) {key, words, more},
#include "analysis/compare/figure.def"
#undef X
};

const char *figure_key(enum figure figure)
{
	return figures[figure].key;
}

const char *figure_words(enum figure figure)
{
	return figures[figure].words;
}

const char *figure_more(enum figure figure)
{
	return figures[figure].more;
}

/* Parses the name of a metric and a statistic, such as "latency.p99". */
static bool parse_sample(const char *text, struct sweep_points *points)
{
	const struct statistic_names *found;

	for (int m = 0; m < METRIC_COUNT; m++) {
		size_t length = strlen(metric_names[m]);
		if (strncmp(text, metric_names[m], length) != 0)
			continue;
		found = statistic_suffixed(text + length);
		if (!found)
			continue;
		points->mode = MEASURE_ASKED;
		points->metric = (enum metric)m;
		points->which = found->which;
		return true;
	}
	return false;
}

static bool parse_figure(const char *text, struct sweep_points *points)
{
	for (int f = FIGURE_THROUGHPUT; f < FIGURE_COUNT; f++)
		if (strcmp(figures[f].key, text) == 0) {
			points->figure = (enum figure)f;
			points->mode = MEASURE_ASKED;
			points->metric = METRIC_COMPLETION;
			return true;
		}
	return false;
}

static bool parse_mode(const char *text, struct sweep_points *points)
{
	if (strcmp(text, "interval") == 0)
		points->mode = MEASURE_FLIGHT;
	else if (strcmp(text, "bandwidth") == 0)
		points->mode = MEASURE_TRANSFER;
	else
		return false;
	return true;
}

bool sweep_has_host_cpu(const struct sweep_points *points)
{
	bool whole = (!strchr(points->kind, '/') || points->iteration) && !points->shares_run;

	return !points->cpu_of_runs || whole || points->figure == FIGURE_HOST_CPU;
}

/* Marks the figures that may contradict the metric. Normally these are all other figures. While
 * several operations are in flight, the p99 and the mean only show how long the queue is, and the
 * throughput says the same as the metric, so these three are left out. */
static void set_witnesses(struct sweep_points *points)
{
	for (int f = FIGURE_P99; f < FIGURE_COUNT; f++)
		points->witness[f] = f != (int)points->figure;
	/* If a loop is timed as a whole, or if a makespan is judged, only host CPU may contradict.
	 * The mean round of such a loop says the same as its makespan, and the end of a single
	 * round depends on which thread is the last. A run has only one makespan, so there is no
	 * percentile and no mean of it. */
	for (int f = FIGURE_P99; (points->whole || points->run) && f < FIGURE_COUNT; f++)
		points->witness[f] = f == FIGURE_HOST_CPU;
	if (points->mode != MEASURE_FLIGHT)
		return;
	points->witness[FIGURE_P99] = points->witness[FIGURE_MEAN] = false;
	points->witness[FIGURE_THROUGHPUT] = false;
}

/* Allows only the named figures to contradict the metric. */
static bool set_objective(struct sweep_points *points, const char *objective, struct text *why)
{
	memset(points->witness, 0, sizeof(points->witness));
	for (size_t length; *objective; objective += length + (objective[length] == ',')) {
		int f = FIGURE_P99;
		length = strcspn(objective, ",");
		while (f < FIGURE_COUNT && (strlen(figures[f].key) != length ||
						   strncmp(figures[f].key, objective, length) != 0))
			f++;
		if (f == FIGURE_COUNT) {
			text_printf(why,
				"no figure '%.*s'; there are p99, mean, throughput, makespan "
				"and host_cpu",
				(int)length, objective);
			return false;
		}
		points->witness[f] = true;
	}
	return true;
}

static const char *reason_of_run(const struct sweep_run *run)
{
	if (run->count > 0)
		return "from the first call of its steps until all of them are complete, since "
		       "they overlap";
	if (run->of_loops)
		return "from its first call until all of it is complete";
	if (run->one_left)
		return "from its first call until all of it is complete, since the warm-up leaves "
		       "one round of its loop";
	return "from its first call until all of it is complete, since its steps are no loop";
}

/* Returns the length of "KIND/STEP" without the slash if the step has no name. */
static int length_without_empty_name(const char *kind)
{
	size_t length = strlen(kind);

	return (int)(length - (length > 0 && kind[length - 1] == '/'));
}

/* Returns, in words, why the rule chose the metric. */
static const char *reason(const struct sweep_points *points, struct arena *arena)
{
	if (points->run)
		return reason_of_run(points->run);
	if (points->within)
		return points->span_anchor
			       ? "from its first call until all of it is complete, by the number "
				 "of its rounds"
			       : "from its first call until all of it is complete";
	if (points->whole)
		return points->whole->threads
			       ? "from the end of one in the slowest thread to that of the next, "
				 "since "
				 "several threads share its steps in some runs"
			       : "from the end of one to that of the next, since it begins with "
				 "other steps in some runs";
	if (points->mode == MEASURE_ASKED)
		return arena_printf(arena,
			"from one call of %.*s to its next, with all steps between",
			length_without_empty_name(points->kind), points->kind);
	if (points->mode == MEASURE_OPEN)
		return "they arrive at a rate: from when each should have been called";
	if (points->mode == MEASURE_EACH)
		return "each is waited for before the next: call to completion";
	if (points->mode == MEASURE_TRANSFER)
		return "it moves data: bytes by time";
	return arena_printf(arena, "up to %u are in flight: steady interval between completions",
		points->in_flight);
}

/* Called if the subject is a run, or a part of a run. Its only metric is its makespan. Returns
 * false, with a sentence in `why`, if `wanted` names another metric. */
static bool sweep_metric_is_makespan(
	struct sweep_points *points, const char *wanted, struct text *why)
{
	points->mode = MEASURE_RUN;
	points->metric = METRIC_COMPLETION;
	if (!wanted || strcmp(wanted, measure_name(MEASURE_RUN, points->metric)) == 0)
		return true;
	text_printf(
		why, "no metric '%s' of the %s, which has a makespan only", wanted, points->label);
	return false;
}

/* Called if the time of a round is the subject's only metric. This is so for a repeat among other
 * steps, and for a loop that is timed as a whole. Returns false, with a sentence in `why`, if
 * `wanted` names another metric. */
static bool sweep_metric_is_span(struct sweep_points *points, const char *wanted, struct text *why)
{
	if (wanted && strcmp(wanted, metric_names[METRIC_ROUND]) != 0) {
		text_printf(why, "no metric '%s' of '%s', which is %s: it has rounds only", wanted,
			points->label,
			points->within ? "a repeat among other steps"
				       : "called in different ways by its runs");
		return false;
	}
	points->mode = MEASURE_ASKED;
	points->metric = METRIC_ROUND;
	return true;
}

bool sweep_metric_choose(struct sweep_points *points, const struct sweep_wish *wish,
	enum measure_mode rule, struct arena *arena, struct text *why)
{
	/* the metric of a scenario applies to its steps, not to rounds */
	bool spans = points->within || points->whole;
	bool asked = wish->metric && (!(points->iteration || spans || points->run) ||
					     strcmp(wish->from, SWEEP_WISH_OPTION) == 0);

	points->which = 500;
	points->figure = FIGURE_METRIC;
	points->mode = rule;
	points->metric = METRIC_COMPLETION;
	if (asked && !parse_sample(wish->metric, points) && !parse_figure(wish->metric, points) &&
		!parse_mode(wish->metric, points)) {
		metric_say_unknown(why, wish->metric, true);
		return false;
	}
	if (points->mode == MEASURE_TRANSFER && rule != MEASURE_TRANSFER) {
		text_printf(why, "operations of kind %s move no data, so they have no bandwidth",
			points->kind);
		points->unmeasured = true;
		return false;
	}
	if (!asked && points->iteration && rule != MEASURE_FLIGHT) {
		points->mode = MEASURE_ASKED;
		points->metric = METRIC_ROUND;
	}
	if (points->run)
		points->figure = FIGURE_METRIC;
	if (spans && !sweep_metric_is_span(points, asked ? wish->metric : NULL, why))
		return false;
	if (points->run && !sweep_metric_is_makespan(points, asked ? wish->metric : NULL, why))
		return false;
	if (points->mode == MEASURE_FLIGHT || points->mode == MEASURE_TRANSFER || points->whole)
		points->which = STATISTIC_MEAN;
	if (points->mode == MEASURE_TRANSFER || points->mode == MEASURE_OPEN)
		points->metric = METRIC_LATENCY;
	else if (points->mode == MEASURE_FLIGHT)
		points->metric = METRIC_ROUND;
	set_witnesses(points);
	if (wish->objective && !set_objective(points, wish->objective, why))
		return false;
	points->why = asked && !spans && !points->run
			      ? arena_printf(arena, "%s says so", wish->from)
			      : reason(points, arena);
	return true;
}
