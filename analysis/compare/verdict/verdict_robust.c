/* Writes texts which say how far a decided verdict can be trusted (verdict_items.h): in how many
 * cases of --robust the verdict holds, and whether the model's error is larger than the margin. */
#include "analysis/compare/best.h"
#include "analysis/compare/verdict_items.h"

/* True if a verdict held in all cases of --robust that could run. */
static bool holds_in_all(const struct robustness *robust)
{
	bool known = false;

	for (uint32_t i = 0; i < robust->case_count; i++) {
		known |= robust->cases[i].known;
		if (robust->cases[i].known && robust->cases[i].margin < MARGIN_LEAST)
			return false;
	}
	return known;
}

/* If the model's error is larger than the winner's margin, returns a text that says so. Returns
 * NULL if the error can hardly change the margin, if the question is undecided, or if there is no
 * second design. */
static const char *error_text(const struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	const struct model_doubt *doubt = &focus->owed;
	double ratio;

	if (question->outcome == OUTCOME_UNDECIDED || focus->count < 2)
		return NULL;
	ratio = focus->margins[focus->order[1]].ratio;
	if (doubt->most < MODEL_DOUBT_LEAST || ratio >= doubt->error)
		return NULL;
	return arena_printf(arena,
		"%s is less than the model's error of %s, which may move it by %s",
		compare_percent(ratio, arena), trust_error_text(doubt, arena),
		compare_percent(doubt->most, arena));
}

const char *verdict_model_text(const struct question *question, struct arena *arena)
{
	return holds_in_all(&question->robust) ? NULL : error_text(question, arena);
}

/* Returns a text which says in how many cases of --robust the verdict held, and how many could not
 * run. Cases are the rows of the table below the verdict. If the verdict held in all cases, but is
 * in doubt for another reason, the text gives this reason. */
static const char *tried_text(const struct question *question, struct arena *arena)
{
	const struct robustness *robust = &question->robust;
	const char *error = error_text(question, arena), *text;
	uint32_t held = 0, known = 0;

	for (uint32_t i = 0; i < robust->case_count; i++) {
		known += robust->cases[i].known;
		held += robust->cases[i].known && robust->cases[i].margin >= MARGIN_LEAST;
	}
	if (known == 0 && robust->failed > 0)
		return arena_printf(arena, "unknown: none of %u cases could run: %s",
			robust->case_count, robust->failures[0]);
	text = arena_printf(arena,
		"holds in %u of %u cases (costs -30 %% and +30 %%, networks; %u runs)", held, known,
		robust->runs);
	if (holds_in_all(robust) && question->outcome == OUTCOME_FRAGILE)
		text = arena_printf(arena, "%s, but not if all costs are drawn together", text);
	if (holds_in_all(robust) && error)
		text = arena_printf(arena, "%s, but %s", text, error);
	if (robust->untried > 0)
		text = arena_printf(
			arena, "%s; %u more would take too long", text, robust->untried);
	if (robust->failed > 0)
		text = arena_printf(arena, "%s; %u could not run: %s", text, robust->failed,
			robust->failures[0]);
	if (robust->failed > 1)
		text = arena_printf(arena, "%s, and %u more", text, robust->failed - 1);
	return text;
}

uint32_t verdict_robust_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena)
{
	const struct robustness *robust = &question->robust;
	uint32_t count = 0;

	if (!robust->tried_any)
		return 0;
	texts[count++] = tried_text(question, arena);
	for (uint32_t i = 0; i < robust->break_count && count < most; i++)
		texts[count++] =
			arena_printf(arena, "%s%s", i ? "" : "not with ", robust->breaks[i]);
	return count;
}
