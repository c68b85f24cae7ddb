/* Reads the operations of one run from a result file. The columns of marks are found by their
 * names, so files that do not have all marks can be read, too. */
#ifndef ANALYSIS_OPERATIONS_OPERATIONS_H
#define ANALYSIS_OPERATIONS_OPERATIONS_H

#include "analysis/metrics/operation.h"
#include "analysis/read/summary.h"

/* True if the run in `group` recorded its operations, even if there were none. */
bool operations_recorded(struct summary *summary, const char *group);

/* Reads the rows of the table /ops that belong to the run. Returns false, with a sentence in `why`,
 * if they cannot be read. */
bool operations_rows(struct summary *summary, const char *group, struct arena *arena,
	struct dataset *rows, struct text *why);

/* Reads the run's operations into `arena`, with the critical paths that the run recorded. Returns
 * false, with a sentence in `why`, if they cannot be read. */
bool operations_read(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* Like operations_read(), but without the recorded paths: `pieces` stays NULL. */
bool operations_survey(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* Returns the operations of a run, with or without their recorded paths. The summary keeps them
 * until the operations of another run are read, or until the summary is closed. So the operations
 * of a file with a single run are read only once. Returns NULL, with a sentence in `why`, if the
 * operations cannot be read. */
const struct operations *operations_of(
	struct summary *summary, const char *group, bool with_paths, struct text *why);

#endif
