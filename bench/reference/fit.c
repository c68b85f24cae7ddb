/* Fits constants, see fit.h, by the simplex method of GSL: the figures are not smooth in the
 * constants, so nothing that needs a gradient will do. */
#include "bench/reference/fit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

#include "base/allocate.h"

#define FIRST_STEP 0.08 /* of a constant's logarithm */
#define LAST_SIZE  0.004
#define LOST_ROW   25.0 /* square error of a row that ran before and does not now */

static const char *const fabric_constants[] = {"chip.router_handover",
	"chip.router_handover_latency", "chip.router_receive", "chip.router_deliver", "chip.ring",
	"chip.ring_latency", NULL};
static const char *const dispatch_constants[] = {
	"firmware.worker_launch", "firmware.dispatch_packed_target", "firmware.worker_copy", NULL};
static const char *const transfer_constants[] = {"firmware.relay_read", "firmware.relay_turn",
	"firmware.dispatch_buffer_page", "host.copy.uncached_source.pinned.bandwidth",
	"host.copy.pinned.uncached_source.bandwidth", NULL};
static const char *const host_constants[] = {"host.work.api_call.cost", NULL};
static const char *const enqueue_constants[] = {
	"host.work.reserve.cost", "host.work.doorbell.cost", NULL};
static const char *const no_constants[] = {NULL};

const char *const *fit_constants_of(const char *family)
{
	if (strncmp(family, "fabric_", 7) == 0)
		return fabric_constants;
	if (strcmp(family, "program_dispatch") == 0)
		return dispatch_constants;
	if (strcmp(family, "buffer_transfer") == 0)
		return transfer_constants;
	if (strcmp(family, "host_cost") == 0)
		return host_constants;
	return strcmp(family, "mesh_enqueue") == 0 ? enqueue_constants : no_constants;
}

struct task {
	struct fit *fit;
	const struct reference *reference;
	bool *ran; /* rows that count */
	bool failed;
};

bool fit_predict(
	const struct fit *fit, const struct reference *reference, struct prediction *predictions)
{
	const char **sets = allocate(fit->run.set_count + FIT_CONSTANTS_MAX, sizeof *sets);
	char texts[FIT_CONSTANTS_MAX][160];
	struct validate_options run = fit->run;
	bool good;

	for (uint32_t i = 0; i < run.set_count; i++)
		sets[i] = run.sets[i];
	for (uint32_t i = 0; i < fit->count; i++) {
		snprintf(texts[i], sizeof texts[i], "platform.%s={value: %.6g, unit: %s}",
			fit->constants[i].name, fit->constants[i].after, fit->constants[i].unit);
		sets[run.set_count++] = texts[i];
	}
	run.sets = sets;
	for (uint32_t row = 0; row < reference->count; row++)
		predictions[row].experiment = experiment_find(reference->rows[row].family);
	good = validate_run(reference, &run, predictions);
	free(sets);
	return good;
}

static double objective(const gsl_vector *point, void *context)
{
	struct task *task = context;
	struct fit *fit = task->fit;
	const struct reference *reference = task->reference;
	struct prediction *predictions = allocate(reference->count, sizeof *predictions);
	double sum = 0, rows = 0;

	for (uint32_t i = 0; i < fit->count; i++)
		fit->constants[i].after = fit->constants[i].before * exp(gsl_vector_get(point, i));
	task->failed |= !fit_predict(fit, reference, predictions);
	for (uint32_t row = 0; row < reference->count; row++) {
		double off = predictions[row].ran
				     ? log(predictions[row].value / reference->rows[row].value)
				     : 0;

		if (fit->evaluations == 0)
			task->ran[row] = predictions[row].ran;
		if (!task->ran[row])
			continue;
		rows++;
		sum += predictions[row].ran ? off * off : LOST_ROW;
	}
	fit->errors_after = validate_errors(reference, predictions, NULL);
	if (fit->evaluations++ == 0)
		fit->errors_before = fit->errors_after;
	task->failed |= rows == 0;
	predictions_free(predictions, reference->count);
	return rows > 0 ? sum / rows : LOST_ROW;
}

