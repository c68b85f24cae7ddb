/* Random collectives on meshes of one or two rows, in both worlds. Their outputs, and in the
 * simulation what they send over each link, are compared with the references. */
#ifndef TEST_COLLECTIVE_CASE_H
#define TEST_COLLECTIVE_CASE_H

#include <stdint.h>

#include "programs/collective.h"

/* Runs seeds [first, first + count), distributed over lines and rings of 2 to 6 devices, one or two
 * side by side, on every row. Each collective is launched once, or three times without a check in
 * between, and then once with other inputs. `ops`: bit i allows operation i. A difference ends the
 * test process. */
void collective_case_run(uint32_t first, uint32_t count, uint32_t ops);

#endif
