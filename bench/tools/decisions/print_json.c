/* Prints decisions as JSON. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "decision.h"

static const char *const outcomes[] = {
	[OUTCOME_NOT_ASKED] = "not asked",
	[OUTCOME_UNDECIDED] = "undecided",
	[OUTCOME_WRONG] = "wrong",
	[OUTCOME_RIGHT] = "right",
};

static void add_comparison(
	const struct decisions *decisions, const struct comparison *comparison, struct json *json)
{
	const struct decision_row *slow = &decisions->rows[comparison->slow];

	json_object(json);
	json_text(json, "outcome", outcomes[comparison->outcome]);
	json_text(json, "slow", slow->option);
	json_text(json, "fast", decisions->rows[comparison->fast].option);
	json_text(json, "metric", slow->metric);
	json_text(json, "load", comparison->load);
	json_real_of(json, "measured", comparison->has_ratio ? comparison->measured : NAN);
	json_real_of(json, "predicted", comparison->predicted);
	json_unsigned_of(json, "pairs", comparison->pairs);
	json_unsigned_of(json, "agree", comparison->agree);
	json_text(json, "rests_on", comparison->rests_on);
	json_object_end(json);
}

static void add_option(const struct decisions *decisions, uint32_t row, struct json *json)
{
	const struct decision_row *option = &decisions->rows[row];
	const struct reference_row *run =
		option->run == NO_RUN ? NULL : &decisions->runs.rows[option->run];
	const struct prediction *prediction = run ? &decisions->predictions[option->run] : NULL;

	json_object(json);
	json_text(json, "option", option->option);
	json_text(json, "family", run ? run->family : NULL);
	json_text(json, "system", run ? run->system : NULL);
	json_text(json, "params", run ? run->params_text : NULL);
	json_text(json, "unit", prediction ? prediction->experiment->unit : NULL);
	json_real_of(json, "predicted", prediction && prediction->ran ? prediction->value : NAN);
	json_object_end(json);
}

static void add_decision(
	const struct decisions *decisions, const struct decision *decision, struct json *json)
{
	const struct decision_row *row = &decisions->rows[decision->first_row];
	bool asked = decision->outcome != OUTCOME_NOT_ASKED;

	json_object(json);
	json_text(json, "id", row->id);
	json_text(json, "kind", row->kind);
	json_text(json, "outcome", outcomes[decision->outcome]);
	json_text(json, "reason", asked ? NULL : decision->reason);
	json_array_of(json, "comparisons");
	for (uint32_t c = 0; asked && c < decision->comparison_count; c++)
		if (decision->comparisons[c].outcome != OUTCOME_NOT_ASKED)
			add_comparison(decisions, &decision->comparisons[c], json);
	json_array_end(json);
	json_array_of(json, "options");
	for (uint32_t i = 0; i < decision->row_count; i++)
		add_option(decisions, decision->first_row + i, json);
	json_array_end(json);
	json_object_end(json);
}

void decisions_print_json(const struct decisions *decisions)
{
	uint32_t counts[OUTCOME_RIGHT + 1] = {0};
	struct json json;

	for (uint32_t d = 0; d < decisions->count; d++)
		counts[decisions->decisions[d].outcome]++;
	json_start(&json, NULL);
	json.flat_from = 5;
	json_object(&json);
	json_unsigned_of(&json, "right", counts[OUTCOME_RIGHT]);
	json_unsigned_of(&json, "wrong", counts[OUTCOME_WRONG]);
	json_unsigned_of(&json, "undecided", counts[OUTCOME_UNDECIDED]);
	json_unsigned_of(&json, "not_asked", counts[OUTCOME_NOT_ASKED]);
	json_array_of(&json, "decisions");
	for (uint32_t d = 0; d < decisions->count; d++)
		add_decision(decisions, &decisions->decisions[d], &json);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, stdout);
}
