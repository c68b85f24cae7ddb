/* Cross-validation by groups, see fit.h. */
#include "bench/tools/reference/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

const char *const folds_keys[] = {"system", "pattern", "op", "topology", "links", "processors",
	"cores", "trace", "dispatch_cores", "kernel_groups", "direction", "memory", "device",
	"layout", "pinned", "threads", "forward", "metric", NULL};

/* The rows outside a fold determine a constant if they say at least this fraction of what all rows
 * say about the constant. */
#define KNOWN_LEAST 0.02

/* A row depends on a constant if the slope of ln(predicted) over ln(constant) is larger than
 * this. */
#define DEPENDS_LEAST 0.05

struct work {
	struct folds *folds;
	struct fit *fit;
	const struct reference *reference;
	struct fit_slopes slopes; /* `at` holds the in-sample predictions */
	uint32_t *fold_of;
	double *moves; /* [fold * FIT_CONSTANTS_MAX + constant] */
};

static bool is_alone(const struct work *work, uint32_t row, const double *known, const double *all)
{
	for (uint32_t i = 0; i < work->fit->count; i++)
		if (fabs(work->slopes.slopes[row * FIT_CONSTANTS_MAX + i]) > DEPENDS_LEAST &&
			known[i] < KNOWN_LEAST * all[i])
			return true;
	return false;
}

/* Fits the constants to the rows outside each fold. */
static void fit_folds(const struct work *work)
{
	uint32_t rows = work->reference->count;
	bool *kept = allocate(rows, sizeof *kept);
	double all[FIT_CONSTANTS_MAX], known[FIT_CONSTANTS_MAX], unused[FIT_CONSTANTS_MAX];

	fit_solve(work->fit, work->reference, &work->slopes, work->slopes.at, NULL, unused, all);
	for (uint32_t fold = 0; fold < work->folds->count; fold++) {
		double *moves = &work->moves[fold * FIT_CONSTANTS_MAX];

		for (uint32_t row = 0; row < rows; row++)
			kept[row] = work->fold_of[row] != fold;
		fit_solve(work->fit, work->reference, &work->slopes, work->slopes.at, kept, moves,
			known);
		for (uint32_t row = 0; row < rows; row++)
			work->folds->alone += !kept[row] && is_alone(work, row, known, all);
	}
	free(kept);
}

/* Runs each row that the moves of its fold concern. Other rows keep their prediction. */
static bool predict_folds(const struct work *work, struct prediction *held_out)
{
	const struct prediction *at = work->slopes.at;
	uint32_t rows = work->reference->count, count = 0;
	struct fit_task *tasks = allocate(rows, sizeof *tasks);
	struct prediction *ran = allocate(rows, sizeof *ran);
	bool good;

	for (uint32_t row = 0; row < rows; row++) {
		const double *moves = &work->moves[work->fold_of[row] * FIT_CONSTANTS_MAX];

		held_out[row] = (struct prediction){at[row].experiment, .ran = at[row].ran,
			.value = at[row].value, .error = at[row].error};
		if (at[row].ran)
			tasks[count++] = (struct fit_task){row, moves};
	}
	good = fit_tasks(work->fit, work->reference, tasks, count, ran);
	for (uint32_t i = 0; good && i < count; i++)
		held_out[tasks[i].row] = ran[i];
	free(tasks);
	free(ran);
	return good;
}

bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *in_sample, struct prediction *held_out)
{
	static const double nowhere[FIT_CONSTANTS_MAX];
	struct work work = {folds, fit, reference, .slopes = {.at = in_sample}};
	bool good;

	work.fold_of = allocate(reference->count, sizeof *work.fold_of);
	work.slopes.slopes =
		allocate((size_t)reference->count * FIT_CONSTANTS_MAX, sizeof *work.slopes.slopes);
	work.moves = allocate((size_t)folds->count * FIT_CONSTANTS_MAX, sizeof *work.moves);
	folds->groups = validate_group(reference, folds->keys, folds->key_count, work.fold_of);
	for (uint32_t row = 0; row < reference->count; row++)
		work.fold_of[row] %= folds->count;
	good = fit_start(fit, reference, in_sample);
	if (good && fit->count > 0) {
		good = fit_find_slopes(fit, reference, nowhere, in_sample, &work.slopes);
		if (good)
			fit_folds(&work);
	}
	good = good && predict_folds(&work, held_out);
	free(work.slopes.slopes);
	free(work.fold_of);
	free(work.moves);
	return good;
}