static void minimize(struct task *task, gsl_vector *point)
{
	struct fit *fit = task->fit;
	gsl_vector *steps = gsl_vector_alloc(fit->count);
	gsl_multimin_function function = {objective, fit->count, task};
	gsl_multimin_fminimizer *minimizer =
		gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, fit->count);

	gsl_vector_set_all(steps, FIRST_STEP);
	objective(point, task); /* before */
	if (!task->failed &&
		gsl_multimin_fminimizer_set(minimizer, &function, point, steps) == GSL_SUCCESS) {
		while (!task->failed && fit->evaluations < fit->evaluations_max &&
			gsl_multimin_fminimizer_iterate(minimizer) == GSL_SUCCESS &&
			gsl_multimin_fminimizer_size(minimizer) > LAST_SIZE)
			;
		gsl_vector_memcpy(point, gsl_multimin_fminimizer_x(minimizer));
	}
	gsl_multimin_fminimizer_free(minimizer);
	gsl_vector_free(steps);
}

bool fit_run(struct fit *fit, const struct reference *reference)
{
	struct task task = {.fit = fit, .reference = reference};
	gsl_vector *point;

	if (fit->count == 0 || reference->count == 0)
		return false;
	gsl_set_error_handler_off();
	task.ran = allocate(reference->count, sizeof *task.ran);
	point = gsl_vector_calloc(fit->count);
	minimize(&task, point);
	if (!task.failed)
		objective(point, &task); /* leaves the best constants, and their errors */
	gsl_vector_free(point);
	free(task.ran);
	return !task.failed;
}

/* ---- the platform file ---- */

/* The entry of a constant: from its key, after the line's indentation, to its closing brace. */
static bool find_entry(const char *text, const char *key, size_t *from, size_t *to)
{
	char pattern[128];
	const char *at, *end;

	snprintf(pattern, sizeof pattern, "\n  %s:", key);
	at = strstr(text, pattern);
	end = at ? strchr(at, '}') : NULL;
	if (!end)
		return false;
	*from = (size_t)(at - text) + 1;
	*to = (size_t)(end - text) + 1;
	return true;
}

static bool replace(const struct fit *fit, const struct fit_constant *constant, struct text *file)
{
	const char *key = strrchr(constant->name, '.') + 1;
	struct text changed;
	size_t from, to;

	if (!find_entry(text_string(file), key, &from, &to))
		return false;
	text_init(&changed);
	text_append_bytes(&changed, file->bytes, from);
	text_printf(&changed,
		"  %s:\n    {value: %.4g, unit: %s, kind: fitted,\n     source: \"calibrate --fit "
		"on %u published figures: median %.2f %%, worst %.2f %%\"}",
		key, constant->after, constant->unit,
		fit->errors_after.rows - fit->errors_after.refused, 100 * fit->errors_after.median,
		100 * fit->errors_after.worst);
	text_append(&changed, file->bytes + to);
	text_fini(file);
	*file = changed;
	return true;
}

static bool is_platform(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_platform:");
}

const struct output_kind fit_output = {"platform file of meshsim", false, is_platform};

bool fit_write(const struct fit *fit, const char *from, const char *to, struct text *why)
{
	struct text text = {0};
	bool good = text_append_file(&text, from);

	if (!good)
		text_printf(why, "cannot read %s: %s", from, strerror(errno));
	for (uint32_t i = 0; good && i < fit->count; i++) {
		good = replace(fit, &fit->constants[i], &text);
		if (!good)
			text_printf(why, "cannot write %s: %s stands elsewhere", to,
				fit->constants[i].name);
	}
	good = good && output_write(to, &fit_output, &text, why);
	text_fini(&text);
	return good;
}
