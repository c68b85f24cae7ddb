/* Finds how long a repeat took that stands among other steps (sweep_iteration.h). */
#include <string.h>

#include "analysis/compare/sweep_iteration.h"

static bool span_has(const struct sweep_within *within, const char *name)
{
	uint32_t i = 0;

	while (i < within->count && strcmp(within->names[i], name) != 0)
		i++;
	return i < within->count;
}

/* The span that the workload is in. */
struct span {
	const char *thread; /* that calls the steps of the repeat; NULL: none did yet */
	bool open, warm, behind;
	int64_t begin, end;
	int64_t cpu_since, cpu_until;
	uint32_t rounds; /* calls of the step that begins them */
};

static void span_close(struct span *span, struct sweep_spans *spans)
{
	if (!span->open)
		return;
	span->open = false;
	if (span->warm || span->rounds == 0)
		return;
	spans->at[spans->count++] = (span->end - span->begin) / span->rounds;
	spans->behind += span->behind;
	spans->rounds += span->rounds;
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
			.rounds = !anchor};
	end = end >= 0 ? end : completed_at(operation);
	span->end = end > span->end ? end : span->end;
	if (operation->cpu_returned > span->cpu_until)
		span->cpu_until = operation->cpu_returned;
	span->warm |= operation->warmup;
	span->rounds += anchor && operation_is(operation, anchor);
}

struct sweep_spans sweep_spans_find(const struct operations *operations,
	const struct sweep_within *within, const char *anchor, struct arena *arena)
{
	struct sweep_spans spans = {
		.at = arena_array(arena, operations->count + 1, sizeof(*spans.at))};
	struct span span = {.thread = NULL};
	int64_t others = 0; /* when the work of other steps was complete */

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (span.thread && strcmp(span.thread, operation->thread) != 0)
			continue;
		if (span_has(within, operation->step_name))
			span_add(&span, operations, i, anchor, others);
		else {
			int64_t end = completed_at(operation);

			span_close(&span, &spans);
			others = end > others ? end : others;
		}
	}
	span_close(&span, &spans);
	return spans;
}
