/* Computes one number, a fingerprint, from the simulated contents of a result file. If a key has an
 * effect, another value of the key gives another number. The number depends on every table and
 * total of every run. It does not depend on names, hashes, or the texts of scenario and
 * platform. */
#ifndef TEST_RUN_PRINT_H
#define TEST_RUN_PRINT_H

#include <stdint.h>

/* Hash of /runs of a result file: tables and totals. 0 if the file cannot be read. */
uint64_t run_print(const char *path);

/* Works like run_print(), without the tables and totals of these names. The list ends with NULL. */
uint64_t run_print_but(const char *path, const char *const *but);

/* Hash of /ops: every operation with its marks, but without names. 0 if the file cannot be read. */
uint64_t run_print_operations(const char *path);

#endif
