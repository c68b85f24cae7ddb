/* Writes times for sentences (value_text.h). */
#include "analysis/print/value_text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 64 };

const char *time_text(double ps, int digits, bool with_sign, struct arena *arena)
{
	static const struct {
		double factor;
		const char *unit;
	} scales[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}};
	size_t i = 0;

	while (scales[i].factor > 1 && fabs(ps) < scales[i].factor)
		i++;
	return arena_printf(arena, with_sign ? "%+.*g %s" : "%.*g %s", digits,
		ps / scales[i].factor, scales[i].unit);
}

/* True if two different values of the list have the same text. */
static bool some_alike(const double *values, uint32_t count, int digits)
{
	char first[NUMBER_BYTES], second[NUMBER_BYTES];

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++) {
			snprintf(first, sizeof first, "%.*g", digits, values[i]);
			snprintf(second, sizeof second, "%.*g", digits, values[k]);
			if (values[i] != values[k] && strcmp(first, second) == 0)
				return true;
		}
	return false;
}

int digits_apart(const double *values, uint32_t count)
{
	int digits = DIGITS_LEAST;

	while (digits < DIGITS_MOST && some_alike(values, count, digits))
		digits++;
	return digits;
}
