/* Prints decisions in 80 columns: first the answer, then a block for each decision. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "base/text.h"
#include "decision.h"

enum { WIDTH = 80, INDENT = 4 };

/* A predicted ratio has the right size if it differs from the measured ratio by at most this
 * fraction of the measured ratio */
static const double size_most = 0.3;

static const char *const outcome_names[] = {
	[OUTCOME_NOT_ASKED] = "not asked",
	[OUTCOME_UNDECIDED] = "undecided",
	[OUTCOME_WRONG] = "wrong",
	[OUTCOME_RIGHT] = "right",
};

static uint32_t count_of(const struct decisions *decisions, enum outcome outcome)
{
	uint32_t count = 0;

	for (uint32_t d = 0; d < decisions->count; d++)
		count += decisions->decisions[d].outcome == outcome;
	return count;
}

static bool has_size(const struct comparison *comparison)
{
	return comparison->has_ratio && comparison->outcome != OUTCOME_NOT_ASKED;
}

void decisions_print_answer(const struct decisions *decisions)
{
	uint32_t sizes = 0, good = 0;

	for (uint32_t d = 0; d < decisions->count; d++)
		for (uint32_t c = 0; c < decisions->decisions[d].comparison_count; c++) {
			const struct comparison *comparison =
				&decisions->decisions[d].comparisons[c];

			if (!has_size(comparison))
				continue;
			sizes++;
			good += fabs(comparison->predicted / comparison->measured - 1) <= size_most;
		}
	printf("%u decisions of record: %u right, %u wrong, %u undecided, %u not asked\n",
		decisions->count, count_of(decisions, OUTCOME_RIGHT),
		count_of(decisions, OUTCOME_WRONG), count_of(decisions, OUTCOME_UNDECIDED),
		count_of(decisions, OUTCOME_NOT_ASKED));
	printf("sizes: %u of %u ratios are predicted within %.0f %%\n", good, sizes,
		100 * size_most);
}

/* Prints a text in lines of at most WIDTH columns. The first line is indented by `first` columns,
 * and all other lines by `rest` columns. */
static void print_wrapped(const char *text, uint32_t first, uint32_t rest)
{
	for (uint32_t indent = first; *text; indent = rest) {
		size_t length = wrap_next(text, WIDTH - indent);

		printf("%*s%.*s\n", (int)indent, "", (int)length, text);
		text += length;
		text += *text == ' ';
	}
}

static void print_line(const char *head, const char *words)
{
	struct text text;

	text_init(&text);
	text_printf(&text, "%s %s", head, words);
	print_wrapped(text_string(&text), INDENT, INDENT + 2);
	text_fini(&text);
}

static void print_sizes(const struct decisions *decisions, const struct comparison *comparison)
{
	const struct decision_row *slow = &decisions->rows[comparison->slow];

	if (comparison->count == 1) {
		printf("%*s%s: measured %.4g %s, predicted %.4g %s\n", INDENT, "",
			outcome_names[comparison->outcome], comparison->measured, slow->unit,
			comparison->predicted, slow->unit);
		return;
	}
	printf("%*s%s: ", INDENT, "", outcome_names[comparison->outcome]);
	if (comparison->has_ratio)
		printf("measured %.2f, predicted %.2f", comparison->measured,
			comparison->predicted);
	else
		printf("no size measured, predicted %.2f", comparison->predicted);
	if (comparison->pairs > 1)
		printf(", %u of %u pairs in order", comparison->agree, comparison->pairs);
	printf("\n");
}

static void print_comparison(const struct decisions *decisions, const struct comparison *comparison)
{
	const struct decision_row *slow = &decisions->rows[comparison->slow];
	const struct decision_row *fast = &decisions->rows[comparison->fast];
	struct text text;

	if (comparison->outcome == OUTCOME_NOT_ASKED)
		return;
	print_sizes(decisions, comparison);
	text_init(&text);
	if (comparison->count == 1)
		text_append(&text, slow->option);
	else
		text_printf(&text, "'%s' against '%s'", slow->option, fast->option);
	text_printf(
		&text, "; %s%s%s", slow->metric, *comparison->load ? ", " : "", comparison->load);
	print_wrapped(text_string(&text), INDENT + 2, INDENT + 2);
	text_fini(&text);
}

/* Prints the mechanisms on which the comparisons rest. Prints successive equal lists only once. */
static void print_rests(const struct decision *decision)
{
	const char *before = "";

	for (uint32_t c = 0; c < decision->comparison_count; c++) {
		const char *rests_on = decision->comparisons[c].rests_on;

		if (!rests_on || strcmp(rests_on, before) == 0)
			continue;
		print_line(*before ? "or on" : "rests on", rests_on);
		before = rests_on;
	}
}

static void print_decision(const struct decisions *decisions, const struct decision *decision)
{
	const struct decision_row *row = &decisions->rows[decision->first_row];

	printf("\n%-9s  %s (%s)\n", outcome_names[decision->outcome], row->id, row->kind);
	if (decision->outcome == OUTCOME_NOT_ASKED) {
		print_line("since", decision->reason);
		return;
	}
	for (uint32_t c = 0; c < decision->comparison_count; c++)
		print_comparison(decisions, &decision->comparisons[c]);
	print_rests(decision);
	for (uint32_t i = 0; i < decision->row_count; i++)
		if (row[i].simulated) {
			printf("%*ssimulated on %s as %s\n", INDENT, "", row[i].simulated,
				row[i].subject->family);
			return;
		}
}

void decisions_print(const struct decisions *decisions)
{
	static const enum outcome order[] = {
		OUTCOME_WRONG, OUTCOME_UNDECIDED, OUTCOME_RIGHT, OUTCOME_NOT_ASKED};

	decisions_print_answer(decisions);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (uint32_t d = 0; d < decisions->count; d++)
			if (decisions->decisions[d].outcome == order[i])
				print_decision(decisions, &decisions->decisions[d]);
}
