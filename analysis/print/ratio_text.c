/* Spells ratios for sentences (ratio_text.h). */
#include "analysis/print/ratio_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *ratio_percent(double part, struct arena *arena)
{
	double percent = 100 * part;

	return arena_printf(arena, fabs(percent) < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

const char *ratio_times(double ratio, struct arena *arena)
{
	return arena_printf(arena, 1 + ratio < 999.5 ? "%.3g times" : "%.0f times", 1 + ratio);
}

const char *ratio_more(double ratio, const char *more, const char *times, struct arena *arena)
{
	if (ratio < 1)
		return arena_printf(arena, "%s %s", ratio_percent(ratio, arena), more);
	return arena_printf(arena, "%s %s", ratio_times(ratio, arena), times);
}

const char *ratio_change(double ratio, struct arena *arena)
{
	if (ratio >= 1)
		return ratio_times(ratio, arena);
	return arena_printf(arena, fabs(ratio) < 0.1 ? "%+.2g %%" : "%+.0f %%", 100 * ratio);
}

const char *ratio_range(double low, double high, struct arena *arena)
{
	bool times = high >= 1;
	const char *first =
		arena_printf(arena, times ? "%.3g" : "%+.2g", times ? 1 + low : 100 * low);
	const char *last =
		arena_printf(arena, times ? "%.3g" : "%+.2g", times ? 1 + high : 100 * high);
	const char *unit = times ? "times" : "%";

	return strcmp(first, last) == 0 ? arena_printf(arena, "%s %s", first, unit)
					: arena_printf(arena, "%s to %s %s", first, last, unit);
}
