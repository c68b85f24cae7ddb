/* Shared parts of both programs that multiply matrices: inputs, checks and expected results. */
#ifndef PROGRAMS_PRODUCT_H
#define PROGRAMS_PRODUCT_H

#include "parts.h"

/* Ports, and the circular buffers with the same numbers. */
enum { PRODUCT_LEFT, PRODUCT_RIGHT, PRODUCT_TO };

/* Indexes of library_use.tiles. */
enum { PRODUCT_ROWS, PRODUCT_COLUMNS, PRODUCT_INNER };

#define PRODUCT_PORTS                                                                              \
	{                                                                                          \
		[PRODUCT_LEFT] = {"left", "rows x inner tiles, row by row", false},                \
		[PRODUCT_RIGHT] = {"right", "inner x columns tiles, row by row", false},           \
		[PRODUCT_TO] = {"to", "rows x columns tiles, row by row", true},                   \
	}

/* Returns INVALID, with a reason in `why`, if buffers and extents do not match. */
enum status product_check(const struct library_use *use, struct text *why);

/* Computes the product, with each sum in one register along the inner extent. */
void product_reference(const struct library_use *use, const struct library_values *values);

#endif
