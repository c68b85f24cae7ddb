/* What the files of `meshsim history` share. */
#ifndef ANALYSIS_REPORT_HISTORY_PRIVATE_H
#define ANALYSIS_REPORT_HISTORY_PRIVATE_H

#include "analysis/history.h"
#include "analysis/operations/samples.h"
#include "analysis/operations/statistics.h"
#include "base/json.h"

/* A file of the folder; its texts live as long as the history. */
struct history_file {
	const char *path, *name, *scenario, *created, *commit;
};

/* A figure of one run that moved from one file to the next. */
struct history_step {
	uint32_t from, to; /* files */
	const char *run, *kind, *metric, *statistic;
	double old, new;
	struct margin margin;
	const char *stage;    /* that moved most the same way; NULL: not known */
	double stage_moved;   /* ps an operation */
	const char *constant; /* that was charged more, or less; NULL: not known */
	double constant_moved;
};

struct history {
	struct arena arena;
	struct history_file *files;
	uint32_t file_count, left_out, unread;
	struct history_step *steps;
	uint32_t step_count;
	bool more_steps;
};

/* The result files of a folder, in order. False with a sentence in `why`. */
bool history_find(
	struct history *history, const struct history_options *options, struct text *why);

/* The figures of all files of a scenario, which follow each other from `first` on, as an object;
 * its steps are added to the history. False with a sentence in `why`. */
bool history_scenario(struct history *history, uint32_t first, uint32_t count, struct json *json,
	struct text *why);

/* Looks into what moved between a run of two files; false with a sentence in `why`. */
bool history_step_add(struct history *history, struct summary *summaries[2], const uint64_t rows[2],
	const struct history_step *step, struct text *why);

#endif
