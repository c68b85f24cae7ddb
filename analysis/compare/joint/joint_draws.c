/* Draws random values of costs, and computes the times of the options with these costs
 * (joint_private.h). Each cost has its own stream of random numbers, which is named after the cost.
 * So the draws of a cost are the same in every question, and do not change when other costs are
 * added. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "joint_private.h"

enum { ROLE_BYTES = 512, SEED = 1 };

struct joint_space joint_space_make(
	const struct joint_model *model, uint32_t draws, struct arena *arena)
{
	struct joint_space space = {.draws = draws};

	space.order = arena_array(arena, draws, sizeof(*space.order));
	space.growths = arena_array(arena, draws, sizeof(*space.growths));
	space.others = arena_array(arena, draws, sizeof(*space.others));
	space.times = arena_array(arena, (size_t)model->options * draws, sizeof(*space.times));
	return space;
}

/* Starts a stream, and puts the numbers of the draws into a random order. */
static void joint_draws_order(
	const char *set, const char *name, uint32_t draws, uint32_t *order, struct stream *stream)
{
	char role[ROLE_BYTES];

	snprintf(role, sizeof(role), "joint/%s/%s", set, name);
	stream_init(stream, SEED, role);
	for (uint32_t i = 0; i < draws; i++) {
		uint32_t place = (uint32_t)stream_below(stream, i + 1);
		order[i] = order[place];
		order[place] = i;
	}
}

void joint_draw(const char *set, const struct joint_cost *cost, uint32_t draws, uint32_t *order,
	double *growths)
{
	struct stream stream;

	joint_draws_order(set, cost->constant->path, draws, order, &stream);
	for (uint32_t i = 0; i < draws; i++)
		growths[i] = exp(cost->sigma * stream_normal_between(&stream, order[i], draws));
}

void joint_times(const struct joint_model *model, const char *set, struct joint_space *space)
{
	uint32_t draws = space->draws;

	for (uint32_t o = 0; o < model->options; o++)
		for (uint32_t i = 0; i < draws; i++)
			space->times[(size_t)o * draws + i] = model->fixed[o];
	for (uint32_t c = 0; c < model->count; c++) {
		const struct joint_cost *cost = &model->costs[c];
		if (!cost->parts)
			continue;
		joint_draw(set, cost, draws, space->order, space->growths);
		for (uint32_t o = 0; o < model->options; o++) {
			double *times = &space->times[(size_t)o * draws], part = cost->parts[o];
			for (uint32_t i = 0; part > 0 && i < draws; i++)
				times[i] += part * space->growths[i];
		}
	}
}

void joint_scatter(
	const struct joint_model *model, uint32_t o, uint32_t draws, size_t stride, double *values)
{
	struct stream stream;
	uint32_t *order;

	if (model->scatter[o] <= 0)
		return;
	order = allocate(draws, sizeof(*order));
	joint_draws_order("scatter", model->labels[o], draws, order, &stream);
	for (uint32_t i = 0; i < draws; i++)
		values[i * stride] *=
			exp(model->scatter[o] * stream_normal_between(&stream, order[i], draws));
	free(order);
}
