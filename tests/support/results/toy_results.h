/* Small result files for tests of analysis, written by the harness's own writer. */
#ifndef TEST_TOY_RESULTS_H
#define TEST_TOY_RESULTS_H

#include <stdint.h>

/* Writes a file of `runs` runs (at most 4) to `path`, swept over runtime.completion and
 * runtime.forward.initiators; run 1, if there is one, has stalled. Everything in it is a fixed
 * function of the run's number. `folder` is for temporary parts. */
void toy_results_write(const char *path, const char *folder, uint32_t runs);

#endif
