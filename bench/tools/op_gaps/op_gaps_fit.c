/* Finds how many runtime arguments the programs of a report have (op_gaps_fit.h).
 *
 * What can be compared is when operations start after their calls: the lag. It grows with the
 * number of arguments, more so on many cores. How far it grows with one argument is measured by two
 * runs. The lag also includes an unknown offset between the clocks of a device and of its host,
 * which all operations of the device share. Programs of few cores hardly depend on arguments, so
 * their lags give the offset. */
#include "op_gaps_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

enum { MORE_ARGUMENTS = 16, ARGUMENTS_MOST = 64, LEAST_SAMPLES = 4, ROUNDS = 2 };

/* A program whose lag grows by less with an argument hardly depends on arguments. */
static const double flat_ns = 50;

struct fitting {
	struct op_gaps *gaps;
	double *measured;  /* [operation] its measured start */
	double *lags;	   /* [operation] predicted start in the run with the guess */
	double *slopes;	   /* [program] ns that an argument costs; NAN: unknown */
	double *arguments; /* [program] */
	double *samples;   /* memory for one number of each operation */
	double *offsets;   /* [device] */
};

/* True for a half of the calls, in no order. The fit learns from this half; the other half decides
 * whether the fit is better than the guess. */
static bool is_drawn(uint32_t call)
{
	return hash_mix(call) % 2 == 1;
}

/* True if the fit may learn from an operation: both the measured and the predicted gap are long. */
static bool is_sample(const struct op_gaps *gaps, const struct op_gap *gap)
{
	return gap->call < gaps->from && gap->call > 0 && is_drawn(gap->call) &&
	       op_gaps_is_steady(gap) && gap->entry->host_start_ns != OP_ABSENT &&
	       !isnan(gap->gap) && op_gaps_is_long(op_gaps_measured(gap)) &&
	       op_gaps_is_long(gap->gap);
}

/* Sets *median to the median over the operations of a program of what number(operation) returns.
 * Returns the number of operations. */
static uint32_t fit_median(struct fitting *fitting, uint32_t program,
	double (*number)(const struct fitting *fitting, uint32_t operation), double *median)
{
	const struct op_gaps *gaps = fitting->gaps;
	uint32_t count = 0;

	for (uint32_t i = 0; i < gaps->count; i++)
		if (gaps->at[i].entry->program == program && is_sample(gaps, &gaps->at[i]))
			fitting->samples[count++] = number(fitting, i);
	*median = op_gaps_quantile(fitting->samples, count, 0.5);
	return count;
}

static double slope_at(const struct fitting *fitting, uint32_t operation)
{
	return (fitting->gaps->at[operation].start - fitting->lags[operation]) / MORE_ARGUMENTS;
}

/* How much later an operation starts than measured, beside the offset of its device. */
static double late_at(const struct fitting *fitting, uint32_t operation)
{
	const struct op_gap *gap = &fitting->gaps->at[operation];

	return gap->start - fitting->measured[operation] - fitting->offsets[gap->entry->device];
}

static bool is_flat(const struct fitting *fitting, uint32_t program)
{
	return isnan(fitting->slopes[program]) || fitting->slopes[program] < flat_ns;
}

/* Finds the offset of each device from programs that hardly depend on arguments, or from all. */
static void find_offsets(struct fitting *fitting)
{
	const struct op_gaps *gaps = fitting->gaps;

	for (uint32_t d = 0; d < gaps->report->device_count; d++)
		for (int all = 0; all < 2; all++) {
			uint32_t count = 0;

			fitting->offsets[d] = 0;
			for (uint32_t i = 0; i < gaps->count; i++) {
				const struct op_gap *gap = &gaps->at[i];

				if (gap->entry->device == d && is_sample(gaps, gap) &&
					(all || is_flat(fitting, gap->entry->program)))
					fitting->samples[count++] =
						gap->start - fitting->measured[i];
			}
			if (count >= LEAST_SAMPLES) {
				fitting->offsets[d] =
					op_gaps_quantile(fitting->samples, count, 0.5);
				break;
			}
		}
}

/* Gives programs with too few samples the mean number of arguments of the fitted programs of the
 * same operation, if there are any. `fitted` says which programs are fitted. Returns the number of
 * programs that have got a number in this way. */
static uint32_t spread_arguments(struct fitting *fitting, const bool *fitted)
{
	struct op_gaps *gaps = fitting->gaps;
	const struct op_program *programs = gaps->report->programs;
	uint32_t changed = 0;

	for (uint32_t p = 0; p < gaps->report->program_count; p++) {
		double sum = 0;
		uint32_t count = 0;

		for (uint32_t i = 0; i < gaps->report->program_count && !fitted[p]; i++)
			if (fitted[i] && strcmp(programs[i].code, programs[p].code) == 0) {
				sum += fitting->arguments[i];
				count++;
			}
		if (count == 0)
			continue;
		gaps->program_args[p] = (uint32_t)lround(sum / count);
		changed++;
	}
	return changed;
}

