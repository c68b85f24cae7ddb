/* What the files of `show` share. */
#ifndef ANALYSIS_SHOW_SHOW_PRIVATE_H
#define ANALYSIS_SHOW_SHOW_PRIVATE_H

#include <stdio.h>

#include "analysis/print/text_table.h"
#include "analysis/read/summary.h"

/* The whole file for people; false with a sentence in `why`. */
bool show_text(struct view *view, FILE *out, struct text *why);

/* Name, question and versions of the file. */
void show_head(struct view *view, FILE *out);

/* A line for each run that did not end well. */
void show_failures(struct view *view, FILE *out);

/* A row per run and kind of operation; false with a sentence in `why`. */
bool show_brief(struct view *view, FILE *out, struct text *why);

/* The whole file as JSON; nothing is printed if it fails. */
bool show_json(struct view *view, FILE *out, struct text *why);

/* One run's threads, stages, links, queues and work, one by one. */
void show_detail(const struct view_run *run, struct arena *arena, FILE *out);

/* Kind of a column by its unit. */
enum grid_kind show_kind_of(const struct data_column *column);

/* Fills a cell with a column's value; a time or rate that never came (negative) stays blank. */
void show_cell(struct grid *grid, const struct data_table *table, const struct data_column *column,
	uint64_t row);

#endif
