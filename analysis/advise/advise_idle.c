/* Sums the time in which the devices of a run have no kernel to run, by cause and by step
 * (advise.h). */
#include "analysis/advise.h"

#include <stdlib.h>
#include <string.h>

struct idle_of {
	const struct operations *operations;
	struct advise_idle *idle;
	struct arena *arena;
};

static struct advise_step *idle_step(struct idle_of *of, const struct operation *operation)
{
	struct advise_idle *idle = of->idle;
	const char *name = idle_launch_name(operation);
	uint32_t i = 0;

	while (i < idle->step_count && strcmp(idle->steps[i].name, name) != 0)
		i++;
	if (i == idle->step_count)
		idle->steps[idle->step_count++] =
			(struct advise_step){.name = arena_string(of->arena, name)};
	return &idle->steps[i];
}

static void add_launch(
	struct idle_of *of, const struct idle_gap *gap, double (*by_step)[IDLE_CAUSES])
{
	struct advise_step *step = idle_step(of, &of->operations->at[gap->index]);

	step->launches++;
	step->kernel += (double)gap->kernel;
	step->idle += (double)gap->idle;
	of->idle->whole += (double)(gap->end - gap->start);
	of->idle->launches++;
	of->idle->bound += gap->idle > gap->kernel;
	for (int c = 0; c < IDLE_CAUSES; c++) {
		of->idle->idle[c] += gap->causes[c];
		by_step[step - of->idle->steps][c] += gap->causes[c];
	}
}

static int idle_by_time(const void *a, const void *b)
{
	const struct advise_step *x = a, *y = b;
	double difference = y->idle * (double)y->launches - x->idle * (double)x->launches;

	return difference != 0 ? (difference > 0 ? 1 : -1) : strcmp(x->name, y->name);
}

/* Turns the sums of each step into means, and sorts the steps. */
static void finish_steps(struct advise_idle *idle, double (*by_step)[IDLE_CAUSES])
{
	for (uint32_t i = 0; i < idle->step_count; i++) {
		struct advise_step *step = &idle->steps[i];

		for (int c = 1; c < IDLE_CAUSES; c++)
			if (by_step[i][c] > by_step[i][step->cause])
				step->cause = c;
		step->kernel /= (double)step->launches;
		step->idle /= (double)step->launches;
	}
	if (idle->step_count > 0)
		qsort(idle->steps, idle->step_count, sizeof *idle->steps, idle_by_time);
}

static bool find_idle(struct idle_of *of, struct text *why)
{
	const struct operations *operations = of->operations;
	double(*by_step)[IDLE_CAUSES] =
		arena_array(of->arena, operations->count + 1, sizeof *by_step);
	uint32_t count, *launches = idle_launches(operations, of->arena, &count);

	of->idle->steps = arena_array(of->arena, operations->count + 1, sizeof *of->idle->steps);
	for (uint32_t i = 1; i < count; i++) {
		struct idle_gap gap;

		if (idle_gap_find(operations, launches[i], launches[i - 1], &gap))
			add_launch(of, &gap, by_step);
	}
	finish_steps(of->idle, by_step);
	if (of->idle->launches == 0)
		text_append(why, "no two launches of programs follow each other");
	return of->idle->launches > 0;
}

bool advise_idle_read(
	const char *file, struct arena *arena, struct advise_idle *idle, struct text *why)
{
	struct idle_of of = {.idle = idle, .arena = arena};
	struct summary summary;
	const char *group;
	bool good = summary_open(&summary, file, why);

	*idle = (struct advise_idle){0};
	if (good) {
		group = summary_group(&summary, 0);
		of.operations = operations_of(&summary, group, true, why);
		idle->scenario = result_document(
			summary.result, arena_printf(arena, "%s/scenario", group), arena);
		idle->platform = result_document(
			summary.result, arena_printf(arena, "%s/platform", group), arena);
		good = of.operations && idle->scenario && idle->platform && find_idle(&of, why);
	}
	summary_close(&summary);
	return good;
}
