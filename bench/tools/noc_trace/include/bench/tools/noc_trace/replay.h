/* Runs the scenario of a replay of recorded transfers in a child process, and reads the times of
 * its prints from the part that the child has written. */
#ifndef BENCH_TOOLS_REPLAY_H
#define BENCH_TOOLS_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/run/children.h"

/* Writes a scenario. Returns false after a message on standard error. */
bool replay_write(const char *path, const struct text *yaml);

/* For struct children_ops: returns the time limit of a replay in s. */
uint32_t replay_limit(void *context, uint32_t number);

/* Appends the reason why a replay failed, unless `reason` already has a reason. */
void replay_say_why(const struct child_end *end, struct text *reason);

/* Runs the scenario in file `path`, and writes its part to `part`. If `set` is not NULL, it is
 * KEY=VALUE, and changes this key before. Call it only in a child process, because it frees no
 * memory. */
void replay_run(const char *path, const char *set, const char *part);

/* Returns an array with the times of prints 0 to count - 1, in cycles. The time is NAN for a
 * missing print. The caller frees the array. */
double *replay_prints(const char *part, uint32_t count, double cycle_ps);

#endif
