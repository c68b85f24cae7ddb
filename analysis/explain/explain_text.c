/* The text output of `meshsim explain`: the conclusion and the table of stages. With --all, tables
 * of other paths, charged constants, loads and queues follow. */
#include <math.h>
#include <string.h>

#include "analysis/print/text_table.h"
#include "analysis/print/wrap.h"
#include "base/text.h"
#include "explain_private.h"

enum { BAR_WIDTH = 10, GROUP_TIMES = 1, MATCHED_SHOWN = 30 };

/* Stages whose time is below this share of the whole time are printed together as one row, unless
 * --all is set. */
#define STAGE_LEAST 0.01

/* If a share is above this, the excess over 100 % is not due to rounding. */
#define SHARE_MOST 1.0005

/* Arguments that all printers of tables need. */
struct explain_print {
	const struct explanation *explanation;
	bool all;
	struct arena *arena;
	FILE *out;
};

static const char *bar(double part, double most, struct arena *arena)
{
	char text[BAR_WIDTH + 1];
	int length = most > 0 ? (int)lround(fabs(part) / most * BAR_WIDTH) : 0;

	memset(text, part < 0 ? '-' : '+', sizeof(text));
	text[length < BAR_WIDTH ? length : BAR_WIDTH] = '\0';
	return arena_string(arena, text);
}

/* Returns `time`, a time of the path of run `which`, per operation. If a mean is explained, the
 * path is the sum of the paths of several operations, so divides by their number. Otherwise, this
 * number is 1. */
static double side(const struct path_pair *path, int64_t time, int which)
{
	return (double)time / path->count[which];
}

/* Adds the columns of times: one for a single run; two and their difference for two runs. */
static void time_columns(const struct explain_print *print, struct text_table *table)
{
	if (print->explanation->single) {
		text_table_column(table, "time", COLUMN_TIME, GROUP_TIMES);
		return;
	}
	text_table_column(table, "first", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "second", COLUMN_TIME, GROUP_TIMES);
	text_table_column(table, "difference", COLUMN_TIME, GROUP_TIMES);
}

static void time_cells(
	const struct explain_print *print, struct text_table *table, double first, double second)
{
	text_table_number(table, first);
	if (print->explanation->single)
		return;
	text_table_number(table, second);
	text_table_number(table, second - first);
}

static void explain_print_table(
	const struct explain_print *print, const char *title, const struct text_table *table)
{
	fputc('\n', print->out);
	wrap_hang(text_plain(title, false, print->arena), 0, 2, answer_columns(print->out), "",
		print->out);
	text_table_print_within(table, answer_columns(print->out), print->out);
}

/* ---- stages ---- */

/* Returns the weight of a stage: its time if a single run is explained, otherwise the difference of
 * its times in the two runs. */
static double weight(const struct explain_print *print, double first, double second)
{
	return print->explanation->single ? first : second - first;
}

/* Prints a row, with its share of `whole`. If `whole` is 0, the table has no shares. */
static void path_row(const struct explain_print *print, struct text_table *table, const char *label,
	const double time[2], double whole, const char *drawn)
{
	text_table_row(table);
	text_table_text(table, label);
	time_cells(print, table, time[0], time[1]);
	if (whole != 0)
		text_table_number(table, weight(print, time[0], time[1]) / whole);
	text_table_text(table, drawn);
}

/* True if the stage is so small in both runs that it is printed together with other small stages,
 * in one row. */
static bool is_small(const struct explain_print *print, const double time[2], const double whole[2])
{
	return !print->all && time[0] < STAGE_LEAST * whole[0] &&
	       time[1] < STAGE_LEAST * whole[1] &&
	       fabs(time[1] - time[0]) <= STAGE_LEAST * fabs(whole[1] - whole[0]);
}

/* The times of the stages are printed as shares of the time that this function returns. 0 means
 * that no shares are printed. Returns 0 if the difference of one stage is clearly larger than the
 * whole difference, because a share far above 100 % would be confusing. */
static double shared_whole(
	const struct explain_print *print, const struct path_pair *path, const double whole[2])
{
	double total = weight(print, whole[0], whole[1]);

	for (int s = 0; s < STAGE_COUNT; s++)
		if (fabs(weight(print, side(path, path->split[0].time[s], 0),
			    side(path, path->split[1].time[s], 1))) > SHARE_MOST * fabs(total))
			return 0;
	return total;
}

static void stage_rows(const struct explain_print *print, int which, const double whole[2],
	struct text_table *table)
{
	const struct path_pair *path = &print->explanation->paths[which];
	double most = 0, small[2] = {0}, total = shared_whole(print, path, whole);
	uint32_t folded = 0;

