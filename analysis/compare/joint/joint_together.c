/* Finds groups of costs that reverse a verdict if they change together. */
#include <stdlib.h>

#include "joint_private.h"

static const double joint_factors[] = {0.7, 1.3};

/* A group of costs, changed in the direction that leaves the smaller margin. */
struct pull {
	int group;
	double factor, margin; /* factor of the group's costs; margin if only this group changes */
	double winner, rival;  /* time that the change adds to the winner, and to the rival, ps */
};

/* Returns a rival's margin over the model's best option if both times grow by these amounts. */
static double margin_after(
	const struct joint_model *model, uint32_t rival, double winner_more, double rival_more)
{
	return (model->values[rival] + rival_more) / (model->values[0] + winner_more) - 1;
}

static struct pull pull_of(
	const struct joint_model *model, uint32_t rival, int group, double factor)
{
	struct pull pull = {.group = group, .factor = factor};

	for (uint32_t c = 0; c < model->count; c++) {
		const struct joint_cost *cost = &model->costs[c];
		double growth = charge_growth(cost->constant->unit, factor);
		if (!cost->parts || (int)cost->constant->group != group)
			continue;
		pull.winner += growth * cost->parts[0];
		pull.rival += growth * cost->parts[rival];
	}
	pull.margin = margin_after(model, rival, pull.winner, pull.rival);
	return pull;
}

static int by_margin(const void *a, const void *b)
{
	const struct pull *x = a, *y = b;

	if (x->margin != y->margin)
		return x->margin < y->margin ? -1 : 1;
	return x->group - y->group;
}

/* Finds how many groups of costs must change together so that the rival is ahead of the winner.
 * Changes one group after another, beginning with the group whose change reduces the winner's
 * margin most. Leaves out groups that do not reduce it. Returns the number of changed groups, or 0
 * if the rival never gets ahead. */
static uint32_t pulls_of(const struct joint_model *model, uint32_t rival,
	struct pull pulls[CONSTANT_GROUPS], double *margin)
{
	double nominal = margin_after(model, rival, 0, 0), winner = 0, behind = 0;

	for (int group = 0; group < CONSTANT_GROUPS; group++) {
		struct pull other = pull_of(model, rival, group, joint_factors[1]);
		pulls[group] = pull_of(model, rival, group, joint_factors[0]);
		if (other.margin < pulls[group].margin)
			pulls[group] = other;
	}
	qsort(pulls, CONSTANT_GROUPS, sizeof(*pulls), by_margin);
	for (uint32_t i = 0; i < CONSTANT_GROUPS && pulls[i].margin < nominal; i++) {
		winner += pulls[i].winner;
		behind += pulls[i].rival;
		*margin = margin_after(model, rival, winner, behind);
		if (*margin < 0)
			return i + 1;
	}
	return 0;
}

void joint_together(const struct joint_model *model, struct joint *joint,
	double factors[CONSTANT_GROUPS], struct arena *arena)
{
	struct joint_together *together = &joint->together;
	struct pull pulls[CONSTANT_GROUPS];
	double margin;

	*together = (struct joint_together){0};
	for (int group = 0; group < CONSTANT_GROUPS; group++)
		factors[group] = 1;
	for (uint32_t rival = 1; rival < model->options && rival < JOINT_DESIGNS_MAX; rival++) {
		uint32_t count = pulls_of(model, rival, pulls, &margin);
		if (count == 0 || (together->count > 0 && count >= together->count))
			continue;
		together->count = count;
		together->margin = margin;
		together->rival = model->labels[rival];
		for (int group = 0; group < CONSTANT_GROUPS; group++)
			factors[group] = 1;
		for (uint32_t i = 0; i < count; i++) {
			factors[pulls[i].group] = pulls[i].factor;
			if (i < JOINT_TOGETHER_MAX)
				together->groups[i] = arena_printf(arena, "%s %+.0f %%",
					constant_group_name((enum constant_group)pulls[i].group),
					100 * (pulls[i].factor - 1));
		}
	}
}
