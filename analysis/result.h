/* A result file, open for reading: checked to be one, whole, and of a layout that is known. */
#ifndef ANALYSIS_RESULT_H
#define ANALYSIS_RESULT_H

#include <stdint.h>

#include "base/text.h"
#include "data.h"

enum { LAYOUT_NEWEST = 1 };

struct result; /* opaque */

/* Opens `path`. NULL with a sentence appended to `why` (without the file's name): missing, not HDF5,
 * another program's, damaged, cut off, a part of an unfinished run, of a newer layout. */
struct result *result_open(const char *path, struct text *why);

/* NULL is allowed. */
void result_close(struct result *result);

/* Memory of the result's lifetime. */
struct arena *result_arena(struct result *result);

/* A text attribute of `object` ("/", "/runs/000000"); "" if there is none. */
const char *result_text(struct result *result, const char *object, const char *name);

/* An integer attribute; 0 if there is none. */
uint64_t result_number(struct result *result, const char *object, const char *name);

/* A table by its path. OK, or NOT_FOUND with an empty table, or INVALID and NO_SPACE with a sentence
 * in `why`. */
enum status result_table(
	struct result *result, const char *path, struct data_table *table, struct text *why);

#endif
