/* Prints of kernels, see prints.h. */
#include "bench/watcher/prints.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"

struct prints {
	pthread_mutex_t lock;
	int64_t (*now_ps)(void);
	struct print_row *rows;
	uint32_t count, capacity, most;
	uint64_t printed;
};

struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void))
{
	struct prints *prints = allocate(1, sizeof *prints);

	pthread_mutex_init(&prints->lock, NULL);
	prints->now_ps = now_ps;
	prints->most = most;
	return prints;
}

static void keep(struct prints *prints, const struct firmware_print *print)
{
	struct print_row *row;

	if (prints->count == prints->capacity) {
		prints->capacity = prints->capacity ? 2 * prints->capacity : 64;
		prints->rows = allocate_more(prints->rows, prints->capacity, sizeof *prints->rows);
	}
	row = &prints->rows[prints->count++];
	memset(row, 0, sizeof *row);
	row->time = prints->now_ps();
	row->operation = print->operation;
	row->chip = print->chip;
	row->tile = print->tile;
	snprintf(row->processor, sizeof row->processor, "%s", print->processor);
	row->instruction = print->instruction;
	row->number = print->number;
	snprintf(row->what, sizeof row->what, print->element ? "buffer %u" : "r%u", print->from);
	row->value = print->element ? (double)print->real : print->value;
}

void prints_take(struct prints *prints, const struct firmware_print *print)
{
	pthread_mutex_lock(&prints->lock);
	prints->printed++;
	if (prints->count < prints->most)
		keep(prints, print);
	pthread_mutex_unlock(&prints->lock);
}

void prints_record(struct prints *prints, struct run_record *record, struct arena *arena)
{
	struct print_count_row *counts = arena_array(arena, 1, sizeof *counts);
	struct print_row *rows;

	pthread_mutex_lock(&prints->lock);
	*counts = (struct print_count_row){prints->printed, prints->count};
	rows = arena_array(arena, prints->count, sizeof *rows);
	if (prints->count > 0)
		memcpy(rows, prints->rows, prints->count * sizeof *rows);
	pthread_mutex_unlock(&prints->lock);
	if (counts->printed == 0)
		return;
	record_table(record, results_prints(), rows, counts->kept);
	record_table(record, results_print_counts(), counts, 1);
}
