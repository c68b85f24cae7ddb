/* Builds a model that gives the times of a question's options to first order (joint_private.h). */
#include <math.h>
#include <string.h>

#include "joint_private.h"

enum { JOINT_COSTS_MAX = 4096 };

/* True if the margins of a context can be used to compare its designs. */
static bool joint_model_fits(const struct context *focus)
{
	return focus->count >= 2 && !focus->needed && !focus->unbounded &&
	       !focus->points[focus->order[0]]->saturated &&
	       !focus->points[focus->order[0]]->native;
}

static bool has_cost(const struct joint_model *model, const char *path)
{
	for (uint32_t i = 0; i < model->count; i++)
		if (strcmp(model->costs[i].constant->path, path) == 0)
			return true;
	return false;
}

/* Adds the costs of an option's platform that the model does not have yet. */
static void joint_model_add_costs(struct comparison *comparison, struct joint_model *model,
	const struct sweep_point *point, struct arena *arena)
{
	struct constants constants = constants_read(compare_platform(point, arena), arena);
	bool first = model->count == 0;

	for (uint32_t i = 0; i < constants.count && model->count < JOINT_COSTS_MAX; i++) {
		const struct constant *constant = &constants.at[i];
		double width = joint_width(constant, &comparison->errors, point->machine);
		if (first || !has_cost(model, constant->path))
			model->costs[model->count++] =
				(struct joint_cost){constant, log(width) / JOINT_DEVIATIONS, NULL};
	}
}

/* Adds the costs of all platforms. Reads each platform only once, since most options share one. */
static void joint_model_read_costs(
	struct comparison *comparison, struct joint_model *model, struct arena *arena)
{
	const char *texts[JOINT_OPTIONS_MAX];

	model->costs = arena_array(arena, JOINT_COSTS_MAX, sizeof(*model->costs));
	for (uint32_t o = 0; o < model->options; o++) {
		uint32_t same = 0;
		texts[o] = compare_platform(model->points[o], arena);
		while (same < o && strcmp(texts[same], texts[o]) != 0)
			same++;
		if (same == o)
			joint_model_add_costs(comparison, model, model->points[o], arena);
	}
}

/* Splits the time of each option into the time charged for each cost, and the uncharged rest. */
static void joint_model_charge(struct joint_model *model, struct arena *arena)
{
	for (uint32_t i = 0; i < model->count; i++) {
		struct joint_cost *cost = &model->costs[i];
		for (uint32_t o = 0; o < model->options; o++) {
			const struct charges *charges = &model->points[o]->charges;
			double time = charges_of(charges, cost->constant->path);
			if (time <= 0)
				continue;
			if (!cost->parts)
				cost->parts =
					arena_array(arena, model->options, sizeof(*cost->parts));
			cost->parts[o] = model->values[o] * time / charges->whole;
			model->fixed[o] -= cost->parts[o];
		}
	}
	for (uint32_t o = 0; o < model->options; o++)
		model->fixed[o] = fmax(model->fixed[o], 0);
}

/* Returns the standard error of the logarithm of a margin's ratio, from its 95 % interval, whose
 * ends are 1.96 standard errors from the middle. Returns 0 if the margin has no interval. */
static double joint_model_scatter(const struct margin *margin)
{
	if (margin->few || margin->low <= -1 || margin->high <= margin->low)
		return 0;
	return (log1p(margin->high) - log1p(margin->low)) / (2 * 1.96);
}

bool joint_model_make(struct comparison *comparison, const struct question *question,
	struct joint_model *model, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];

	*model = (struct joint_model){.charged = question->points->figure != FIGURE_HOST_CPU};
	if (question->context_count == 0 || !joint_model_fits(focus))
		return false;
	for (uint32_t i = 0; i < focus->count && model->options < JOINT_OPTIONS_MAX; i++) {
		const struct sweep_point *point = focus->points[focus->order[i]];
		uint32_t o = model->options++;
		model->points[o] = point;
		model->labels[o] = focus->labels[focus->order[i]];
		model->numbers[o] = focus->order[i];
		model->values[o] = model->fixed[o] = sweep_point_value(question->points, point);
		model->scatter[o] = o ? joint_model_scatter(&focus->margins[model->numbers[o]]) : 0;
		model->charged &= point->charges.known && point->charges.whole > 0;
		if (model->values[o] <= 0)
			return false;
	}
	joint_model_read_costs(comparison, model, arena);
	if (model->charged)
		joint_model_charge(model, arena);
	return true;
}
