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

#endif
