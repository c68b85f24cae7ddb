/* Says how probable a verdict is (analysis/compare/joint.h). */
#include <math.h>

#include "analysis/compare/joint.h"

enum { OTHERS_NAMED = 3 };

/* An option is not named if it is the best less often than this. */
#define NAMED_LEAST 0.005

/* Returns a probability in percent, which is "100 %" only if the probability is 1. */
static const char *chance_text(double chance, struct arena *arena)
{
	if (chance < 1 && chance >= 0.9995)
		return "over 99.9 %";
	return arena_printf(
		arena, chance >= 0.995 && chance < 1 ? "%.1f %%" : "%.0f %%", 100 * chance);
}

/* How the probabilities were found, in words. */
static const char *basis_words(const struct joint *joint, struct arena *arena)
{
	switch (joint->basis) {
	case JOINT_CONFIRMED:
		return arena_printf(arena, "first order, off by %s in %u reruns",
			compare_percent(joint->error, arena), joint->reruns);
	case JOINT_CORRECTED:
		return arena_printf(arena,
			"± %.0f %%; first order, off by %s, corrected by %u "
			"reruns%s",
			ceil(100 * joint->precision), compare_percent(joint->error, arena),
			joint->reruns, joint->few ? "; more would take too long" : "");
	case JOINT_RERUN:
		return arena_printf(arena, "± %.0f %%, %u reruns%s", ceil(100 * joint->precision),
			joint->reruns, joint->few ? "; more would take too long" : "");
	default:
		return joint->few ? "first order; reruns would take too long" : "first order";
	}
}

static const char *leader_text(const struct joint *joint, struct arena *arena)
{
	return arena_printf(arena, "%s is best in %s of draws of all costs (%s)",
		joint->options[0].label, chance_text(joint->options[0].chance, arena),
		basis_words(joint, arena));
}

/* Returns a text about the draws in which the winner is not the best. The text names the options
 * that are the best in these draws. Returns NULL if there are none. */
static const char *others_text(const struct joint *joint, struct arena *arena)
{
	const char *text = NULL;
	double rest = 0;
	uint32_t named = 0;

	for (uint32_t o = 1; o < joint->option_count; o++) {
		const struct joint_option *option = &joint->options[o];
		if (option->chance < NAMED_LEAST || named == OTHERS_NAMED) {
			rest += option->chance;
			continue;
		}
		text = arena_printf(arena, "%s%s%s in %s", text ? text : "", text ? ", " : "",
			option->label, chance_text(option->chance, arena));
		named++;
	}
	if (rest >= NAMED_LEAST)
		text = arena_printf(arena, "%s%sothers in %s", text ? text : "", text ? ", " : "",
			chance_text(rest, arena));
	return text;
}

static const char *share_text(const struct joint *joint, uint32_t index, struct arena *arena)
{
	const struct joint_cost_share *share = &joint->shares[index];

	return arena_printf(arena, "%s %s (%.0f %%)",
		index == 0 ? "the margin varies with" : "with", share->path,
		100 * fmin(share->total, 1));
}

/* Says which groups of costs reverse the verdict together. */
static const char *together_text(const struct joint *joint, struct arena *arena)
{
	const struct joint_together *together = &joint->together;
	double margin = together->rerun ? together->measured : together->margin;
	const char *text = "";

	if (together->count == 0)
		return "no costs at -30 % or +30 % reverse it, even all together";
	for (uint32_t i = 0; i < together->count && i < JOINT_TOGETHER_MAX; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? " with " : "", together->groups[i]);
	if (together->count > JOINT_TOGETHER_MAX)
		text = arena_printf(arena, "%s with %u further groups", text,
			together->count - JOINT_TOGETHER_MAX);
	if (together->rerun && margin >= 0)
		return arena_printf(arena,
			"%s reverse it to first order, but a rerun leaves %s %s behind", text,
			together->rival, compare_percent(margin, arena));
	return arena_printf(arena, "%s reverse it: %s ahead by %s%s", text, together->rival,
		compare_percent(1 / (1 + margin) - 1, arena), together->rerun ? " in a rerun" : "");
}

uint32_t compare_joint_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena)
{
	const struct joint *joint = question->joint;
	const char *all[5 + JOINT_NAMED], *others;
	uint32_t count = 0, given = 0;

	if (!joint)
		return 0;
	all[count++] = leader_text(joint, arena);
	others = others_text(joint, arena);
	if (others)
		all[count++] = others;
	for (uint32_t i = 0; i < joint->share_count; i++)
		all[count++] = share_text(joint, i, arena);
	if (question->outcome != OUTCOME_UNDECIDED && joint->draws > 0)
		all[count++] = together_text(joint, arena);
	all[count++] = arena_printf(arena, "nine of ten margins over %s are from %s to %s",
		joint->options[1].label, compare_percent(joint->low, arena),
		compare_percent(joint->high, arena));
	if (joint->failed > 0)
		all[count++] = arena_printf(
			arena, "%u draws could not run, as of %s", joint->failed, joint->failure);
	while (given < count && given < most) {
		texts[given] = all[given];
		given++;
	}
	return given;
}
