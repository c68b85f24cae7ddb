/* Random valid scenarios, with buffers, programs, events and traces on one or two queues. They have
 * no races: if two queues access the same buffer, an event or a finish orders these accesses. */
#ifndef SUPPORT_RANDOM_SCENARIO_H
#define SUPPORT_RANDOM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SCENARIO_BYTES = 16384 };

/* Writes the YAML of scenario `seed`, with one run for each network in the list `networks`, such as
 * "[packet, fluid]". The command line program accepts all of these scenarios. */
void random_scenario(uint64_t seed, const char *networks, char text[RANDOM_SCENARIO_BYTES]);

#endif
