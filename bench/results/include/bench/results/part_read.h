/* Reads parts of result files, for merging, resuming and experiments: tables whose columns have
 * exactly the types and sizes of a layout. Anything else is an error, since the file may be forged.
 */
#ifndef BENCH_PART_READ_H
#define BENCH_PART_READ_H

#include <stdbool.h>

#include "bench/results/table.h"
#include "h5/reader.h"

/* Opens an HDF5 file; h5_close() closes it. NULL if it is not an HDF5 file or not a regular file.
 */
struct h5_file *part_open(const char *path);

/* Reads the table `layout->name` of `group` ("", "/run") into rows of the layout; free() *rows.
 * False, with NULL and 0, if there is none or it has another layout. */
bool part_table(struct h5_file *file, const char *group, const struct table *layout, void **rows,
	uint32_t *row_count);

/* Reads the number of rows of the table `path`. False, with 0, if there is none. */
bool part_row_count(struct h5_file *file, const char *path, uint32_t *row_count);

/* Reads a text attribute, cut after `size` - 1 bytes. False, with "", if there is none. */
bool part_text(struct h5_file *file, const char *object, const char *name, char *out, size_t size);

#endif
