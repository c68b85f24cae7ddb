/* Output of a measurement: as text, as JSON, and as a layer over a platform. For values below the
 * noise floor it gives the reason instead. */
#ifndef BENCH_TOOLS_MEASURE_PRINT_H
#define BENCH_TOOLS_MEASURE_PRINT_H

#include <stdio.h>

#include "base/text.h"
#include "base/tree.h"
#include "bench/tools/measure/measure.h"
#include "platform/platform.h"

/* Prints tables of constants, unusable figures, messages and commands. */
void measurement_print(const struct measurement *measurement, FILE *out);

/* The same as one document (meshsim schema calibrate-host). */
void measurement_print_json(const struct measurement *measurement, FILE *out);

/* Appends a platform file that extends `base` (a name or a path), with value, unit and source of
 * every figure for which `platform`, the base as read, has a constant. Returns their number. */
uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out);

/* Replaces constants by the figures of the same names in `file`, the text from which `tree` was
 * read: a part of platforms such as _transports.yaml. `platform` must have the constants, too.
 * Returns their number. */
uint32_t part_write(const struct measurement *measurement, const struct platform *platform,
	const struct tree *tree, struct text *file);

/* Writes figures as constants of a platform file. */

/* Appends the map of a constant, {value, unit, kind, source}, for the consumer's `spec`: it begins
 * on the current line and continues on lines that are indented by `column` + 1. */
void source_write(const struct measurement *measurement, const struct figure *figure,
	const struct constant_spec *spec, uint32_t column, struct text *out);

/* Appends a text in double quotes. */
void source_quote(const char *string, struct text *out);

/* Chooses a unit in which a value is easy to read. */

struct readable {
	const char *unit;
	double scale; /* factor from the figure's unit to this one */
};

/* For a value in "ps", "B/s" or "B"; any other unit stays as it is. */
struct readable unit_readable(double value, const char *unit);

#endif
