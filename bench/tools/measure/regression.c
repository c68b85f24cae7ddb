/* Robust regression (measure.h). The first fit minimizes the sum of absolute errors by
 * reweighting, so that rows disturbed by interrupts have little influence. The second fit uses
 * Tukey's biweight. */
#include "bench/tools/measure/measure.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/measure/samples.h"

enum { ABSOLUTE_STEPS = 60, BIWEIGHT_STEPS = 20 };

static const double biweight_reach = 4.685, smallest_scale = 1e-9;

struct system {
	gsl_matrix *x, *covariance;
	gsl_vector *y, *weights, *solution, *errors;
	gsl_multifit_linear_workspace *work;
	bool used[REGRESSION_TERMS_MAX]; /* all other terms are zero */
};

/* ---- one fit ---- */

static void system_init(struct system *system, size_t rows, size_t columns)
{
	system->x = gsl_matrix_alloc(rows, columns);
	system->covariance = gsl_matrix_alloc(columns, columns);
	system->y = gsl_vector_alloc(rows);
	system->weights = gsl_vector_alloc(rows);
	system->errors = gsl_vector_alloc(rows);
	system->solution = gsl_vector_alloc(columns);
	system->work = gsl_multifit_linear_alloc(rows, columns);
}

static void system_fini(struct system *system)
{
	gsl_matrix_free(system->x);
	gsl_matrix_free(system->covariance);
	gsl_vector_free(system->y);
	gsl_vector_free(system->weights);
	gsl_vector_free(system->errors);
	gsl_vector_free(system->solution);
	gsl_multifit_linear_free(system->work);
}

static double whole_of(const struct regression_row *row)
{
	return row->whole != 0 ? row->whole : row->y;
}

/* Divides each row by its `whole`, so that errors are relative. `scales` normalize the columns. */
static void system_fill(struct system *system, const struct regression_row *const *rows,
	size_t count, uint32_t terms, const double *scales)
{
	for (size_t row = 0; row < count; row++) {
		size_t column = 0;

		for (uint32_t term = 0; term < terms; term++)
			if (system->used[term])
				gsl_matrix_set(system->x, row, column++,
					rows[row]->x[term] * scales[term] / whole_of(rows[row]));
		gsl_vector_set(system->y, row, rows[row]->y / whole_of(rows[row]));
		gsl_vector_set(system->weights, row, 1);
	}
}

static bool solve(struct system *system)
{
	double chi;

	if (gsl_multifit_wlinear(system->x, system->weights, system->y, system->solution,
		    system->covariance, &chi, system->work) != GSL_SUCCESS)
		return false;
	gsl_multifit_linear_residuals(system->x, system->y, system->solution, system->errors);
	return true;
}

static double median_error(const struct system *system)
{
	struct samples samples = {0};
	double median;

	for (size_t row = 0; row < system->errors->size; row++)
		samples_add(&samples, fabs(gsl_vector_get(system->errors, row)));
	median = samples_quantiles(&samples).p50;
	samples_fini(&samples);
	return median;
}

static void weigh_absolute(struct system *system)
{
	for (size_t row = 0; row < system->errors->size; row++)
		gsl_vector_set(system->weights, row,
			1 / fmax(fabs(gsl_vector_get(system->errors, row)), 1e-6));
}

static void weigh_biweight(struct system *system)
{
	double reach = biweight_reach * fmax(median_error(system) / 0.6745, smallest_scale);

	for (size_t row = 0; row < system->errors->size; row++) {
		double part = gsl_vector_get(system->errors, row) / reach;

		gsl_vector_set(system->weights, row,
			fabs(part) < 1 ? (1 - part * part) * (1 - part * part) : 0);
	}
}

/* Returns false if the rows that are left do not determine the terms. */
static bool solve_robustly(struct system *system)
{
	if (!solve(system))
		return false;
	for (int step = 0; step < ABSOLUTE_STEPS; step++) {
		weigh_absolute(system);
		if (!solve(system))
			return false;
	}
	for (int step = 0; step < BIWEIGHT_STEPS; step++) {
		weigh_biweight(system);
		if (!solve(system))
			return false;
	}
	return true;
}

/* Fits the used terms. Stores all terms in `values`; the unused terms are zero. */
static bool fit_used(const struct regression_row *const *rows, size_t count, uint32_t terms,
	const bool *used, const double *scales, double *values)
{
	struct system system = {0};
	size_t columns = 0, column = 0;
	bool good;

	for (uint32_t term = 0; term < terms; term++) {
		system.used[term] = used[term];
		columns += used[term];
	}
	if (columns == 0 || count < columns)
		return false;
	system_init(&system, count, columns);
	system_fill(&system, rows, count, terms, scales);
	good = solve_robustly(&system);
	for (uint32_t term = 0; term < terms; term++)
		values[term] = good && used[term]
				       ? gsl_vector_get(system.solution, column++) * scales[term]
				       : 0;
	system_fini(&system);
	return good;
}

