/* Random collectives on meshes of one or two rows, in the native and the simulated world. Their
 * outputs are compared with reference results. In the simulation, the bytes that they send over
 * each link are compared, too. */
#ifndef TEST_COLLECTIVE_CASE_H
#define TEST_COLLECTIVE_CASE_H

#include <stdint.h>

#include "programs/collective.h"

/* Runs one random collective for each seed of [first, first + count) in each world. Depending on
 * the seed, it runs on lines or rings of 2 to 6 devices. A mesh has one line or ring, or two of
 * them side by side. Each collective is launched once, or three times without a check between the
 * launches. Then it is launched with other inputs. Bit i of `ops` allows operation i. A wrong
 * output ends the test process. */
void collective_case_run(uint32_t first, uint32_t count, uint32_t ops);

#endif
