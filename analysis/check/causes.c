/* Finds the causes of changed figures (check_private.h). The cause of a change is a constant that
 * differs from the baseline and that is charged to the stage that moved most. If only one constant
 * differs, this constant is the cause in any case. If no constant fits, only the stage is named. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAUSES_MAX = 64 };

static double moved(const struct stage_move *move)
{
	return fabs(move->new - move->old);
}

static bool is_wait(enum stage stage)
{
	return strstr(stage_label(stage), "wait") != NULL;
}

/* Returns the stage that moved most. Stages of waiting count only if no other stage moved, because
 * a wait gets longer whenever another stage does. */
static const struct stage_move *stage_behind(const struct change *change)
{
	for (uint32_t i = 0; i < change->move_count; i++)
		if (!is_wait(change->moves[i].stage))
			return &change->moves[i];
	return change->move_count ? &change->moves[0] : NULL;
}

/* Estimates how much more time this run charges for a constant because its value changed. Returns a
 * negative number if the constant cannot be the cause, because it was never charged in this run
 * although it belongs to a stage. */
static double causes_weight_of(const struct constant_move *move, const struct measured_run *run)
{
	double time = charges_of(&run->charges, move->path);
	bool vanished = !move->new || strtod(move->new, NULL) == 0;

	if (!run->charges.known || time == 0)
		return run->charges.known && constant_stage(move->path) != STAGE_COUNT && !vanished
			       ? -1
			       : 0;
	return time * constant_move_growth(move);
}

static const struct constant_move *constant_behind(const struct change *change, enum stage stage)
{
	const struct constant_moves *moves = change->constants;
	const struct constant_move *best = NULL, *only = NULL;
	double most = 0;
	uint32_t possible = 0;

	for (uint32_t i = 0; moves && i < moves->count; i++) {
		const struct constant_move *move = &moves->at[i];
		double weight = causes_weight_of(move, change->run);
		if (weight < 0)
			continue;
		possible++;
		only = move;
		if ((constant_stage(move->path) != stage && !is_wait(stage)) ||
			(best && weight <= most))
			continue;
		best = move;
		most = weight;
	}
	return possible == 1 ? only : best;
}

static bool causes_same(const struct constant_move *a, const struct constant_move *b)
{
	const char *x[] = {a->old ? a->old : "", a->new ? a->new : ""};
	const char *y[] = {b->old ? b->old : "", b->new ? b->new : ""};

	return strcmp(a->path, b->path) == 0 && strcmp(x[0], y[0]) == 0 && strcmp(x[1], y[1]) == 0;
}

/* Returns the entry of a constant in the list of causes, and adds an entry if the constant has
 * none. If the list already has CAUSES_MAX entries, returns the entry without a constant. */
static struct cause *cause_of(struct causes *causes, const struct constant_move *constant)
{
	struct cause *cause;

	for (uint32_t i = 0; i < causes->count; i++) {
		cause = &causes->at[i];
		if (!constant && !cause->constant)
			return cause;
		if (constant && cause->constant && causes_same(cause->constant, constant))
			return cause;
	}
	if (causes->count == CAUSES_MAX)
		return &causes->at[0]; /* the cause without a constant */
	cause = &causes->at[causes->count++];
	cause->constant = constant;
	return cause;
}

/* Counts a changed figure of `explained`, and also its run and its file if they were not counted
 * before. All changes of one run follow each other, and so do all changes of one file. So comparing
 * with the last run and the last file suffices. */
static void causes_add(
	struct explained *explained, const struct check_part *part, const struct measured_run *run)
{
	explained->figures++;
	explained->runs += explained->last_run != run;
	explained->scenarios += explained->last_part != part;
	explained->last_run = run;
	explained->last_part = part;
}

static void add_change(
	struct causes *causes, const struct check_part *part, const struct change *change)
{
	const struct stage_move *move = stage_behind(change);
	struct cause_stage *stage;
	struct cause *cause;

	for (uint32_t i = 0; change->constants && i < change->constants->count; i++)
		cause_of(causes, &change->constants->at[i]);
	if (!move || change->verdict == VERDICT_TOLERATED)
		return;
	causes->constants_known &= change->constants != NULL;
	cause = cause_of(causes, constant_behind(change, move->stage));
	stage = &cause->stages[move->stage];
	if (!stage->largest || moved(move) > moved(stage->largest))
		stage->largest = move;
	causes_add(&cause->explained, part, change->run);
	causes_add(&stage->explained, part, change->run);
}

/* ---- order ---- */

static int by_figures(const void *a, const void *b)
{
	const struct cause_stage *x = a, *y = b;

	if (x->explained.figures != y->explained.figures)
		return x->explained.figures > y->explained.figures ? -1 : 1;
	if (!x->largest || !y->largest)
		return 0;
	return (int)x->largest->stage - (int)y->largest->stage;
}

static int by_constant(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (!x->constant || !y->constant)
		return (x->constant == NULL) - (y->constant == NULL);
	if (x->explained.figures != y->explained.figures)
		return x->explained.figures > y->explained.figures ? -1 : 1;
	return strcmp(x->constant->path, y->constant->path);
}

struct causes causes_find(const struct check_print *print)
{
	struct causes causes = {arena_array(print->arena, CAUSES_MAX, sizeof(*causes.at)), 0, true};

	cause_of(&causes, NULL);
	for (uint32_t p = 0; p < print->count; p++)
		for (uint32_t i = 0; i < print->parts[p].changes.count; i++)
			add_change(&causes, &print->parts[p], &print->parts[p].changes.at[i]);
	for (uint32_t i = 0; i < causes.count; i++)
		qsort(causes.at[i].stages, STAGE_COUNT, sizeof(*causes.at[i].stages), by_figures);
	qsort(causes.at, causes.count, sizeof(*causes.at), by_constant);
	return causes;
}
