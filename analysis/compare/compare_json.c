/* `meshsim compare --json`: writes the document that analysis/compare.h describes. Unlike the text
 * output, the document is never shortened. */

#include "analysis/compare/best.h"
#include "analysis/compare/comparison.h"
#include "analysis/compare/joint.h"
#include "analysis/compare/verdict_items.h"
#include "base/json.h"

/* Writes the two ends of an interval (null if there is none) and its kind. */
static void write_interval(struct json *json, const struct margin *margin)
{
	static const char *const kinds[] = {
		[MARGIN_SEEDS] = "seeds", [MARGIN_RUN] = "run", [MARGIN_NONE] = "none"};
	const double ends[2] = {margin->low, margin->high};

	for (int i = 0; i < 2; i++) {
		json_key(json, i ? "high" : "low");
		if (margin->kind == MARGIN_NONE)
			json_null(json);
		else
			json_real(json, ends[i]);
	}
	json_text(json, "interval", kinds[margin->kind]);
}

static void compare_json_write_run(
	struct json *json, const char *key, const struct sweep_point *point)
{
	json_key(json, key);
	json_integer(
		json, dataset_integer(&point->summary->dataset, point->summary->run, point->row));
}

static const char *metric_words(const struct sweep_points *points)
{
	return points->figure == FIGURE_METRIC ? measure_name(points->mode, points->metric)
					       : figure_key(points->figure);
}

/* Writes the figures of the metric, unless there is no steady state. */
static void write_point_metric(
	struct json *json, const struct sweep_points *points, const struct sweep_point *point)
{
	if (!sweep_point_is_steady(point))
		return;
	json_real_of(json, "value", sweep_point_value(points, point));
	json_real_of(json, "p50", statistic(&point->samples, 500));
	json_real_of(json, "p90", statistic(&point->samples, 900));
	json_real_of(json, "p99", statistic(&point->samples, 990));
	json_real_of(json, "mean", statistic(&point->samples, STATISTIC_MEAN));
	json_real_of(json, "throughput", point->throughput);
	if (points->mode == MEASURE_TRANSFER)
		json_real_of(json, "bandwidth", point->bandwidth);
}

static void write_point(struct json *json, const struct comparison *comparison,
	const struct sweep_points *points, const struct sweep_point *point)
{
	const struct summary *summary = &comparison->summary;
	double controller_ps = compare_controller_cpu(point);

	json_object(json);
	json_text(json, "subject", points->label);
	compare_json_write_run(json, "run", point);
	json_text(json, "status", point->status);
	json_unsigned_of(json, "seeds", point->seeds);
	json_object_of(json, "keys");
	for (uint32_t i = 0; i < summary->swept_count; i++)
		json_text(json, summary->dataset.columns[summary->swept_first + i].name,
			point->keys[i]);
	json_object_end(json);
	json_unsigned_of(json, "operations", point->samples.count);
	if (point->good) {
		write_point_metric(json, points, point);
		json_real_of(json, "makespan", point->runs[0].figures[FIGURE_MAKESPAN]);
		if (sweep_has_host_cpu(points))
			json_real_of(json, "host_cpu", point->host_cpu);
		if (sweep_has_host_cpu(points) && controller_ps > 0)
			json_real_of(json, "controller_cpu", controller_ps);
		if (points->open) {
			json_bool_of(json, "saturated", point->saturated);
		}
		if (point->needed)
			json_unsigned_of(json, "needed", point->needed);
	}
	json_object_end(json);
}

/* Writes the value of the option that has the place `place` in the ranking, and `margin`, the share
 * by which this value is larger than the best value. Both are null if the context has no steady
 * state. */
static void write_ranked(struct json *json, struct comparison *comparison,
	const struct question *question, const struct context *context, uint32_t place)
{
	uint32_t option = context->order[place];
	const struct margin *margin = &context->margins[option];

	if (context->needed) {
		json_key(json, "value");
		json_null(json);
		json_key(json, "margin");
		json_null(json);
		write_interval(json, &(struct margin){.kind = MARGIN_NONE});
		json_text(json, "words", "no steady state");
		return;
	}
	json_real_of(json, "value", sweep_point_value(question->points, context->points[option]));
	json_real_of(json, "margin", margin->ratio);
	write_interval(json, margin);
	json_text(json, "words",
		place == 0 ? ""
			   : compare_margin_words(question->points, margin, &comparison->arena));
}

