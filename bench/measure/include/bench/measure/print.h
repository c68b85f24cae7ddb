/* A measurement for people, as JSON, and as a layer over a platform. Refuses to show a value whose
 * spread is larger: the reason stands in its place. */
#ifndef BENCH_MEASURE_PRINT_H
#define BENCH_MEASURE_PRINT_H

#include <stdio.h>

#include "base/text.h"
#include "base/tree.h"
#include "bench/measure/measure.h"
#include "platform/platform.h"

/* Tables: constants, what is refused, messages, commands. */
void measurement_print(const struct measurement *measurement, FILE *out);

/* The same as one document (meshsim schema calibrate-host). */
void measurement_print_json(const struct measurement *measurement, FILE *out);

/* Appends a platform file that extends `base` (a name or a path): of every figure that `platform`,
 * which is the base read, has a constant for, value, unit and source. Returns how many. */
uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out);

/* Puts figures in place of the constants of their names that stand in `file`, the text that `tree`
 * was read from: a part of platforms such as _transports.yaml. `platform` has them, too. Returns
 * how many. */
uint32_t part_write(const struct measurement *measurement, const struct platform *platform,
	const struct tree *tree, struct text *file);

#endif
