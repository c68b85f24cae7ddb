/* The rows below a cause in the text of `meshsim check`: its worst figures, averaged over seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/operations/statistics.h"
#include "analysis/print/value_text.h"
#include "analysis/print/wrap.h"
#include "base/text.h"
#include "check_private.h"

enum { ROW_INDENT = 18 };

static int by_place(const void *a, const void *b)
{
	const struct filed *x = *(const struct filed *const *)a,
			   *y = *(const struct filed *const *)b;
	int order = (x->part > y->part) - (x->part < y->part);

	if (order == 0)
		order = strcmp(x->change->metric, y->change->metric);
	if (order == 0)
		order = strcmp(x->change->run->where, y->change->run->where);
	return order ? order : (x > y) - (x < y); /* the worst first */
}

static bool is_same_figure(const struct filed *a, const struct filed *b)
{
	return a->part == b->part && strcmp(a->change->metric, b->change->metric) == 0;
}

/* True if two figures are statistics of one metric, or one figure at two points. */
static bool is_alike(const struct filed *a, const struct filed *b)
{
	const char *x = a->change->metric, *y = b->change->metric, *last = strrchr(x, '.');
	bool has_statistic = last && last != strchr(x, '.');

	return is_same_figure(a, b) ||
	       (a->part == b->part && has_statistic && strncmp(x, y, (size_t)(last - x) + 1) == 0 &&
		       !strchr(y + (last - x) + 1, '.'));
}

/* The values of a figure before and after, in the seeds of one point. */
struct seed_sums {
	uint32_t seeds;
	double old, new, log_old, log_new; /* sums over the seeds */
	double log_squares;		   /* sum of the squared logarithms of the ratios */
	bool positive;			   /* all values have a logarithm */
};

static void seed_add(struct seed_sums *sums, double old, double new)
{
	sums->positive &= old > 0 && new > 0;
	sums->seeds++;
	sums->old += old;
	sums->new += new;
	if (!sums->positive)
		return;
	sums->log_old += log(old);
	sums->log_new += log(new);
	sums->log_squares += log(new / old) * log(new / old);
}

/* Adds to `sums` the seeds that have no change in `filed`. Their figure did not change, or changed
 * only within a tolerance. */
static void add_unchanged(struct seed_sums *sums, struct filed *const *filed, uint32_t count)
{
	const struct change *change = filed[0]->change;
	const struct measured_runs *measured = &filed[0]->part->measured;

	for (uint32_t i = 0; i < measured->run_count; i++) {
		const struct measured_run *run = &measured->runs[i];
		const struct measurement *value = NULL;
		bool changed = strcmp(run->where, change->run->where) != 0;
		for (uint32_t k = 0; k < count && !changed; k++)
			changed = filed[k]->change->run == run;
		if (!changed)
			value = measurement_named(run, change->metric);
		if (value)
			seed_add(sums, measurement_value(value), measurement_value(value));
	}
}

/* Makes a row from the changes of one figure at one point. `filed` has one change for each seed
 * whose figure changed. With several seeds, the row has the geometric means of the values. Its
 * ratio is then the mean of the ratios, with Student's interval. If a value is 0, the row has
 * arithmetic means, and no interval. */
static struct check_row row_of(struct filed *const *filed, uint32_t count)
{
	const struct change *change = filed[0]->change;
	struct seed_sums sums = {.positive = true};
	struct check_row row = {.filed = filed[0], .seeds = 1, .ratio = change_ratio(change)};
	double mean, half, worse;

	row.verdict = change->verdict;
	if (!change->metric || !change->old || !change->new)
		return row;
	for (uint32_t i = 0; i < count; i++)
		seed_add(&sums, measurement_value(filed[i]->change->old),
			measurement_value(filed[i]->change->new));
	add_unchanged(&sums, filed, count);
	if (sums.seeds < 2)
		return row;
	row.seeds = sums.seeds;
	row.old = sums.old / sums.seeds;
	row.new = sums.new / sums.seeds;
	row.ratio = row.low = row.high = row.old > 0 ? row.new / row.old - 1 : 0;
	if (sums.positive) {
		mean = (sums.log_new - sums.log_old) / sums.seeds;
		half = student_95(sums.seeds - 1) *
		       sqrt(fmax(0, sums.log_squares / sums.seeds - mean * mean) /
			       (sums.seeds - 1));
		row.old = exp(sums.log_old / sums.seeds);
		row.new = exp(sums.log_new / sums.seeds);
		row.ratio = expm1(mean);
		row.low = expm1(mean - half);
		row.high = expm1(mean + half);
	}
	worse = change->verdict == VERDICT_WORSE ? change_ratio(change) : -change_ratio(change);
	if (row.ratio != 0)
		row.verdict = (row.ratio > 0) == (worse > 0) ? VERDICT_WORSE : VERDICT_BETTER;
	return row;
}

static bool is_larger(const struct check_row *a, const struct check_row *b)
{
	if (a->verdict != b->verdict)
		return a->verdict < b->verdict;
	if (change_is_felt(a->filed->change) != change_is_felt(b->filed->change))
		return change_is_felt(a->filed->change);
	return fabs(a->ratio) > fabs(b->ratio);
}

