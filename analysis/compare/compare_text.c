/* `meshsim compare` for people: the table of sweep points, then each question
 * (compare_verdict.c). */
#include "analysis/compare/comparison.h"
#include "analysis/print/text_table.h"

static const struct text_column figures[] = {
	{"seeds", COLUMN_COUNT, 0, NULL},
	{"count", COLUMN_COUNT, 0, NULL},
	{"p50", COLUMN_TIME, 1, NULL},
	{"p90", COLUMN_TIME, 1, NULL},
	{"p99", COLUMN_TIME, 1, NULL},
	{"throughput", COLUMN_PER_S, 0, NULL},
	{"host CPU", COLUMN_TIME, 2, NULL},
};

enum { FIGURES = sizeof figures / sizeof *figures };

static void print_points(struct comparison *comparison, FILE *out)
{
	const struct summary *summary = &comparison->summary;
	const struct sweep_points *points = &comparison->points;
	struct text_table *table = text_table_new(&comparison->arena);

	text_table_column(table, "run", COLUMN_COUNT, 0);
	for (uint32_t i = 0; i < summary->swept_count; i++)
		text_table_column(table, summary_short_name(summary, i), COLUMN_TEXT, 0);
	text_table_columns(table, figures, FIGURES);
	text_table_column(table, "", COLUMN_TEXT, 0);
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		text_table_row(table);
		text_table_number(table,
			(double)dataset_integer(&summary->dataset, summary->run, point->row));
		for (uint32_t k = 0; k < summary->swept_count; k++)
			text_table_text(table, point->keys[k]);
		if (!point->good) {
			for (size_t k = 0; k < FIGURES; k++)
				text_table_blank(table);
			text_table_text(table,
				arena_printf(&comparison->arena, "left out: %s", point->status));
			continue;
		}
		text_table_number(table, point->seeds);
		text_table_number(table, point->samples.count);
		text_table_number(table, statistic(&point->samples, 500));
		text_table_number(table, statistic(&point->samples, 900));
		text_table_number(table, statistic(&point->samples, 990));
		text_table_number(table, point->throughput);
		text_table_number(table, point->host_cpu);
	}
	text_table_print(table, out);
}

void compare_text(struct comparison *comparison, FILE *out)
{
	const struct sweep_points *points = &comparison->points;

	fprintf(out, "%s: %s of %s%s; host CPU by operation\n\n",
		result_text(comparison->summary.result, "/", "scenario_name"),
		metric_names[points->metric], points->kind,
		points->metric == METRIC_ROUND ? ", from a call to the next of the same step" : "");
	print_points(comparison, out);
	for (uint32_t i = 0; i < comparison->questions.count; i++)
		compare_question(comparison, &comparison->questions.at[i], out);
}
