/* Writes figures as constants of a platform file. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_SOURCES_H
#define BENCH_TOOLS_MEASURE_SOURCES_H

#include "base/text.h"
#include "bench/tools/measure/measure.h"
#include "platform/platform.h"

/* Appends the map of a constant, {value, unit, kind, source}, for the consumer's `spec`: it begins
 * on the current line and continues on lines that are indented by `column` + 1. */
void source_write(const struct measurement *measurement, const struct figure *figure,
	const struct constant_spec *spec, uint32_t column, struct text *out);

/* Appends a text in double quotes. */
void source_quote(const char *string, struct text *out);

#endif
