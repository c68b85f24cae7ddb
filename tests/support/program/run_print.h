/* What a result file says was simulated, as one number: every table and total of every run, but not
 * the texts of scenario and platform, nor names and hashes. For tests that a key acts. */
#ifndef TEST_RUN_PRINT_H
#define TEST_RUN_PRINT_H

#include <stdint.h>

/* Hash of /runs of a result file: tables and totals. 0 if the file cannot be read. */
uint64_t run_print(const char *path);

/* The same without the tables and totals of these names (a list that ends with NULL). */
uint64_t run_print_but(const char *path, const char *const *but);

/* Hash of /ops: every operation, with its marks, without names. 0 if the file cannot be read. */
uint64_t run_print_operations(const char *path);

#endif