static void write_context(struct json *json, struct comparison *comparison,
	const struct question *question, const struct context *context)
{
	const struct summary *summary = &comparison->summary;

	json_object(json);
	json_text(json, "context", context->label);
	json_object_of(json, "keys");
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (!question->is_option[i] && !question->is_free[i])
			json_text(json, summary->dataset.columns[summary->swept_first + i].name,
				context->keys[i]);
	json_object_end(json);
	json_array_of(json, "ranking");
	for (uint32_t i = 0; i < context->count; i++) {
		uint32_t option = context->order[i];
		json_object(json);
		json_text(json, "option", question->options[option]);
		json_text(json, "label", context->labels[option]);
		compare_json_write_run(json, "run", context->points[option]);
		write_ranked(json, comparison, question, context, i);
		json_bool_of(json, "few", context->margins[option].few);
		json_bool_of(json, "tied", i < context->tied);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void write_side_list(struct json *json, struct comparison *comparison,
	const struct question *question, const struct contradiction *found, uint32_t count)
{
	const struct context *focus = &question->contexts[question->focus];

	for (uint32_t i = 0; i < count; i++) {
		json_object(json);
		json_text(json, "option", question->options[found[i].option]);
		json_text(json, "figure", figure_key(found[i].figure));
		json_real_of(json, "margin", found[i].margin.ratio);
		write_interval(json, &found[i].margin);
		json_bool_of(json, "sure", found[i].sure);
		json_text(json, "words", compare_side(question, focus, &found[i], comparison));
		json_object_end(json);
	}
}

static void write_sides(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];

	json_array_of(json, "sides");
	if (focus->tied <= 1)
		write_side_list(json, comparison, question, focus->contradictions,
			focus->contradiction_count);
	write_side_list(json, comparison, question, focus->asides, focus->aside_count);
	json_array_end(json);
}

/* Writes, for each context, the options whose runs failed there. */
static void write_ends(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	json_array_of(json, "ends");
	for (uint32_t i = 0; i < question->context_count; i++)
		for (uint32_t option = 0; option < question->option_count; option++) {
			const struct context *context = &question->contexts[i];
			const struct sweep_point *failed = context->failed[option];

			if (!failed)
				continue;
			json_object(json);
			json_text(json, "option", question->options[option]);
			json_text(json, "context", context->label);
			compare_json_write_run(json, "run", failed);
			json_text(json, "status", failed->status);
			json_text(json, "words",
				arena_printf(&comparison->arena, "%s %s", question->options[option],
					compare_end(context, option, &comparison->arena)));
			json_object_end(json);
		}
	json_array_end(json);
}

static void write_part(struct json *json, const char *stage, double difference)
{
	json_object(json);
	json_text(json, "stage", stage);
	json_real_of(json, "difference", difference);
	json_object_end(json);
}

/* Writes the differences of stages, or of host parts if the question is about host CPU. */
static void write_mechanism(struct json *json, const struct question *question)
{
	const struct sweep_point *pair[2];
	double more[HOST_PARTS];
	bool known = compare_pair(question, pair);
	bool host = known && compare_host_pair(question, pair, more);

	json_key(json, "mechanism");
	if (!known || (!host && (question->points->figure == FIGURE_HOST_CPU ||
					compare_mechanism(pair) == STAGE_COUNT))) {
		json_null(json);
		return;
	}
	json_object(json);
	compare_json_write_run(json, "first", pair[0]);
	compare_json_write_run(json, "second", pair[1]);
	json_text(json, "stage",
		host ? compare_host_words(compare_host_most(more))
		     : stage_label(compare_mechanism(pair)));
	json_array_of(json, "stages");
	for (int i = 0; host && i < HOST_PARTS; i++)
		write_part(json, compare_host_words((enum host_part)i), more[i]);
	for (int s = 0; !host && s < STAGE_COUNT; s++)
		if (pair[0]->stages.time[s] != 0 || pair[1]->stages.time[s] != 0)
			write_part(json, stage_label((enum stage)s), compare_stage(pair, s));
	json_array_end(json);
	json_object_end(json);
}

/* Writes an error of the model, or null if there is none. */
static void write_doubt(struct json *json, const char *key, const struct model_doubt *doubt)
{
	json_key(json, key);
	if (!doubt->family || doubt->most <= 0) {
		json_null(json);
		return;
	}
	json_object(json);
	json_text(json, "family", doubt->family);
	json_text(json, "machine", doubt->machine);
	json_text(json, "basis", model_basis_key(doubt->basis));
	json_real_of(json, "error", doubt->error);
	json_integer_of(json, "rows", doubt->rows);
	json_real_of(json, "part", doubt->part);
	json_real_of(json, "most", doubt->most);
	json_object_end(json);
}

static void write_crossovers(struct json *json, const struct question *question)
{
	json_array_of(json, "crossovers");
	for (uint32_t i = 0; i < question->crossover_count; i++) {
		const struct crossover *crossover = &question->crossovers[i];
		json_object(json);
		json_text(json, "key", crossover->key);
		json_text(json, "context", crossover->context);
		json_text(json, "below", question->options[crossover->below]);
		json_text(json, "above", question->options[crossover->above]);
		json_real_of(json, "at", crossover->at);
		json_real_of(json, "low", crossover->low);
		json_real_of(json, "high", crossover->high);
		json_bool_of(json, "refined", crossover->refined);
		json_text(json, "saturated", crossover->saturated);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_front(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];
	uint32_t *options =
		arena_array(&comparison->arena, question->option_count + 1, sizeof(*options));
	uint32_t count = compare_front(question, options);

	json_array_of(json, "front");
	for (uint32_t i = 0; i < count; i++) {
		const struct sweep_point *point = focus->points[options[i]];
		json_object(json);
		json_text(json, "option", question->options[options[i]]);
		json_real_of(json, "value", sweep_point_value(question->points, point));
		json_real_of(json, "host_cpu", sweep_point_cpu(point));
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_rests(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	struct constants constants = compare_rests(comparison, question);

	json_array_of(json, "rests_on");
	for (uint32_t i = 0; i < constants.count; i++) {
		json_object(json);
		json_text(json, "constant", constants.at[i].path);
		json_real_of(json, "value", constants.at[i].value);
		json_text(json, "unit", constants.at[i].unit);
		json_text(json, "kind", constants.at[i].kind);
		json_key(json, "effect");
		if (constants.at[i].effect > 0)
			json_real(json, constants.at[i].effect);
		else
			json_null(json);
		json_text(json, "words",
			constants.at[i].effect > 0
				? verdict_effect_text(constants.at[i].effect, &comparison->arena)
				: "");
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_robust(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	const struct robustness *robust = &question->robust;

	json_key(json, "robust");
	if (!robust->tried_any) {
		json_null(json);
		return;
	}
	json_object(json);
	json_unsigned_of(json, "held", robust->held);
	json_unsigned_of(json, "tried", robust->tried);
	json_unsigned_of(json, "failed", robust->failed);
	json_unsigned_of(json, "untried", robust->untried);
	json_unsigned_of(json, "runs", robust->runs);
	json_array_of(json, "breaks");
	for (uint32_t i = 0; i < robust->break_count; i++)
		json_string(json, robust->breaks[i]);
	json_array_end(json);
	json_array_of(json, "failures");
	for (uint32_t i = 0; i < robust->failed; i++)
		json_string(json, robust->failures[i]);
	json_array_end(json);
	compare_cases_json(json, question, &comparison->arena);
	json_object_end(json);
}

static void write_question(
	struct json *json, struct comparison *comparison, const struct question *question)
{
	static const char *const outcomes[] = {
		"wins", "depends", "trade-off", "undecided", "fragile", "conditional"};
	const struct context *focus = &question->contexts[question->focus];

	json_object(json);
	json_text(json, "question", question->label);
	json_text(json, "subject", question->points->label);
	json_text(json, "metric", metric_words(question->points));
	json_text(json, "reason", question->points->why);
	json_unsigned_of(json, "seeds", question->points->seeds);
	json_text(json, "outcome", outcomes[question->outcome]);
	json_key(json, "leader");
	if (focus->count > 0)
		json_string(json, question->options[focus->order[0]]);
	else
		json_null(json);
	json_key(json, "winner");
	if (question->outcome == OUTCOME_WINS)
		json_string(json, question->options[focus->order[0]]);
	else
		json_null(json);
	json_text(json, "verdict", compare_verdict(question, &comparison->arena));
	json_text(json, "focus", focus->label);
	json_array_of(json, "contexts");
	for (uint32_t i = 0; i < question->context_count; i++)
		write_context(json, comparison, question, &question->contexts[i]);
	json_array_end(json);
	verdict_items_json(comparison, question, json);
	write_sides(json, comparison, question);
	write_ends(json, comparison, question);
	write_doubt(json, "model_error", &question->contexts[question->focus].doubt);
	write_doubt(json, "model_owed", &question->contexts[question->focus].owed);
	write_mechanism(json, question);
	write_crossovers(json, question);
	json_text(json, "hint", question->hint);
	write_front(json, comparison, question);
	choices_json(&question->choices, json);
	write_rests(json, comparison, question);
	write_robust(json, comparison, question);
	compare_joint_json(json, question);
	json_object_end(json);
}

static void write_members(struct comparison *comparison, struct json *json)
{
	const struct sweep_points *points = &comparison->subjects[0].points;

	if (comparison->pair)
		compare_pair_json(comparison, json);
	json_text(json, "kind", points->label);
	json_text(json, "metric", metric_words(points));
	json_text(json, "reason", points->why);
	json_text(json, "statistic",
		points->figure != FIGURE_METRIC || points->run ? "whole"
		: points->which == STATISTIC_MEAN
			? "mean"
			: arena_printf(&comparison->arena, "p%g", points->which / 10.0));
	json_real_of(json, "tie_band", MARGIN_LEAST);
	json_array_of(json, "points");
	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		points = &comparison->subjects[s].points;
		for (uint32_t i = 0; i < points->count; i++)
			write_point(json, comparison, points, &points->at[i]);
	}
	json_array_end(json);
	best_json(comparison, json);
	trust_json(comparison, json);
	json_array_of(json, "questions");
	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		const struct questions *questions = &comparison->subjects[s].questions;
		for (uint32_t i = 0; i < questions->count; i++)
			write_question(json, comparison, &questions->at[i]);
	}
	json_array_end(json);
}

void compare_value(struct comparison *comparison, struct json *json)
{
	json_object(json);
	write_members(comparison, json);
	json_object_end(json);
}

void compare_json(struct comparison *comparison, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	write_members(comparison, &json);
	also_json(comparison, &json);
	advice_json(comparison, &json);
	json_object_end(&json);
	json_print(&json, out);
}
