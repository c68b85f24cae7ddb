/* Judges a changed design by the rules of `meshsim compare` for two files (advise.h). */
#include "analysis/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/joint.h"
#include "analysis/compare/verdict_items.h"
#include "base/allocate.h"

const char *advise_outcome_name(enum advise_outcome outcome)
{
	static const char *const names[] = {"gains", "loses", "equal", "undecided"};

	return names[outcome];
}

/* Returns the option that has its runs in file `number` of the pair, or UINT32_MAX if there is
 * none. */
static uint32_t judge_option(
	const struct comparison *comparison, const struct context *context, uint32_t number)
{
	for (uint32_t i = 0; i < context->count; i++) {
		uint32_t option = context->order[i];

		if (context->points[option]->summary == &comparison->pair->summaries[number])
			return option;
	}
	return UINT32_MAX;
}

/* Sets the gain and its interval. `margin` says how much longer the slower design takes. */
static void set_gain(struct advise_verdict *verdict, const struct margin *margin, bool faster)
{
	verdict->has_interval = margin->kind != MARGIN_NONE && !margin->few;
	if (faster) {
		verdict->gain = margin->ratio;
		verdict->low = margin->low;
		verdict->high = margin->high;
	} else {
		verdict->gain = 1 / (1 + margin->ratio) - 1;
		verdict->low = 1 / (1 + margin->high) - 1;
		verdict->high = 1 / (1 + margin->low) - 1;
	}
}

static double chance_of(const struct question *question, uint32_t option)
{
	const struct joint *joint = question->joint;

	for (uint32_t i = 0; joint && i < joint->option_count; i++)
		if (joint->options[i].option == option)
			return joint->options[i].chance;
	return -1;
}

/* Returns a text about the guessed constants, in `arena`; the kind that matters most is first. */
static const char *rests_of(struct comparison *comparison, const struct question *question,
	const struct sweep_point *const pair[2], struct arena *arena)
{
	struct constants guesses = compare_guesses(comparison, question, pair);
	const char *texts[CONSTANT_KINDS + 1], *all = "";
	uint32_t count =
		verdict_rests_texts(&guesses, true, texts, CONSTANT_KINDS + 1, &comparison->arena);

	for (uint32_t i = 0; i < count; i++)
		all = arena_printf(&comparison->arena, "%s%s%s", all, i ? "; " : "", texts[i]);
	return arena_string(arena, all);
}

/* Returns the stage that causes most of the difference, with the change of its time; "" if it is
 * unknown. Also returns "" if the change is more than twice the difference: the two critical paths
 * then probably lead through different parts of the machine. */
static const char *mechanism_of(
	const struct sweep_point *const pair[2], double difference, struct arena *arena)
{
	enum stage stage = pair[0]->stages.known && pair[1]->stages.known ? compare_mechanism(pair)
									  : STAGE_COUNT;

	if (stage == STAGE_COUNT || compare_stage(pair, stage) > 2 * difference)
		return "";
	return arena_printf(arena, "%s %s", stage_label(stage),
		compare_time_text(compare_stage(pair, stage), arena));
}

/* Returns a text if the model's error is larger than the margin or may explain it; else "". */
static const char *doubt_of(struct comparison *comparison, const struct question *question,
	const struct margin *margin, struct arena *arena)
{
	const struct context *context = &question->contexts[question->focus];
	const char *doubt = "";

	if (context->tied == 1)
		doubt = verdict_model_text(question, &comparison->arena);
	else if (context->doubt.family && margin_may_decide(margin))
		doubt = arena_printf(&comparison->arena,
			"the difference is within the model's error of %s",
			trust_error_text(&context->doubt, &comparison->arena));
	return arena_string(arena, doubt ? doubt : "");
}

/* Fills the verdict from the only context of the question about the files. */
static bool fill(struct comparison *comparison, const struct question *question,
	struct arena *arena, struct advise_verdict *verdict, struct text *why)
{
	const struct context *context = &question->contexts[question->focus];
	const struct sweep_points *points = question->points;
	uint32_t before = judge_option(comparison, context, 0),
		 after = judge_option(comparison, context, 1);
	const struct sweep_point *pair[2];
	struct margin margin;
	bool faster;

	if (before == UINT32_MAX || after == UINT32_MAX) {
		text_append(why, "its rounds were not measured");
		return false;
	}
	verdict->before = sweep_point_value(points, context->points[before]);
	verdict->after = sweep_point_value(points, context->points[after]);
	faster = verdict->after <= verdict->before;
	pair[0] = context->points[faster ? after : before];
	pair[1] = context->points[faster ? before : after];
	margin = sweep_margin(points, pair[0], pair[1], FIGURE_METRIC);
	set_gain(verdict, &margin, faster);
	if (context->tied == 1)
		verdict->outcome = faster ? ADVISE_GAINS : ADVISE_LOSES;
	else
		verdict->outcome = margin_may_decide(&margin) ? ADVISE_UNDECIDED : ADVISE_EQUAL;
	verdict->chance = chance_of(question, after);
	verdict->rests_on = rests_of(comparison, question, pair, arena);
	verdict->mechanism = mechanism_of(pair, fabs(verdict->after - verdict->before), arena);
	verdict->doubt = doubt_of(comparison, question, &margin, arena);
	return true;
}

bool advise_judge(const char *before, const char *file, const struct advise_mark *mark,
	struct arena *arena, struct advise_verdict *verdict, struct text *why)
{
	struct compare_options options = {.kind = mark->kind, .step = mark->step};
	struct file_pair *pair = allocate(1, sizeof *pair);
	struct comparison comparison = {.options = &options, .file = before, .pair = pair};
	bool good;

	*verdict =
		(struct advise_verdict){.chance = -1, .rests_on = "", .mechanism = "", .doubt = ""};
	pair->files[0] = before;
	pair->files[1] = file;
	arena_init(&comparison.arena);
	good = compare_read_pair(&comparison, why) && compare_answer(&comparison, why);
	if (good && comparison.subjects[0].questions.count == 0) {
		text_append(why, "there is nothing to compare");
		good = false;
	}
	good = good &&
	       fill(&comparison, &comparison.subjects[0].questions.at[0], arena, verdict, why);
	compare_close_pair(&comparison);
	arena_fini(&comparison.arena);
	free(pair);
	return good;
}
