/* Computes a number, a fingerprint, from the simulated contents of a result file. Tests use it to
 * find out whether a key has an effect: another value of the key must then give another number. The
 * number depends on every table and total of every run. It does not depend on names, hashes, or the
 * texts of scenario and platform. */
#ifndef TEST_RUN_PRINT_H
#define TEST_RUN_PRINT_H

#include <stdint.h>

/* Returns a hash of the tables and totals in /runs of a result file. Returns 0 if the file cannot
 * be read. */
uint64_t run_print(const char *path);

/* Works like run_print(), but leaves out the tables and totals whose names are in the list `but`.
 * The list ends with NULL. */
uint64_t run_print_but(const char *path, const char *const *but);

/* Returns a hash of /ops: every operation with its marks, but without names. Returns 0 if the file
 * cannot be read. */
uint64_t run_print_operations(const char *path);

#endif
