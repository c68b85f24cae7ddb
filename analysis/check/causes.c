/* Finds the causes of changed figures (check_private.h). A cause is a constant that differs from
 * the baseline, or a stage whose time changed although no constant explains it. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAUSES_MAX = 64 };

/* A stage counts as changed if its time changed by at least this share of the largest change of any
 * stage. A smaller change is taken as a side effect. */
#define MOVE_LEAST 0.1

static double moved(const struct stage_move *move)
{
	return fabs(move->new - move->old);
}

static bool is_wait(enum stage stage)
{
	return stage != STAGE_COUNT && strstr(stage_label(stage), "wait") != NULL;
}

/* Returns the stage whose time changed most. Stages of waiting are considered only if no other
 * stage changed: if a stage of work takes longer, others often wait longer for it. */
static const struct stage_move *stage_behind(const struct change *change)
{
	for (uint32_t i = 0; i < change->move_count; i++)
		if (!is_wait(change->moves[i].stage))
			return &change->moves[i];
	return change->move_count ? &change->moves[0] : NULL;
}

/* Returns true if the constant can have changed figures of this run. This is so if time was charged
 * for the constant, or if charges are unknown. It is also so for three kinds of constants without
 * charged time. First, constants that keep a resource busy while others wait. Second, constants
 * that became smaller or 0, or were removed: they may have left the critical paths. Third, sizes
 * and clocks, for which no time is ever charged. */
static bool is_possible(const struct constant_move *move, const struct measured_run *run)
{
	enum stage stage = constant_stage(move->path);

	return !run->charges.known || charges_of(&run->charges, move->path) > 0 ||
	       stage == STAGE_COUNT || is_wait(stage) || !move->new ||
	       strtod(move->new, NULL) == 0 || constant_move_growth(move) < 0;
}

/* The time by which the constant prolongs the critical paths of the run to first order, ps. */
static double first_order(const struct constant_move *move, const struct measured_run *run)
{
	double growth = constant_move_growth(move);

	/* the charge in this run is the charge after the growth */
	return charges_of(&run->charges, move->path) * growth / (growth > -1 ? 1 + growth : 1);
}

/* Rates how well a constant explains that a stage moved: from 0 (not at all) to 3 (best). */
static int fit_of(const struct constant_move *move, const struct change *change, enum stage stage)
{
	double way = change->verdict == VERDICT_BETTER ? -1 : 1;
	double effect = way * first_order(move, change->run);

	if (!is_possible(move, change->run) || effect < 0 || way * constant_move_growth(move) < 0)
		return 0;
	if (constant_stage(move->path) == stage)
		return effect > 0 ? 3 : 2;
	return is_wait(stage) && effect > 0 ? 1 : 0;
}

static const struct constant_move *constant_of_stage(const struct change *change, enum stage stage)
{
	const struct constant_moves *moves = change->constants;
	const struct constant_move *best = NULL;
	double most = 0;
	int fit = 0;

	for (uint32_t i = 0; moves && i < moves->count; i++) {
		const struct constant_move *move = &moves->at[i];
		double effect = fabs(first_order(move, change->run));
		int fits = fit_of(move, change, stage);
		if (fits == 0 || fits < fit || (fits == fit && effect <= most))
			continue;
		best = move;
		most = effect;
		fit = fits;
	}
	return best;
}

/* Returns the constant that must have changed the figure, because no other changed constant can.
 * Returns NULL if there is no such constant, or if several constants can have changed it. */
static const struct constant_move *only_constant(const struct change *change)
{
	const struct constant_moves *moves = change->constants;
	const struct constant_move *only = NULL;

	for (uint32_t i = 0; moves && i < moves->count; i++) {
		if (!is_possible(&moves->at[i], change->run))
			continue;
		if (only)
			return NULL;
		only = &moves->at[i];
	}
	return only;
}

/* Returns the constant that caused a change of a figure, and sets *stage to the stage whose time
 * this constant changed. Looks at stages of work first, and then at stages of waiting. If no
 * constant explains the change of any stage, sets *stage to the stage that changed most, or to NULL
 * if there is none. In this case, returns a constant only if no other constant can have changed the
 * figure, and otherwise NULL. */
static const struct constant_move *constant_behind(
	const struct change *change, const struct stage_move **stage)
{
	const struct constant_move *constant;
	double most = change->move_count ? moved(&change->moves[0]) : 0;

	for (int waits = 0; waits < 2; waits++)
		for (uint32_t i = 0; i < change->move_count; i++) {
			const struct stage_move *move = &change->moves[i];
			if (is_wait(move->stage) != (waits == 1) || moved(move) < MOVE_LEAST * most)
				continue;
			constant = constant_of_stage(change, move->stage);
			if (!constant)
				continue;
			*stage = move;
			return constant;
		}
	*stage = stage_behind(change);
	return only_constant(change);
}

/* ---- the list ---- */

static bool causes_same(const struct constant_move *a, const struct constant_move *b)
{
	const char *x[] = {a->old ? a->old : "", a->new ? a->new : ""};
	const char *y[] = {b->old ? b->old : "", b->new ? b->new : ""};

	return strcmp(a->path, b->path) == 0 && strcmp(x[0], y[0]) == 0 && strcmp(x[1], y[1]) == 0;
}

