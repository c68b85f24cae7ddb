/* The families of reference figures, and checks of their rows. Each family has its own file, which
 * builds the scenarios of its rows. */
#include "bench/tools/reference/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

static const struct experiment experiments[] = {
#define X(name, family, systems, metrics, unit)                                                    \
	{family, experiment_##name##_params, systems, metrics, unit, experiment_##name##_scenario, \
		experiment_##name##_figure, NULL, NULL},
#include "bench/tools/reference/experiments.def"
#undef X
};

enum { EXPERIMENTS = sizeof experiments / sizeof *experiments, EXTENT_MAX = 1024, REAL_MAX = 1000 };

const struct experiment *experiment_at(size_t index)
{
	return index < EXPERIMENTS ? &experiments[index] : NULL;
}

const struct experiment *experiment_find(const char *family)
{
	for (size_t i = 0; i < EXPERIMENTS; i++)
		if (strcmp(experiments[i].family, family) == 0)
			return &experiments[i];
	return NULL;
}

/* True if `value` is one of the values in `list`, which are separated by '|'. */
static bool one_of(const char *list, const char *value)
{
	char name[128];

	while (*list) {
		size_t length = strcspn(list, "|");

		snprintf(name, sizeof name, "%.*s", (int)length, list);
		if (strcmp(name, value) == 0)
			return true;
		list += length + (list[length] == '|');
	}
	return false;
}

static bool is_shape(const char *value)
{
	uint64_t rows, columns;
	const char *end = number_read_whole_until(value, "x", EXTENT_MAX, &rows);

	return end && *end == 'x' && rows > 0 && number_read_whole(end + 1, EXTENT_MAX, &columns) &&
	       columns > 0;
}

static void check_value(const struct experiment_param *param, const struct reference_param *given,
	struct diag *diag)
{
	const char *value = given->value, *wanted = param->values;
	uint64_t number;
	double real;

	if (one_of(wanted, value) && !strchr(value, '#'))
		return;
	if (one_of(wanted, "#") && number_read_whole(value, UINT64_C(1) << 50, &number))
		return;
	if (one_of(wanted, "#.#") && number_read_real(value, &real) && real >= 0 &&
		real <= REAL_MAX)
		return;
	if (one_of(wanted, "#x#") && is_shape(value))
		return;
	if (strcmp(wanted, "#") == 0)
		diag_error(
			diag, given->where, "%s=%s: a whole number is wanted", given->key, value);
	else
		diag_error(diag, given->where, "%s=%s: one of %s is wanted", given->key, value,
			wanted);
}

static void check_params(
	const struct experiment *experiment, const struct reference_row *row, struct diag *diag)
{
	for (uint32_t i = 0; i < row->param_count; i++) {
		const struct reference_param *given = &row->params[i];
		const struct experiment_param *param = experiment->params;
		struct nearest nearest;

		nearest_start(&nearest, given->key);
		while (param->key && strcmp(param->key, given->key) != 0)
			nearest_offer(&nearest, (param++)->key);
		if (param->key)
			check_value(param, given, diag);
		else if (nearest.best)
			diag_error(diag, given->where, "unknown parameter '%s', did you mean '%s'?",
				given->key, nearest.best);
		else
			diag_error(diag, given->where, "family %s has no parameter '%s'",
				row->family, given->key);
	}
	for (const struct experiment_param *param = experiment->params; param->key; param++)
		if (!param->fallback && !reference_param(row, param->key))
			diag_error(diag, row->params_where, "missing parameter '%s'", param->key);
}

const struct experiment *experiment_check(const struct reference_row *row, struct diag *diag)
{
	const struct experiment *experiment = experiment_find(row->family);

	if (!experiment)
		return NULL;
	if (!one_of(experiment->systems, row->system))
		diag_error(diag, row->system_where, "system '%s': %s was measured on %s",
			row->system, row->family, experiment->systems);
	if (!one_of(experiment->metrics, row->metric))
		diag_error(diag, row->metric_where, "metric '%s': %s has %s", row->metric,
			row->family, experiment->metrics);
	if (strcmp(row->unit, experiment->unit) != 0)
		diag_error(diag, row->metric_where, "unit '%s': %s is in %s", row->unit,
			row->family, experiment->unit);
	check_params(experiment, row, diag);
	return experiment;
}
