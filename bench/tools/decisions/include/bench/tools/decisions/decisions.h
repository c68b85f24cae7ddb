/* Recorded decisions between options that were all measured on real hardware. All options of a
 * decision are simulated, and the simulated outcome is compared with the measured outcome: which
 * option is better, and by how much. Decisions are in CSV files with the columns id, system,
 * scenario, option, metric, value, unit, source and kind. Rows with the same id are the options of
 * one decision. If the metric is `verdict`, the value is a word: faster, slower or equal. */
#ifndef BENCH_TOOLS_DECISIONS_H
#define BENCH_TOOLS_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "bench/tools/reference/validate.h"

struct decisions;

/* Reads the file `path`. Allocates in `arena`. Adds errors to `diag`, and returns NULL if there are
 * errors. */
struct decisions *decisions_read(const char *path, struct arena *arena, struct diag *diag);

/* Finds an experiment for every row, runs the experiments, and compares their outcomes with the
 * measured outcomes. Returns false if a child process could not be started, or if a folder could
 * not be created. */
bool decisions_run(struct decisions *decisions, const struct validate_options *options);

/* Frees the memory of predictions, which are not in the arena. NULL is allowed. */
void decisions_free(struct decisions *decisions);

/* These functions print on standard output. decisions_print_answer() prints how many decisions the
 * model gets right, how many it gets wrong, how many are undecided, and how many were not
 * simulated. decisions_print() also prints each decision. */
void decisions_print_answer(const struct decisions *decisions);
void decisions_print(const struct decisions *decisions);
void decisions_print_json(const struct decisions *decisions);

#endif
