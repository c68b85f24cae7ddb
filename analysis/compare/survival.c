/* Writes texts about failed runs: in which contexts runs of an option failed, and how
 * (comparison.h). A failed run has no figures, so an option with a failed run has no margin. */
#include <string.h>

#include "analysis/compare/comparison.h"

enum { ENDS_SHOWN = 2, ALONE_SHOWN = 4 };

const char *compare_where(const struct context *context, struct arena *arena)
{
	return context->label[0] ? arena_printf(arena, " at %s", context->label) : "";
}

const char *compare_end(const struct context *context, uint32_t option, struct arena *arena)
{
	const char *status = context->failed[option]->status;
	bool refused = strcmp(status, "refused") == 0;

	return arena_printf(arena, "%s%s%s", refused ? "is " : "ends with ", status,
		compare_where(context, arena));
}

const char *compare_ends(const struct question *question, uint32_t option, struct arena *arena)
{
	const char *text = NULL, *last = "";
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];

		if (!context->failed[option] || count++ >= ENDS_SHOWN)
			continue;
		if (text && strcmp(last, context->failed[option]->status) == 0)
			text = arena_printf(arena, "%s and%s", text, compare_where(context, arena));
		else
			text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
				compare_end(context, option, arena));
		last = context->failed[option]->status;
	}
	if (count > ENDS_SHOWN)
		text = arena_printf(arena, "%s, and in %u more context%s", text, count - ENDS_SHOWN,
			count == ENDS_SHOWN + 1 ? "" : "s");
	return text;
}

const char *compare_alone(const struct question *question, struct arena *arena)
{
	const char *text = "undecided: nothing to compare, no two runs of one context are good";
	uint32_t shown = 0, left = 0;

	for (uint32_t i = 0; i < question->option_count; i++) {
		const char *ends = compare_ends(question, i, arena);

		if (ends && shown++ < ALONE_SHOWN)
			text = arena_printf(arena, "%s%s %s %s", text, shown == 1 ? ":" : ",",
				question->options[i], ends);
	}
	for (uint32_t i = 0; i < question->context_count; i++)
		left += question->contexts[i].count;
	if (shown > 0)
		text = arena_printf(arena, "%s; %s", text,
			left > 0 ? "those that survive have no rival, which is no win by a margin"
				 : "none survives");
	return text;
}
