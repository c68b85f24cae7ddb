/* The text output of `meshsim compare`. For each subject it prints the table of the sweep's points,
 * and then the verdicts on the questions about the subject (compare_verdict.c). */
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/comparison.h"
#include "analysis/print/text_table.h"
#include "analysis/print/wrap.h"

static const struct text_column figures[] = {
	{"seeds", COLUMN_COUNT, 0, NULL},
	{"count", COLUMN_COUNT, 0, NULL},
	{"p50", COLUMN_TIME, 0, NULL},
	{"p90", COLUMN_TIME, 0, NULL},
	{"p99", COLUMN_TIME, 0, NULL},
	{"bandwidth", COLUMN_RATE, 0, NULL},
	{"throughput", COLUMN_PER_S, 0, NULL},
	{"makespan", COLUMN_TIME, 0, NULL},
	{"host CPU", COLUMN_TIME, 0, NULL},
	{"controller", COLUMN_TIME, 0, NULL},
};

/* If a table is too wide, it leaves out these columns, in this order. */
static const char *const dispensable[] = {
	"makespan", "count", "p90", "throughput", "seeds", "controller", NULL};

enum { FIGURES = sizeof figures / sizeof *figures, THE_MEDIAN = 500, THE_SLOWEST = 1000 };

/* Fills a cell, or leaves the cell blank if `known` is false. */
static void print_known(struct text_table *table, bool known, double number)
{
	if (known)
		text_table_number(table, number);
	else
		text_table_blank(table);
}

static void print_figures(struct text_table *table, const struct sweep_points *points,
	const struct sweep_point *point)
{
	bool cpu = sweep_has_host_cpu(points), steady = sweep_point_is_steady(point);
	bool tails = steady && point->samples.count > 1 && !points->run;
	double controller_ps = cpu ? compare_controller_cpu(point) : 0;

	text_table_number(table, point->seeds);
	text_table_number(table, point->samples.count);
	print_known(table, steady && !points->run, statistic(&point->samples, 500));
	print_known(table, tails, statistic(&point->samples, 900));
	print_known(table, tails, statistic(&point->samples, 990));
	print_known(table, steady && points->mode == MEASURE_TRANSFER, point->bandwidth);
	print_known(table, steady && point->throughput > 0, point->throughput);
	print_known(table, !points->within, point->runs[0].figures[FIGURE_MAKESPAN]);
	print_known(table, cpu && point->host_cpu > 0, point->host_cpu);
	print_known(table, controller_ps > 0, controller_ps);
	text_table_text(table, point->saturated ? "saturated" : steady ? "" : "no steady state");
}

static void print_points(
	struct comparison *comparison, const struct sweep_points *points, FILE *out)
{
	const struct summary *summary = &comparison->summary;
	struct text_table *table = text_table_new(&comparison->arena);
	const char *left_out;

	text_table_column(table, "run", COLUMN_COUNT, 0);
	for (uint32_t i = 0; i < summary->swept_count; i++)
		text_table_column(table, summary_short_name(summary, i), COLUMN_TEXT, 0);
	text_table_keys(table, 1 + summary->swept_count);
	text_table_columns(table, figures, FIGURES);
	text_table_column(table, "", COLUMN_TEXT, 0);
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		text_table_row(table);
		text_table_number(table, (double)dataset_integer(&point->summary->dataset,
						 point->summary->run, point->row));
		for (uint32_t k = 0; k < summary->swept_count; k++)
			text_table_text(table, point->keys[k]);
		if (!point->good) {
			for (size_t k = 0; k < FIGURES; k++)
				text_table_blank(table);
			text_table_text(table,
				arena_printf(&comparison->arena, "left out: %s", point->status));
			continue;
		}
		print_figures(table, points, point);
	}
	left_out = text_table_fit(
		table, dispensable + (points->run != NULL), comparison->table_columns);
	text_table_print_within(table, comparison->table_columns, out);
	if (left_out[0])
		wrap_hang(arena_printf(&comparison->arena, "not shown: %s (--wide)", left_out), 2,
			4, comparison->columns, "", out);
}

/* Returns a note on a subject that has no verdict of its own, or that is in flight together with
 * other steps. Returns NULL if no note is needed. */
