/* A result file, open for reading: checked to be complete and of a known layout. */
#ifndef ANALYSIS_READ_RESULT_H
#define ANALYSIS_READ_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/read/dataset.h"
#include "base/text.h"

/* The version of the layout that is read; others are refused. */
enum {
	LAYOUT_READ =
#include "bench/results/layout.def"
};

struct result; /* opaque */

/* Opens `path`. NULL with a sentence appended to `why` (without the file's name): missing, not
 * HDF5, another program's, damaged, cut off, a part of an unfinished run, of another layout. */
struct result *result_open(const char *path, struct text *why);

/* NULL is allowed. */
void result_close(struct result *result);

/* Memory of the result's lifetime. */
struct arena *result_arena(struct result *result);

/* A text attribute of `object` ("/", "/runs/000000") as text_plain() in one line; "" if there is
 * none.
 */
const char *result_text(struct result *result, const char *object, const char *name);

/* The same with its line ends, of a text that may have several lines. */
const char *result_lines(struct result *result, const char *object, const char *name);

/* True if `object` has an integer attribute of that name. */
bool result_has_number(struct result *result, const char *object, const char *name);

/* True if all attributes of `object` are whole, or there is no such object; else false with a
 * sentence in `why`. */
bool result_attributes(struct result *result, const char *object, struct text *why);

/* An integer attribute; 0 if there is none. */
uint64_t result_number(struct result *result, const char *object, const char *name);

/* A text dataset by its path ("/runs/000000/scenario"); "" if there is none. */
const char *result_document(struct result *result, const char *path);

/* True if the file has `object`, a path of groups from the root. */
bool result_has(struct result *result, const char *object);

/* A table by its path, in the result's memory, or in `arena`. OK, or NOT_FOUND, INVALID or NO_SPACE
 * with an empty table; result_table() explains all of these in `why`, result_table_in() all but
 * NOT_FOUND. */
enum status result_table(
	struct result *result, const char *path, struct dataset *dataset, struct text *why);
enum status result_table_in(struct result *result, const char *path, struct arena *arena,
	struct dataset *dataset, struct text *why);

/* `count` rows of a table from `first` on; as result_table_in(). */
enum status result_rows_in(struct result *result, const char *path, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset, struct text *why);

/* How many rows a table has, for reading it a few thousand at a time; as result_table_in(). */
enum status result_count_in(
	struct result *result, const char *path, uint64_t *count, struct text *why);

/* What was found damaged so far, in words: "damaged: cannot read '/ops'"; NULL: nothing. For those
 * who go on without what they do not find. */
const char *result_damage(const struct result *result);

#endif
