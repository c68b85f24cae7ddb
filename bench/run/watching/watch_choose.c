/* Chooses the operations to watch (run_world.h). Operations that never end are not watched. */
#include <stdlib.h>

#include "bench/results/metrics.h"
#include "run_world.h"

struct candidate {
	struct watch_window window;
	int64_t latency_ps;
};

static int by_latency(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->latency_ps != y->latency_ps)
		return x->latency_ps > y->latency_ps ? -1 : 1;
	return (x->window.operation > y->window.operation) -
	       (x->window.operation < y->window.operation);
}

static int by_operation(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->window.operation > y->window.operation) -
	       (x->window.operation < y->window.operation);
}

static bool is_named(
	const struct trace_keys *keys, const struct op_row *row, const struct step_names *names)
{
	struct traced_operation operation = {row->operation, row->kind,
		row->step_number < names->count ? names->names[row->step_number] : ""};

	for (uint32_t i = 0; keys->operations && i < keys->operations->count; i++)
		if (trace_chooses(keys->operations->items[i]->text, &operation))
			return true;
	return false;
}

/* Fills a candidate. Returns false if the operation never ended, or took no time. */
static bool watch_choose_take(const struct op_row *row, struct candidate *candidate)
{
	enum mark_point end = metric_end(row->marks, METRIC_LATENCY);
	int64_t start_ps = row->marks[MARK_CALLED].last;

	if (end == MARK_POINT_COUNT || start_ps < 0 || row->marks[end].last <= start_ps)
		return false;
	candidate->window = (struct watch_window){row->operation, start_ps, row->marks[end].last};
	candidate->latency_ps =
		row->marks[end].last - (row->arrival >= 0 ? row->arrival : start_ps);
	return true;
}

/* Appends the slowest operations among those that the scenario does not name. */
static uint32_t add_slowest(const struct trace_keys *keys, struct candidate *chosen, uint32_t count,
	struct candidate *others, uint32_t other_count)
{
	if (other_count > 0)
		qsort(others, other_count, sizeof *others, by_latency);
	for (uint32_t i = 0; i < other_count && i < keys->slowest; i++)
		chosen[count++] = others[i];
	return count;
}

struct watch_window *watch_choose(const struct trace_keys *keys, const struct op_recorder *recorder,
	const struct step_names *names, uint32_t *count, uint32_t *left_out, struct arena *arena)
{
	uint32_t row_count, named = 0, other = 0;
	const struct op_row *rows = op_recorder_rows(recorder, &row_count);
	struct candidate *chosen = arena_array(arena, 2 * (size_t)row_count + 1, sizeof *chosen);
	struct candidate *others = arena_array(arena, row_count + 1, sizeof *others);
	struct watch_window *windows = arena_array(arena, TRACE_OPERATIONS_MAX, sizeof *windows);

	for (uint32_t i = 0; i < row_count; i++) {
		struct candidate candidate;

		if (!watch_choose_take(&rows[i], &candidate))
			continue;
		if (is_named(keys, &rows[i], names))
			chosen[named++] = candidate;
		else if (!rows[i].warmup)
			others[other++] = candidate;
	}
	*count = add_slowest(keys, chosen, named, others, other);
	*left_out = *count > TRACE_OPERATIONS_MAX ? *count - TRACE_OPERATIONS_MAX : 0;
	*count -= *left_out;
	if (*count > 0)
		qsort(chosen, *count, sizeof *chosen, by_operation);
	for (uint32_t i = 0; i < *count; i++)
		windows[i] = chosen[i].window;
	return windows;
}
