/* The steps of `meshsim history`: finding the files of a folder, writing the figures of a scenario,
 * and finding the figures that moved. Only for files of this folder. */
#ifndef ANALYSIS_REPORT_HISTORY_PRIVATE_H
#define ANALYSIS_REPORT_HISTORY_PRIVATE_H

#include "analysis/history.h"
#include "analysis/operations/measure.h"
#include "analysis/operations/statistics.h"
#include "base/json.h"

/* A result file of the folder. Its texts live as long as the history. */
struct history_file {
	const char *path, *name, *scenario, *created, *commit;
};

/* A change of one figure of one run, from one file to the next. */
struct history_step {
	uint32_t from, to; /* indices of files */
	const char *run, *kind, *metric, *statistic;
	double old, new;
	struct margin margin;
	const char *stage;    /* the stage that moved most in the same direction; NULL: unknown */
	double stage_moved;   /* change of this stage, ps per operation */
	const char *constant; /* the constant whose charge moved most; NULL: unknown */
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

/* Finds the result files of a folder, and sorts them by scenario, then by time or name. Returns
 * false, with a sentence in `why`, if the folder cannot be read or has no result files. */
bool history_find(struct history *history, const struct history_options *options, struct text *why);

/* Writes the figures of one scenario as a JSON object, and adds the scenario's steps to the
 * history. The files of the scenario are the `count` files from `first` on. Returns false, with a
 * sentence in `why`, if a file cannot be read. */
bool history_scenario(struct history *history, uint32_t first, uint32_t count, struct json *json,
	struct text *why);

/* Compares a figure between two runs. If it moved by more than chance, adds `step` to the history,
 * with the stage and the constant that moved most. Returns false, with a sentence in `why`, if a
 * run cannot be read. */
bool history_step_add(struct history *history, struct summary *summaries[2], const uint64_t rows[2],
	const struct history_step *step, struct text *why);

#endif
