/* The few things that result files need of HDF5, made deterministic: no times, fixed orders, fixed
 * versions of the format. Functions return a negative number on failure, like HDF5 itself. */
#ifndef BENCH_HDF5_WRITE_H
#define BENCH_HDF5_WRITE_H

#include <hdf5.h>

#include "bench/results/table.h"

/* Silences HDF5's own error printing, since statuses say it all, and keeps it from loading plugins.
 * Called before anything else. */
void hdf5_quiet(void);

/* A new file, truncated. A group in it. */
hid_t hdf5_create(const char *path);
hid_t hdf5_group(hid_t parent, const char *name);

/* Attributes and a scalar text. NULL strings are written as "". */
herr_t hdf5_set_text(hid_t object, const char *name, const char *value);
herr_t hdf5_set_u64(hid_t object, const char *name, uint64_t value);
herr_t hdf5_set_i64(hid_t object, const char *name, int64_t value);
herr_t hdf5_set_f64(hid_t object, const char *name, double value);
herr_t hdf5_text(hid_t group, const char *name, const char *value);

/* A list of texts. */
herr_t hdf5_texts(hid_t group, const char *name, const char *const *texts, uint32_t count);

/* A table as a dataset of `group`. Names of columns become identifiers; attributes "unit:COLUMN"
 * have the units, "key:COLUMN" the names that were none. */
herr_t hdf5_table(hid_t group, const struct table *table);

/* The same piece by piece: a dataset of `table->row_count` rows in chunks of `chunk_bytes`, then
 * `count` rows from row `first` on. The caller closes the dataset. */
hid_t hdf5_table_create(hid_t group, const struct table *table, uint32_t chunk_bytes);
herr_t hdf5_table_put(
	hid_t set, const struct table *table, uint64_t first, const void *rows, uint64_t count);

/* How rows of up to `row_bytes` are read and written: with a small buffer of conversion, since HDF5
 * clears the whole of it each time. The caller closes it. */
hid_t hdf5_transfer(size_t row_bytes);

/* Compound type of the rows in memory; the caller closes it. */
hid_t hdf5_row_type(const struct table *table);

/* Gives each time of the rows to `change`, which turns it from bench's kind (int64_t) into that of
 * a file (double), or back. */
void hdf5_change_times(
	const struct table *table, char *rows, uint64_t count, void (*change)(char *cell));

#endif
