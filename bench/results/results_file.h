/* What results_part.c and results_merge.c share. */
#ifndef BENCH_RESULTS_FILE_H
#define BENCH_RESULTS_FILE_H

#include <hdf5.h>

#include "bench/results/results.h"

/* Writes one run's group. Negative on failure. */
herr_t results_write_run(hid_t parent, const char *name, const struct run_record *record);

/* Seals `temporary`, flushes it to disk and renames it to `path`. IO with errno set; then it is
 * gone. */
enum status results_publish(const char *temporary, const char *path, uint64_t identity);

#endif
