/* Collects the log lines of a run, and makes tables of them (watcher.h). */
#include "bench/watcher/watcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "watcher_private.h"

/* Shared by all processes of the run. */
struct logbook {
	struct log_sink sink;
	struct shared_rows *rows; /* struct log_row */
};

static void take(void *context, const struct log_line *line)
{
	logbook_take(context, line);
}

const struct log_sink *logbook_sink(const struct logbook *book)
{
	for (int type = 0; type < LOG_TYPE_COUNT; type++)
		if (book->sink.least[type] < LOG_LEVEL_COUNT)
			return &book->sink;
	return NULL;
}

struct logbook *logbook_new(const enum log_level least[LOG_TYPE_COUNT], uint32_t most)
{
	struct logbook *book = allocate_shared(sizeof *book);

	book->sink.context = book;
	book->sink.take = take;
	memcpy(book->sink.least, least, sizeof book->sink.least);
	if (logbook_sink(book) == NULL)
		most = 0; /* no line will be logged, so no memory is needed */
	book->rows = shared_rows_new(most, sizeof(struct log_row));
	return book;
}

void logbook_take(struct logbook *book, const struct log_line *line)
{
	uint64_t number;
	struct log_row *row = shared_rows_begin(book->rows, &number);

	if (row == NULL)
		return;
	row->time = line->at_ps;
	row->host = line->host;
	snprintf(row->thread, sizeof row->thread, "%s", line->thread);
	snprintf(row->type, sizeof row->type, "%s", log_type_word(line->type));
	snprintf(row->level, sizeof row->level, "%s", log_level_word(line->level));
	snprintf(row->text, sizeof row->text, "%s", line->text);
	row->number = number;
	shared_rows_end(book->rows, number);
}

static int compare_lines(const void *left, const void *right)
{
	const struct log_row *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void logbook_record(struct logbook *book, struct run_record *record, struct arena *arena)
{
	struct log_count_row *counts = arena_array(arena, 1, sizeof *counts);
	struct log_row *rows = shared_rows_copy(book->rows, arena, &counts->kept);

	counts->logged = shared_rows_counted(book->rows);
	if (counts->logged == 0)
		return;
	qsort(rows, counts->kept, sizeof *rows, compare_lines);
	record_table(record, results_log(), rows, counts->kept);
	record_table(record, results_log_counts(), counts, 1);
}
