/* Runs scenarios from tests and reads numbers from their summaries. The files are in shell_folder,
 * which the group setup makes and the group teardown removes. */
#ifndef TEST_SUMMARY_H
#define TEST_SUMMARY_H

#include <stdint.h>

#include "shell.h"

enum { SUMMARY_RUNS_MAX = 32 };

/* A column of /summary, with one value per run. */
struct summary_column {
	uint32_t runs;
	double values[SUMMARY_RUNS_MAX];
};

/* Runs `scenario` (YAML text) with command line options, which are separated by spaces. The result
 * is kept until the next call. Fails the test unless the run ends with exit code 0. */
void summary_run(const char *scenario, const char *options);

/* Works like summary_run(), but returns the exit code. Prints the output unless the exit code is
 * 0. */
int summary_try(const char *scenario, const char *options);

/* Returns a numeric column of the result. Fails the test if the column is missing. */
struct summary_column summary_column(const char *name);

#endif
