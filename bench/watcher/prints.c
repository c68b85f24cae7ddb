/* Collects the values that kernels print, and makes tables of them (watcher.h). */
#include "bench/watcher/watcher.h"

#include <stdio.h>

#include "base/allocate.h"
#include "watcher_private.h"

/* Shared by all processes of the run. */
struct prints {
	int64_t (*now_ps)(void);
	struct shared_rows *rows; /* struct print_row */
};

struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void))
{
	struct prints *prints = allocate_shared(sizeof *prints);

	prints->now_ps = now_ps;
	prints->rows = shared_rows_new(most, sizeof(struct print_row));
	return prints;
}

static void prints_keep(
	const struct prints *prints, const struct firmware_print *print, struct print_row *row)
{
	row->time = print->at_ps ? print->at_ps : prints->now_ps();
	row->operation = print->operation;
	row->chip = print->chip;
	row->tile = print->tile;
	snprintf(row->processor, sizeof row->processor, "%s", print->processor);
	row->instruction = print->instruction;
	row->number = print->number;
	if (print->instruction == PRINT_OF_PROFILE)
		snprintf(row->what, sizeof row->what,
			print->number == 0   ? "first start"
			: print->number == 1 ? "last start"
					     : "end");
	else
		snprintf(row->what, sizeof row->what, print->element ? "buffer %u" : "r%u",
			print->from);
	row->value = print->element ? (double)print->real : print->value;
}

void prints_take(struct prints *prints, const struct firmware_print *print)
{
	uint64_t number;
	struct print_row *row = shared_rows_begin(prints->rows, &number);

	if (row == NULL)
		return;
	prints_keep(prints, print, row);
	shared_rows_end(prints->rows, number);
}

void prints_record(struct prints *prints, struct run_record *record, struct arena *arena)
{
	struct print_count_row *counts = arena_array(arena, 1, sizeof *counts);
	const struct print_row *rows = shared_rows_copy(prints->rows, arena, &counts->kept);

	counts->printed = shared_rows_counted(prints->rows);
	if (counts->printed == 0)
		return;
	record_table(record, results_prints(), rows, counts->kept);
	record_table(record, results_print_counts(), counts, 1);
}
