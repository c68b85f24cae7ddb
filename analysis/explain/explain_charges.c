/* Computes how much time of the critical paths of two runs was charged for each constant
 * (explain_private.h). If a run did not record causes, its charged times are unknown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/operations/charges.h"
#include "explain_private.h"

static int explain_charges_by_difference(const void *a, const void *b)
{
	const struct charged *x = a, *y = b;
	double dx = fabs(x->time[1] - x->time[0]), dy = fabs(y->time[1] - y->time[0]);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int explain_charges_by_time(const void *a, const void *b)
{
	const struct charged *x = a, *y = b;

	if (x->time[0] != y->time[0])
		return x->time[0] > y->time[0] ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Returns the weight by which constants are sorted: the constant's time if a single run is
 * explained, otherwise the difference of its times in the two runs. */
static double explain_charges_weight(
	const struct explanation *explanation, const struct charged *charged)
{
	return explanation->single ? charged->time[0] : charged->time[1] - charged->time[0];
}

/* The charges of a run are sums over all measured operations. Returns the factor that converts them
 * to ps per operation. */
static double explain_charges_scale_of(
	const struct explanation *explanation, const struct charges *charges, int side)
{
	const struct samples *samples = &explanation->samples[side];
	double sum = 0;

	for (uint32_t i = 0; i < samples->count; i++)
		sum += (double)samples->at[i].value;
	if (explanation->asked.mode != MEASURE_ASKED)
		sum = explanation->value[side] * samples->count;
	return charges->whole > 0 ? sum / samples->count / charges->whole : 0;
}

static bool explain_charges_read(
	struct explanation *explanation, int side, struct charges *charges, struct text *why)
{
	struct arena *arena = &explanation->arena;
	const struct explained *asked = &explanation->asked;
	struct summary *summary = explanation->summaries[side];
	const char *group = summary_group(summary, explanation->rows[side]);
	const char *kind = explanation->kind;
	const struct operations *operations = &explanation->operations[side];
	struct run_makespan makespan;

	if (asked->mode == MEASURE_FLIGHT)
		return charges_add_flight(charges, summary, group, operations, kind, arena, why);
	if (asked->mode != MEASURE_RUN)
		return charges_add(
			charges, summary, group, kind, metric_names[asked->metric], arena, why);
	makespan = explain_makespan(kind, operations, arena);
	return run_charges_add(charges, summary, group, operations, &makespan, arena, why);
}

bool explain_charges(struct explanation *explanation, struct text *why)
{
	struct arena *arena = &explanation->arena;
	struct charges charges[2] = {{.known = true}, {.known = true}};
	uint32_t kept = 0;

	for (int i = 0; i < 2; i++)
		if (!explain_charges_read(explanation, i, &charges[i], why))
			return false;
	if (!charges[0].known || !charges[1].known)
		return true;
	explanation->charged = arena_array(
		arena, charges[0].count + charges[1].count + 1, sizeof(*explanation->charged));
	for (uint32_t i = 0, j = 0; i < charges[0].count || j < charges[1].count;) {
		int order = i == charges[0].count ? 1
			    : j == charges[1].count
				    ? -1
				    : strcmp(charges[0].at[i].path, charges[1].at[j].path);
		struct charged *charged = &explanation->charged[kept++];
		charged->name = order <= 0 ? charges[0].at[i].path : charges[1].at[j].path;
		charged->time[0] =
			order <= 0 ? charges[0].at[i++].time *
					     explain_charges_scale_of(explanation, &charges[0], 0)
				   : 0;
		charged->time[1] =
			order >= 0 ? charges[1].at[j++].time *
					     explain_charges_scale_of(explanation, &charges[1], 1)
				   : 0;
		kept -= fabs(explain_charges_weight(explanation, charged)) < 0.5;
	}
	qsort(explanation->charged, kept, sizeof(*explanation->charged),
		explanation->single ? explain_charges_by_time : explain_charges_by_difference);
	explanation->charged_count = kept;
	return true;
}
