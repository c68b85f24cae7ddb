/* The experiments that only decisions use. */
#include "decision.h"

#include <string.h>

static const struct experiment experiments[] = {
#define X(name, family, systems, metrics, unit)                                                    \
	{family, decision_##name##_params, systems, metrics, unit, decision_##name##_scenario,     \
		decision_##name##_figure, NULL, NULL},
#define THREADS(name, family, systems, metrics, unit, metric)                                      \
	{family, decision_##name##_params, systems, metrics, unit, decision_##name##_scenario,     \
		decision_##name##_figure, metric, decision_##name##_threads},
#include "experiments.def"
};

const struct experiment *decision_experiment(const char *family)
{
	for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
		if (strcmp(experiments[i].family, family) == 0)
			return &experiments[i];
	return experiment_find(family);
}
