/* Random valid scenarios, with buffers, programs, events and traces on one or two queues. They have
 * no races: if two queues access the same buffer, the scenario orders the accesses by an event or a
 * finish. */
#ifndef SUPPORT_RANDOM_SCENARIO_H
#define SUPPORT_RANDOM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SCENARIO_BYTES = 16384 };

/* Writes the YAML text of scenario `seed`. It has one run for each network in the list `networks`,
 * such as "[packet, fluid]". `meshsim` accepts all of these scenarios. */
void random_scenario(uint64_t seed, const char *networks, char text[RANDOM_SCENARIO_BYTES]);

#endif
