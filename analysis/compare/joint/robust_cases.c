/* Prints the winner's margin for each change that --robust made to the costs or the network
 * (comparison.h). So the reader sees how clearly a verdict holds, for example with a margin of only
 * 2 %, or of 50 %. */
#include "analysis/compare/comparison.h"
#include "analysis/print/text_table.h"

void compare_cases_text(struct comparison *comparison, const struct question *question, FILE *out)
{
	const struct robustness *robust = &question->robust;
	struct text_table *table = text_table_new(&comparison->arena);
	uint32_t known = 0;

	for (uint32_t i = 0; i < robust->case_count; i++)
		known += robust->cases[i].known;
	if (known == 0)
		return;
	text_table_column(table, "with", COLUMN_TEXT, 0);
	text_table_column(table, "margin", COLUMN_SHARE, 1);
	text_table_column(table, "over", COLUMN_TEXT, 0);
	for (uint32_t i = 0; i < robust->case_count; i++) {
		const struct robust_case *one = &robust->cases[i];
		text_table_row(table);
		text_table_text(table, one->label);
		if (one->known)
			text_table_number(table, one->margin);
		else
			text_table_blank(table);
		text_table_text(table, one->known ? one->rival : "could not run");
	}
	fputc('\n', out);
	text_table_print_within(table, comparison->table_columns, out);
}

/* Returns the result of a case in words, such as "unicast takes 59 % longer" or "unicast is ahead
 * by 3.2 %". */
static const char *case_words(
	const struct sweep_points *points, const struct robust_case *one, struct arena *arena)
{
	if (!one->known)
		return one->why;
	if (one->margin < 0)
		return arena_printf(arena, "%s is ahead by %s", one->rival,
			compare_percent(1 / (1 + one->margin) - 1, arena));
	return arena_printf(
		arena, "%s takes %s", one->rival, compare_longer(points, one->margin, arena));
}

void compare_cases_json(struct json *json, const struct question *question, struct arena *arena)
{
	const struct robustness *robust = &question->robust;

	json_array_of(json, "cases");
	for (uint32_t i = 0; i < robust->case_count; i++) {
		const struct robust_case *one = &robust->cases[i];
		json_object(json);
		json_text(json, "with", one->label);
		json_bool_of(json, "single", one->single);
		json_key(json, "margin");
		if (one->known)
			json_real(json, one->margin);
		else
			json_null(json);
		json_text(json, "rival", one->known ? one->rival : NULL);
		json_text(json, "failure", one->known ? NULL : one->why);
		json_text(json, "words", case_words(question->points, one, arena));
		json_object_end(json);
	}
	json_array_end(json);
}
