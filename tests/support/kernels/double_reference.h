/* Second references for programs of the library. They compute with doubles and functions of the C
 * library, over whole matrices instead of tile by tile. They can find a mistake that a program
 * shares with its first reference. */
#ifndef TEST_DOUBLE_REFERENCE_H
#define TEST_DOUBLE_REFERENCE_H

#include <stdint.h>

#include "programs/library.h"

/* Returns true if each element of the program's result depends on many elements. For such a
 * program, double_reference_check() compares values only if all elements of the inputs are between
 * -2 and 2. */
bool double_reference_is_sum(const struct library_row *row);

/* Computes the ports that the program writes from the ports that it reads, and compares them with
 * `values`. Fails the test if the error of an element is larger than the program's limit. Returns
 * true after a comparison. Returns false without a comparison if there is no second reference for
 * the program, or if elements of a sum are too large. */
bool double_reference_check(const struct library_row *row, const struct library_use *use,
	uint8_t *const values[LIBRARY_PORTS_MAX], uint32_t seed);

#endif
