/* Tries changes within a budget. If the meshes fit with a change, records the change as advice. The
 * budget limits the number of search steps and not the time, so the same files get the same advice
 * on every machine. */
#include <string.h>

#include "advise.h"

enum {
	ADVICE_STEPS = 30000000, /* candidates in all trials together; this takes a few seconds */
	TRIAL_STEPS = 100000,	 /* candidates in a first, short trial */
};

struct adviser adviser_make(
	const struct place_files *files, const struct place_command *command, struct advices *out)
{
	return (struct adviser){files, command, out, .left = ADVICE_STEPS};
}

static void *advise_try_grow(
	struct arena *arena, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	void *grown;

	if (count < *capacity)
		return array;
	*capacity = 2 * *capacity + 8;
	grown = arena_array(arena, *capacity, size);
	if (count)
		memcpy(grown, array, count * size);
	return grown;
}

void advise_not_tried(struct adviser *adviser, const char *verdict, const char *why)
{
	if (!adviser->said)
		text_printf(&adviser->out->not_tried, "%s: %s%s\n", verdict, adviser->what, why);
	adviser->said = true;
}

void advise_begin(struct adviser *adviser, const char *what)
{
	adviser->what = what;
	adviser->said = false;
	adviser->share = adviser->left / 2;
}

void advise_spend(struct adviser *adviser, uint64_t steps)
{
	adviser->left -= steps < adviser->left ? steps : adviser->left;
	adviser->share -= steps < adviser->share ? steps : adviser->share;
}

/* Tries the changes, first with a short search. If this search finds a placement, tries the changes
 * again with the search limit of the command. */
enum trial advise_try(struct adviser *adviser, const struct change *changes, uint32_t count)
{
	uint64_t budget = adviser->files->options.budget, steps = 0, most = adviser->share;
	bool is_short = budget && budget <= TRIAL_STEPS;
	enum solve_verdict verdict;

	if (!most) {
		advise_not_tried(adviser, "not tried", ": the steps for such advice were used up");
		return TRIAL_NOT_TRIED;
	}
	verdict = place_changed(adviser->files, adviser->command, changes, count,
		is_short ? 0 : TRIAL_STEPS, most, &steps);
	if (verdict == SOLVE_FOUND && !is_short)
		verdict = place_changed(
			adviser->files, adviser->command, changes, count, 0, most, &steps);
	advise_spend(adviser, steps);
	if (verdict == SOLVE_BUDGET)
		advise_not_tried(adviser, "not decided", ", within the steps of a trial");
	return verdict == SOLVE_FOUND  ? TRIAL_FITS
	       : verdict == SOLVE_NONE ? TRIAL_DOES_NOT
				       : TRIAL_UNDECIDED;
}

void advise_add(
	struct adviser *adviser, const char *obstacle, const struct change *changes, uint32_t count)
{
	struct advices *out = adviser->out;
	struct advice advice = {.obstacle = obstacle, .change_count = count};

	advice.changes = arena_array(&out->arena, count, sizeof(*changes));
	memcpy(advice.changes, changes, count * sizeof(*changes));
	advise_text(adviser->files, &advice, &advice.text);
	out->at =
		advise_try_grow(&out->arena, out->at, out->count, &out->capacity, sizeof(*out->at));
	out->at[out->count++] = advice;
}
