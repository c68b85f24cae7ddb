/* `meshsim show`: the contents of a result file, as text and as JSON. Reads the file only, not the
 * scenario or the model (layout: bench/results/results.h). */
#ifndef ANALYSIS_SHOW_H
#define ANALYSIS_SHOW_H

#include <stdbool.h>
#include <stdio.h>

enum show_form {
	SHOW_TEXT,  /* everything, as tables */
	SHOW_BRIEF, /* one table per kind of operation, a row per run, as `meshsim run` prints */
	SHOW_JSON,
};

/* Prints `file` to `out`. SHOW_TEXT prints runs with their swept keys and totals; percentiles and
 * throughput per kind of operation; where the host's time went; the busiest parts and those that
 * blocked; for a file of one run also its threads, stages, links and queues one by one. Times are
 * in one unit per column. If `out` is a terminal, tables wider than it are split into blocks,
 * unless `wide` is set; files and pipes get whole rows. Returns an exit code: 0, or 2 after a
 * message on standard error if the file is missing, foreign, damaged, cut off, a part of an
 * unfinished run, or of a newer layout. */
int analysis_show(const char *file, enum show_form form, bool wide, FILE *out);

#endif
