/* `meshsim history`: draws figures over a series of result files, as a page in the style of the
 * report. The page has a chart for each scenario and figure, with a line for each run. If a figure
 * moved by more than chance from one file to the next, the chart marks this place, and names the
 * stage and the constant that moved most. Files are in the order of their recorded creation time,
 * then of their names. */
#ifndef ANALYSIS_HISTORY_H
#define ANALYSIS_HISTORY_H

#include <stdbool.h>

enum {
	HISTORY_FILES_MAX = 400,  /* files read; if there are more, the last ones by name */
	HISTORY_RUNS_MAX = 32,	  /* runs of a scenario that are drawn, a line for each */
	HISTORY_STEPS_MAX = 2000, /* steps that are kept */
};

struct history_options {
	const char *folder, *output; /* output: see base/output.h; "-": standard output */
	bool by_name;		     /* sort files by name, not by time */
	bool model_only;	     /* write the figures as JSON instead of the page */
};

/* Writes the page. Files that cannot be read are named on standard error and left out. Returns an
 * exit code: 0, or 2 after a message on standard error if the folder does not exist or has no
 * result file, or if the page cannot be written. */
int analysis_history(const struct history_options *options);

#endif
