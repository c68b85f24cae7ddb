/* Prints decisions as JSON. */
#include <stdio.h>

#include "base/text.h"
#include "decision.h"

static const char *const outcomes[] = {
	[OUTCOME_NOT_ASKED] = "not asked",
	[OUTCOME_UNDECIDED] = "undecided",
	[OUTCOME_WRONG] = "wrong",
	[OUTCOME_RIGHT] = "right",
};

static void add_text(struct text *json, const char *name, const char *value)
{
	text_append_json(json, name);
	text_append(json, ": ");
	if (value)
		text_append_json(json, value);
	else
		text_append(json, "null");
}

static void add_comparison(const struct decisions *decisions, const struct comparison *comparison,
	bool first, struct text *json)
{
	const struct decision_row *slow = &decisions->rows[comparison->slow];

	text_append(json, first ? "\n      {" : ",\n      {");
	add_text(json, "outcome", outcomes[comparison->outcome]);
	text_append(json, ", ");
	add_text(json, "slow", slow->option);
	text_append(json, ", ");
	add_text(json, "fast", decisions->rows[comparison->fast].option);
	text_append(json, ", ");
	add_text(json, "metric", slow->metric);
	text_append(json, ", ");
	add_text(json, "load", comparison->load);
	if (comparison->has_ratio)
		text_printf(json, ", \"measured\": %.9g", comparison->measured);
	else
		text_append(json, ", \"measured\": null");
	text_printf(json, ", \"predicted\": %.9g, \"pairs\": %u, \"agree\": %u, ",
		comparison->predicted, comparison->pairs, comparison->agree);
	add_text(json, "rests_on", comparison->rests_on);
	text_append(json, "}");
}

static void add_option(const struct decisions *decisions, uint32_t row, struct text *json)
{
	const struct decision_row *option = &decisions->rows[row];
	const struct reference_row *run =
		option->run == NO_RUN ? NULL : &decisions->runs.rows[option->run];
	const struct prediction *prediction = run ? &decisions->predictions[option->run] : NULL;

	add_text(json, "option", option->option);
	text_append(json, ", ");
	add_text(json, "family", run ? run->family : NULL);
	text_append(json, ", ");
	add_text(json, "system", run ? run->system : NULL);
	text_append(json, ", ");
	add_text(json, "params", run ? run->params_text : NULL);
	text_append(json, ", ");
	add_text(json, "unit", prediction ? prediction->experiment->unit : NULL);
	if (prediction && prediction->ran)
		text_printf(json, ", \"predicted\": %.9g", prediction->value);
	else
		text_append(json, ", \"predicted\": null");
}

static void add_decision(const struct decisions *decisions, const struct decision *decision,
	bool first, struct text *json)
{
	const struct decision_row *row = &decisions->rows[decision->first_row];
	bool asked = decision->outcome != OUTCOME_NOT_ASKED, any = false;

	text_append(json, first ? "\n    {" : ",\n    {");
	add_text(json, "id", row->id);
	text_append(json, ", ");
	add_text(json, "kind", row->kind);
	text_append(json, ", ");
	add_text(json, "outcome", outcomes[decision->outcome]);
	text_append(json, ", ");
	add_text(json, "reason", asked ? NULL : decision->reason);
	text_append(json, ",\n     \"comparisons\": [");
	for (uint32_t c = 0; asked && c < decision->comparison_count; c++)
		if (decision->comparisons[c].outcome != OUTCOME_NOT_ASKED) {
			add_comparison(decisions, &decision->comparisons[c], !any, json);
			any = true;
		}
	text_append(json, "],\n     \"options\": [");
	for (uint32_t i = 0; i < decision->row_count; i++) {
		text_append(json, i ? ",\n      {" : "\n      {");
		add_option(decisions, decision->first_row + i, json);
		text_append(json, "}");
	}
	text_append(json, "]}");
}

void decisions_print_json(const struct decisions *decisions)
{
	uint32_t counts[OUTCOME_RIGHT + 1] = {0};
	struct text json;

	text_init(&json);
	for (uint32_t d = 0; d < decisions->count; d++)
		counts[decisions->decisions[d].outcome]++;
	text_printf(&json,
		"{\n  \"right\": %u, \"wrong\": %u, \"undecided\": %u, \"not_asked\": %u,\n"
		"  \"decisions\": [",
		counts[OUTCOME_RIGHT], counts[OUTCOME_WRONG], counts[OUTCOME_UNDECIDED],
		counts[OUTCOME_NOT_ASKED]);
	for (uint32_t d = 0; d < decisions->count; d++)
		add_decision(decisions, &decisions->decisions[d], d == 0, &json);
	printf("%s\n  ]\n}\n", text_string(&json));
	text_fini(&json);
}