	for (int s = 0; s < STAGE_COUNT; s++)
		most = fmax(most, fabs(weight(print, side(path, path->split[0].time[s], 0),
					  side(path, path->split[1].time[s], 1))));
	for (int s = 0; s < STAGE_COUNT; s++) {
		const double time[2] = {side(path, path->split[0].time[s], 0),
			side(path, path->split[1].time[s], 1)};
		if (time[0] == 0 && time[1] == 0)
			continue;
		if (is_small(print, time, whole)) {
			folded++;
			small[0] += time[0];
			small[1] += time[1];
			continue;
		}
		path_row(print, table, stage_label((enum stage)s), time, total,
			bar(weight(print, time[0], time[1]), most, print->arena));
	}
	if (folded > 0)
		path_row(print, table,
			arena_printf(
				print->arena, "%u smaller stage%s", folded, folded == 1 ? "" : "s"),
			small, total, bar(weight(print, small[0], small[1]), most, print->arena));
}

static const char *path_name(const struct explanation *explanation, int which)
{
	return which == PATH_ASKED ? explain_statistic(&explanation->asked)
				   : explain_path_names[which];
}

static void print_path(const struct explain_print *print, int which)
{
	const struct explanation *explanation = print->explanation;
	const struct path_pair *path = &explanation->paths[which];
	const double whole[2] = {side(path, path->value[0], 0), side(path, path->value[1], 1)};
	struct text_table *table = text_table_new(print->arena);

	text_table_column(table, "stage", COLUMN_TEXT, 0);
	time_columns(print, table);
	if (shared_whole(print, path, whole) != 0)
		text_table_column(table, "share", COLUMN_SHARE, 0);
	text_table_column(table, "", COLUMN_TEXT, 0);
	if (explanation->has_stages)
		stage_rows(print, which, whole, table);
	path_row(print, table, "whole", whole, shared_whole(print, path, whole), "");
	explain_print_table(print,
		arena_printf(print->arena, "%s of %s, operation %s", path_name(explanation, which),
			explain_metric_name(&explanation->asked), explanation->kind),
		table);
}

/* ---- other tables ---- */

static struct text_table *times_table(
	const struct explain_print *print, const char *name, bool count)
{
	struct text_table *table = text_table_new(print->arena);

	text_table_column(table, name, COLUMN_TEXT, 0);
	if (count)
		text_table_column(table, "of them", COLUMN_COUNT, 0);
	time_columns(print, table);
	return table;
}

/* Prints the medians of the first MATCHED_SHOWN pairs of matched runs. A pair consists of a run of
 * each file, with the same keys and seed. Prints nothing if there is only one pair. The rest of the
 * output explains only one pair. */
static void print_matched(const struct explain_print *print)
{
	const struct explanation *explanation = print->explanation;
	struct text_table *table;

	if (explanation->matched_count < 2)
		return;
	table = times_table(print, "runs", false);
	for (uint32_t i = 0; i < explanation->matched_count && i < MATCHED_SHOWN; i++) {
		const struct matched *matched = &explanation->matched[i];
		text_table_row(table);
		text_table_text(
			table, arena_printf(print->arena, "%lld, %lld",
				       (long long)explain_run(explanation, 0, matched->rows[0]),
				       (long long)explain_run(explanation, 1, matched->rows[1])));
		time_cells(print, table, matched->value[0], matched->value[1]);
	}
	explain_print_table(print,
		arena_printf(print->arena,
			"p50 of %s, operation %s: %u runs have the same keys and seed",
			explain_metric_name(&explanation->asked), explanation->kind,
			explanation->matched_count),
		table);
}

static void print_charged(const struct explain_print *print)
{
	const struct explanation *explanation = print->explanation;
	struct text_table *table = times_table(print, "charged", false);

	if (explanation->charged_count == 0)
		return;
	for (uint32_t i = 0; i < explanation->charged_count && i < LOADS_SHOWN; i++) {
		text_table_row(table);
		text_table_text(table, explanation->charged[i].name);
		time_cells(print, table, explanation->charged[i].time[0],
			explanation->charged[i].time[1]);
	}
	explain_print_table(print,
		explanation->single
			? "Constants on the way of an operation, most charged first"
			: "Constants on the way of an operation, largest differences first",
		table);
}

/* Returns "" if no rows were combined. Otherwise, returns a text with the number of rows before
 * similar rows were combined: "; 52 rows, alike ones folded". */
static const char *folded_text(const struct folded_loads *folded, struct arena *arena)
{
	return folded->rows == folded->count
		       ? ""
		       : arena_printf(arena, "; %u rows, alike ones folded", folded->rows);
}

static void print_loads(
	const struct explain_print *print, const char *title, const struct loads *loads)
{
	struct folded_loads folded = explain_fold(loads, print->arena);
	struct text_table *table = times_table(print, "busy", true);

	if (folded.count == 0) {
		fprintf(print->out, "\n%s: %s\n", title,
			print->explanation->single ? "idle" : "no difference");
		return;
	}
	for (uint32_t i = 0; i < folded.count && i < LOADS_SHOWN; i++) {
		const struct folded_load *row = &folded.at[i];
		text_table_row(table);
		text_table_text(table, row->load.name);
		text_table_number(table, row->count);
		time_cells(print, table, row->load.busy[0], row->load.busy[1]);
	}
	explain_print_table(print,
		arena_printf(print->arena, "%s, %s first%s", title,
			print->explanation->single ? "busiest" : "largest differences",
			folded_text(&folded, print->arena)),
		table);
}

