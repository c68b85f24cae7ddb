/* Second references for programs of the library. They compute with doubles, over whole matrices, in
 * mathematical order instead of tile by tile, and with functions of the C library. So they find a
 * mistake that a program and its own reference have in common. */
#ifndef TEST_DOUBLE_REFERENCE_H
#define TEST_DOUBLE_REFERENCE_H

#include <stdint.h>

#include "programs/library.h"

/* Returns true if each element of a result depends on many elements. The values are then only
 * compared if no element of the inputs is larger than 2. */
bool double_reference_is_sum(const struct library_row *row);

/* Compares the ports that the program writes with values that are computed here from its other
 * ports. Fails the test if the error of an element is larger than the program's limit. Returns
 * false without comparing if there is no second reference for the program, or if elements of a sum
 * are too large. */
bool double_reference_check(const struct library_row *row, const struct library_use *use,
	uint8_t *const values[LIBRARY_PORTS_MAX], uint32_t seed);

#endif
