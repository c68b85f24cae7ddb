/* `meshsim show`: the contents of a result file, as text or as JSON. Reads only the result file.
 * bench/results/results.h describes the layout of the file. */
#ifndef ANALYSIS_SHOW_H
#define ANALYSIS_SHOW_H

#include <stdbool.h>
#include <stdio.h>

enum show_form {
	SHOW_TEXT,  /* everything, as tables */
	SHOW_BRIEF, /* one table per kind of operation, a row per run, as `meshsim run` prints */
	SHOW_JSON,
	SHOW_LOG, /* the log lines of all runs (measure.log), and nothing else */
};

/* Prints the result file `file` to `out`. The form SHOW_TEXT lists runs with their swept keys and
 * totals, and the percentiles and the throughput of each kind of operation. It also shows how the
 * host spent its time, and which parts were busiest or blocked longest. For a file with a single
 * run, it also lists threads, stages, links and queues. All times of a column have the same unit.
 * If `out` is a terminal and `wide` is not set, tables that are wider than the terminal are split
 * into blocks; files and pipes get whole rows. Returns an exit code: 0, or 2 after a message on
 * standard error. The code is 2 if the file is missing, foreign, damaged, cut off, a part of an
 * unfinished run, or of a newer layout. */
int analysis_show(const char *file, enum show_form form, bool wide, FILE *out);

#endif
