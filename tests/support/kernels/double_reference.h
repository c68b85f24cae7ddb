/* What programs of the library compute, written a second time: with doubles, over whole matrices,
 * in the order of the mathematics and not of tiles, and with the functions of the C library. So a
 * mistake that a program and its own reference share is found. */
#ifndef TEST_DOUBLE_REFERENCE_H
#define TEST_DOUBLE_REFERENCE_H

#include <stdint.h>

#include "programs/library.h"

/* Returns true if elements of a result come from many elements. The values are only compared if no
 * element of the inputs is larger than 2. */
bool double_reference_is_sum(const struct library_row *row);

/* Compares the ports that the program writes with the values computed here from its other ports.
 * Fails the test if an element is off by more than its program may be. Returns false, and compares
 * nothing, if programs of this name are not computed here, or if elements of
 * a sum are too large. */
bool double_reference_check(const struct library_row *row, const struct library_use *use,
	uint8_t *const values[LIBRARY_PORTS_MAX], uint32_t seed);

#endif