static int by_ratio(const void *a, const void *b)
{
	const struct check_row *x = a, *y = b;

	if (is_larger(x, y) || is_larger(y, x))
		return is_larger(x, y) ? -1 : 1;
	return x->filed < y->filed ? -1 : x->filed > y->filed;
}

uint32_t check_rows_find(const struct check_print *print, const struct causes *causes, uint32_t id,
	struct check_row **rows)
{
	struct filed **sorted =
		arena_array(print->arena, causes->filed_count + 1, sizeof(struct filed *));
	uint32_t count = 0, found = 0;

	for (uint32_t i = 0; i < causes->filed_count; i++)
		if (causes->filed[i].cause == id)
			sorted[count++] = &causes->filed[i];
	qsort(sorted, count, sizeof(struct filed *), by_place);
	*rows = arena_array(print->arena, count + 1, sizeof(**rows));
	for (uint32_t i = 0, next; i < count; i = next) {
		struct check_row row, *last = &(*rows)[found ? found - 1 : 0];
		for (next = i + 1; next < count && is_same_figure(sorted[next], sorted[i]) &&
				   strcmp(sorted[next]->change->run->where,
					   sorted[i]->change->run->where) == 0;)
			next++;
		row = row_of(&sorted[i], next - i);
		if (found == 0 || !is_alike(last->filed, row.filed)) {
			(*rows)[found++] = row;
			continue;
		}
		row.alike = ++last->alike;
		if (is_larger(&row, last))
			*last = row;
	}
	qsort(*rows, found, sizeof(**rows), by_ratio);
	return found;
}

/* ---- words ---- */

/* Returns the text of change_metric(), such as "enqueue_workload.reach.p50". If `scenario` is set,
 * the name of the scenario comes first. */
static const char *named(const struct filed *filed, bool scenario, struct arena *arena)
{
	const char *metric = change_metric(filed->change, arena);

	return scenario ? arena_printf(arena, "%s %s", filed->part->changes.scenario, metric)
			: metric;
}

static const char *placed(const char *text, const char *where, struct arena *arena)
{
	return where[0] ? arena_printf(arena, "%s at %s", text, where) : text;
}

const char *check_row_text(const struct check_row *row, bool scenario, struct arena *arena)
{
	struct change mean = *row->filed->change;
	struct measurement old = *mean.old, new = *mean.new;
	const char *text, *more = "";

	if (row->seeds > 1) {
		old.is_real = new.is_real = true;
		old.real = row->old;
		new.real = row->new;
		mean.old = &old;
		mean.new = &new;
	}
	text = arena_printf(
		arena, "%s %s", named(row->filed, scenario, arena), change_pair(&mean, arena));
	if (row->seeds > 1 && row->low < row->high)
		text = arena_printf(arena, "%s (95 %% over %u seeds: %s)", text, row->seeds,
			ratio_range(row->low, row->high, arena));
	if (row->alike > 0)
		more = arena_printf(arena, ", and %u like it", row->alike);
	return arena_printf(
		arena, "%s%s", placed(text, row->filed->change->run->where, arena), more);
}

void check_row_print(
	const struct filed *filed, double ratio, const char *text, struct arena *arena, FILE *out)
{
	const char *head = "";

	if (filed->change->old && filed->change->new)
		head = fabs(ratio) >= 1e-5 ? ratio_change(ratio, arena)
					   : change_text(filed->change, arena);
	if (!head[0]) {
		wrap_hang(text_plain(text, false, arena), 4, 6, answer_columns(out), "", out);
		return;
	}
	wrap_print(text_plain(head, false, arena), text_plain(text, false, arena), 4, ROW_INDENT,
		answer_columns(out), out);
}

static const char *seed_of(const struct measured_run *run)
{
	for (uint32_t i = 0; i < run->key_count; i++)
		if (strcmp(run->keys[i].name, "seed") == 0)
			return run->keys[i].value;
	return "";
}

/* True if runs of the file differ in their seeds. */
static bool seeds_differ(const struct filed *filed)
{
	const struct measured_runs *measured = &filed->part->measured;
	const char *seed = seed_of(filed->change->run);

	for (uint32_t i = 0; i < measured->run_count; i++)
		if (strcmp(seed_of(&measured->runs[i]), seed) != 0)
			return true;
	return false;
}

void check_rows_print(
	const struct check_print *print, const struct filed *filed, uint32_t count, FILE *out)
{
	struct arena *arena = print->arena;

	for (uint32_t i = 0; i < count; i++) {
		const struct change *change = filed[i].change;
		const char *where = change->run->where,
			   *text = named(&filed[i], print->count > 1, arena);
		if (change->metric || change->difference == DIFFERENCE_STATUS)
			text = arena_printf(arena, "%s %s", text, change_pair(change, arena));
		if (seeds_differ(&filed[i]))
			where = arena_printf(arena, "%s%sseed=%s", where, where[0] ? ", " : "",
				seed_of(change->run));
		check_row_print(
			&filed[i], change_ratio(change), placed(text, where, arena), arena, out);
	}
}
