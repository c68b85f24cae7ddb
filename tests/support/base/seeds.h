/* Settings that say how many seeds and cases a test tries. By default these are few seeds and some
 * of the cases; environment variables can raise the numbers. */
#ifndef TEST_SEEDS_H
#define TEST_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* MESHSIM_PROGRAM_SEEDS from the environment, or `otherwise`. */
uint32_t seeds_count(uint32_t otherwise);

/* MESHSIM_MORE_SEEDS, the first seed; or `otherwise`. */
uint32_t seeds_first(uint32_t otherwise);

/* True for every third number; in a long test, for all (MESHSIM_LONG, tests/CMakeLists.txt). */
bool share_has(uint32_t number);

#endif
