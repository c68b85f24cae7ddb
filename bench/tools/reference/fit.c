/* Fits constants (see fit.h) by Gauss-Newton steps. The loss says how far the predictions are from
 * the figures (fit.h). If a step does not reduce the loss, it is made shorter until it does. The
 * fit ends when no step reduces the loss enough. */
#include "bench/tools/reference/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* The fit ends after a round that reduces the loss by less than this fraction. */
#define GAIN_LEAST 0.01

#define FAR	 0.05 /* see fit_rows.c: larger errors count linearly */
#define LOST_ROW 25.0 /* loss of a row that ran before and no longer runs */

enum { CUTS = 3 };

struct task {
	struct fit *fit;
	const struct reference *reference;
	struct fit_slopes slopes;
	struct prediction *here; /* predictions at `moves` */
	double moves[FIT_CONSTANTS_MAX];
	double loss;
};

static double loss_of(const struct task *task, const struct prediction *predictions)
{
	double sum = 0;

	for (uint32_t row = 0; row < task->reference->count; row++) {
		double off;

		if (!task->slopes.at[row].ran)
			continue;
		if (!predictions[row].ran) {
			sum += LOST_ROW;
			continue;
		}
		off = fabs(log(predictions[row].value / task->reference->rows[row].value));
		sum += off < FAR ? off * off : FAR * (2 * off - FAR);
	}
	return sum;
}

/* Predicts all rows with the constants changed by `moves`. Runs only the rows that a changed
 * constant concerns; the other rows keep their predictions. */
static bool predict(struct task *task, const double *moves, struct prediction *predictions)
{
	const struct reference *reference = task->reference;
	struct fit_task *tasks = allocate(reference->count, sizeof *tasks);
	struct prediction *ran = allocate(reference->count, sizeof *ran);
	uint32_t count = 0;
	bool good;

	for (uint32_t row = 0; row < reference->count; row++) {
		bool moved = false;

		for (uint32_t i = 0; i < task->fit->count; i++)
			moved |= moves[i] != task->moves[i] &&
				 fit_concerns(task->fit, reference, task->slopes.at, row, i);
		predictions[row] = task->here[row];
		if (moved)
			tasks[count++] = (struct fit_task){row, moves};
	}
	good = fit_tasks(task->fit, reference, tasks, count, ran);
	for (uint32_t i = 0; i < count; i++) {
		predictions[tasks[i].row] = ran[i];
		text_fini(&predictions[tasks[i].row].reason);
	}
	free(tasks);
	free(ran);
	return good;
}

/* Makes one step. Returns true if the loss was reduced enough to continue. */
static bool step(struct task *task)
{
	struct prediction *there = allocate(task->reference->count, sizeof *there);
	double added[FIT_CONSTANTS_MAX], moves[FIT_CONSTANTS_MAX] = {0}, loss = 0;
	bool better = false, good = fit_find_slopes(task->fit, task->reference, task->moves,
				     task->here, &task->slopes);

	if (good)
		fit_solve(task->fit, task->reference, &task->slopes, task->here, NULL, added, NULL);
	for (int cut = 0; good && !better && cut < CUTS; cut++) {
		for (uint32_t i = 0; i < task->fit->count; i++)
			moves[i] = task->moves[i] + added[i] / (1 << cut);
		good = predict(task, moves, there);
		loss = loss_of(task, there);
		better = good && loss < task->loss;
	}
	if (better) {
		memcpy(task->moves, moves, sizeof moves);
		memcpy(task->here, there, task->reference->count * sizeof *there);
		better = loss < task->loss * (1 - GAIN_LEAST);
		task->loss = loss;
	}
	free(there);
	return better;
}

bool fit_run(struct fit *fit, const struct reference *reference)
{
	struct task task = {.fit = fit, .reference = reference};
	uint32_t most = fit->evaluations_max * reference->count, count = 0;
	bool good;

	task.slopes.at = allocate(reference->count, sizeof *task.slopes.at);
	task.slopes.slopes =
		allocate((size_t)reference->count * FIT_CONSTANTS_MAX, sizeof *task.slopes.slopes);
	task.here = allocate(reference->count, sizeof *task.here);
	good = fit_start(fit, reference, task.slopes.at) && fit->count > 0;
	memcpy(task.here, task.slopes.at, reference->count * sizeof *task.here);
	for (uint32_t row = 0; row < reference->count; row++)
		count += task.here[row].ran;
	task.loss = loss_of(&task, task.here);
	fit->errors_before = validate_errors(reference, task.here, NULL);
	while (good && count > 0 && fit->rows_run < most && step(&task))
		;
	fit->errors_after = validate_errors(reference, task.here, NULL);
	for (uint32_t i = 0; i < fit->count; i++)
		fit->constants[i].after = fit->constants[i].before * exp(task.moves[i]);
	predictions_free(task.slopes.at, reference->count);
	free(task.slopes.slopes);
	free(task.here);
	return good && count > 0;
}
