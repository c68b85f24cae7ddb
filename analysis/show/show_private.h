/* The forms of `meshsim show`, and the parts that they share. */
#ifndef ANALYSIS_SHOW_SHOW_PRIVATE_H
#define ANALYSIS_SHOW_SHOW_PRIVATE_H

#include <stdio.h>

#include "analysis/print/text_table.h"
#include "analysis/read/run_tables.h"

/* Where tables go, and the columns that they may take there. */
struct show_page {
	FILE *out;
	uint32_t columns; /* UINT32_MAX: any number */
};

/* The whole file for people; false with a sentence in `why`. */
bool show_text(struct summary *summary, const struct show_page *page, struct text *why);

/* Name, question and versions of the file. */
void show_head(struct summary *summary, const struct show_page *page);

/* The status and the message of each run that did not end well: all of the message, or its first
 * line. */
void show_failures(struct summary *summary, bool whole, FILE *out);

/* A row per run and kind of operation; false with a sentence in `why`. */
bool show_brief(struct summary *summary, const struct show_page *page, struct text *why);

/* The whole file as JSON; nothing is printed if it fails. */
bool show_json(struct summary *summary, FILE *out, struct text *why);

/* One run's threads, stages, links, queues and work, one by one. */
void show_detail(const struct run_tables *run, struct arena *arena, const struct show_page *page);

/* What cores were at in runs that came to no end, or that there is none; false with a sentence in
 * `why`. */
bool show_watcher(struct summary *summary, const struct show_page *page, struct text *why);

/* What kernels printed, if they did; false with a sentence in `why`. */
bool show_prints(struct summary *summary, const struct show_page *page, struct text *why);

/* What it took the hosts of native runs to join, a row per run, if they did; false with a sentence
 * in `why`. */
bool show_opening(struct summary *summary, const struct show_page *page, struct text *why);

/* What is known of host threads: columns of the table of threads. */
enum { SHOW_THREAD_COLUMNS = 12 };
extern const struct text_column show_thread_columns[SHOW_THREAD_COLUMNS];

/* Columns, and then cells of a row, that say which run a row is about: its number, swept keys, and,
 * if not all runs of the file ended well, its status. */
void show_run_columns(const struct summary *summary, struct text_table *table);
void show_run_cells(const struct summary *summary, struct text_table *table, uint64_t row);

/* Kind of a column by its unit. */
enum column_kind show_kind_of(const struct dataset_column *column);

/* Fills a cell with a column's value; a time or rate that never came (negative) stays blank. */
/* A rate; blank where there is none, 0. */
void show_rate(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

void show_cell(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

#endif
