/* Prints of kernels (see watcher.h). */
#include "bench/watcher/watcher.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"

/* Shared by all processes of the run. */
struct prints {
	int64_t (*now_ps)(void);
	uint32_t most;
	uint64_t printed;	/* atomic */
	bool *kept;		/* [most], atomic; true if the row is complete */
	struct print_row *rows; /* [most] */
};

struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void))
{
	struct prints *prints = allocate_shared(sizeof *prints);

	prints->now_ps = now_ps;
	prints->most = most;
	prints->kept = allocate_shared(most + 1u);
	prints->rows = allocate_shared((most + (size_t)1) * sizeof *prints->rows);
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
	snprintf(row->what, sizeof row->what, print->element ? "buffer %u" : "r%u", print->from);
	row->value = print->element ? (double)print->real : print->value;
}

void prints_take(struct prints *prints, const struct firmware_print *print)
{
	uint64_t number = __atomic_fetch_add(&prints->printed, 1, __ATOMIC_RELAXED);

	if (number >= prints->most)
		return;
	prints_keep(prints, print, &prints->rows[number]);
	__atomic_store_n(&prints->kept[number], true, __ATOMIC_RELEASE);
}

void prints_record(struct prints *prints, struct run_record *record, struct arena *arena)
{
	struct print_count_row *counts = arena_array(arena, 1, sizeof *counts);
	uint64_t printed = __atomic_load_n(&prints->printed, __ATOMIC_RELAXED);
	uint32_t begun = printed < prints->most ? (uint32_t)printed : prints->most;
	struct print_row *rows = arena_array(arena, begun + 1u, sizeof *rows);

	*counts = (struct print_count_row){.printed = printed};
	for (uint32_t i = 0; i < begun; i++)
		if (__atomic_load_n(&prints->kept[i], __ATOMIC_ACQUIRE))
			rows[counts->kept++] = prints->rows[i];
	if (counts->printed == 0)
		return;
	record_table(record, results_prints(), rows, counts->kept);
	record_table(record, results_print_counts(), counts, 1);
}
