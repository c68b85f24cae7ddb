/* Random valid scenarios: buffers, programs, events and traces on one or two queues, without races:
 * an event or a finish orders accesses of two queues to the same buffer. */
#ifndef SUPPORT_RANDOM_SCENARIO_H
#define SUPPORT_RANDOM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SCENARIO_BYTES = 16384 };

/* The YAML of scenario `seed` on the networks of `networks` ("[packet, fluid]"), one run each. The
 * command line program accepts all of these scenarios. */
void random_scenario(uint64_t seed, const char *networks, char text[RANDOM_SCENARIO_BYTES]);

#endif
