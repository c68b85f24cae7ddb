/* Measures the time of each span of a repeat. A span is one execution of a repeat that has other
 * steps before or after it in a loop (sweep_iteration.h). */
#include <string.h>

#include "analysis/compare/sweep_iteration.h"

/* The current span of the repeat. */
struct span {
	const char *thread; /* the thread that calls the steps of the repeat; NULL: none yet */
	bool open, warm, behind;
	int64_t begin, end;
	int64_t cpu_since, cpu_until;
	uint32_t rounds;    /* number of calls of the step that begins the rounds */
	uint32_t from;	    /* index of the operation that began the last round */
	uint32_t until;	    /* index of the operation that was the last to be known as complete */
	struct split split; /* sums of the stages of all rounds but the last */
	bool splits;	    /* true: all rounds can be split into stages */
};

static void split_add(struct split *sum, const struct split *split)
{
	for (int s = 0; s < STAGE_COUNT; s++)
		sum->time[s] += split->time[s];
}

/* Adds the stages of the current round to the sums of the span. The stages are those of one
 * operation, `of`. In the last round of a span, `of` is the operation that ended the round, and
 * `metric` is METRIC_COMPLETION. In other rounds, `of` is the operation that began the round, and
 * `metric` is METRIC_ROUND. If `of` was not called when the round began, the stages of the whole
 * span are unknown. */
static void span_split(
	struct span *span, const struct operations *operations, enum metric metric, uint32_t of)
{
	struct split split;
	const struct operation *from = &operations->at[span->from], *at = &operations->at[of];

	span->splits = span->splits &&
		       at->marks[MARK_CALLED].last == from->marks[MARK_CALLED].last &&
		       path_split(operations, of, metric, &split);
	if (span->splits)
		split_add(&span->split, &split);
}

static void span_close(
	struct span *span, const struct operations *operations, struct sweep_spans *spans)
{
	uint32_t waiter;

	if (!span->open)
		return;
	waiter = operations->waiter[span->until];
	span->open = false;
	if (span->warm || span->rounds == 0)
		return;
	span_split(span, operations, METRIC_COMPLETION, span->until);
	split_add(&spans->split, &span->split);
	spans->splits &= span->splits;
	spans->at[spans->count++] = (span->end - span->begin) / span->rounds;
	spans->behind += span->behind;
	spans->rounds += span->rounds;
	if (waiter < operations->count && operations->at[waiter].cpu_returned > span->cpu_until)
		span->cpu_until = operations->at[waiter].cpu_returned;
	if (span->cpu_since >= 0)
		spans->cpu += (double)(span->cpu_until - span->cpu_since);
}

static void span_add(struct span *span, const struct operations *operations, uint32_t index,
	const char *anchor, int64_t others)
{
	const struct operation *operation = &operations->at[index];
	int64_t end = known_at(operations, index);

	if (!span->open)
		*span = (struct span){.thread = operation->thread,
			.open = true,
			.behind = others > operation->marks[MARK_CALLED].last,
			.begin = operation->marks[MARK_CALLED].last,
			.end = operation->marks[MARK_CALLED].last,
			.cpu_since = operation->cpu_called,
			.from = index,
			.until = index,
			.splits = true,
			.rounds = !anchor};
	if (anchor && operation_is(operation, anchor) && span->rounds > 0)
		span_split(span, operations, METRIC_ROUND, span->from);
	if (anchor && operation_is(operation, anchor))
		span->from = index;
	end = end >= 0 ? end : completed_at(operation);
	if (end > span->end ||
		(end == span->end && operation->marks[MARK_CALLED].last ==
					     operations->at[span->from].marks[MARK_CALLED].last)) {
		span->end = end;
		span->until = index;
	}
	if (operation->cpu_returned > span->cpu_until)
		span->cpu_until = operation->cpu_returned;
	span->warm |= operation->warmup;
	span->rounds += anchor && operation_is(operation, anchor);
}

struct sweep_spans sweep_spans_find(const struct operations *operations,
	const struct sweep_within *within, const char *anchor, struct arena *arena)
{
	struct sweep_spans spans = {
		.at = arena_array(arena, operations->count + 1, sizeof(*spans.at)), .splits = true};
	struct span span = {.thread = NULL};
	int64_t others = 0; /* time at which the work of other steps is complete */

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (span.thread && strcmp(span.thread, operation->thread) != 0)
			continue;
		if (sweep_within_has(within, operation->step_name))
			span_add(&span, operations, i, anchor, others);
		else {
			int64_t end = completed_at(operation);

			span_close(&span, operations, &spans);
			others = end > others ? end : others;
		}
	}
	span_close(&span, operations, &spans);
	return spans;
}