/* Sets the scale of each term to 1 / its largest |x|. Returns false if every x of a term is 0. */
static bool find_scales(
	const struct regression_row *const *rows, size_t count, uint32_t terms, double *scales)
{
	double largest[REGRESSION_TERMS_MAX] = {0};

	for (size_t row = 0; row < count; row++)
		for (uint32_t term = 0; term < terms; term++)
			largest[term] = fmax(largest[term], fabs(rows[row]->x[term]));
	for (uint32_t term = 0; term < terms; term++) {
		if (largest[term] <= 0)
			return false;
		scales[term] = 1 / largest[term];
	}
	return true;
}

/* Fits the terms. Drops negative terms one by one, the lowest first, and fits again. */
static bool fit_costs(
	const struct regression_row *const *rows, size_t count, uint32_t terms, double *values)
{
	bool used[REGRESSION_TERMS_MAX] = {true, true, true, true};
	double scales[REGRESSION_TERMS_MAX];

	if (!find_scales(rows, count, terms, scales))
		return false;
	for (uint32_t round = 0; round < terms; round++) {
		uint32_t lowest = terms;

		if (!fit_used(rows, count, terms, used, scales, values))
			return false;
		for (uint32_t term = 0; term < terms; term++)
			if (values[term] < 0 &&
				(lowest == terms || values[term] / scales[term] <
							    values[lowest] / scales[lowest]))
				lowest = term;
		if (lowest == terms)
			return true;
		used[lowest] = false;
	}
	return false;
}

/* ---- rounds and errors ---- */

static double predicted(
	const struct regression *regression, uint32_t terms, const struct regression_row *row)
{
	double sum = 0;

	for (uint32_t term = 0; term < terms; term++)
		sum += regression->terms[term].value * row->x[term];
	return sum;
}

static double relative_error(
	const struct regression *regression, uint32_t terms, const struct regression_row *row)
{
	return fabs(predicted(regression, terms, row) - row->y) / whole_of(row);
}

static bool same_point(
	const struct regression_row *one, const struct regression_row *other, uint32_t terms)
{
	return memcmp(one->x, other->x, terms * sizeof one->x[0]) == 0;
}

/* Returns the relative error of the fitted line at the point of `row`: the difference between the
 * line and the median of all measurements at this point. */
static double error_at(const struct regression *regression, uint32_t terms,
	const struct regression_row *const *rows, size_t count, const struct regression_row *row)
{
	struct samples parts = {0}, wholes = {0};
	struct regression_row median = *row;

	for (size_t i = 0; i < count; i++)
		if (same_point(rows[i], row, terms)) {
			samples_add(&parts, rows[i]->y);
			samples_add(&wholes, whole_of(rows[i]));
		}
	median.y = samples_quantiles(&parts).p50;
	median.whole = samples_quantiles(&wholes).p50;
	samples_fini(&parts);
	samples_fini(&wholes);
	return relative_error(regression, terms, &median);
}

static void find_errors(struct regression *regression, uint32_t terms,
	const struct regression_row *const *rows, size_t count)
{
	struct samples errors = {0};

	for (size_t row = 0; row < count; row++) {
		double error = error_at(regression, terms, rows, count, rows[row]);

		samples_add(&errors, error);
		regression->worst = fmax(regression->worst, error);
	}
	regression->error = samples_quantiles(&errors).p50;
	samples_fini(&errors);
}

static void find_spreads(struct regression *regression, uint32_t terms,
	const struct regression_row *const *rows, size_t count)
{
	const struct regression_row **own = allocate(count, sizeof *own);
	struct samples samples[REGRESSION_TERMS_MAX] = {{0}};
	double values[REGRESSION_TERMS_MAX];

	for (uint32_t round = 0; round < regression->rounds; round++) {
		size_t own_count = 0;

		for (size_t row = 0; row < count; row++)
			if (rows[row]->round == round)
				own[own_count++] = rows[row];
		if (!fit_costs(own, own_count, terms, values))
			continue;
		for (uint32_t term = 0; term < terms; term++)
			samples_add(&samples[term], values[term]);
	}
	for (uint32_t term = 0; term < terms; term++) {
		struct quantiles of = samples_quantiles(&samples[term]);
		struct regression_term *to = &regression->terms[term];

		/* A single round gives no spread. */
		to->spread = samples[term].count > 1 ? of.spread : INFINITY;
		to->p50 = of.p50;
		to->p90 = of.p90;
		to->p99 = of.p99;
		samples_fini(&samples[term]);
	}
	free(own);
}

bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression)
{
	const struct regression_row **good_rows = allocate(count + 1u, sizeof *good_rows);
	gsl_error_handler_t *before = gsl_set_error_handler_off();
	double values[REGRESSION_TERMS_MAX] = {0};
	size_t good_count = 0;
	bool good;

	*regression = (struct regression){0};
	for (uint32_t row = 0; row < count; row++) {
		if (!(whole_of(&rows[row]) > 0))
			continue;
		good_rows[good_count++] = &rows[row];
		if (rows[row].round >= regression->rounds)
			regression->rounds = rows[row].round + 1;
	}
	regression->rows = (uint32_t)good_count;
	good = good_count >= terms && fit_costs(good_rows, good_count, terms, values);
	for (uint32_t term = 0; term < terms; term++)
		regression->terms[term].value = values[term];
	if (good) {
		find_spreads(regression, terms, good_rows, good_count);
		find_errors(regression, terms, good_rows, good_count);
	}
	gsl_set_error_handler(before);
	free(good_rows);
	return good;
}
