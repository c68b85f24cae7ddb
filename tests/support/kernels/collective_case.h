/* Random collectives on meshes of a row or two, in both worlds: what they leave, and what they send
 * over each link of the simulated one, is compared with the references. */
#ifndef TEST_COLLECTIVE_CASE_H
#define TEST_COLLECTIVE_CASE_H

#include <stdint.h>

#include "programs/collective.h"

/* Seeds [first, first + count), dealt to lines and rings of 2 to 6 devices, one or two side by
 * side, on every row; each collective is launched once, or three times in a row, before anybody
 * looks, and once more with other inputs. `ops`: bit i, operation i is drawn. A difference ends the
 * test process. */
void collective_case_run(uint32_t first, uint32_t count, uint32_t ops);

#endif
