/* Writes ratios for sentences (value_text.h). */
#include "analysis/print/value_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Larger factors are printed with an exponent. */
#define FACTOR_MOST 1e12

const char *ratio_percent(double part, struct arena *arena)
{
	double percent = 100 * part;

	return arena_printf(arena, fabs(percent) < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

const char *ratio_factor(double factor, struct arena *arena)
{
	const char *digits, *text = "";
	size_t length, head;

	if (!(factor >= 999.5) || factor >= FACTOR_MOST)
		return arena_printf(arena, "%.3g", factor);
	digits = arena_printf(arena, "%.0f", factor);
	length = strlen(digits);
	for (size_t at = 0; at < length; at += head) {
		head = (length - at) % 3 ? (length - at) % 3 : 3;
		text = arena_printf(arena, "%s%s%.*s", text, at ? "," : "", (int)head, digits + at);
	}
	return text;
}

const char *ratio_times(double ratio, struct arena *arena)
{
	return arena_printf(arena, "%s times", ratio_factor(1 + ratio, arena));
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
		times ? ratio_factor(1 + low, arena) : arena_printf(arena, "%+.2g", 100 * low);
	const char *last =
		times ? ratio_factor(1 + high, arena) : arena_printf(arena, "%+.2g", 100 * high);
	const char *unit = times ? "times" : "%";

	return strcmp(first, last) == 0 ? arena_printf(arena, "%s %s", first, unit)
					: arena_printf(arena, "%s to %s %s", first, last, unit);
}
