/* The few things that result files need of HDF5, made deterministic: no times, fixed orders, fixed
 * versions of the format. Functions return a negative number on failure, like HDF5 itself. */
#ifndef BENCH_HDF5_WRITE_H
#define BENCH_HDF5_WRITE_H

#include <hdf5.h>

#include "bench/results/table.h"

/* Silences HDF5's own error printing: statuses say it all. Called before anything else. */
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

/* A table as a dataset of `group`, with its units. */
herr_t hdf5_table(hid_t group, const struct table *table);

/* Compound type of the rows in memory; the caller closes it. */
hid_t hdf5_row_type(const struct table *table);

/* Reading attributes back. `size` bytes at most for a text. */
herr_t hdf5_get_text(hid_t object, const char *name, char *out, size_t size);
herr_t hdf5_get_u64(hid_t object, const char *name, uint64_t *out);
herr_t hdf5_get_i64(hid_t object, const char *name, int64_t *out);

/* Reads the dataset `layout->name` of `group`; *rows is for free(). */
herr_t hdf5_read_table(hid_t group, const struct table *layout, void **rows, uint32_t *row_count);

#endif
