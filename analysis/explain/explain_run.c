/* Names a run in an explanation by the values of its swept keys. */
#include <string.h>

#include "explain_private.h"

const char *explain_keys(const struct summary *summary, uint64_t row, struct arena *arena)
{
	const char *keys = "";

	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const struct dataset_column *column =
			&summary->dataset.columns[summary->swept_first + i];
		const char *value = dataset_cell_text(&summary->dataset, column, row, arena);
		if (strcmp(value, "-") != 0)
			keys = arena_printf(
				arena, "%s%s%s=%s", keys, keys[0] ? ", " : "", column->name, value);
	}
	return keys[0] ? keys : "no swept keys";
}
