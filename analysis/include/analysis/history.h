/* `meshsim history`: figures over a series of result files, as a page in the style of the report:
 * a chart for each scenario and figure, a line for each run, steps that moved by more than chance
 * marked, and of each the stage and the constant that moved most. Files are put in the order of the
 * times that they were made at, as they say themselves, then of their names. Reads files only. */
#ifndef ANALYSIS_HISTORY_H
#define ANALYSIS_HISTORY_H

#include <stdbool.h>

enum {
	HISTORY_FILES_MAX = 400,  /* in a folder; of more the last are taken, and that is said */
	HISTORY_RUNS_MAX = 32,	  /* of a scenario: lines of a chart */
	HISTORY_STEPS_MAX = 2000, /* that are looked into */
};

struct history_options {
	const char *folder, *output; /* output: base/output.h; "-": standard output */
	bool by_name;		     /* in the order of names, whatever times they say */
	bool model_only;	     /* the figures as JSON */
};

/* An exit code: 0; 2 after a message on standard error: no such folder, no result file in it, or a
 * page that cannot be written. Files of the folder that cannot be read are named, and left out. */
int analysis_history(const struct history_options *options);

#endif