static const char *print_subject_note(
	const struct comparison *comparison, const struct sweep_points *points)
{
	if (points->parted)
		return "no verdict of its own: in some runs several threads share the steps of its "
		       "rounds, and in others one calls them all; `meshsim show` has the time of "
		       "the "
		       "whole runs (simulated)";
	if (points->unlike)
		return "no verdict of its own: in some runs its time begins at the replay of a "
		       "trace, and in others at its own call";
	if (compare_is_part(comparison, points) && !points->together)
		return points->of_loops
			       ? "no verdict of its own: other steps of the iteration lie between "
				 "its completions"
			       : "no verdict of its own: other steps lie between its completions";
	if (compare_is_part(comparison, points))
		return "no verdict of its own: it is in flight together with other steps, so its "
		       "time depends on when they were called";
	if (points->together)
		return points->of_loops
			       ? "in flight together with other steps, so its time depends on when "
				 "they were called: --step iteration asks about all of them"
			       : "in flight together with other steps, so its time depends on when "
				 "they were called: --step run asks about all of them";
	return NULL;
}

/* True if the parts of host CPU are known for all good points, so that verdicts may name them. */
static bool print_has_parts(const struct sweep_points *points)
{
	double parts[HOST_PARTS];
	bool has = true;

	for (uint32_t i = 0; i < points->count && has; i++)
		has = !points->at[i].good || compare_host(&points->at[i], parts);
	return has;
}

/* Returns a note, printed with the table, on the column of host CPU. It says for which work the
 * column counts CPU time, and whether the parts of the time are known only for the whole run.
 * Returns "" if there is no such column. */
static const char *print_cpu_note(const struct sweep_points *points, struct arena *arena)
{
	bool step = strchr(points->kind, '/') != NULL, measured = false;
	const char *of = points->run	     ? " meanwhile"
			 : points->iteration ? " by iteration"
			 : step && points->cpu_of_runs
				 ? ": of the whole run, by operation of this step"
			 : step ? " while its rounds ran"
				: " by operation";

	if (!sweep_has_host_cpu(points))
		return "";
	for (uint32_t i = 0; i < points->count; i++)
		measured |= points->at[i].host_cpu > 0;
	if (!measured)
		return "; host CPU was not measured";
	return arena_printf(arena, "; host CPU%s%s", of,
		!points->cpu_of_runs && print_has_parts(points) ? ", its parts as in the whole run"
								: "");
}

/* Returns what is compared, such as "p99 of completion", "slowest completion" or "host CPU". */
static const char *figure_text(const struct sweep_points *points, struct arena *arena)
{
	const char *name;

	if (points->figure != FIGURE_METRIC)
		return figure_words(points->figure);
	name = measure_name(points->mode, points->metric);
	if (points->mode != MEASURE_ASKED || points->which == THE_MEDIAN)
		return name;
	return arena_printf(arena, points->which == THE_SLOWEST ? "%s %s" : "%s of %s",
		statistic_names(points->which)->name, name);
}

/* Prints a subject: the metric and the reason for it, the points, the questions. */
static void print_subject(struct comparison *comparison, const struct compared *subject, FILE *out)
{
	const struct sweep_points *points = &subject->points;
	const char *note = print_subject_note(comparison, points);
	const char *head = arena_printf(&comparison->arena, "%s: %s of %s: %s%s%s",
		result_text(comparison->summary.result, "/", "scenario_name"),
		figure_text(points, &comparison->arena), points->label, points->why,
		points->mode != MEASURE_TRANSFER ? ""
		: points->by_byte		 ? "; p50 to p99 are of 1 MiB, and verdicts, too"
						 : "; p50 to p99 are of 1 MiB",
		print_cpu_note(points, &comparison->arena));

	wrap_print("", head, 0, 0, comparison->columns, out);
	fputc('\n', out);
	print_points(comparison, points, out);
	if (note)
		wrap_print("", note, 0, 2, comparison->columns, out);
	for (uint32_t i = 0; i < subject->questions.count; i++) {
		compare_question(comparison, &subject->questions.at[i], out);
		compare_cases_text(comparison, &subject->questions.at[i], out);
	}
}

void compare_text(struct comparison *comparison, FILE *out)
{
	if (comparison->pair)
		compare_pair_text(comparison, out);
	trust_print(comparison, out);
	for (uint32_t i = 0; i < comparison->subject_count; i++) {
		if (i > 0)
			fputc('\n', out);
		print_subject(comparison, &comparison->subjects[i], out);
	}
	best_print(comparison, out);
	also_print(comparison, out);
	advice_print(comparison, out);
}
