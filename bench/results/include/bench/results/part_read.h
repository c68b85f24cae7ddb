/* Reads parts of result files back, for merging, resuming and experiments: tables whose columns are
 * those of a layout, of the same types and sizes. Refuses anything else; the file may be forged. */
#ifndef BENCH_PART_READ_H
#define BENCH_PART_READ_H

#include <stdbool.h>

#include "bench/results/table.h"
#include "h5/reader.h"

/* Opens an HDF5 file; h5_close() closes it. NULL: it is none, or no regular file. */
struct h5_file *part_open(const char *path);

/* Reads the table `layout->name` of `group` ("", "/run") into rows of the layout; *rows is for
 * free(). False with NULL and 0 if there is none, or it is not of this layout. */
bool part_table(struct h5_file *file, const char *group, const struct table *layout, void **rows,
	uint32_t *row_count);

/* The number of rows of the table `path`. False with 0: no table. */
bool part_row_count(struct h5_file *file, const char *path, uint32_t *row_count);

/* A text attribute, cut after `size` - 1 bytes. False with "": there is none. */
bool part_text(struct h5_file *file, const char *object, const char *name, char *out, size_t size);

#endif