/* Returns the entry of a constant in the list of causes. If the constant has no entry, adds one. If
 * the list already has CAUSES_MAX entries, returns instead the entry for causes without a constant.
 */
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
		return &causes->at[0]; /* the entry without a constant */
	cause = &causes->at[causes->count];
	cause->id = causes->count++;
	cause->constant = constant;
	return cause;
}

/* Adds a changed figure to the counts in `explained`. Also counts its run and its file, unless they
 * were counted before. All changes of one run follow each other, and so do all changes of one file.
 * So it is enough to compare the run and the file with those of the previous change. */
static void causes_add(
	struct explained *explained, const struct check_part *part, const struct measured_run *run)
{
	explained->figures++;
	explained->runs += explained->last_run != run;
	explained->scenarios += explained->last_part != part;
	explained->last_run = run;
	explained->last_part = part;
}

/* Returns, to first order, the share by which the change of a constant makes the critical paths of
 * a run longer. It is a share of the time before the change: if the constant has become much
 * smaller, the difference can be many times the time after the change. */
static double share_of_paths(const struct constant_move *move, const struct measured_run *run)
{
	double more = first_order(move, run), before = run->charges.whole - more;

	return run->charges.known && before > 0 ? more / before : 0;
}

/* For each changed constant of a run, updates in `causes` the share by which it makes the critical
 * paths of the run longer. */
static void add_first_order(struct causes *causes, const struct change *change)
{
	const struct measured_run *run = change->run;

	for (uint32_t i = 0; change->constants && i < change->constants->count; i++) {
		const struct constant_move *move = &change->constants->at[i];
		struct cause *cause = cause_of(causes, move);
		double share = share_of_paths(move, run);
		cause->charges_known |= run->charges.known;
		if (fabs(share) > fabs(cause->first_order))
			cause->first_order = share;
	}
}

static enum cause_basis basis_of(const struct change *change, const struct constant_move *constant,
	const struct stage_move *stage)
{
	if (first_order(constant, change->run) != 0)
		return BASIS_CHARGED;
	return stage && is_wait(stage->stage) && is_wait(constant_stage(constant->path))
		       ? BASIS_WAITS
		       : BASIS_ONLY;
}

static void add_change(
	struct causes *causes, const struct check_part *part, const struct change *change)
{
	const struct constant_move *constant;
	const struct stage_move *move;
	struct cause *cause;

	add_first_order(causes, change);
	if (change->difference != DIFFERENCE_FIGURE || change->verdict == VERDICT_TOLERATED)
		return;
	causes->constants_known &= change->constants != NULL;
	constant = constant_behind(change, &move);
	cause = cause_of(causes, constant);
	if (constant && basis_of(change, constant, move) < cause->basis)
		cause->basis = basis_of(change, constant, move);
	causes->filed[causes->filed_count++] = (struct filed){part, change, cause->id};
	if (change->verdict == VERDICT_WORSE && change_is_felt(change))
		cause->worst = fmax(cause->worst, change_size(change));
	cause->counts[change->verdict]++;
	causes_add(&cause->explained, part, change->run);
	if (!move)
		return;
	struct cause_stage *stage = &cause->stages[move->stage];
	if (!stage->largest || moved(move) > moved(stage->largest))
		stage->largest = move;
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

static int by_harm(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->worst != y->worst)
		return x->worst > y->worst ? -1 : 1;
	if (x->explained.figures != y->explained.figures)
		return x->explained.figures > y->explained.figures ? -1 : 1;
	if (!x->constant || !y->constant)
		return (x->constant == NULL) - (y->constant == NULL);
	return strcmp(x->constant->path, y->constant->path);
}

static int causes_by_size(const void *a, const void *b)
{
	const struct filed *x = a, *y = b;

	if (x->change->verdict != y->change->verdict)
		return (int)x->change->verdict - (int)y->change->verdict;
	if (change_is_felt(x->change) != change_is_felt(y->change))
		return change_is_felt(x->change) ? -1 : 1;
	if (change_size(x->change) != change_size(y->change))
		return change_size(x->change) > change_size(y->change) ? -1 : 1;
	return x->change == y->change ? 0 : x->change < y->change ? -1 : 1;
}

struct causes causes_find(const struct check_print *print)
{
	struct causes causes = {
		arena_array(print->arena, CAUSES_MAX, sizeof(*causes.at)), 0, true, NULL, 0};
	uint32_t most = 0;

	for (uint32_t p = 0; p < print->count; p++)
		most += print->parts[p].changes.count;
	causes.filed = arena_array(print->arena, most + 1, sizeof(*causes.filed));
	for (uint32_t i = 0; i < CAUSES_MAX; i++)
		causes.at[i].basis = BASIS_NONE;
	cause_of(&causes, NULL);
	for (uint32_t p = 0; p < print->count; p++)
		for (uint32_t i = 0; i < print->parts[p].changes.count; i++)
			add_change(&causes, &print->parts[p], &print->parts[p].changes.at[i]);
	for (uint32_t i = 0; i < causes.count; i++)
		qsort(causes.at[i].stages, STAGE_COUNT, sizeof(*causes.at[i].stages), by_figures);
	qsort(causes.at, causes.count, sizeof(*causes.at), by_harm);
	qsort(causes.filed, causes.filed_count, sizeof(*causes.filed), causes_by_size);
	return causes;
}
