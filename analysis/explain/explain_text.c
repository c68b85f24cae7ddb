/* The text output of `meshsim explain`: waterfalls, charged constants, loads, queues. */
#include <math.h>
#include <string.h>

#include "analysis/print/text_table.h"
#include "explain_private.h"

enum { BAR_WIDTH = 30, GROUP_TIMES = 1, MATCHED_SHOWN = 30 };

static const char *bar(double part, double most, struct arena *arena)
{
	char text[BAR_WIDTH + 1];
	int length = most > 0 ? (int)lround(fabs(part) / most * BAR_WIDTH) : 0;

	memset(text, part < 0 ? '-' : '+', sizeof(text));
	text[length < BAR_WIDTH ? length : BAR_WIDTH] = '\0';
	return arena_string(arena, text);
}

/* Returns the time per operation of one run: `time` divided by the number of operations over which
 * the path is summed. Only the path of the mean is summed over several operations. */
static double side(const struct path_pair *path, int64_t time, int which)
{
	return (double)time / path->count[which];
}

static double stage_difference(const struct path_pair *path, int stage)
{
	return side(path, path->split[1].time[stage], 1) -
	       side(path, path->split[0].time[stage], 0);
}

static void path_columns(struct text_table *table)
{
	text_table_column(table, "stage", COLUMN_TEXT, 0);
	text_table_column(table, "first", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "second", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "difference", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "share", COLUMN_SHARE, 0);
	text_table_column(table, "", COLUMN_TEXT, 0);
}

static void path_row(struct text_table *table, const char *label, double first, double second,
	double whole, const char *drawn)
{
	text_table_row(table);
	text_table_text(table, label);
	text_table_number(table, first);
	text_table_number(table, second);
	text_table_number(table, second - first);
	if (whole != 0)
		text_table_number(table, (second - first) / whole);
	else
		text_table_blank(table);
	text_table_text(table, drawn);
}

static void print_path(const struct explanation *explanation, int which, FILE *out)
{
	const struct path_pair *path = &explanation->paths[which];
	double first = side(path, path->value[0], 0), second = side(path, path->value[1], 1);
	double most = 0;
	struct arena arena;

	arena_init(&arena);
	struct text_table *table = text_table_new(&arena);
	path_columns(table);
	for (int s = 0; s < STAGE_COUNT; s++)
		most = fmax(most, fabs(stage_difference(path, s)));
	for (int s = 0; explanation->has_stages && s < STAGE_COUNT; s++) {
		if (path->split[0].time[s] == 0 && path->split[1].time[s] == 0)
			continue;
		path_row(table, stage_label((enum stage)s), side(path, path->split[0].time[s], 0),
			side(path, path->split[1].time[s], 1), second - first,
			bar(stage_difference(path, s), most, &arena));
	}
	path_row(table, "whole", first, second, second - first, "");
	fprintf(out, "\n%s of %s, operation %s\n", explain_path_names[which],
		metric_names[explanation->metric], explanation->kind);
	text_table_print(table, out);
	arena_fini(&arena);
}

static void two_times(struct text_table *table, const char *name, const double value[2])
{
	text_table_row(table);
	text_table_text(table, name);
	text_table_number(table, value[0]);
	text_table_number(table, value[1]);
	text_table_number(table, value[1] - value[0]);
}

/* Makes a table of names with two times and their difference. */
static struct text_table *times_table(const char *name, struct arena *arena)
{
	struct text_table *table = text_table_new(arena);

	text_table_column(table, name, COLUMN_TEXT, 0);
	text_table_column(table, "first", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "second", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "difference", COLUMN_TIME, GROUP_TIMES);
	return table;
}

