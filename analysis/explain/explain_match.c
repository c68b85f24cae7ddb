/* Pairs the runs of two files that have the same keys and seed, see explain_private.h. */
#include <math.h>
#include <string.h>

#include "explain_private.h"

int64_t explain_run(const struct explanation *explanation, int which, uint64_t row)
{
	const struct summary *summary = explanation->summaries[which];

	return dataset_integer(&summary->dataset, summary->run, row);
}

static int64_t seed_of(const struct summary *summary, uint64_t row)
{
	return dataset_integer(&summary->dataset, summary->seed, row);
}

static bool is_good(const struct summary *summary, uint64_t row)
{
	return strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") == 0;
}

/* Returns the median of a metric from the summary, or 0 if the summary does not have it. */
static double median_of(
	const struct summary *summary, uint64_t row, const char *kind, const char *metric)
{
	for (uint32_t k = 0; k < summary->kind_count; k++)
		for (uint32_t m = 0; m < summary->kinds[k].metric_count; m++)
			if (strcmp(summary->kinds[k].name, kind) == 0 &&
				strcmp(summary->kinds[k].metrics[m].name, metric) == 0)
				return dataset_real(&summary->dataset,
					summary->kinds[k].metrics[m].percentiles[0], row);
	return 0;
}

/* Sets *kind and *metric to the kind of operation and the metric that the user chose. If the user
 * did not choose one of them, takes the default of the first run that ended well. */
static bool find_metric(struct explanation *explanation, const struct explain_options *options,
	const char **kind, const char **metric, struct text *why)
{
	struct summary *summary = explanation->summaries[0];
	struct operations operations;
	uint64_t row = 0;

	while (row < summary->dataset.row_count && !is_good(summary, row))
		row++;
	if (row == summary->dataset.row_count) {
		text_append(why, "has no run that ended well");
		return false;
	}
	if (!operations_survey(
		    summary, summary_group(summary, row), &explanation->arena, &operations, why))
		return false;
	*kind = samples_subject(&operations,
		options->kind ? options->kind : samples_kind(&operations), &explanation->arena);
	*metric = metric_names[samples_metric(&operations, *kind)];
	if (options->metric && explain_ask(&explanation->asked, options->metric))
		*metric = metric_names[explanation->asked.metric];
	return true;
}

static double moved(const struct matched *matched)
{
	return fabs(matched->value[1] - matched->value[0]);
}

bool explain_match(
	struct explanation *explanation, const struct explain_options *options, struct text *why)
{
	struct summary *first = explanation->summaries[0], *second = explanation->summaries[1];
	struct arena *arena = &explanation->arena;
	const struct matched *most = NULL;
	const char *kind, *metric;

	if (!find_metric(explanation, options, &kind, &metric, why))
		return false;
	explanation->matched =
		arena_array(arena, first->dataset.row_count + 1, sizeof(*explanation->matched));
	for (uint64_t row = 0; row < first->dataset.row_count; row++) {
		const char *keys = explain_keys(first, row, arena);
		uint64_t other = 0;
		while (other < second->dataset.row_count &&
			(seed_of(second, other) != seed_of(first, row) ||
				strcmp(explain_keys(second, other, arena), keys) != 0))
			other++;
		if (other == second->dataset.row_count || !is_good(first, row) ||
			!is_good(second, other))
			continue;
		struct matched *matched = &explanation->matched[explanation->matched_count++];
		*matched = (struct matched){
			{row, other}, {median_of(first, row, kind, metric),
					      median_of(second, other, kind, metric)}};
		if (!most || moved(matched) > moved(most))
			most = matched;
	}
	if (most)
		memcpy(explanation->rows, most->rows, sizeof(explanation->rows));
	else if (!options->chosen)
		text_printf(why,
			"no good run of it has the keys and the seed of a run of %s; give "
			"the numbers of two",
			explanation->files[1]);
	return most || options->chosen;
}
