/* An open result file. Opening a file checks that it is complete and has the layout of this program
 * (h5/reader.h). */
#ifndef ANALYSIS_READ_RESULT_H
#define ANALYSIS_READ_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
#include "analysis/read/dataset.h"
#include "base/text.h"

struct result; /* opaque */

/* Opens the result file `path`. Returns NULL if the file is missing, is not HDF5, was written by
 * another program, is damaged, is cut off, is a part of an unfinished run, or has another layout.
 * In each of these cases, appends a sentence to `why`, without the name of the file. */
struct result *result_open(const char *path, struct text *why);

/* Closes a result; NULL is allowed. */
void result_close(struct result *result);

/* An arena that lives as long as the result. */
struct arena *result_arena(struct result *result);

/* Returns the value of the text attribute `name` of `object` (such as "/" or "/runs/000000"),
 * cleaned by text_plain() and in one line. Returns "" if the object does not have the attribute. */
const char *result_text(struct result *result, const char *object, const char *name);

/* Like result_text(), but keeps the line ends of texts with several lines. */
const char *result_lines(struct result *result, const char *object, const char *name);

/* True if `object` has an integer attribute of that name. */
bool result_has_number(struct result *result, const char *object, const char *name);

/* Returns true if all attributes of `object` are undamaged, or if there is no object with this
 * path. If an attribute is damaged, returns false with a sentence in `why`. */
bool result_attributes(struct result *result, const char *object, struct text *why);

/* An integer attribute; 0 if there is none. */
uint64_t result_number(struct result *result, const char *object, const char *name);

/* A text dataset by its path ("/runs/000000/scenario"), in `arena`; "" if there is none. */
const char *result_document(struct result *result, const char *path, struct arena *arena);

/* True if the file has `object`, a path of groups from the root. */
bool result_has(struct result *result, const char *object);

/* Both functions read the table `path`: result_table() into the memory of the result,
 * result_table_in() into `arena`. Both return OK, or an error (NOT_FOUND, INVALID or NO_SPACE) and
 * an empty table. result_table() writes a sentence to `why` for each error, result_table_in() for
 * each error except NOT_FOUND. */
enum status result_table(
	struct result *result, const char *path, struct dataset *dataset, struct text *why);
enum status result_table_in(struct result *result, const char *path, struct arena *arena,
	struct dataset *dataset, struct text *why);

/* Reads `count` rows of a table from row `first` on. Results are as for result_table_in(). */
enum status result_rows_in(struct result *result, const char *path, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset, struct text *why);

/* Sets *count to the number of rows of a table, for callers that read the table in parts. Returns
 * the same statuses as result_table_in(). */
enum status result_count_in(
	struct result *result, const char *path, uint64_t *count, struct text *why);

/* Returns a description of the first damage that was found so far, such as "damaged: cannot read
 * '/ops'"; NULL if no damage was found. Data that cannot be read are returned as empty. So callers
 * must call this function after reading everything. */
const char *result_damage(const struct result *result);

/* Functions that first read a file in a child process. If the child succeeds, the parent reads the
 * file again, or prints the answer of the child. So the parent never finds an error in the file
 * after it has printed a part of its answer. A crash during reading ends only the child. The child
 * has no time limit, because reading a large file may take long on a slow machine. Reading always
 * ends, because all loops are bounded by counts (h5/reader.h). */

/* Calls read(context, why) in a child process. Returns 0 if read() returned true. Otherwise prints
 * a message about `file` on standard error, and returns an exit code. It returns EXIT_BAD_INPUT if
 * read() returned false with a sentence in `why`, or if the child crashed or was killed. It returns
 * EXIT_BUG if the child found a bug of the program. If the child was killed by a signal that
 * another process may have sent, the message says that the file may be undamaged. */
int probe_file(const char *file, bool (*read)(void *context, struct text *why), void *context);

/* Like probe_file(), for a function that also prints an answer. If the child succeeds, the parent
 * copies the answer to `out`, and need not read the file itself. */
int probe_answer(const char *file, bool (*answer)(void *context, FILE *out, struct text *why),
	void *context, FILE *out);

#endif
