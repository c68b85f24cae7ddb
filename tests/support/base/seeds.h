/* The number of seeds and cases that a test tries. By default, a test tries few seeds and only some
 * of the cases. Environment variables can ask for more. */
#ifndef TEST_SEEDS_H
#define TEST_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns MESHSIM_PROGRAM_SEEDS from the environment. If it is not set, returns `otherwise`. */
uint32_t seeds_count(uint32_t otherwise);

/* Returns the first seed, MESHSIM_MORE_SEEDS. If it is not set, returns `otherwise`. */
uint32_t seeds_first(uint32_t otherwise);

/* Returns true for every third number. In a long test (MESHSIM_LONG, tests/CMakeLists.txt), returns
 * true for all numbers. */
bool share_has(uint32_t number);

#endif
