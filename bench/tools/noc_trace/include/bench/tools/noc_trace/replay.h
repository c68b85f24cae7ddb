/* Runs the scenario of a replay in this process, which is a child, and reads the times of its
 * prints from the part that it wrote. */
#ifndef BENCH_TOOLS_REPLAY_H
#define BENCH_TOOLS_REPLAY_H

#include <stdint.h>

/* Runs the scenario in file `path`, changed by `set` (KEY=VALUE; NULL: not), and writes the part.
 */
void replay_run(const char *path, const char *set, const char *part);

/* Returns the times of prints 0 to count - 1 in cycles; NAN for a print that is missing. The caller
 * frees the array. */
double *replay_prints(const char *part, uint32_t count, double cycle_ps);

#endif
