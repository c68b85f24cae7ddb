/* Log lines of a run (see watcher.h). */
#include "bench/watcher/watcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Shared by all processes of the run. */
struct logbook {
	struct log_sink sink;
	uint32_t most;
	uint64_t logged;      /* atomic */
	bool *kept;	      /* [most], atomic; true if the row is complete */
	struct log_row *rows; /* [most] */
};

static void take(void *context, const struct log_line *line)
{
	logbook_take(context, line);
}

struct logbook *logbook_new(const enum log_level least[LOG_TYPE_COUNT], uint32_t most)
{
	struct logbook *book = allocate_shared(sizeof *book);

	book->sink.context = book;
	book->sink.take = take;
	memcpy(book->sink.least, least, sizeof book->sink.least);
	book->most = most;
	book->kept = allocate_shared(most + 1u);
	book->rows = allocate_shared((most + (size_t)1) * sizeof *book->rows);
	return book;
}

const struct log_sink *logbook_sink(const struct logbook *book)
{
	for (int type = 0; type < LOG_TYPE_COUNT; type++)
		if (book->sink.least[type] < LOG_LEVEL_COUNT)
			return &book->sink;
	return NULL;
}

void logbook_take(struct logbook *book, const struct log_line *line)
{
	uint64_t number = __atomic_fetch_add(&book->logged, 1, __ATOMIC_RELAXED);
	struct log_row *row = &book->rows[number < book->most ? number : 0];

	if (number >= book->most)
		return;
	row->time = line->at_ps;
	row->host = line->host;
	snprintf(row->thread, sizeof row->thread, "%s", line->thread);
	snprintf(row->type, sizeof row->type, "%s", log_type_word(line->type));
	snprintf(row->level, sizeof row->level, "%s", log_level_word(line->level));
	snprintf(row->text, sizeof row->text, "%s", line->text);
	row->number = number;
	__atomic_store_n(&book->kept[number], true, __ATOMIC_RELEASE);
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
	uint64_t logged = __atomic_load_n(&book->logged, __ATOMIC_RELAXED);
	uint32_t begun = logged < book->most ? (uint32_t)logged : book->most;
	struct log_row *rows = arena_array(arena, begun + 1u, sizeof *rows);

	*counts = (struct log_count_row){.logged = logged};
	for (uint32_t i = 0; i < begun; i++)
		if (__atomic_load_n(&book->kept[i], __ATOMIC_ACQUIRE))
			rows[counts->kept++] = book->rows[i];
	if (logged == 0)
		return;
	qsort(rows, counts->kept, sizeof *rows, compare_lines);
	record_table(record, results_log(), rows, counts->kept);
	record_table(record, results_log_counts(), counts, 1);
}
