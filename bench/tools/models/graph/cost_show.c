/* Describes programs of model binaries whose operations have costs (graph_private.h). */
#include <string.h>

#include "graph_private.h"

enum { PERIOD_MAX = 128 };

/* A row of the table: an operation, and how often its layer occurs in succession. */
struct shown {
	const struct model_operation *operation;
	uint32_t times;
};

static bool cost_is_same(const struct model_operation *a, const struct model_operation *b)
{
	if (strcmp(a->name, b->name) != 0 || strcmp(a->kind, b->kind) != 0 ||
		a->cores != b->cores || (a->cost != NULL) != (b->cost != NULL))
		return false;
	return !a->cost || (a->cost->cycles == b->cost->cycles && a->cost->ns == b->cost->ns &&
				   a->cost->kernel_bytes == b->cost->kernel_bytes &&
				   a->cost->dram_bytes == b->cost->dram_bytes);
}

/* Returns how often the `period` operations from `first` on occur in succession, at least 1. */
static uint32_t repeats(const struct model_program *program, uint32_t first, uint32_t period)
{
	const struct model_operation *at = program->operations;
	uint32_t same = 0;

	while (first + period + same < program->operation_count &&
		cost_is_same(&at[first + same], &at[first + period + same]))
		same++;
	return 1 + same / period;
}

/* Fills `rows`, which has room for all operations. Returns the number of rows. */
static uint32_t fold(const struct model_program *program, struct shown *rows)
{
	uint32_t count = 0, first = 0;

	while (first < program->operation_count) {
		uint32_t period = 1, times = repeats(program, first, period);

		while (times == 1 && period < PERIOD_MAX &&
			first + period < program->operation_count)
			times = repeats(program, first, ++period);
		period = times == 1 ? 1 : period;
		for (uint32_t i = 0; i < period; i++)
			rows[count++] = (struct shown){&program->operations[first + i], times};
		first += period * times;
	}
	return count;
}

static void show_times(const struct shown *row, struct text *out)
{
	const struct model_operation *operation = row->operation;
	const struct model_cost *cost = operation->cost;
	char cores[16] = "all";

	if (operation->cores > 0)
		snprintf(cores, sizeof cores, "%u", operation->cores);
	text_printf(out, "    %-22.22s %5u  %-14.14s %5s ", operation->name, row->times,
		operation->kind, cost ? cores : "");
	if (cost)
		text_printf(out, "%12.3f  %s\n", (double)cost->ns / 1e3, cost->bound);
	else
		text_printf(out, "%12s  packets\n", "");
}

static void show_amounts(const struct shown *row, struct text *out)
{
	const struct model_cost *cost = row->operation->cost;

	if (!cost)
		return;
	text_printf(out, "    %-20.20s %11llu %9llu %9llu %9llu %8llu\n", row->operation->name,
		(unsigned long long)cost->dram_bytes, (unsigned long long)cost->noc_bytes,
		(unsigned long long)cost->link_bytes, (unsigned long long)cost->matrix_cycles,
		(unsigned long long)cost->vector_cycles);
}

static void show_kernels(const struct shown *row, struct text *out)
{
	const struct model_cost *cost = row->operation->cost;

	if (!cost || cost->slots == 0)
		return;
	text_printf(out, "    %-20.20s %u programs side by side, on %u x %u devices each\n",
		row->operation->name, cost->slots, cost->slot_rows, cost->slot_columns);
}

void cost_show(const struct model_program *program, struct text *out)
{
	struct arena arena = {0};
	struct shown *rows = arena_array(&arena, program->operation_count, sizeof *rows);
	uint32_t count = fold(program, rows);

	text_printf(out, "  %u operations, which take times and compute no values\n",
		program->operation_count);
	text_printf(out, "    %-22s %5s  %-14s %5s %12s  %s\n", "operation", "times", "kind",
		"cores", "each us", "bound by");
	for (uint32_t i = 0; i < count; i++)
		show_times(&rows[i], out);
	text_append(out, "  what a device, or the core that has most, does in each\n");
	text_printf(out, "    %-20s %11s %9s %9s %9s %8s\n", "operation", "DRAM B", "NoC B",
		"links B", "matrix", "vector");
	text_printf(out, "    %-20s %11s %9s %9s %9s %8s\n", "", "", "", "", "cycles", "cycles");
	for (uint32_t i = 0; i < count; i++)
		show_amounts(&rows[i], out);
	for (uint32_t i = 0; i < count; i++)
		show_kernels(&rows[i], out);
	arena_fini(&arena);
}
