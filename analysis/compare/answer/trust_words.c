/* Words for a model's error and for guesses by kind (best.h). */
#include <string.h>

#include "analysis/compare/best.h"

enum { FIGURES_FEW = 10, GUESSES_LISTED = 2, KINDS_MAX = 8 };

const char *trust_error_text(const struct model_doubt *doubt, struct arena *arena)
{
	const char *few = doubt->rows > 0 && doubt->rows < FIGURES_FEW ? "only " : "";
	const char *of =
		doubt->basis == MODEL_OWN ? doubt->machine
		: doubt->basis == MODEL_WHOLE_FAMILY
			? "any machine"
			: arena_printf(arena, "other machines, none of %s", doubt->machine);
	const char *rows = doubt->rows > 0 ? arena_printf(arena, "%s%u figure%s of ", few,
						     doubt->rows, doubt->rows == 1 ? "" : "s")
					   : "";

	return arena_printf(arena, "%s in %s (%s%s%s)", compare_percent(doubt->error, arena),
		doubt->family, rows, of,
		doubt->basis == MODEL_ALL_FAMILIES ? "; error of all families" : "");
}

const char *trust_count_text(const struct constants *constants, struct arena *arena)
{
	const char *text = "", *done[KINDS_MAX];
	uint32_t named = 0;

	if (constants->count <= GUESSES_LISTED)
		return "";
	for (uint32_t i = 0; i < constants->count; i++) {
		const char *kind = constants->at[i].kind;
		uint32_t count = 0, k = 0;
		while (k < named && strcmp(done[k], kind) != 0)
			k++;
		if (k < named || named == KINDS_MAX)
			continue;
		done[named++] = kind;
		for (uint32_t j = i; j < constants->count; j++)
			count += strcmp(constants->at[j].kind, kind) == 0;
		text = arena_printf(arena, "%s%s%u %s", text, text[0] ? " and " : "", count, kind);
	}
	return arena_printf(arena, "%s constants", text);
}
