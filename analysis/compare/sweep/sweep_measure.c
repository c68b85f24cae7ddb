/* Measures the figures of a subject in one run, and reads the charges that explain them
 * (sweep_points.h). */
#include "analysis/compare/sweep_points.h"

#include <string.h>

#include "analysis/compare/sweep_loops.h"
#include "analysis/compare/sweep_runs.h"

/* The name under which the file holds the charges of the metric. */
static const char *charged_metric(const struct sweep_points *points)
{
	switch (points->mode) {
	case MEASURE_EACH:
		return metric_names[METRIC_COMPLETION];
	case MEASURE_FLIGHT:
		return CHARGES_INTERVAL;
	case MEASURE_TRANSFER:
		return metric_names[METRIC_LATENCY];
	default:
		return metric_names[points->metric];
	}
}

/* The other work of a run may take at most this part of the run, in percent. */
enum { OTHERS_MOST = 10 };

bool sweep_shares_run(const struct operations *operations, const struct sweep_points *points)
{
	int64_t first = -1, last = -1, until = 0, others = 0;

	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t end = completed_at(&operations->at[i]);

		if (points->whole ? !sweep_whole_has(points->whole, &operations->at[i])
				  : !operation_is(&operations->at[i], points->kind))
			continue;
		if (first < 0)
			first = operations->at[i].marks[MARK_CALLED].last;
		last = end > last ? end : last;
	}
	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t begin = operations->at[i].marks[MARK_CALLED].last;
		int64_t end = completed_at(&operations->at[i]);

		if (begin >= first && begin <= last)
			continue;
		end = begin < first && end > first ? first : end;
		begin = begin > until ? begin : until;
		others += end > begin ? end - begin : 0;
		until = end > until ? end : until;
	}
	return 100 * others > OTHERS_MOST * (last - first + others);
}

/* The operations of the subject in a run, warm-up included. */
static uint32_t count_made(const struct operations *operations, const struct sweep_points *points)
{
	uint32_t made = 0;

	for (uint32_t i = 0; i < operations->count; i++)
		made += operation_is(&operations->at[i], points->kind);
	return made;
}

static uint32_t divisor_of(uint32_t a, uint32_t b)
{
	while (b > 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Sets *whole to the steps of the repeat around the subject, with the numbers of their calls in a
 * round. Sets *rounds to the largest number of rounds into which the calls can be divided so that
 * all rounds call each step equally often. Returns false if one thread calls all steps, or if there
 * are too many steps. */
static bool find_around(const struct operations *operations, const struct sweep_points *points,
	struct sweep_whole *whole, uint32_t *rounds)
{
	const char *thread = NULL;
	bool several = false;

	*rounds = 0;
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		uint32_t part = sweep_whole_part(whole, operation);

		if (!sweep_within_has(points->around, operation->step_name))
			continue;
		if (part == SWEEP_PARTS_MAX)
			return false;
		if (part == whole->count)
			whole->at[whole->count++] = (struct sweep_part){
				operation->step, operation->mesh_number, operation->kind, 0, 1};
		whole->at[part].each++;
		several |= thread && strcmp(thread, operation->thread) != 0;
		thread = operation->thread;
	}
	for (uint32_t p = 0; p < whole->count; p++)
		*rounds = divisor_of(*rounds, whole->at[p].each);
	for (uint32_t p = 0; p < whole->count; p++)
		whole->at[p].each /= *rounds;
	return several;
}

/* If several threads call the steps of the repeat that contains the subject, sets host_cpu to the
 * CPU time of all these threads for one round. Their CPU time cannot be divided among the rounds of
 * single threads. */
static void take_cpu_around(const struct operations *operations, const struct sweep_points *points,
	uint32_t made, struct arena *arena, struct measured *measured)
{
	struct sweep_whole *whole = arena_alloc(arena, sizeof(*whole));
	struct measured all;
	const char *charged;
	uint32_t rounds;

	if (!points->around || points->around->count == 0 || measured->host_cpu < 0 || made == 0 ||
		!find_around(operations, points, whole, &rounds))
		return;
	sweep_take_rounds(operations, whole, whole->at[0].kind, arena, &all, &rounds, &charged);
	if (all.host_cpu > 0)
		measured->host_cpu = all.host_cpu * rounds / made;
}

/* True if an operation is the first one of its step in the run. */
static bool is_first_of_step(const struct operations *operations, uint32_t index)
{
	uint32_t i = 0;

	while (strcmp(operations->at[i].step_name, operations->at[index].step_name) != 0 ||
		strcmp(operations->at[i].kind, operations->at[index].kind) != 0)
		i++;
	return i == index;
}

/* Adds the charges of a step, or of all steps of a kind. For intervals between completions, adds
 * only the charges of the later intervals if the file has these, because the first intervals may
 * have another length. */
static bool measure_add_step(const struct sweep_run_of *of, const char *charged, const char *by,
	struct charges *charges, struct text *why)
{
	double before = charges->whole;

	if (strcmp(by, CHARGES_INTERVAL) == 0 && !charges_add(charges, of->summary, of->group,
							 charged, CHARGES_LATE, of->arena, why))
		return false;
	return charges->whole > before ||
	       charges_add(charges, of->summary, of->group, charged, by, of->arena, why);
}

/* Adds the charges of one run. If operations are in flight, the interval of a step begins when any
 * step of the same kind completes. So the charges of an iteration are the sum over all its steps of
 * this kind. */
static bool add_charges(const struct operations *operations, const struct sweep_points *points,
	const struct sweep_run_of *of, const char *charged, const char *by, struct charges *charges,
	struct text *why)
{
	size_t length = strcspn(charged, "/");
	bool good = true, any = false;

	for (uint32_t i = 0; i < operations->count && good && points->iteration &&
			     points->mode == MEASURE_FLIGHT && points->around;
		i++) {
		const struct operation *operation = &operations->at[i];

		if (strlen(operation->kind) != length ||
			strncmp(operation->kind, charged, length) != 0 ||
			!sweep_within_has(points->around, operation->step_name) ||
			!is_first_of_step(operations, i))
			continue;
		any = true;
		good = measure_add_step(of,
			arena_printf(of->scratch, "%s/%s", operation->kind, operation->step_name),
			by, charges, why);
	}
	return any ? good : measure_add_step(of, charged, by, charges, why);
}

bool sweep_measure(const struct operations *operations, const struct sweep_points *points,
	const struct sweep_run_of *of, struct measured *measured, uint32_t *made,
	struct charges *charges, struct text *why)
{
	const char *charged = points->kind, *by = charged_metric(points);

	*made = count_made(operations, points);
	if (points->run) {
		struct run_makespan makespan =
			sweep_run_measure(operations, points->run, points->step_kind, of->scratch);

		*made = 1;
		run_to_measured(&makespan, of->scratch, measured);
		return run_charges_add(
			charges, of->summary, of->group, operations, &makespan, of->arena, why);
	}
	if (points->whole) {
		sweep_take_rounds(operations, points->whole, points->step_kind, of->scratch,
			measured, made, &charged);
		by = metric_names[METRIC_ROUND];
	} else if (points->within) {
		sweep_take_spans(operations, points, of->scratch, measured);
		charged = NULL; /* files keep charges by step */
	} else {
		measure_take(operations, points->kind, points->mode, points->metric, of->scratch,
			measured);
		take_cpu_around(operations, points, *made, of->scratch, measured);
	}
	charges->known &= charged != NULL;
	return !charged || add_charges(operations, points, of, charged, by, charges, why);
}
