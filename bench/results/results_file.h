/* Functions for writing parts and result files: the group of a run, the table /ops, names of
 * columns, and the final renaming of the file. Only for files of this folder. */
#ifndef BENCH_RESULTS_FILE_H
#define BENCH_RESULTS_FILE_H

#include <hdf5.h>

#include "base/arena.h"
#include "bench/results/results.h"
#include "h5/reader.h"
#include "bench/results/table.h"

/* Writes the group of one run. Returns a negative number on failure. */
herr_t results_write_run(hid_t parent, const char *name, const struct run_record *record);

/* Names of the texts in a part that belong to its operations; each has a text per step. */
#define RESULTS_STEPS	 "steps"
#define RESULTS_PROGRAMS "programs"
#define RESULTS_NAMES	 "names"

/* The data of a part that are needed to write /ops: the number of its operations, the position of
 * its first row in /ops, and the texts of its steps. */
struct run_ops {
	bool recorded;
	uint64_t first;
	uint32_t count, step_count;
	const char **steps, **programs, **names;
};

/* Fills all members of *ops except `first` from the open file `part`. Texts are allocated in
 * `arena`. If the run recorded no operations, changes nothing. Returns false if the file is not a
 * part. */
bool results_survey_ops(struct h5_file *part, struct arena *arena, struct run_ops *ops);

/* Writes /ops from the parts of all runs, in order. Returns a negative number on failure. */
herr_t results_write_ops(hid_t file, const struct merge_head *head, const struct merge_run *runs,
	const struct run_ops *run_ops, uint32_t run_count);

/* Seals `temporary`, flushes it to disk and renames it to `path`. Returns OK, or IO with errno set.
 * If it returns IO, it has removed `temporary`. */
enum status results_publish(const char *temporary, const char *path, uint64_t identity);

/* Names of columns in a file. They are valid Python identifiers, so that a column can be used as an
 * attribute of a data frame. Tables in memory can have any column names, which are converted when
 * the table is written. */

enum { COLUMN_NAME_BYTES = 256 };

/* Makes a unique name for each column. If the column's own name is an identifier and not a Python
 * keyword, it is kept. Otherwise, the new name is derived from it ("runtime.forward.path" becomes
 * runtime_forward_path). The caller frees the result with free(). */
char (*column_names(const struct table *table))[COLUMN_NAME_BYTES];

#endif
