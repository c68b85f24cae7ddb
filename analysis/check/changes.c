/* Compares measurements with a baseline, see changes.h. */
#include "changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

const char *const verdict_names[VERDICT_COUNT] = {"worse", "better", "tolerated"};
const char *const difference_names[DIFFERENCE_COUNT] = {"figure", "status", "missing", "extra"};

/* ---- what is better ---- */

static bool changes_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Returns a negative number if `new` is less than `old`, a positive one if it is greater, or 0. */
static int order_of(const struct measurement *old, const struct measurement *new)
{
	if (!old->is_real && !new->is_real)
		return (new->integer > old->integer) - (new->integer < old->integer);
	return (measurement_value(new) > measurement_value(old)) -
	       (measurement_value(new) < measurement_value(old));
}

/* True for figures of the simulator's own work, which say nothing about the simulated machine. */
static bool is_neutral(const struct measurement *measurement)
{
	return strcmp(measurement->name, "events") == 0;
}

static bool is_worse(const struct measurement *old, const struct measurement *new)
{
	int order = order_of(old, new);

	if (changes_ends_with(new->name, ".count"))
		return order != 0;
	if (changes_ends_with(new->name, "throughput") ||
		changes_ends_with(new->name, "bandwidth") || strcmp(new->name, "verified") == 0)
		return order < 0;
	return order > 0;
}

/* ---- tolerances ---- */

static double tolerance_of(
	const char *name, const struct check_tolerance *tolerances, uint32_t count, double percent)
{
	for (uint32_t i = 0; i < count; i++)
		if (name_has_part(name, tolerances[i].metric))
			percent = tolerances[i].percent;
	return percent;
}

static bool fits_some(const struct measured_runs *measured, const char *metric)
{
	for (uint32_t r = 0; r < measured->run_count; r++)
		for (uint32_t f = 0; f < measured->runs[r].measurement_count; f++)
			if (name_has_part(measured->runs[r].measurements[f].name, metric))
				return true;
	return false;
}

