/* Cross-validation by groups of rows and by machines, see fit.h. */
#include "bench/tools/reference/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

const char *const folds_keys[] = {"system", "pattern", "op", "topology", "links", "processors",
	"cores", "trace", "dispatch_cores", "kernel_groups", "direction", "memory", "device",
	"layout", "pinned", "threads", "forward", "metric", NULL};

/* The rows of a fold are predicted with constants that are fitted to all other rows. A constant
 * counts as determined by the other rows if they contain at least this fraction of the information
 * that all rows together contain about the constant. */
#define KNOWN_LEAST 0.02

/* Replaces KNOWN_LEAST if a fold has all rows of a machine. The rows of other machines depend
 * slightly on many constants of this machine. With the lower limit KNOWN_LEAST, these constants
 * would count as determined, although they were fitted to the machine's own rows. */
#define KNOWN_LEAST_OF_MACHINES 0.2

/* A row depends on a constant if the slope of ln(predicted) over ln(constant) is more than this. */
#define DEPENDS_LEAST 0.05

/* ---- constants of other machines ---- */

static bool uses(const struct fit *fit, uint32_t system, uint32_t constant)
{
	return fit->constants[constant].systems >> system & 1;
}

/* Returns the number of constants that two machines have in common. */
static uint32_t likeness(const struct fit *fit, uint32_t one, uint32_t other)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < fit->count; i++)
		count += uses(fit, one, i) && uses(fit, other, i);
	return count;
}

/* Lists all machines except `system` in *order. The machines that have the most constants in common
 * with `system` come first. Returns the number of machines in the list. */
static uint32_t find_order(const struct fit *fit, uint32_t system, uint32_t *order)
{
	uint32_t count = 0;

	for (uint32_t other = 0; other < fit->system_count; other++) {
		uint32_t place = count;

		if (other == system)
			continue;
		for (; place > 0 &&
			likeness(fit, system, order[place - 1]) < likeness(fit, system, other);
			place--)
			order[place] = order[place - 1];
		order[place] = other;
		count++;
	}
	return count;
}

/* Returns the value that a machine has after the fit for the constant with this name. NAN: none. */
static double value_on(
	const struct fit *fit, uint32_t system, uint32_t constant, const double *moves)
{
	for (uint32_t i = 0; i < fit->count; i++)
		if (uses(fit, system, i) &&
			strcmp(fit->constants[i].name, fit->constants[constant].name) == 0)
			return fit->constants[i].before * exp(moves[i]);
	return fit->constants[constant].elsewhere[system];
}

/* Used if the rows of machine `system` are left out of a fit. The fit then has no values for the
 * constants that only this machine uses, and for the constants i of this machine for which
 * unknown[i] is true. Gives each of them the fitted value of the constant with the same name on
 * another machine, preferably on one that has many constants in common with this machine.
 * Afterwards, unknown[i] is true if no other machine has such a value. */
static void borrow(const struct fit *fit, uint32_t system, bool *unknown, double *moves)
{
	uint32_t order[FIT_SYSTEMS_MAX], count = find_order(fit, system, order);

	for (uint32_t i = 0; i < fit->count; i++) {
		bool is_own = fit->constants[i].systems == 1u << system, lent = false;

		if (!is_own && !(unknown[i] && uses(fit, system, i)))
			continue;
		for (uint32_t o = 0; o < count && !lent; o++) {
			double value =
				uses(fit, order[o], i) ? NAN : value_on(fit, order[o], i, moves);

			if (isnan(value) || !(fit->constants[i].before > 0))
				continue;
			moves[i] = log(value / fit->constants[i].before);
			lent = true;
		}
		unknown[i] = !lent;
	}
}

/* ---- parts ---- */

struct work {
	struct folds *folds;
	struct fit *fit;
	const struct reference *reference;
	struct fit_slopes slopes;      /* `at` has the in-sample predictions */
	double all[FIT_CONSTANTS_MAX]; /* how much information all rows contain about each
					* constant */
};

/* A division of the rows into parts. The rows of each part are predicted with constants that are
 * fitted to the rows of all other parts. */
struct parts {
	uint32_t *of, count; /* of[row] is the part of a row; PART_NONE: the row is not predicted */
	double *moves;	     /* [part * FIT_CONSTANTS_MAX + constant] */
	uint32_t alone;
	bool machines; /* each part has the rows of one machine; constants that the other rows do
			* not determine are taken from the most similar machine */
};

#define PART_NONE UINT32_MAX

static void parts_init(struct parts *parts, const struct work *work, uint32_t count)
{
	parts->count = count;
	parts->of = allocate(work->reference->count, sizeof *parts->of);
	parts->moves = allocate((size_t)count * FIT_CONSTANTS_MAX, sizeof *parts->moves);
}

static void parts_fini(struct parts *parts)
{
	free(parts->of);
	free(parts->moves);
}

/* True if the row depends on one of the constants i with constants[i]. */
static bool depends(const struct work *work, uint32_t row, const bool *constants)
{
	for (uint32_t i = 0; i < work->fit->count; i++)
		if (constants[i] &&
			fabs(work->slopes.slopes[row * FIT_CONSTANTS_MAX + i]) > DEPENDS_LEAST)
			return true;
	return false;
}

