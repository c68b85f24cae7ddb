/* The HDF5 operations that result files need. Their output is deterministic: it has no times, a
 * fixed order of objects, and fixed versions of the format. Functions return a negative number on
 * failure, like HDF5's functions. */
#ifndef BENCH_HDF5_WRITE_H
#define BENCH_HDF5_WRITE_H

#include <hdf5.h>

#include "bench/results/table.h"

/* Disables two features of HDF5: printing of errors, because callers report statuses, and loading
 * of plugins. Call it before all other functions of this header. */
void hdf5_quiet(void);

/* hdf5_create() creates a file, or replaces an existing file. hdf5_group() creates a group. */
hid_t hdf5_create(const char *path);
hid_t hdf5_group(hid_t parent, const char *name);

/* Write attributes and a scalar text. NULL strings are written as "". */
herr_t hdf5_set_text(hid_t object, const char *name, const char *value);
herr_t hdf5_set_u64(hid_t object, const char *name, uint64_t value);
herr_t hdf5_set_i64(hid_t object, const char *name, int64_t value);
herr_t hdf5_set_f64(hid_t object, const char *name, double value);
herr_t hdf5_text(hid_t group, const char *name, const char *value);

/* Writes a list of texts. */
herr_t hdf5_texts(hid_t group, const char *name, const char *const *texts, uint32_t count);

/* Writes a table as a dataset of `group`. The name of each column is converted to an identifier ID,
 * and the attribute "unit:ID" has the column's unit. If ID differs from the name, the attribute
 * "key:ID" has the name. */
herr_t hdf5_table(hid_t group, const struct table *table);

/* These functions write a table in pieces. hdf5_table_create() creates a dataset of
 * `table->row_count` rows, in chunks of `chunk_bytes` bytes. hdf5_table_put() writes `count` rows,
 * beginning with row `first`. The caller closes the dataset. */
hid_t hdf5_table_create(hid_t group, const struct table *table, uint32_t chunk_bytes);
herr_t hdf5_table_put(
	hid_t set, const struct table *table, uint64_t first, const void *rows, uint64_t count);

#endif
