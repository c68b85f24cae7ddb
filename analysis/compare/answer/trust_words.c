/* Writes the error of the model as text (best.h). */
#include "analysis/compare/best.h"

enum { FIGURES_FEW = 10 };

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
