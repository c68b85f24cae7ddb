/* Compares figures, see changes.h. Refuses tolerances without effect. */
#include "changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

const char *const verdict_names[VERDICT_COUNT] = {"worse", "better", "tolerated"};
const char *const difference_names[DIFFERENCE_COUNT] = {"figure", "status", "missing", "extra"};

/* ---- what is better ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static double value_of(const struct figure *figure)
{
	return figure->is_real ? figure->real : (double)figure->integer;
}

/* Below 0: less than old; exact between integers. */
static int order_of(const struct figure *old, const struct figure *new)
{
	if (!old->is_real && !new->is_real)
		return (new->integer > old->integer) - (new->integer < old->integer);
	return (value_of(new) > value_of(old)) - (value_of(new) < value_of(old));
}

static bool is_worse(const struct figure *old, const struct figure *new)
{
	int order = order_of(old, new);

	if (ends_with(new->name, ".count"))
		return order != 0;
	if (ends_with(new->name, "throughput") || strcmp(new->name, "verified") == 0)
		return order < 0;
	return order > 0;
}

/* ---- tolerances ---- */

/* True if `part` is the name or a part of it between dots. */
static bool is_part(const char *name, const char *part)
{
	size_t length = strlen(part);

	for (const char *at = strstr(name, part); at && length; at = strstr(at + 1, part))
		if ((at == name || at[-1] == '.') && (at[length] == '\0' || at[length] == '.'))
			return true;
	return false;
}

static double tolerance_of(
	const char *name, const struct check_tolerance *tolerances, uint32_t count, double percent)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_part(name, tolerances[i].metric))
			percent = tolerances[i].percent;
	return percent;
}

static bool fits_some(const struct figures *figures, const char *metric)
{
	for (uint32_t r = 0; r < figures->run_count; r++)
		for (uint32_t f = 0; f < figures->runs[r].figure_count; f++)
			if (is_part(figures->runs[r].figures[f].name, metric))
				return true;
	return false;
}

bool gate_tolerances(const struct figures *result, const struct check_tolerance *tolerances,
	uint32_t count, struct text *why)
{
	for (uint32_t i = 0; i < count; i++) {
		struct nearest nearest;
		if (fits_some(result, tolerances[i].metric))
			continue;
		text_printf(
			why, "tolerance of '%s': there is no such figure", tolerances[i].metric);
		nearest_start(&nearest, tolerances[i].metric);
		for (uint32_t f = 0; result->run_count && f < result->runs[0].figure_count; f++)
			nearest_offer(&nearest, result->runs[0].figures[f].name);
		if (nearest.best)
			text_printf(why, ", did you mean '%s'?", nearest.best);
		return false;
	}
	return true;
}

/* ---- stages ---- */

static int by_size(const void *a, const void *b)
{
	const struct stage_move *x = a, *y = b;
	double p = fabs(x->new - x->old), q = fabs(y->new - y->old);

	if (p != q)
		return p > q ? -1 : 1;
	return (x->stage > y->stage) - (x->stage < y->stage);
}

/* Stages that take longer, if the change is for the worse; else those that take less. */
static void find_moves(struct change *change, const struct stage_sums *old,
	const struct stage_sums *new, struct arena *arena)
{
	change->move_count = 0;
	change->moves = arena_array(arena, STAGE_COUNT, sizeof(*change->moves));
	for (int stage = 0; old && new &&stage < STAGE_COUNT; stage++) {
		double before = (double)old->time[stage] / (double)old->count;
		double after = (double)new->time[stage] / (double)new->count;
		if (change->verdict == VERDICT_BETTER ? after < before : after > before)
			change->moves[change->move_count++] =
				(struct stage_move){(enum stage)stage, before, after};
	}
	qsort(change->moves, change->move_count, sizeof(*change->moves), by_size);
}

/* Of a total of the run: the critical path that explains most. */
static void find_total_moves(
	struct change *change, const struct figures_run *old, struct arena *arena)
{
	struct change best = *change;

	for (uint32_t i = 0; i < change->run->sums_count; i++) {
		const struct stage_sums *sums = &change->run->sums[i];
		struct change tried = *change;
		if (!ends_with(sums->name, ".round") && !ends_with(sums->name, ".latency"))
			continue;
		find_moves(&tried, figures_sums_named(old, sums->name), sums, arena);
		if (tried.move_count &&
			(best.move_count == 0 ||
				fabs(tried.moves[0].new - tried.moves[0].old) >
					fabs(best.moves[0].new - best.moves[0].old)))
			best = tried;
	}
	*change = best;
}

static void name_stages(struct change *change, const struct figures_run *old, struct arena *arena)
{
	const struct stage_sums *sums;

	if (!strchr(change->metric, '.')) {
		find_total_moves(change, old, arena);
		return;
	}
	sums = figures_sums(change->run, change->metric);
	if (sums)
		find_moves(change, figures_sums_named(old, sums->name), sums, arena);
}

/* ---- comparison ---- */

struct compare {
	struct gate *gate;
	const struct baseline *baseline;
	const struct check_tolerance *tolerances;
	uint32_t tolerance_count;
	struct arena *arena;
};

