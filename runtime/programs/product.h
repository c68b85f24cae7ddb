/* Inside of programs: what both programs that multiply matrices take, check and have to give. */
#ifndef PROGRAMS_PRODUCT_H
#define PROGRAMS_PRODUCT_H

#include "parts.h"

/* Ports, and circular buffers of the same numbers. */
enum { PRODUCT_LEFT, PRODUCT_RIGHT, PRODUCT_TO };

/* Of library_use.tiles. */
enum { PRODUCT_ROWS, PRODUCT_COLUMNS, PRODUCT_INNER };

#define PRODUCT_PORTS                                                                              \
	{                                                                                          \
		[PRODUCT_LEFT] = {"left", "rows x inner tiles, row by row", false},                \
		[PRODUCT_RIGHT] = {"right", "inner x columns tiles, row by row", false},           \
		[PRODUCT_TO] = {"to", "rows x columns tiles, row by row", true},                   \
	}

/* INVALID, with a sentence, if buffers and extents do not fit each other. */
enum status product_check(const struct library_use *use, struct text *why);

/* The product, each sum in one register along the inner extent. */
void product_reference(const struct library_use *use, const struct library_values *values);

#endif