/* Changes the numbers of arguments. Returns the number of programs whose number may have changed.
 */
static uint32_t fitting_change(struct fitting *fitting)
{
	struct op_gaps *gaps = fitting->gaps;
	bool *fitted = allocate(gaps->report->program_count + 1u, sizeof *fitted);
	uint32_t changed = 0;

	find_offsets(fitting);
	for (uint32_t p = 0; p < gaps->report->program_count; p++) {
		double late;

		if (is_flat(fitting, p) || fit_median(fitting, p, late_at, &late) < LEAST_SAMPLES)
			continue;
		fitting->arguments[p] = fmin(
			fmax(fitting->arguments[p] - late / fitting->slopes[p], 0), ARGUMENTS_MOST);
		gaps->program_args[p] = (uint32_t)lround(fitting->arguments[p]);
		fitted[p] = true;
		changed++;
	}
	changed += spread_arguments(fitting, fitted);
	free(fitted);
	return changed;
}

/* Returns the mean error of those gaps in the first half that are no samples. */
static double error_of(const struct op_gaps *gaps)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (gap->call == 0 || is_drawn(gap->call) || gap->call >= gaps->from ||
			!op_gaps_is_steady(gap) || isnan(gap->gap))
			continue;
		sum += fabs(gap->gap - op_gaps_measured(gap));
		count++;
	}
	return count > 0 ? sum / count : 0;
}

static void set_all(struct op_gaps *gaps, uint32_t arguments)
{
	for (uint32_t p = 0; p < gaps->report->program_count; p++)
		gaps->program_args[p] = arguments;
}

/* Measures what an argument costs, by a run with more of them. */
static bool find_slopes(struct fitting *fitting, bool (*simulate)(void *context), void *context)
{
	struct op_gaps *gaps = fitting->gaps;

	for (uint32_t i = 0; i < gaps->count; i++)
		fitting->lags[i] = gaps->at[i].start;
	set_all(gaps, OP_GAPS_ARGUMENTS + MORE_ARGUMENTS);
	if (!simulate(context))
		return false;
	for (uint32_t p = 0; p < gaps->report->program_count; p++) {
		(void)fit_median(fitting, p, slope_at, &fitting->slopes[p]);
		fitting->arguments[p] = OP_GAPS_ARGUMENTS;
	}
	set_all(gaps, OP_GAPS_ARGUMENTS);
	return simulate(context);
}

static bool has_samples(const struct op_gaps *gaps)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < gaps->count; i++)
		count += is_sample(gaps, &gaps->at[i]);
	return count >= LEAST_SAMPLES;
}

static bool fitting_run(struct fitting *fitting, bool (*simulate)(void *context), void *context)
{
	struct op_gaps *gaps = fitting->gaps;
	size_t bytes = gaps->report->program_count * sizeof *gaps->program_args;
	uint32_t *best = allocate(gaps->report->program_count + 1u, sizeof *best);
	double least = error_of(gaps), error;
	uint32_t changed = 0;
	bool good = find_slopes(fitting, simulate, context);

	memcpy(best, gaps->program_args, bytes);
	for (int round = 0; round < ROUNDS && good; round++) {
		changed = fitting_change(fitting);
		good = changed > 0 && simulate(context);
		error = error_of(gaps);
		if (good && error < least) {
			least = error;
			memcpy(best, gaps->program_args, bytes);
			gaps->fitted_programs = changed;
		}
	}
	good |= changed == 0;
	if (memcmp(best, gaps->program_args, bytes) != 0) {
		memcpy(gaps->program_args, best, bytes);
		good = good && simulate(context);
	}
	free(best);
	return good;
}

bool op_gaps_fit(struct op_gaps *gaps, bool (*simulate)(void *context), void *context)
{
	uint32_t programs = gaps->report->program_count + 1u, count = gaps->count + 1u;
	struct fitting fitting = {.gaps = gaps};
	bool good = simulate(context);

	if (!good || !has_samples(gaps))
		return good;
	fitting.measured = op_gaps_measured_starts(gaps);
	fitting.lags = allocate(count, sizeof(double));
	fitting.samples = allocate(count, sizeof(double));
	fitting.slopes = allocate(programs, sizeof(double));
	fitting.arguments = allocate(programs, sizeof(double));
	fitting.offsets = allocate(gaps->report->device_count + 1u, sizeof(double));
	good = fitting_run(&fitting, simulate, context);
	free(fitting.measured);
	free(fitting.lags);
	free(fitting.samples);
	free(fitting.slopes);
	free(fitting.arguments);
	free(fitting.offsets);
	return good;
}
