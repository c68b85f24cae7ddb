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
	bool open, warm;
	int64_t begin, end;
	uint32_t rounds; /* calls of the step that begins them */
};

static void span_close(struct span *span, struct sweep_spans *spans)
{
	if (!span->open)
		return;
	span->open = false;
	if (!span->warm && span->rounds > 0)
		spans->at[spans->count++] = (span->end - span->begin) / span->rounds;
}

static void span_add(
	struct span *span, const struct operations *operations, uint32_t index, const char *anchor)
{
	const struct operation *operation = &operations->at[index];
	int64_t end = known_at(operations, index);

	if (!span->open)
		*span = (struct span){operation->thread, true, false,
			operation->marks[MARK_CALLED].last, operation->marks[MARK_CALLED].last, 0};
	end = end >= 0 ? end : completed_at(operation);
	span->end = end > span->end ? end : span->end;
	span->warm |= operation->warmup;
	span->rounds += operation_is(operation, anchor);
}

struct sweep_spans sweep_spans_find(const struct operations *operations,
	const struct sweep_within *within, const char *anchor, struct arena *arena)
{
	struct sweep_spans spans = {
		arena_array(arena, operations->count + 1, sizeof(*spans.at)), 0};
	struct span span = {.thread = NULL};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (span.thread && strcmp(span.thread, operation->thread) != 0)
			continue;
		if (span_has(within, operation->step_name))
			span_add(&span, operations, i, anchor);
		else if (span.open)
			span_close(&span, &spans);
	}
	span_close(&span, &spans);
	return spans;
}

bool sweep_spans_are_several(
	const struct operations *operations, const struct sweep_within *within, const char *anchor)
{
	struct sweep_spans spans;
	struct arena scratch;

	arena_init(&scratch);
	spans = sweep_spans_find(operations, within, anchor, &scratch);
	arena_fini(&scratch);
	return spans.count > 1;
}
