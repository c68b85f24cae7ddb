/* Runs rows with changed constants, and computes better constants (see fit.h). */
#include "bench/tools/reference/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

#include "base/allocate.h"
#include "cause/cause.h"

/* Changes of a constant's logarithm: TRIED is the change with which slopes are measured, MOST_STEP
 * the largest change in one step of the fit. */
#define TRIED	  0.06
#define MOST_STEP 0.3
/* A weight that keeps each constant near its current value in a step of the fit. It acts like an
 * additional row with the squared slope RIDGE. So it matters only if the rows say little about the
 * constant. */
#define RIDGE 0.001
/* A constant concerns a row if it takes more than this fraction of the row's time. */
#define SHARE_LEAST 0.04
/* Errors larger than this count linearly instead of quadratically. */
#define FAR 0.05

static bool is_of_system(
	const struct fit *fit, const struct reference *reference, uint32_t row, uint32_t constant)
{
	for (uint32_t i = 0; i < fit->system_count; i++)
		if (strcmp(fit->systems[i], reference->rows[row].system) == 0)
			return fit->constants[constant].systems >> i & 1;
	return false;
}

/* Returns true for charges for work that keeps a router busy. This work is charged only to packets
 * that wait for the router. So the constant of the work can matter for any row that uses the
 * fabric, even if the row has no charge for this constant. */
static bool keeps_busy(enum charge charge)
{
	return charge_stage(charge) == TIME_WAIT_LINK;
}

bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant)
{
	enum charge charge = fit->constants[constant].charge;

	if (!at[row].ran || !is_of_system(fit, reference, row, constant))
		return false;
	if (fit->named)
		return true;
	return at[row].shares[charge] > SHARE_LEAST ||
	       (keeps_busy(charge) && at[row].shares[CHARGE_ETHERNET_LATENCY] > SHARE_LEAST);
}

/* Makes the settings with which a row runs. Only constants that have moved are set. */
static void make_sets(const struct fit *fit, const struct reference *reference,
	const struct fit_task *task, struct prediction *prediction, struct arena *arena)
{
	const char **sets = arena_array(arena, fit->count + 1, sizeof *sets);

	for (uint32_t i = 0; i < fit->count; i++) {
		const struct fit_constant *constant = &fit->constants[i];

		if (!is_of_system(fit, reference, task->row, i) || task->moves[i] == 0)
			continue;
		sets[prediction->set_count++] =
			arena_printf(arena, "platform.%s={value: %.6g, unit: %s}", constant->name,
				constant->before * exp(task->moves[i]), constant->unit);
	}
	prediction->sets = sets;
}

bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions)
{
	struct reference rows = {.rows = allocate(count, sizeof *rows.rows), .count = count};
	struct arena arena;
	bool good;

	arena_init(&arena);
	for (uint32_t i = 0; i < count; i++) {
		rows.rows[i] = reference->rows[tasks[i].row];
		predictions[i] =
			(struct prediction){.experiment = experiment_find(rows.rows[i].family)};
		make_sets(fit, reference, &tasks[i], &predictions[i], &arena);
	}
	good = count == 0 || validate_run(&rows, &fit->run, predictions);
	for (uint32_t i = 0; i < count; i++) {
		predictions[i].sets = NULL;
		predictions[i].set_count = 0;
	}
	fit->rows_run += count;
	free(rows.rows);
	arena_fini(&arena);
	return good;
}

bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at)
{
	static const double nowhere[FIT_CONSTANTS_MAX];
	struct fit_task *tasks = allocate(reference->count, sizeof *tasks);
	uint32_t kept = 0;
	bool good;

	for (uint32_t row = 0; row < reference->count; row++)
		tasks[row] = (struct fit_task){row, nowhere};
	fit->run.shares = !fit->named;
	good = fit_tasks(fit, reference, tasks, reference->count, at);
	fit->run.shares = false;
	for (uint32_t i = 0; good && i < fit->count; i++) {
		bool concerns = fit->keeps_all;

		for (uint32_t row = 0; row < reference->count; row++)
			concerns |= fit_concerns(fit, reference, at, row, i);
		if (concerns)
			fit->constants[kept++] = fit->constants[i];
	}
	fit->count = kept;
	free(tasks);
	return good;
}

bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes)
{
	size_t most = (size_t)reference->count * fit->count;
	struct fit_task *tasks = allocate(most, sizeof *tasks);
	uint32_t *constants = allocate(most, sizeof *constants), count = 0;
	double *moved = allocate((size_t)fit->count * FIT_CONSTANTS_MAX, sizeof *moved);
	struct prediction *tried = allocate(most, sizeof *tried);
	bool good;

	for (uint32_t i = 0; i < fit->count; i++) {
		double *of = &moved[i * FIT_CONSTANTS_MAX];

		memcpy(of, moves, FIT_CONSTANTS_MAX * sizeof *of);
		of[i] += TRIED;
		for (uint32_t row = 0; row < reference->count; row++)
			if (here[row].ran && fit_concerns(fit, reference, slopes->at, row, i)) {
				constants[count] = i;
				tasks[count++] = (struct fit_task){row, of};
			}
	}
	good = fit_tasks(fit, reference, tasks, count, tried);
	memset(slopes->slopes, 0,
		(size_t)reference->count * FIT_CONSTANTS_MAX * sizeof *slopes->slopes);
	for (uint32_t i = 0; good && i < count; i++)
		if (tried[i].ran)
			slopes->slopes[tasks[i].row * FIT_CONSTANTS_MAX + constants[i]] =
				log(tried[i].value / here[tasks[i].row].value) / TRIED;
	predictions_free(tried, count);
	free(tasks);
	free(constants);
	free(moved);
	return good;
}

/* ---- least squares ---- */

static void fit_rows_add_row(
	const double *slope, double off, uint32_t n, gsl_matrix *normal, gsl_vector *right)
{
	double weight = fabs(off) > FAR ? FAR / fabs(off) : 1;

	for (uint32_t i = 0; i < n; i++) {
		*gsl_vector_ptr(right, i) += weight * slope[i] * off;
		for (uint32_t j = 0; j < n; j++)
			*gsl_matrix_ptr(normal, i, j) += weight * slope[i] * slope[j];
	}
}

void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known)
{
	uint32_t n = fit->count;
	gsl_matrix *normal = gsl_matrix_calloc(n, n);
	gsl_vector *right = gsl_vector_calloc(n), *solution = gsl_vector_calloc(n);

	for (uint32_t row = 0; row < reference->count; row++)
		if (here[row].ran && (!kept || kept[row]))
			fit_rows_add_row(&slopes->slopes[row * FIT_CONSTANTS_MAX],
				log(reference->rows[row].value / here[row].value), n, normal,
				right);
	for (uint32_t i = 0; i < n; i++) {
		if (known)
			known[i] = gsl_matrix_get(normal, i, i);
		*gsl_matrix_ptr(normal, i, i) += RIDGE;
	}
	gsl_linalg_cholesky_decomp1(normal); /* positive definite because of RIDGE */
	gsl_linalg_cholesky_solve(normal, right, solution);
	for (uint32_t i = 0; i < n; i++)
		step[i] = fmax(-MOST_STEP, fmin(MOST_STEP, gsl_vector_get(solution, i)));
	gsl_matrix_free(normal);
	gsl_vector_free(right);
	gsl_vector_free(solution);
}