/* Returns the largest number of places in use, and the capacity of a queue: "7 of 12". */
static const char *depth_text(const struct load *load, int side, struct arena *arena)
{
	return arena_printf(arena, "%lld of %lld", (long long)load->high_water[side],
		(long long)load->capacity[side]);
}

/* True if one of the queues in the table blocked a sender. */
static bool some_blocked(const struct folded_loads *folded)
{
	bool some = false;

	for (uint32_t i = 0; i < folded->count && i < LOADS_SHOWN; i++)
		some |= folded->at[i].load.blocked[0] > 0 || folded->at[i].load.blocked[1] > 0;
	return some;
}

/* Prints the table of queues. It is never split into blocks of columns, even on a narrow terminal,
 * because readers compare the columns of the two runs. */
static void print_queues(const struct explain_print *print)
{
	struct folded_loads folded = explain_fold(&print->explanation->queues, print->arena);
	struct text_table *table = text_table_new(print->arena);
	bool single = print->explanation->single, blocked = some_blocked(&folded);

	if (folded.count == 0)
		return;
	text_table_column(table, "queue", COLUMN_TEXT, 0);
	text_table_column(table, "of them", COLUMN_COUNT, 0);
	for (int s = 0; s < (single ? 1 : 2); s++) {
		text_table_column(table,
			single ? "deepest"
			: s    ? "second"
			       : "first",
			COLUMN_TEXT, 0);
		if (blocked)
			text_table_column(table, "blocked", COLUMN_TIME, GROUP_TIMES);
	}
	for (uint32_t i = 0; i < folded.count && i < LOADS_SHOWN; i++) {
		const struct load *load = &folded.at[i].load;
		text_table_row(table);
		text_table_text(table, load->name);
		text_table_number(table, folded.at[i].count);
		for (int s = 0; s < (single ? 1 : 2); s++) {
			text_table_text(table, depth_text(load, s, print->arena));
			if (blocked)
				text_table_number(table, load->blocked[s]);
		}
	}
	fputc('\n', print->out);
	wrap_hang(arena_printf(print->arena, "Deepest queues%s%s",
			  blocked ? ", those that blocked longest first" : "; none blocked",
			  folded_text(&folded, print->arena)),
		0, 2, answer_columns(print->out), "", print->out);
	text_table_print(table, print->out);
}

/* ---- the whole ---- */

static void print_runs(const struct explain_print *print)
{
	const struct explanation *explanation = print->explanation;

	fputc('\n', print->out);
	for (int i = 0; i < (explanation->single ? 1 : 2); i++) {
		const char *text = arena_printf(print->arena, "%srun %lld%s%s: %s (%u operations)",
			explanation->single ? ""
			: i == 0	    ? "first, "
					    : "second, ",
			(long long)explain_run(explanation, i, explanation->rows[i]),
			explanation->files[i] ? " of " : "",
			explanation->files[i] ? explanation->files[i] : "",
			explain_keys(explanation->summaries[i], explanation->rows[i], print->arena),
			explanation->samples[i].count);
		wrap_hang(text_plain(text, false, print->arena), 0, 2, answer_columns(print->out),
			"", print->out);
	}
}

static void print_not_apart(const struct explain_print *print)
{
	const char *const *not_apart = explain_not_apart(print->explanation);

	if (*not_apart)
		fputs("\nNot told apart by the marks, which is all that a run without causes has\n",
			print->out);
	for (; *not_apart; not_apart++)
		wrap_hang(*not_apart, 2, 4, answer_columns(print->out), "", print->out);
}

static void explain_print_others(const struct explain_print *print)
{
	print_matched(print);
	for (int p = PATH_P50; p < PATH_ASKED; p++)
		if (print->explanation->asked.mode == MEASURE_ASKED &&
			strcmp(explain_path_names[p], path_name(print->explanation, PATH_ASKED)) !=
				0)
			print_path(print, p);
	print_charged(print);
	print_loads(print, "Links", &print->explanation->links);
	print_loads(print, "Cores", &print->explanation->cores);
	print_queues(print);
}

void explain_text(struct explanation *explanation, bool all, bool color, FILE *out)
{
	struct arena arena;

	arena_init(&arena);
	struct explain_print print = {explanation, all, &arena, out};
	fputs(color ? "\033[1m" : "", out);
	wrap_hang(text_plain(explain_sentence(explanation), false, &arena), 0, 2,
		answer_columns(out), "", out);
	fputs(color ? "\033[0m" : "", out);
	print_runs(&print);
	print_path(&print, PATH_ASKED);
	print_not_apart(&print);
	if (all)
		explain_print_others(&print);
	else
		fprintf(out, "\n--all adds p99, mean, constants, links, cores, queues%s\n",
			explanation->matched_count > 1 ? ", and all runs" : "");
	arena_fini(&arena);
}
