/* Prints a measurement as text or JSON, or writes it to platform files. If a figure has no usable
 * value, the reason is printed instead, and platform files do not contain the figure. */
#ifndef BENCH_TOOLS_MEASURE_PRINT_H
#define BENCH_TOOLS_MEASURE_PRINT_H

#include <stdio.h>

#include "base/text.h"
#include "base/tree.h"
#include "bench/tools/measure/measure.h"
#include "platform/platform.h"

/* Prints tables of constants, unusable figures, messages and commands. */
void measurement_print(const struct measurement *measurement, FILE *out);

/* Prints the measurement as a JSON document (meshsim schema calibrate-host). */
void measurement_print_json(const struct measurement *measurement, FILE *out);

/* Appends a platform file that extends the platform `base` (a name or a path), and that sets the
 * constants of this platform to the figures. `platform` is `base` as it was read. Leaves out
 * figures that are not constants of `platform`. Returns the number of figures in the file. */
uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out);

/* Replaces the constants in `file` by the figures with the same names. `file` is the text of a file
 * that platforms include, such as _transports.yaml, and `tree` was read from this text. Replaces
 * only constants that `platform` has. Returns the number of replaced constants. */
uint32_t part_write(const struct measurement *measurement, const struct platform *platform,
	const struct tree *tree, struct text *file);

/* Writes figures as constants of a platform file. */

/* Appends a figure as the map of a constant, {value, unit, kind, source}. `spec` describes the
 * struct member that the constant sets. The map begins on the current line. Its other lines are
 * indented by `column` + 1 blanks. */
void source_write(const struct measurement *measurement, const struct figure *figure,
	const struct constant_spec *spec, uint32_t column, struct text *out);

/* Appends a text in double quotes. */
void source_quote(const char *string, struct text *out);

/* Chooses a unit in which a value is easy to read. */

struct readable {
	const char *unit;
	double scale; /* factor from the figure's unit to the readable unit */
};

/* Chooses the readable unit for a value in "ps", "B/s" or "B". Any other unit stays the same. */
struct readable unit_readable(double value, const char *unit);

#endif
