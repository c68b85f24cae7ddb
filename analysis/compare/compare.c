/* `meshsim compare`, see analysis/compare.h: reads a sweep, answers its questions, prints
 * them. */
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/print/wrap.h"
#include "analysis/read/probe.h"
#include "base/ensure.h"
#include "base/tree.h"

struct work {
	const char *file;
	struct comparison *comparison;
};

/* A key of the first run's `measure`, lists joined by commas; NULL if it is not given. */
static const char *measure_key(struct comparison *comparison, const char *key)
{
	struct arena *arena = &comparison->arena;
	const char *text = result_document(comparison->summary.result,
		arena_printf(arena, "%s/scenario", summary_group(&comparison->summary, 0)));
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;
	const struct tree_node *node =
		tree ? tree_find(tree_root(tree), arena_printf(arena, "measure.%s", key)) : NULL;
	const char *value = NULL;

	if (node && node->kind == TREE_SCALAR && node->text[0])
		value = arena_string(arena, node->text);
	for (uint32_t i = 0; node && node->kind == TREE_SEQUENCE && i < node->count; i++)
		if (node->items[i]->kind == TREE_SCALAR)
			value = arena_printf(arena, "%s%s%s", value ? value : "", value ? "," : "",
				node->items[i]->text);
	tree_free(tree);
	diag_free(diag);
	return value;
}

/* The first of several is the metric, unless that is named beside it or by rule; all that are
 * figures may contradict. */
static void take_objective(struct comparison *comparison, struct sweep_wish *wish)
{
	const char *list = measure_key(comparison, "objective");
	size_t length = list ? strcspn(list, ",") : 0;

	if (!list)
		return;
	wish->objective = list;
	if (wish->metric || strncmp(list, "p99", length) == 0 || strncmp(list, "mean", length) == 0)
		return;
	wish->metric = arena_copy(&comparison->arena, list, length);
	wish->from = "measure.objective";
	wish->objective = list + length + (list[length] == ',');
}

bool compare_read(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;
	struct summary *summary = &comparison->summary;
	struct sweep_wish wish = {.metric = options->metric, .from = "--metric"};
	const char **subjects;
	bool any = false;

	comparison->subject_count = sweep_subjects(summary, options->kind, options->step,
		options->program, &comparison->arena, &subjects, why);
	comparison->subjects = arena_array(
		&comparison->arena, comparison->subject_count + 1, sizeof(*comparison->subjects));
	if (comparison->subject_count > 0 && !wish.metric) {
		wish.metric = measure_key(comparison, "metric");
		wish.from = "measure.metric";
		take_objective(comparison, &wish);
	}
	model_errors_read(&comparison->errors, summary->result, &comparison->arena);
	for (uint32_t i = 0; i < comparison->subject_count; i++) {
		struct compared *subject = &comparison->subjects[i];
		if (!sweep_points_read(
			    summary, subjects[i], &wish, &comparison->arena, &subject->points, why))
			return false;
		subject->points.errors = &comparison->errors;
		any = true;
	}
	return any;
}

static bool read_points(struct work *work, struct text *why)
{
	arena_init(&work->comparison->arena);
	return summary_open(&work->comparison->summary, work->file, why) &&
	       compare_read(work->comparison, why);
}

/* What was read on the way may have been damaged. */
static bool is_whole(struct comparison *comparison, struct text *why)
{
	const char *damage = result_damage(comparison->summary.result);

	if (damage)
		text_append(why, damage);
	return damage == NULL;
}

/* Whatever will be read. */
static bool read_all(void *context, struct text *why)
{
	struct work *work = context;
	struct comparison *comparison = work->comparison;

	if (!read_points(work, why))
		return false;
	const struct sweep_points *points = &comparison->subjects[0].points;
	for (uint32_t i = 0; i < points->count; i++) {
		double host[HOST_PARTS];
		compare_scenario(comparison, &points->at[i]);
		compare_platform(comparison, &points->at[i]);
		compare_host(comparison, &points->at[i], host);
	}
	return is_whole(comparison, why);
}

bool compare_answer(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;

	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		struct compared *subject = &comparison->subjects[s];
		if (!questions_find(&comparison->summary, &subject->points, options->by,
			    options->by_count, &comparison->arena, &subject->questions, why))
			return false;
		for (uint32_t i = 0; i < subject->questions.count; i++) {
			struct question *question = &subject->questions.at[i];
			if (options->refine && comparison->rerun_ops)
				compare_refine(comparison, question);
			if (options->robust && comparison->rerun_ops)
				compare_robust(comparison, question);
		}
	}
	return true;
}

/* Answers and prints. */
static bool answer(void *context, FILE *out, struct text *why)
{
	struct work *work = context;
	struct comparison *comparison = work->comparison;

	if (!read_points(work, why) || !compare_answer(comparison, why))
		return false;
	if (comparison->options->json)
		compare_json(comparison, out);
	else
		compare_text(comparison, out);
	return is_whole(comparison, why);
}

/* The same in this process, which may rerun what the file holds. */
static int answer_here(struct work *work, FILE *out)
{
	struct comparison *comparison = work->comparison;
	int code = probe_file(work->file, read_all, work);
	struct text why;

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	if (!answer(work, out, &why)) {
		fprintf(stderr, "meshsim: %s: %s\n", work->file, text_string(&why));
		code = EXIT_BAD_INPUT;
	}
	text_fini(&why);
	summary_close(&comparison->summary);
	arena_fini(&comparison->arena);
	return code;
}

int analysis_compare(const char *file, const struct compare_options *options,
	const struct compare_rerun_ops *rerun_ops, FILE *out)
{
	struct comparison comparison = {
		.options = options, .rerun_ops = rerun_ops, .columns = text_columns(out)};
	struct work work = {file, &comparison};

	if (rerun_ops && (options->refine || options->robust))
		return answer_here(&work, out);
	return probe_answer(file, answer, &work, out);
}