bool tolerances_fit(const struct measured_runs *result, const struct check_tolerance *tolerances,
	uint32_t count, struct text *why)
{
	for (uint32_t i = 0; i < count; i++) {
		struct nearest nearest;
		if (fits_some(result, tolerances[i].metric))
			continue;
		text_printf(
			why, "tolerance of '%s': there is no such figure", tolerances[i].metric);
		nearest_start(&nearest, tolerances[i].metric);
		for (uint32_t f = 0; result->run_count && f < result->runs[0].measurement_count;
			f++)
			nearest_offer(&nearest, result->runs[0].measurements[f].name);
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

/* Lists the stages whose times changed in the same direction as the figure: the stages that take
 * less time if the figure became better, and the stages that take more time if it became worse. */
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

/* Lists the stages that explain why a total of the run changed. For each kind of operation,
 * compares the critical paths of rounds and of latencies with those of the baseline. Finds the path
 * in which a single stage changed most, and lists the stages of this path. */
static void find_total_moves(
	struct change *change, const struct measured_run *old, struct arena *arena)
{
	struct change best = *change;

	for (uint32_t i = 0; i < change->run->sums_count; i++) {
		const struct stage_sums *sums = &change->run->sums[i];
		struct change tried = *change;
		if (!changes_ends_with(sums->name, ".round") &&
			!changes_ends_with(sums->name, ".latency"))
			continue;
		find_moves(&tried, measured_sums_named(old, sums->name), sums, arena);
		if (tried.move_count &&
			(best.move_count == 0 ||
				fabs(tried.moves[0].new - tried.moves[0].old) >
					fabs(best.moves[0].new - best.moves[0].old)))
			best = tried;
	}
	*change = best;
}

static void name_stages(struct change *change, const struct measured_run *old, struct arena *arena)
{
	const struct stage_sums *sums;

	if (!strchr(change->metric, '.')) {
		find_total_moves(change, old, arena);
		return;
	}
	sums = measured_sums(change->run, change->metric);
	if (sums)
		find_moves(change, measured_sums_named(old, sums->name), sums, arena);
}

/* ---- comparison ---- */

struct compare {
	struct changes *changes;
	const struct baseline *baseline;
	const struct check_tolerance *tolerances;
	uint32_t tolerance_count;
	struct arena *arena;
	/* the constants that `moves` compares */
	const struct measured_constants *old_constants, *new_constants;
	const struct constant_moves *moves;
};

/* Compares the constants of two runs. Does nothing if the last call had the same two runs. */
static void compare_constants(
	struct compare *compare, const struct measured_run *run, const struct measured_run *old)
{
	struct constant_moves *moves;

	if (run->constants == compare->new_constants && old->constants == compare->old_constants)
		return;
	compare->new_constants = run->constants;
	compare->old_constants = old->constants;
	compare->moves = NULL;
	if (!run->constants || !old->constants)
		return;
	moves = arena_alloc(compare->arena, sizeof(*moves));
	*moves = constant_moves_find(old->constants, run->constants, compare->arena);
	compare->moves = moves;
}

static struct change *changes_add(struct compare *compare, enum verdict verdict,
	enum difference difference, const struct measured_run *run)
{
	struct changes *changes = compare->changes;
	struct change *change = &changes->at[changes->count++];

	*change = (struct change){
		.verdict = verdict, .difference = difference, .run = run, .unit = ""};
	changes->counts[verdict]++;
	return change;
}

static void compare_figure(struct compare *compare, const struct measured_run *run,
	const struct measured_run *old_run, const struct measurement *old,
	const struct measurement *new)
{
	const struct baseline *baseline = compare->baseline;
	enum verdict verdict = VERDICT_BETTER;
	struct change *change;
	double percent;

	if (order_of(old, new) == 0)
		return;
	if (is_neutral(new)) {
		verdict = VERDICT_TOLERATED;
	} else if (is_worse(old, new)) {
		percent =
			tolerance_of(new->name, baseline->tolerances, baseline->tolerance_count, 0);
		percent = tolerance_of(
			new->name, compare->tolerances, compare->tolerance_count, percent);
		verdict = fabs(measurement_value(new) - measurement_value(old)) <=
					  fabs(measurement_value(old)) * percent / 100
				  ? VERDICT_TOLERATED
				  : VERDICT_WORSE;
	}
	change = changes_add(compare, verdict, DIFFERENCE_FIGURE, run);
	change->metric = new->name;
	change->unit = new->unit;
	change->old = old;
	change->new = new;
	change->constants = compare->moves;
	name_stages(change, old_run, compare->arena);
}

static void compare_runs(
	struct compare *compare, const struct measured_run *run, const struct measured_run *old)
{
	struct change *change;

	if (strcmp(run->status, old->status) != 0) {
		bool good = strcmp(run->status, "ok") == 0;
		change = changes_add(
			compare, good ? VERDICT_BETTER : VERDICT_WORSE, DIFFERENCE_STATUS, run);
		change->old_status = old->status;
		change->new_status = run->status;
		return;
	}
	compare_constants(compare, run, old);
	for (uint32_t i = 0; i < run->measurement_count; i++) {
		const struct measurement *new = &run->measurements[i];
		const struct measurement *before = measurement_named(old, new->name);
		if (before) {
			compare_figure(compare, run, old, before, new);
			continue;
		}
		change = changes_add(compare, VERDICT_WORSE, DIFFERENCE_EXTRA, run);
		change->metric = new->name;
		change->unit = new->unit;
		change->new = new;
	}
	for (uint32_t i = 0; i < old->measurement_count; i++) {
		if (measurement_named(run, old->measurements[i].name))
			continue;
		change = changes_add(compare, VERDICT_WORSE, DIFFERENCE_MISSING, run);
		change->metric = old->measurements[i].name;
		change->old = &old->measurements[i];
	}
}

static bool changes_same_keys(const struct measured_run *a, const struct measured_run *b)
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

/* Returns the index in `measured` of the first run that has the same keys as `run` and is not yet
 * marked in `taken`. If there is none, returns the number of runs. */
static uint32_t changes_match(
	const struct measured_runs *measured, const bool *taken, const struct measured_run *run)
{
	uint32_t i = 0;

	while (i < measured->run_count && (taken[i] || !changes_same_keys(&measured->runs[i], run)))
		i++;
	return i;
}

static uint64_t changes_most(const struct measured_runs *a, const struct measured_runs *b)
{
	uint64_t most = (uint64_t)a->run_count + b->run_count;

	for (uint32_t i = 0; i < a->run_count; i++)
		most += a->runs[i].measurement_count;
	for (uint32_t i = 0; i < b->run_count; i++)
		most += b->runs[i].measurement_count;
	return most;
}

bool changes_find(struct changes *changes, const struct measured_runs *result,
	const struct baseline *baseline, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct arena *arena, struct text *why)
{
	const struct measured_runs *old = &baseline->measured;
	struct compare compare = {
		changes, baseline, tolerances, tolerance_count, arena, NULL, NULL, NULL};
	bool *taken = arena_array(arena, old->run_count, sizeof(*taken));

	*changes = (struct changes){.scenario = result->scenario, .run_count = result->run_count};
	if (strcmp(result->scenario, old->scenario) != 0) {
		text_printf(why, "a result of scenario '%s', but the baseline is of '%s'",
			result->scenario, old->scenario);
		return false;
	}
	if (!tolerances_fit(result, tolerances, tolerance_count, why))
		return false;
	changes->at = arena_array(arena, changes_most(result, old), sizeof(*changes->at));
	for (uint32_t i = 0; i < result->run_count; i++) {
		const struct measured_run *run = &result->runs[i];
		uint32_t at = changes_match(old, taken, run);
		changes->measurement_count += run->measurement_count;
		if (at == old->run_count) {
			changes_add(&compare, VERDICT_WORSE, DIFFERENCE_EXTRA, run)->new_status =
				run->status;
			continue;
		}
		taken[at] = true;
		compare_runs(&compare, run, &old->runs[at]);
	}
	for (uint32_t i = 0; i < old->run_count; i++)
		if (!taken[i])
			changes_add(&compare, VERDICT_WORSE, DIFFERENCE_MISSING, &old->runs[i])
				->old_status = old->runs[i].status;
	return true;
}
