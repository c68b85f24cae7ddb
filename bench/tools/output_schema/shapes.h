/* Initializers for the rows of the tables in this folder, one initializer for each kind of value. A
 * row for an object uses SHAPE_INNER with the table of the object's members. */
#ifndef BENCH_TOOLS_OUTPUT_SCHEMA_SHAPES_H
#define BENCH_TOOLS_OUTPUT_SCHEMA_SHAPES_H

#include <stddef.h>

#include "bench/tools/output_schema/output_schema.h"

#define TEXT(n, ...)                                                                               \
	{                                                                                          \
		.name = n, .kind = SHAPE_TEXT, __VA_ARGS__                                         \
	}
#define NUMBER(n, ...)                                                                             \
	{                                                                                          \
		.name = n, .kind = SHAPE_NUMBER, __VA_ARGS__                                       \
	}
#define INTEGER(n, ...)                                                                            \
	{                                                                                          \
		.name = n, .kind = SHAPE_INTEGER, __VA_ARGS__                                      \
	}
#define BOOL(n, ...)                                                                               \
	{                                                                                          \
		.name = n, .kind = SHAPE_BOOL, __VA_ARGS__                                         \
	}

#define KEYS TEXT("keys", .by_name = true, .help = "swept keys and their values")

/* The metrics that `compare` and `explain` may choose. */
extern const char output_metric_choices[];

#endif