/* Fits the constants to the rows outside of a part. */
static void fit_part(
	const struct work *work, struct parts *parts, const uint32_t *groups, uint32_t part)
{
	double *moves = &parts->moves[part * FIT_CONSTANTS_MAX], known[FIT_CONSTANTS_MAX];
	uint32_t rows = work->reference->count;
	bool *kept = allocate(rows, sizeof *kept), unknown[FIT_CONSTANTS_MAX];

	for (uint32_t row = 0; row < rows; row++)
		kept[row] = groups[row] != part;
	if (work->fit->count > 0)
		fit_solve(work->fit, work->reference, &work->slopes, work->slopes.at, kept, moves,
			known);
	for (uint32_t i = 0; i < work->fit->count; i++)
		unknown[i] = known[i] < work->all[i] * (parts->machines ? KNOWN_LEAST_OF_MACHINES
									: KNOWN_LEAST);
	if (parts->machines)
		borrow(work->fit, part, unknown, moves);
	for (uint32_t row = 0; row < rows; row++)
		parts->alone += parts->of[row] == part && depends(work, row, unknown);
	free(kept);
}

/* Runs each row with the constants that were fitted for its part. */
static bool predict_parts(
	const struct work *work, const struct parts *parts, struct prediction *predictions)
{
	const struct prediction *at = work->slopes.at;
	uint32_t rows = work->reference->count, count = 0;
	struct fit_task *tasks = allocate(rows, sizeof *tasks);
	struct prediction *ran = allocate(rows, sizeof *ran);
	bool good;

	for (uint32_t row = 0; row < rows; row++) {
		predictions[row] = (struct prediction){.experiment = at[row].experiment};
		if (at[row].ran && parts->of[row] != PART_NONE)
			tasks[count++] = (struct fit_task){
				row, &parts->moves[parts->of[row] * FIT_CONSTANTS_MAX]};
	}
	good = fit_tasks(work->fit, work->reference, tasks, count, ran);
	for (uint32_t i = 0; good && i < count; i++)
		predictions[tasks[i].row] = ran[i];
	free(tasks);
	free(ran);
	return good;
}

/* Divides groups of rows into folds, fits constants for each fold, and predicts its rows. */
static bool run_folds(const struct work *work, struct prediction *predictions)
{
	struct folds *folds = work->folds;
	struct parts parts = {0};
	bool good;

	parts_init(&parts, work, folds->count);
	folds->groups = validate_group(work->reference, folds->keys, folds->key_count, parts.of);
	for (uint32_t row = 0; row < work->reference->count; row++)
		parts.of[row] %= folds->count;
	for (uint32_t fold = 0; fold < folds->count; fold++)
		fit_part(work, &parts, parts.of, fold);
	folds->alone = parts.alone;
	good = predict_parts(work, &parts, predictions);
	parts_fini(&parts);
	return good;
}

/* ---- machines ---- */

static uint32_t system_of(const struct work *work, uint32_t row)
{
	uint32_t i = 0;

	while (strcmp(work->fit->systems[i], work->reference->rows[row].system) != 0)
		i++;
	return i;
}

/* True if another machine has rows of the same family. */
static bool is_shared(const struct reference *reference, uint32_t row)
{
	const struct reference_row *own = &reference->rows[row];

	for (uint32_t i = 0; i < reference->count; i++)
		if (strcmp(reference->rows[i].family, own->family) == 0 &&
			strcmp(reference->rows[i].system, own->system) != 0)
			return true;
	return false;
}

/* For each machine, fits constants without the machine's rows, and predicts these rows. */
static bool run_machines(const struct work *work, struct prediction *predictions)
{
	uint32_t rows = work->reference->count;
	uint32_t *systems = allocate(rows, sizeof *systems);
	struct parts parts = {.machines = true};
	bool good;

	parts_init(&parts, work, work->fit->system_count);
	for (uint32_t row = 0; row < rows; row++) {
		systems[row] = system_of(work, row);
		parts.of[row] = is_shared(work->reference, row) ? systems[row] : PART_NONE;
	}
	for (uint32_t system = 0; system < parts.count; system++)
		fit_part(work, &parts, systems, system);
	work->folds->machines = parts.count;
	work->folds->machines_alone = parts.alone;
	good = predict_parts(work, &parts, predictions);
	parts_fini(&parts);
	free(systems);
	return good;
}

bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS])
{
	static const double nowhere[FIT_CONSTANTS_MAX];
	struct prediction *in_sample = predictions[FOLDS_IN_SAMPLE];
	struct work work = {folds, fit, reference, .slopes = {.at = in_sample}};
	double unused[FIT_CONSTANTS_MAX];
	bool good;

	work.slopes.slopes =
		allocate((size_t)reference->count * FIT_CONSTANTS_MAX, sizeof *work.slopes.slopes);
	good = fit_start(fit, reference, in_sample);
	if (good && fit->count > 0) {
		good = fit_find_slopes(fit, reference, nowhere, in_sample, &work.slopes);
		fit_solve(fit, reference, &work.slopes, in_sample, NULL, unused, work.all);
	}
	good = good && (folds->machines_only || run_folds(&work, predictions[FOLDS_HELD_OUT])) &&
	       run_machines(&work, predictions[FOLDS_OTHER_MACHINES]);
	free(work.slopes.slopes);
	return good;
}
