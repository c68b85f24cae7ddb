/* Reads parts of result files, for merging, resuming and experiments. Files are not trusted: it is
 * an error if the types or sizes of a table's columns differ from its layout in any way. */
#ifndef BENCH_PART_READ_H
#define BENCH_PART_READ_H

#include <stdbool.h>

#include "bench/results/table.h"
#include "h5/reader.h"

/* Opens an HDF5 file; close it with h5_close(). Returns NULL if the file is not an HDF5 file, or
 * not a regular file. */
struct h5_file *part_open(const char *path);

/* Reads the table `layout->name` of `group` ("" or "/run") into rows of the layout. The caller
 * frees *rows with free(). If there is no such table, or if it has another layout, sets *rows to
 * NULL and *row_count to 0, and returns false. */
bool part_table(struct h5_file *file, const char *group, const struct table *layout, void **rows,
	uint32_t *row_count);

/* Sets *row_count to the number of rows of the table `path`. If there is no such table, sets
 * *row_count to 0 and returns false. */
bool part_row_count(struct h5_file *file, const char *path, uint32_t *row_count);

/* Reads a text attribute, and cuts it after `size` - 1 bytes. If there is no such attribute, sets
 * `out` to "" and returns false. */
bool part_text(struct h5_file *file, const char *object, const char *name, char *out, size_t size);

#endif
