/* `meshsim compare`: reads, asks, has verdicts tried, prints. See analysis/compare.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare/comparison.h"
#include "analysis/read/probe.h"
#include "base/ensure.h"

/* What moves a margin by less is nothing that it rests on. */
#define EFFECT_LEAST 0.03

bool compare_pair(const struct question *question, const struct point_of_sweep *pair[2])
{
	const struct context *focus = &question->contexts[question->focus];

	if (question->outcome == OUTCOME_UNDECIDED || focus->count < 2)
		return false;
	pair[0] = focus->points[focus->order[0]];
	pair[1] = focus->points[focus->order[1]];
	return true;
}

static const char *text_of(
	struct comparison *comparison, const struct point_of_sweep *point, const char *name)
{
	struct view *view = &comparison->view;

	return result_document(view->result,
		arena_printf(&comparison->arena, "%s/%s", view_group(view, point->row), name));
}

const char *compare_scenario(struct comparison *comparison, const struct point_of_sweep *point)
{
	return text_of(comparison, point, "scenario");
}

const char *compare_platform(struct comparison *comparison, const struct point_of_sweep *point)
{
	return text_of(comparison, point, "platform");
}

double compare_stage(const struct point_of_sweep *const pair[2], int stage)
{
	return pair[1]->stages.time[stage] - pair[0]->stages.time[stage];
}

enum stage compare_mechanism(const struct point_of_sweep *const pair[2])
{
	int most = STAGE_COUNT;

	if (!pair[0]->stages.known || !pair[1]->stages.known)
		return STAGE_COUNT;
	for (int s = 0; s < STAGE_COUNT; s++) {
		double difference = compare_stage(pair, s);
		if (difference > 0 &&
			(most == STAGE_COUNT || difference > compare_stage(pair, most)))
			most = s;
	}
	return (enum stage)most;
}

enum stage compare_next(const struct point_of_sweep *const pair[2], enum stage first, bool against)
{
	double most = compare_stage(pair, (int)first) / 20;
	enum stage next = STAGE_COUNT;

	for (int s = 0; s < STAGE_COUNT; s++) {
		double difference = compare_stage(pair, s) * (against ? -1 : 1);
		if (s == (int)first || difference <= most)
			continue;
		most = difference;
		next = (enum stage)s;
	}
	return next;
}

uint32_t compare_front(const struct question *question, uint32_t *options)
{
	const struct context *focus = &question->contexts[question->focus];
	double least = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < focus->count; i++) {
		const struct point_of_sweep *point = focus->points[focus->order[i]];
		if (count > 0 && point->host_cpu >= least)
			continue;
		least = point->host_cpu;
		options[count++] = focus->order[i];
	}
	return count;
}

/* What moves a margin most first; then what the mechanism comes from first; then what was assumed,
 * then what was fitted. */
static int by_weight(const void *a, const void *b)
{
	const struct constant *x = a, *y = b;
	int order = strcmp(x->kind, y->kind);

	if (x->effect != y->effect)
		return x->effect > y->effect ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return order ? order : strcmp(x->path, y->path);
}

struct constants compare_rests(struct comparison *comparison, const struct question *question)
{
	const struct point_of_sweep *pair[2];
	struct constants all = {NULL, 0};
	uint32_t kept = 0;

	if (!compare_pair(question, pair))
		return all;
	enum stage mechanism = compare_mechanism(pair);
	const char *groups = mechanism == STAGE_COUNT ? "" : stage_constants(mechanism);
	all = constants_read(compare_platform(comparison, pair[0]), &comparison->arena);
	for (uint32_t i = 0; i < all.count; i++) {
		struct constant *constant = &all.at[i];
		if (question->robust.tried_any)
			constant->effect = question->robust.effects[i];
		bool matters = constant->effect >= EFFECT_LEAST;
		if (!question->robust.tried_any) {
			constant->place = constant_group_place(constant->group, groups);
			matters = constant->place > 0;
		}
		if (matters && constant_is_guess(constant))
			all.at[kept++] = *constant;
	}
	all.count = kept;
	qsort(all.at, kept, sizeof(*all.at), by_weight);
	return all;
}

bool compare_measure(struct comparison *comparison, struct compare_rerun *rerun, double *value)
{
	struct point_of_sweep point;
	struct arena arena;
	struct view view;
	struct text why;
	bool good = false;

	if (!rerun->good)
		return false;
	arena_init(&arena);
	text_init(&why);
	if (view_open(&view, rerun->result, &why)) {
		good = points_read_one(&view, &comparison->points, &arena, &point, &why) &&
		       point.good;
		if (good)
			*value = point_value(&comparison->points, &point);
		view_close(&view);
	}
	unlink(rerun->result);
	text_fini(&why);
	arena_fini(&arena);
	return good;
}

struct work {
	const char *file;
	struct comparison *comparison;
};

bool compare_read(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;

	return points_read(&comparison->view, options->kind, options->metric, &comparison->arena,
		&comparison->points, why);
}

static bool read_points(struct work *work, struct text *why)
{
	arena_init(&work->comparison->arena);
	return view_open(&work->comparison->view, work->file, why) &&
	       compare_read(work->comparison, why);
}

/* Whatever will be read, for the guard. */
static bool read_all(void *context, struct text *why)
{
	struct work *work = context;
	struct comparison *comparison = work->comparison;

	if (!read_points(work, why))
		return false;
	for (uint32_t i = 0; i < comparison->points.count; i++) {
		compare_scenario(comparison, &comparison->points.at[i]);
		compare_platform(comparison, &comparison->points.at[i]);
	}
	return true;
}

bool compare_answer(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;

	if (!questions_make(&comparison->view, &comparison->points, options->by, options->by_count,
		    &comparison->arena, &comparison->questions, why))
		return false;
	for (uint32_t i = 0; i < comparison->questions.count; i++) {
		struct question *question = &comparison->questions.at[i];
		if (options->refine && comparison->runner)
			compare_refine(comparison, question);
		if (options->robust && comparison->runner)
			compare_robust(comparison, question);
	}
	return true;
}

int analysis_compare(const char *file, const struct compare_options *options,
	const struct compare_runner *runner, FILE *out)
{
	struct comparison comparison = {.options = options, .runner = runner};
	struct work work = {file, &comparison};
	int code = guard_read(file, read_all, &work);
	struct text why;

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	ensure(read_points(&work, &why), "%s: %s", file, text_string(&why));
	if (compare_answer(&comparison, &why)) {
		if (options->json)
			compare_json(&comparison, out);
		else
			compare_text(&comparison, out);
	} else {
		fprintf(stderr, "meshsim: %s: %s\n", file, text_string(&why));
		code = EXIT_BAD_INPUT;
	}
	text_fini(&why);
	view_close(&comparison.view);
	arena_fini(&comparison.arena);
	return code;
}
