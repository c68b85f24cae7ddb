/* Runs scenarios from tests and reads numbers of their summaries. The files are in shell_folder,
 * which the group of tests makes and removes. */
#ifndef TEST_SUMMARY_H
#define TEST_SUMMARY_H

#include <stdint.h>

#include "shell.h"

enum { SUMMARY_RUNS_MAX = 32 };

/* One column of /summary, a value per run. */
struct summary_column {
	uint32_t runs;
	double values[SUMMARY_RUNS_MAX];
};

/* Runs `scenario` (YAML text) with options of the command line, separated by spaces, and keeps its
 * result until the next call. A run that does not end with 0 fails the test. */
void summary_run(const char *scenario, const char *options);

/* The same, but returns how it ended; prints what it said if that is not 0. */
int summary_try(const char *scenario, const char *options);

/* A numeric column of that result; a column that is not there fails the test. */
struct summary_column summary_column(const char *name);

#endif
