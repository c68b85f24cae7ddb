/* Writes texts about options that cannot be told apart as they stand (verdict_items.h): with which
 * values of unswept choices this is so, and with which other values they differ. */
#include "analysis/compare/verdict_items.h"

/* Returns a text that says with how many of the tried values the options cannot be told apart. */
static const char *verdict_equal_tried(
	const struct choices *choices, uint32_t tried, struct arena *arena)
{
	uint32_t broke = 0, failed = 0;

	for (uint32_t i = 0; i < choices->count; i++)
		for (uint32_t t = 0; t < choices->at[i].trial_count; t++) {
			broke += choice_trial_breaks(&choices->at[i].trials[t]);
			failed += choices->at[i].trials[t].why != NULL;
		}
	return arena_printf(arena, "no difference with %u of %u other values%s",
		tried - broke - failed, tried,
		failed > 0 ? arena_printf(arena, " (%u could not run)", failed) : "");
}

uint32_t verdict_equal_texts(const struct choices *choices, const char **texts, uint32_t most,
	uint32_t *least, struct arena *arena)
{
	uint32_t count = 0, tried = 0;

	for (uint32_t i = 0; i < choices->count; i++)
		tried += choices->at[i].trial_count;
	for (uint32_t i = 0; i < choices->count && count + 1 < most; i++)
		if (tried == 0 || choice_breaks(&choices->at[i]))
			texts[count++] = choice_text(&choices->at[i], false, arena);
	*least = tried > 0 ? count : 0;
	if (tried > 0)
		texts[count++] = verdict_equal_tried(choices, tried, arena);
	return count;
}
