/* `meshsim show`: what a result file says, for people and as JSON. Reads the file only (layout:
 * bench/results/results.h); knows no scenario, no model. */
#ifndef ANALYSIS_SHOW_H
#define ANALYSIS_SHOW_H

#include <stdbool.h>
#include <stdio.h>

enum show_form {
	SHOW_TEXT,  /* everything, for people */
	SHOW_BRIEF, /* one table per kind of operation, a row per run: what `meshsim run` prints */
	SHOW_JSON,
};

/* Prints `file` to `out`. SHOW_TEXT: runs with their swept keys and totals; percentiles and
 * throughput per kind of operation; where the host's time went; what was busiest and what blocked;
 * for a file of one run also its threads, stages, links and queues one by one. Times are in one
 * unit per column. Tables that are wider than the terminal that `out` is are split into blocks;
 * `wide`, files and pipes get whole rows. Result: an exit code. 0; or 2 after a message on standard
 * error: the file is missing, foreign, damaged, cut off, a part of an unfinished run, or of a newer
 * layout. */
int analysis_show(const char *file, enum show_form form, bool wide, FILE *out);

#endif
