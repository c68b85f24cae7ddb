/* How much a test tries: a few seeds and a share of its cases by itself, more by its environment.
 * Draws nothing. */
#ifndef TEST_SEEDS_H
#define TEST_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* MESHSIM_PROGRAM_SEEDS of the environment, or what is said here. */
uint32_t seeds_count(uint32_t otherwise);

/* MESHSIM_MORE_SEEDS: the first, or what is said here. */
uint32_t seeds_first(uint32_t otherwise);

/* True for every third number, and for all in a long test (MESHSIM_LONG, tests/CMakeLists.txt). */
bool share_has(uint32_t number);

#endif
