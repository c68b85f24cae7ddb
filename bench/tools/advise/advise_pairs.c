/* Tries pairs of changes (advise.h). */
#include <string.h>

#include "advise.h"

/* Pairs are made from the PAIRED changes with the largest gain. */
enum { PAIRED = 4, PAIRS = PAIRED * (PAIRED - 1) / 2 };

/* True if both changes are values of one key. A design can have only one of them. */
static bool is_same_key(const struct advise_design *a, const struct advise_design *b)
{
	return a->choice.key && b->choice.key && strcmp(a->choice.key, b->choice.key) == 0;
}

/* Makes a pair of two changes. It applies a choice before a rewrite. It applies the rewrite `trace`
 * after another rewrite, because traces cannot contain the events that the other rewrite adds. */
static void make_pair(struct advice *advice, const struct advise_design *a,
	const struct advise_design *b, struct advise_design *pair)
{
	const struct advise_design *first = a, *second = b;

	if (a->rewrite && (!b->rewrite || a->rewrite == advise_rewrite_at(0))) {
		first = b;
		second = a;
	}
	*pair = (struct advise_design){
		.name = arena_printf(&advice->arena, "%s, %s", a->name, b->name),
		.parts = {first, second}};
}

/* Chooses the changes to pair: those that do not lose, with only the best value of each key. */
static uint32_t choose(const struct advice *advice, const struct advise_design *chosen[PAIRED])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < advice->count && count < PAIRED; i++) {
		const struct advise_design *design = &advice->designs[i];
		bool taken = design->refused || design->verdict.outcome == ADVISE_LOSES;

		for (uint32_t k = 0; k < count; k++)
			taken |= is_same_key(chosen[k], design);
		if (!taken)
			chosen[count++] = design;
	}
	return count;
}

/* Returns true if the devices are so busy that no pair can decide, and no single change gains. */
static bool is_busy(const struct advice *advice)
{
	const double decides = 0.01; /* the least margin that decides (docs/verdicts.md) */
	double idle = 0;

	for (uint32_t i = 0; i < advice->count; i++)
		if (!advice->designs[i].refused &&
			advice->designs[i].verdict.outcome == ADVISE_GAINS)
			return false;
	for (int cause = 0; cause < IDLE_CAUSES; cause++)
		idle += advice_idle_share(advice, cause);
	return idle / (1 - idle) < decides;
}

void advice_try_pairs(struct advice *advice, struct rerun *rerun)
{
	struct advise_design *pairs = arena_array(&advice->arena, PAIRS, sizeof *pairs);
	const struct advise_design *chosen[PAIRED];
	uint32_t count = choose(advice, chosen), made = 0;
	struct text why = {0};

	advice->busy = is_busy(advice);
	if (advice->busy)
		return;
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1; b < count; b++)
			make_pair(advice, chosen[a], chosen[b], &pairs[made++]);
	advice_run(advice, rerun, pairs, made);
	for (uint32_t i = 0; i < made; i++)
		if (!pairs[i].refused &&
			(!advice->pair || pairs[i].verdict.gain > advice->pair->verdict.gain))
			advice->pair = &pairs[i];
	if (advice->pair &&
		!advise_judge(advice->designs[0].file, advice->pair->file, &advice->base.mark,
			&advice->arena, &advice->pair_verdict, &why))
		advice->pair = NULL;
	text_fini(&why);
}
