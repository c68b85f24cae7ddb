/* `meshsim explain`: reads two runs and their paths. See analysis/explain.h. */
#include <string.h>

#include "analysis/read/probe.h"
#include "base/ensure.h"
#include "explain_private.h"

const char *const explain_path_names[PATH_COUNT] = {"p50", "p99", "mean"};

const char *const explain_not_apart[] = {"host copy: includes waiting for room in the issue queue",
	"packetizer: includes waiting for credits of the receivers; queues and stages show who "
	"was blocked",
	"dispatch, go: include waiting for what ran before",
	"NoC, worker, acknowledgement: one stage, from the last go signal to the last "
	"acknowledgement",
	"points are passed when the last device has passed them, whichever device that is", NULL};

const char *explain_keys(const struct view *view, uint64_t row, struct arena *arena)
{
	const char *keys = "";

	for (uint32_t i = 0; i < view->swept_count; i++) {
		const struct data_column *column = &view->summary.columns[view->swept_first + i];
		const char *value =
			column->type == DATA_TEXT ? data_text(&view->summary, column, row)
			: column->type == DATA_REAL
				? arena_printf(arena, "%g", data_real(&view->summary, column, row))
				: arena_printf(arena, "%lld",
					  (long long)data_integer(&view->summary, column, row));
		if (strcmp(value, "-") != 0)
			keys = arena_printf(
				arena, "%s%s%s=%s", keys, keys[0] ? ", " : "", column->name, value);
	}
	return keys[0] ? keys : "no swept keys";
}

static bool find_rows(struct explanation *explanation, const uint32_t runs[2], struct text *why)
{
	const struct view *view = &explanation->view;

	for (int i = 0; i < 2; i++) {
		uint64_t row = 0;
		while (row < view->summary.row_count &&
			data_integer(&view->summary, view->run, row) != (int64_t)runs[i])
			row++;
		if (row == view->summary.row_count) {
			text_printf(why, "no run %u; it has %llu", runs[i],
				(unsigned long long)view->summary.row_count);
			return false;
		}
		explanation->rows[i] = row;
	}
	return true;
}

static bool choose(
	struct explanation *explanation, const struct explain_options *options, struct text *why)
{
	const struct operations *first = &explanation->operations[0];

	explanation->kind = options->kind ? options->kind : samples_kind(first);
	explanation->metric = samples_metric(first, explanation->kind);
	if (options->metric)
		explanation->metric = samples_metric_named(options->metric);
	if (explanation->metric == METRIC_COUNT) {
		text_printf(why, "no metric '%s': round, latency, host, reach, done or skew",
			options->metric);
		return false;
	}
	for (int i = 0; i < 2; i++) {
		explanation->samples[i] = samples_take(&explanation->operations[i],
			explanation->kind, explanation->metric, &explanation->arena);
		if (explanation->samples[i].count == 0) {
			text_printf(why, "run %u has no %s of an operation '%s'", options->runs[i],
				metric_names[explanation->metric], explanation->kind);
			return false;
		}
	}
	return true;
}

static void split_paths(struct explanation *explanation)
{
	static const uint32_t per_mille[] = {500, 990};

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
			explanation->has_stages &= path_split(
				operations, sample->index, explanation->metric, &path->split[i]);
		}
		mean->count[i] = samples->count;
		samples_sum(
			operations, samples, explanation->metric, &mean->split[i], &mean->value[i]);
	}
}

struct work {
	const char *file;
	const struct explain_options *options;
	struct explanation *explanation;
};

static bool read_all(void *context, struct text *why)
{
	struct work *work = context;
	struct explanation *explanation = work->explanation;

	arena_init(&explanation->arena);
	if (!view_open(&explanation->view, work->file, why))
		return false;
	if (!find_rows(explanation, work->options->runs, why))
		return false;
	for (int i = 0; i < 2; i++)
		if (!operations_read(&explanation->view,
			    view_group(&explanation->view, explanation->rows[i]),
			    &explanation->arena, &explanation->operations[i], why))
			return false;
	return choose(explanation, work->options, why) && explain_loads(explanation, why);
}

int analysis_explain(const char *file, const struct explain_options *options, FILE *out)
{
	struct explanation explanation = {.has_stages = false};
	struct work work = {file, options, &explanation};
	int code = guard_read(file, read_all, &work);
	struct text why;

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	ensure(read_all(&work, &why), "%s: %s", file, text_string(&why));
	text_fini(&why);
	split_paths(&explanation);
	if (options->json)
		explain_json(&explanation, out);
	else
		explain_text(&explanation, options->color, out);
	view_close(&explanation.view);
	arena_fini(&explanation.arena);
	return EXIT_GOOD;
}
