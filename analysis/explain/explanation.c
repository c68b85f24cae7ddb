/* Reads one or two runs, and splits the times of their operations into stages (explain_private.h).
 * It is an error if a run has no operations of the kind that is explained. */
#include <string.h>

#include "analysis/read/summary.h"
#include "explain_private.h"

const char *const explain_path_names[PATH_COUNT] = {"p50", "p99", "mean", "asked"};

const char *const *explain_not_apart(const struct explanation *explanation)
{
	static const char *const by_marks[] = {
		"host copy: includes waiting for room in the issue queue",
		"prefetch: includes the packetizer, and waiting for credits of the receivers",
		"dispatch: includes waiting for what ran before",
		"worker: NoC, kernels and acknowledgement, from the last go signal on",
		"a mark is passed when the last device has passed it, whichever device that is",
		NULL};
	bool caused = explanation->operations[0].pieces && explanation->operations[1].pieces;

	return caused ? by_marks + sizeof by_marks / sizeof *by_marks - 1 : by_marks;
}

static bool find_rows(struct explanation *explanation, const uint32_t runs[2], struct text *why)
{
	for (int i = 0; i < 2; i++) {
		const struct summary *summary = explanation->summaries[i];
		uint64_t row = 0;
		while (row < summary->dataset.row_count &&
			dataset_integer(&summary->dataset, summary->run, row) != (int64_t)runs[i])
			row++;
		if (row == summary->dataset.row_count) {
			text_printf(why, "no run %u; it has %llu", runs[i],
				(unsigned long long)summary->dataset.row_count);
			return false;
		}
		explanation->rows[i] = row;
	}
	return true;
}

/* Computes the samples and the figure of one run. Returns false if the run does not have the
 * figure. */
static bool explanation_measure(struct explanation *explanation, int side)
{
	const struct operations *operations = &explanation->operations[side];
	const struct explained *asked = &explanation->asked;
	struct arena *arena = &explanation->arena;

	explanation->samples[side] =
		samples_take(operations, explanation->kind, asked->metric, arena);
	if (explanation->samples[side].count == 0)
		return false;
	if (asked->mode == MEASURE_RUN) {
		struct run_makespan makespan =
			explain_makespan(explanation->kind, operations, arena);
		run_to_measured(&makespan, arena, &explanation->measured[side]);
	} else if (asked->mode != MEASURE_ASKED)
		measure_take(operations, explanation->kind, asked->mode, asked->metric, arena,
			&explanation->measured[side]);
	explanation->value[side] = explain_value(asked, explanation->kind, operations, arena);
	return explanation->value[side] > 0 || asked->mode == MEASURE_ASKED;
}

/* Returns the metric to explain if the user chose none. If a trace replays the operations in only
 * one of the two runs, their times in this run begin at the call of the replay. Their times in the
 * other run begin at their own calls. So only the makespans of the two runs can be compared. */
static const char *default_metric(const struct explanation *explanation)
{
	enum metric first = samples_metric(&explanation->operations[0], explanation->kind);
	enum metric second = samples_metric(&explanation->operations[1], explanation->kind);

	return first == second ? metric_names[first] : measure_name(MEASURE_RUN, first);
}

static bool explanation_choose(
	struct explanation *explanation, const struct explain_options *options, struct text *why)
{
	const struct operations *first = &explanation->operations[0];

	explanation->kind = samples_subject(
		first, options->kind ? options->kind : samples_kind(first), &explanation->arena);
	explain_ask(&explanation->asked, default_metric(explanation));
	if (options->metric && !explain_ask(&explanation->asked, options->metric)) {
		const char *nearest = metric_nearest(options->metric, false);

		if (nearest)
			text_printf(why, "no metric '%s', did you mean '%s'?", options->metric,
				nearest);
		else
			metric_say_unknown(why, options->metric, false);
		return false;
	}
	if (explanation->asked.mode == MEASURE_RUN)
		explanation->kind = options->kind ? options->kind : samples_kind(first);
	for (int i = 0; i < 2; i++)
		if (!explanation_measure(explanation, i)) {
			text_printf(why, "run %lld has no %s of an operation '%s'",
				(long long)dataset_integer(&explanation->summaries[i]->dataset,
					explanation->summaries[i]->run, explanation->rows[i]),
				explain_metric_name(&explanation->asked), explanation->kind);
			return false;
		}
	return true;
}

void explanation_split(struct explanation *explanation)
{
	static const uint32_t per_mille[] = {500, 990};
	enum metric metric = explanation->asked.metric;

	explanation->has_stages = true;
	for (int i = 0; i < 2; i++) {
		const struct operations *operations = &explanation->operations[i];
		const struct samples *samples = &explanation->samples[i];
		struct path_pair *mean = &explanation->paths[PATH_MEAN];
		for (int p = 0; p < PATH_MEAN; p++) {
			const struct sample *sample = samples_at(samples, per_mille[p]);
			struct path_pair *path = &explanation->paths[p];
			path->value[i] = sample->value;
			path->count[i] = 1;
			path_split(operations, sample->index, metric, &path->split[i]);
		}
		mean->count[i] = samples->count;
		samples_sum(operations, samples, metric, &mean->split[i], &mean->value[i]);
		explanation->has_stages &= explain_take(explanation, i);
	}
}

static bool open_files(
	struct explanation *explanation, const struct explain_request *request, struct text *why)
{
	const char *second = request->options->second;

	if (!summary_open(&explanation->opened[0], request->file, why))
		return false;
	explanation->summaries[0] = explanation->summaries[1] = &explanation->opened[0];
	if (!second)
		return true;
	explanation->files[0] = request->file;
	explanation->files[1] = second;
	explanation->summaries[1] = &explanation->opened[1];
	return pair_allowed(explanation->files, why) &&
	       summary_open(&explanation->opened[1], second, why) &&
	       pair_fits(explanation->summaries, explanation->files, why);
}

bool explanation_read(void *context, struct text *why)
{
	struct explain_request *request = context;
	struct explanation *explanation = request->explanation;

	arena_init(&explanation->arena);
	if (!open_files(explanation, request, why))
		return false;
	if (request->options->second && !explain_match(explanation, request->options, why))
		return false;
	if ((!request->options->second || request->options->chosen) &&
		!find_rows(explanation, request->options->runs, why))
		return false;
	explanation->single = explanation->summaries[0] == explanation->summaries[1] &&
			      explanation->rows[0] == explanation->rows[1];
	for (int i = 0; i < 2; i++)
		if (!operations_read(explanation->summaries[i],
			    summary_group(explanation->summaries[i], explanation->rows[i]),
			    &explanation->arena, &explanation->operations[i], why))
			return false;
	return explanation_choose(explanation, request->options, why) &&
	       explain_seeds(explanation, why) && explain_charges(explanation, why) &&
	       explain_loads(explanation, why);
}

void explanation_close(struct explanation *explanation)
{
	for (int i = 0; i < 2; i++)
		if (explanation->opened[i].result)
			summary_close(&explanation->opened[i]);
	arena_fini(&explanation->arena);
}