/* Prints the medians of all matched runs of two files. Only one pair of these runs is explained. */
static void print_matched(const struct explanation *explanation, FILE *out)
{
	struct text_table *table;
	struct arena arena;

	if (explanation->matched_count < 2)
		return;
	arena_init(&arena);
	table = times_table("runs", &arena);
	for (uint32_t i = 0; i < explanation->matched_count && i < MATCHED_SHOWN; i++) {
		const struct matched *matched = &explanation->matched[i];
		two_times(table,
			arena_printf(&arena, "%lld, %lld",
				(long long)explain_run(explanation, 0, matched->rows[0]),
				(long long)explain_run(explanation, 1, matched->rows[1])),
			matched->value);
	}
	fprintf(out, "\np50 of %s, operation %s: %u runs have the same keys and seed\n",
		metric_names[explanation->metric], explanation->kind, explanation->matched_count);
	text_table_print(table, out);
	arena_fini(&arena);
}

static void print_charged(const struct explanation *explanation, FILE *out)
{
	struct text_table *table;
	struct arena arena;

	if (explanation->charged_count == 0)
		return;
	arena_init(&arena);
	table = times_table("charged", &arena);
	for (uint32_t i = 0; i < explanation->charged_count && i < LOADS_SHOWN; i++)
		two_times(table, explanation->charged[i].name, explanation->charged[i].time);
	fputs("\nConstants on the way of an operation, largest differences first\n", out);
	text_table_print(table, out);
	arena_fini(&arena);
}

static void print_loads(const char *title, const struct loads *loads, FILE *out)
{
	struct arena arena;

	if (loads->count == 0) {
		fprintf(out, "\n%s: no difference\n", title);
		return;
	}
	arena_init(&arena);
	struct text_table *table = times_table("busy", &arena);
	for (uint32_t i = 0; i < loads->count; i++)
		two_times(table, loads->at[i].name, loads->at[i].busy);
	fprintf(out, "\n%s, largest differences first\n", title);
	text_table_print(table, out);
	arena_fini(&arena);
}

static void print_queues(const struct loads *queues, FILE *out)
{
	struct arena arena;

	if (queues->count == 0)
		return;
	arena_init(&arena);
	struct text_table *table = text_table_new(&arena);
	text_table_column(table, "queue", COLUMN_TEXT, 0);
	text_table_column(table, "deepest", COLUMN_COUNT, 0);
	text_table_column(table, "of", COLUMN_COUNT, 0);
	text_table_column(table, "blocked", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "second: deepest", COLUMN_COUNT, 0);
	text_table_column(table, "of", COLUMN_COUNT, 0);
	text_table_column(table, "blocked", COLUMN_TIME, GROUP_TIMES);
	for (uint32_t i = 0; i < queues->count; i++) {
		text_table_row(table);
		text_table_text(table, queues->at[i].name);
		for (int s = 0; s < 2; s++) {
			text_table_number(table, (double)queues->at[i].high_water[s]);
			text_table_number(table, (double)queues->at[i].capacity[s]);
			text_table_number(table, queues->at[i].blocked[s]);
		}
	}
	fputs("\nDeepest queues, those that blocked longest first\n", out);
	text_table_print(table, out);
	arena_fini(&arena);
}

void explain_text(const struct explanation *explanation, bool color, FILE *out)
{
	struct arena arena;

	arena_init(&arena);
	for (int i = 0; i < 2; i++)
		fprintf(out, "%s%s run %lld%s%s%s: %s (%u operations)\n", color ? "\033[1m" : "",
			i == 0 ? "first, " : "second,",
			(long long)explain_run(explanation, i, explanation->rows[i]),
			explanation->files[i] ? " of " : "",
			explanation->files[i] ? explanation->files[i] : "", color ? "\033[0m" : "",
			explain_keys(explanation->summaries[i], explanation->rows[i], &arena),
			explanation->samples[i].count);
	print_matched(explanation, out);
	for (int p = 0; p < PATH_COUNT; p++)
		print_path(explanation, p, out);
	print_charged(explanation, out);
	print_loads("Links", &explanation->links, out);
	print_loads("Cores", &explanation->cores, out);
	print_queues(&explanation->queues, out);
	const char *const *not_apart = explain_not_apart(explanation);
	if (*not_apart)
		fputs("\nNot told apart by the marks, which is all that a run without causes has\n",
			out);
	for (; *not_apart; not_apart++)
		fprintf(out, "  %s\n", *not_apart);
	arena_fini(&arena);
}
