/* Critical paths. A path splits the time of an operation into stages, whose sum is exactly this
 * time, to the picosecond. A round, which is the time from one call of a step to its next call, is
 * split in the same way.
 *
 * If the run recorded causes (cause/cause.h), the result file has the stages. Otherwise the path is
 * computed from the marks, backwards from the end. A stage is then the time between two
 * neighbouring marks; the time of a mark is the last time at which any device passed it. If the
 * host saw the completion, the path leads back through the devices. If the host did not wait, the
 * path stays on the host. If the operation waited until workers were free, the path continues in
 * the earlier operation that ran on these workers. */
#ifndef ANALYSIS_OPERATIONS_PATH_H
#define ANALYSIS_OPERATIONS_PATH_H

#include "analysis/metrics/metric.h"
#include "analysis/operations/operations.h"

enum stage {
#define X(name, label) STAGE_##name,
#include "lists/stage.def"
#undef X
	STAGE_COUNT
};

/* Label of a stage in texts, such as "host build". */
const char *stage_label(enum stage stage);

/* Name of a stage in lists/stage.def, such as "BUILD". */
const char *stage_name(enum stage stage);

/* Returns the stage with that label, or STAGE_OTHER if there is none. */
enum stage stage_of_label(const char *label);

struct split {
	int64_t time[STAGE_COUNT];
};

/* Returns the stage that gets the time between two neighbouring marks of an operation. */
enum stage path_stage(enum mark_point before, enum mark_point after);

/* Splits the value of a metric of operation `index` into stages. Returns false if the metric has no
 * stages, if the operation has no value, or if the recorded stages do not sum to the value. */
bool path_split(const struct operations *operations, uint32_t index, enum metric metric,
	struct split *split);

/* Splits the time from `start` until operation `index` passed `mark` into stages. Follows the
 * critical path through all operations in flight. `each` is the approximate time of one operation
 * in ps. Two paths that end less than 2 % of `each` apart count as equally long. */
void path_window(const struct operations *operations, uint32_t index, enum mark_point mark,
	int64_t start, int64_t each, struct split *split);

#endif
