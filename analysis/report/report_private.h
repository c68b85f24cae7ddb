/* Shared declarations of the files that write a report's JSON model. Each of these files writes
 * some members of the model. */
#ifndef ANALYSIS_REPORT_REPORT_PRIVATE_H
#define ANALYSIS_REPORT_REPORT_PRIVATE_H

#include "analysis/compare/comparison.h"
#include "analysis/report.h"
#include "analysis/operations/measure.h"
#include "analysis/operations/statistics.h"
#include "analysis/read/run_tables.h"
#include "base/json.h"
#include "base/output.h"

/* Distinct texts, each stored once; runs that share a text refer to it by index. */
struct report_shared {
	const char **at;
	uint32_t count;
};

struct report {
	struct comparison comparison;
	const struct report_options *options;
	/* a trial in a child process, which only reads the file and makes no runs */
	bool is_trial;
	const char *compare_why; /* why there are no verdicts; NULL: there are verdicts */
	/* kind of operation that is shown first; "": nothing was measured */
	const char *kind;
	enum metric metric;
	struct report_shared geometries; /* geometries of meshes, each as JSON */
	struct text why;
};

/* Limits on the size of the model: bytes for details of runs, numbers for distributions. */
enum { REPORT_DETAIL_BYTES = 800 << 10, REPORT_DISTRIBUTION_NUMBERS = 50000 };

/* Index of `text` in `shared`. A new text is copied into `arena` and appended. */
uint32_t report_share(struct report_shared *shared, const char *text, struct arena *arena);

/* Writes a number rounded to four significant digits, which is enough for a chart. Numbers from
 * 10,000 on are rounded to whole numbers. Writes 0 if the value is not finite. */
void report_short(struct json *json, double value);

/* Writes a table cell to JSON, as a number or a text. A missing time or rate is a negative number
 * in the table, and is written as null. */
void report_cell(struct json *json, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

/* These functions write some members of the model. Those that read runs return false, with a
 * sentence in `report->why`, if a run cannot be read. */
void report_head(struct report *report, struct json *json);
void report_runs(struct report *report, struct json *json);
bool report_samples(struct report *report, struct json *json);
bool report_details(struct report *report, struct json *json);
void report_platforms(struct report *report, struct json *json);

/* Write the members of the details of one run. */
void report_links(struct report *report, uint64_t row, const struct run_tables *run,
	struct arena *arena, struct json *json);
void report_loads(const struct run_tables *run, struct arena *arena, struct json *json);
void report_trace(const struct run_trace *trace, struct arena *arena, struct json *json);
void report_gaps(const struct operations *operations, struct arena *arena, struct json *json);
void report_in_flight(const struct operations *operations, struct arena *arena, struct json *json);

/* The kinds of pages: a whole report, a table of errors alone (errors_page.c), or a history. Each
 * kind has its own scripts. */
enum report_page_kind { REPORT_PAGE_WHOLE, REPORT_PAGE_ERRORS, REPORT_PAGE_HISTORY };

struct report_content {
	const char *title, *model, *host;
	enum report_page_kind kind;
};

/* Writes empty members for runs, comparison and distributions into a model without runs. */
void report_page_without_runs(struct json *json);

/* Appends the HTML page that embeds the documents `model` and `host` of `content`. */
void report_page(const struct report_content *content, struct text *out);

/* The output kind (base/output.h) of pages and models. */
extern const struct output_kind report_output;

/* Declarations for `meshsim history`: finding the result files of a folder, writing the figures of
 * a scenario, and finding the figures that changed. Only files of this folder use them. */

/* A result file of the folder. Its texts live as long as the history. */
struct history_file {
	const char *path, *name, *scenario, *created, *commit;
};

/* A change of one figure of one run, from one file to the next. */
struct history_step {
	uint32_t from, to; /* indices of two files */
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

/* Finds the result files of a folder, the last HISTORY_FILES_MAX in the order of their names, and
 * sorts them by scenario, then by time or name. Returns false, with a sentence in `why`, if the
 * folder cannot be read or has no result files. */
bool history_find(struct history *history, const struct history_options *options, struct text *why);

/* Writes the figures of one scenario as a JSON object, and adds the steps (changes of figures) of
 * the scenario to the history. The scenario has `count` files, beginning with file `first`. Returns
 * false, with a sentence in `why`, if a file cannot be read. */
bool history_scenario(struct history *history, uint32_t first, uint32_t count, struct json *json,
	struct text *why);

/* Compares a figure of two runs. If chance does not explain its change, adds `step` to the history,
 * with the stage and the constant whose times changed most. Returns false, with a sentence in
 * `why`, if a run cannot be read. */
bool history_step_add(struct history *history, struct summary *summaries[2], const uint64_t rows[2],
	const struct history_step *step, struct text *why);

#endif
