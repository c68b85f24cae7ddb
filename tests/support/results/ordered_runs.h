/* The order in which the native runs of a scenario are made. */
#ifndef TEST_ORDERED_RUNS_H
#define TEST_ORDERED_RUNS_H

#include <stdint.h>

/* Fills `numbers` with the numbers of the scenario's runs, in the order in which meshsim makes the
 * runs. The scenario must have `count` runs. */
void order_runs(const char *scenario, uint32_t *numbers, uint32_t count);

#endif