static struct change *add(struct compare *compare, enum verdict verdict, enum difference difference,
	const struct figures_run *run)
{
	struct gate *gate = compare->gate;
	struct change *change = &gate->changes[gate->change_count++];

	*change = (struct change){
		.verdict = verdict, .difference = difference, .run = run, .unit = ""};
	gate->counts[verdict]++;
	return change;
}

static void compare_figure(struct compare *compare, const struct figures_run *run,
	const struct figures_run *old_run, const struct figure *old, const struct figure *new)
{
	const struct baseline *baseline = compare->baseline;
	enum verdict verdict = VERDICT_BETTER;
	struct change *change;
	double percent;

	if (order_of(old, new) == 0)
		return;
	if (is_worse(old, new)) {
		percent =
			tolerance_of(new->name, baseline->tolerances, baseline->tolerance_count, 0);
		percent = tolerance_of(
			new->name, compare->tolerances, compare->tolerance_count, percent);
		verdict = fabs(value_of(new) - value_of(old)) <= fabs(value_of(old)) * percent / 100
				  ? VERDICT_TOLERATED
				  : VERDICT_WORSE;
	}
	change = add(compare, verdict, DIFFERENCE_FIGURE, run);
	change->metric = new->name;
	change->unit = new->unit;
	change->old = old;
	change->new = new;
	name_stages(change, old_run, compare->arena);
}

static void compare_runs(
	struct compare *compare, const struct figures_run *run, const struct figures_run *old)
{
	struct change *change;

	if (strcmp(run->status, old->status) != 0) {
		bool good = strcmp(run->status, "ok") == 0;
		change =
			add(compare, good ? VERDICT_BETTER : VERDICT_WORSE, DIFFERENCE_STATUS, run);
		change->old_status = old->status;
		change->new_status = run->status;
		return;
	}
	for (uint32_t i = 0; i < run->figure_count; i++) {
		const struct figure *new = &run->figures[i];
		const struct figure *before = figures_named(old, new->name);
		if (before) {
			compare_figure(compare, run, old, before, new);
			continue;
		}
		change = add(compare, VERDICT_WORSE, DIFFERENCE_EXTRA, run);
		change->metric = new->name;
		change->unit = new->unit;
		change->new = new;
	}
	for (uint32_t i = 0; i < old->figure_count; i++) {
		if (figures_named(run, old->figures[i].name))
			continue;
		change = add(compare, VERDICT_WORSE, DIFFERENCE_MISSING, run);
		change->metric = old->figures[i].name;
		change->old = &old->figures[i];
	}
}

static bool same_keys(const struct figures_run *a, const struct figures_run *b)
{
	if (a->key_count != b->key_count)
		return false;
	for (uint32_t i = 0; i < a->key_count; i++) {
		uint32_t j = 0;
		while (j < b->key_count && (strcmp(a->keys[i].name, b->keys[j].name) != 0 ||
						   strcmp(a->keys[i].value, b->keys[j].value) != 0))
			j++;
		if (j == b->key_count)
			return false;
	}
	return true;
}

/* The first run of these keys that was not taken yet, or the count of runs. */
static uint32_t match(
	const struct figures *figures, const bool *taken, const struct figures_run *run)
{
	uint32_t i = 0;

	while (i < figures->run_count && (taken[i] || !same_keys(&figures->runs[i], run)))
		i++;
	return i;
}

static uint64_t changes_most(const struct figures *a, const struct figures *b)
{
	uint64_t most = (uint64_t)a->run_count + b->run_count;

	for (uint32_t i = 0; i < a->run_count; i++)
		most += a->runs[i].figure_count;
	for (uint32_t i = 0; i < b->run_count; i++)
		most += b->runs[i].figure_count;
	return most;
}

bool gate_compare(struct gate *gate, const struct figures *result, const struct baseline *baseline,
	const struct check_tolerance *tolerances, uint32_t tolerance_count, struct arena *arena,
	struct text *why)
{
	const struct figures *old = &baseline->figures;
	struct compare compare = {gate, baseline, tolerances, tolerance_count, arena};
	bool *taken = arena_array(arena, old->run_count, sizeof(*taken));

	*gate = (struct gate){.scenario = result->scenario, .run_count = result->run_count};
	if (strcmp(result->scenario, old->scenario) != 0) {
		text_printf(why, "a result of scenario '%s', but the baseline is of '%s'",
			result->scenario, old->scenario);
		return false;
	}
	if (!gate_tolerances(result, tolerances, tolerance_count, why))
		return false;
	gate->changes = arena_array(arena, changes_most(result, old), sizeof(*gate->changes));
	for (uint32_t i = 0; i < result->run_count; i++) {
		const struct figures_run *run = &result->runs[i];
		uint32_t at = match(old, taken, run);
		gate->figure_count += run->figure_count;
		if (at == old->run_count) {
			add(&compare, VERDICT_WORSE, DIFFERENCE_EXTRA, run)->new_status =
				run->status;
			continue;
		}
		taken[at] = true;
		compare_runs(&compare, run, &old->runs[at]);
	}
	for (uint32_t i = 0; i < old->run_count; i++)
		if (!taken[i])
			add(&compare, VERDICT_WORSE, DIFFERENCE_MISSING, &old->runs[i])
				->old_status = old->runs[i].status;
	return true;
}
