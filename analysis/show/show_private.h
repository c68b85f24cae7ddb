/* The output forms of `meshsim show`, and the parts that they share. */
#ifndef ANALYSIS_SHOW_SHOW_PRIVATE_H
#define ANALYSIS_SHOW_SHOW_PRIVATE_H

#include <stdio.h>

#include "analysis/print/text_table.h"
#include "analysis/read/run_tables.h"

/* The output of tables, and the number of columns that they may use. */
struct show_page {
	FILE *out;
	uint32_t columns; /* width of rows; UINT32_MAX: any width */
	bool wide;	  /* the user wants whole rows */
};

/* Prints the whole file as tables. Returns false, with a sentence in `why`, if the file cannot be
 * read. */
bool show_text(struct summary *summary, const struct show_page *page, struct text *why);

/* Prints the name and the description of the scenario. Also prints the versions of the programs
 * that made the file. */
void show_head(struct summary *summary, const struct show_page *page);

/* Prints the status and the message of each run that did not end well. If `whole` is not set,
 * prints only the first line of each message. */
void show_failures(struct summary *summary, bool whole, FILE *out);

/* Prints a table for each kind of operation, with a row for each run. Returns false, with a
 * sentence in `why`, if the file cannot be read. */
bool show_brief(struct summary *summary, const struct show_page *page, struct text *why);

/* Prints the whole file as JSON. On failure, prints nothing and returns false, with a sentence in
 * `why`. */
bool show_json(struct summary *summary, FILE *out, struct text *why);

/* A run of the file while it is shown. */
struct shown_run {
	const struct summary *summary;
	uint64_t row; /* row of the run in the summary */
	const struct run_tables *tables;
	struct arena *arena;
	const struct show_page *page;
};

/* Calls show(run, context) for each run, with the run's tables and an arena for its output. show()
 * returns true if it has printed something. Sets *any (may be NULL) to true if any call of show()
 * printed something. Returns false, with a sentence in `why`, if a run cannot be read. */
bool show_each_run(struct summary *summary, const struct show_page *page,
	bool (*show)(const struct shown_run *run, const void *context), const void *context,
	bool *any, struct text *why);

/* Prints one run's threads, work, stages, links, queues and memory one by one. */
void show_detail(const struct run_tables *run, struct arena *arena, const struct show_page *page);

/* Prints the state of the cores in runs that did not finish. If all runs finished, prints a line
 * that says so. Returns false, with a sentence in `why`, if a run cannot be read. */
bool show_watcher(struct summary *summary, const struct show_page *page, struct text *why);

/* Prints the values that kernels printed, if they printed any. Returns false, with a sentence in
 * `why`, if a run cannot be read. */
bool show_prints(struct summary *summary, const struct show_page *page, struct text *why);

/* Prints the log lines of each run. If `whole` is not set, prints only the first lines of each run.
 * If `whole` is set and there are no log lines, prints a line that says so. Returns false, with a
 * sentence in `why`, if a run cannot be read. */
bool show_log(struct summary *summary, bool whole, const struct show_page *page, struct text *why);

/* Prints how many groups of operations have no tables, and where their figures are. Prints nothing
 * if all have tables. */
void show_left_out(struct summary *summary, struct arena *arena, const struct show_page *page);

/* Prints which data steps of runs have saved, and their places in the result file. Prints
 * nothing if no step saved data. Returns false, with a sentence in `why`, if a run cannot be
 * read. */
bool show_saved(struct summary *summary, const struct show_page *page, struct text *why);

/* Prints a table of how long the hosts of native runs took to join. Prints nothing if there are no
 * such hosts. Returns false, with a sentence in `why`, if a run cannot be read. */
bool show_opening(struct summary *summary, const struct show_page *page, struct text *why);

/* Columns of the table of host threads. */
enum { SHOW_THREAD_COLUMNS = 12 };
extern const struct text_column show_thread_columns[SHOW_THREAD_COLUMNS];

/* show_run_columns() adds the columns that identify a run: its number, its swept keys, and its
 * status. If all runs of the file ended well, there is no column for the status. show_run_cells()
 * adds a row, and fills in its cells in these columns. */
void show_run_columns(const struct summary *summary, struct text_table *table);
void show_run_cells(const struct summary *summary, struct text_table *table, uint64_t row);

/* Returns the kind of a column according to its type and unit. */
enum column_kind show_kind_of(const struct dataset_column *column);

/* Fills a cell with a rate; 0 or a missing column leaves it blank. */
void show_rate(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

/* Fills a cell with a column's value; a missing time or rate (negative) leaves it blank. */
void show_cell(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

#endif
