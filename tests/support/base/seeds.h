/* How many seeds a test runs, and from which on: a few by itself, more by its environment, for a
 * campaign. Draws nothing. */
#ifndef TEST_SEEDS_H
#define TEST_SEEDS_H

#include <stdint.h>

/* MESHSIM_PROGRAM_SEEDS of the environment, or what is said here. */
uint32_t seeds_count(uint32_t otherwise);

/* MESHSIM_MORE_SEEDS: the first, or what is said here. */
uint32_t seeds_first(uint32_t otherwise);

#endif
