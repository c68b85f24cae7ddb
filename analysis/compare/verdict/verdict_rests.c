/* Writes texts about the guessed constants on which a margin depends (verdict_items.h). Each kind
 * of constant has one text. It names the most important constants of the kind, and says how many
 * there are in total. */
#include <string.h>

#include "analysis/compare/verdict_items.h"
#include "analysis/print/value_text.h"

enum { ALL_NAMED = 2, DECISIVE_NAMED = 2 };

/* A constant is decisive if its effect on the margin is at least this part of the largest
 * effect of any constant of the same kind. */
#define DECISIVE 0.5

const char *verdict_effect_text(double effect, struct arena *arena)
{
	return effect < 1 ? arena_printf(arena, "by %s", compare_percent(effect, arena))
			  : arena_printf(arena, "by %s times itself", ratio_factor(effect, arena));
}

/* Returns a text about a constant, such as "host.wake_call 1.2 us (moves the margin by 38 %)". The
 * words "moves the margin" are only in the text of the first constant (`first`). If `brief` is set,
 * returns only the name. */
static const char *constant_words(
	const struct constant *constant, bool brief, bool first, struct arena *arena)
{
	const char *text;

	if (brief)
		return constant->path;
	text = arena_printf(arena, "%s %g %s", constant->path, constant->value, constant->unit);
	return constant->effect > 0
		       ? arena_printf(arena, "%s (%s%s)", text, first ? "moves the margin " : "",
				 verdict_effect_text(constant->effect, arena))
		       : text;
}

/* "3 fitted constants", "1 constant measured on one machine". */
static const char *count_words(uint32_t count, const char *kind, struct arena *arena)
{
	const char *many = count == 1 ? "" : "s";

	if (strcmp(kind, constant_kind_words(CONSTANT_LOOPBACK)) == 0)
		return arena_printf(arena, "%u constant%s measured on a loopback", count, many);
	if (strcmp(kind, constant_kind_words(CONSTANT_ONE_MACHINE)) == 0)
		return arena_printf(arena, "%u constant%s measured on one machine", count, many);
	return arena_printf(arena, "%u %s constant%s", count, kind, many);
}

/* The text for the kind of constant `from`, which moves the margin most of all of this kind. */
static const char *kind_words(const struct constants *constants, uint32_t from, bool brief,
	bool first, struct arena *arena)
{
	const struct constant *heaviest = &constants->at[from];
	const char *names = "";
	uint32_t count = 0, named = 0;

	for (uint32_t i = from; i < constants->count; i++)
		count += strcmp(constants->at[i].kind, heaviest->kind) == 0;
	for (uint32_t i = from; i < constants->count; i++) {
		const struct constant *constant = &constants->at[i];
		bool decisive = named == 0 || constant->effect >= DECISIVE * heaviest->effect;
		if (strcmp(constant->kind, heaviest->kind) != 0 ||
			(count > ALL_NAMED && (!decisive || named == (brief ? 1 : DECISIVE_NAMED))))
			continue;
		names = arena_printf(arena, "%s%s%s", names, named ? " and " : "",
			constant_words(constant, brief, first && named == 0, arena));
		named++;
	}
	return arena_printf(arena, "%s%s %s", count_words(count, heaviest->kind, arena),
		count == 1	? ","
		: named < count ? ", above all"
				: ":",
		names);
}

uint32_t verdict_rests_texts(const struct constants *constants, bool brief, const char **texts,
	uint32_t most, struct arena *arena)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < constants->count && found < most; i++) {
		uint32_t before = 0;
		while (strcmp(constants->at[before].kind, constants->at[i].kind) != 0)
			before++;
		if (before == i) {
			texts[found] = kind_words(constants, i, brief, found == 0, arena);
			found++;
		}
	}
	return found;
}
