/* Computes the probability that each option of a question is the best if all costs are uncertain
 * (analysis/compare/joint.h). */
#include <math.h>
#include <string.h>

#include "joint_private.h"

/* The first order is inaccurate if it differs from reruns by more than this part of a margin. */
#define ERROR_MOST 0.25

/* An option that is the best less often than this is not rerun. */
#define CHANCE_LEAST 0.01

/* An option with a larger margin than this is not rerun if its charges are unknown. */
#define FAR_BEHIND 0.5

/* If first-order estimates prove inaccurate, at least this many draws are run, including those that
 * checked the estimates */
enum { RERUNS_LEAST = 40 };

/* If fewer draws than this can be rerun, none are, and the estimates are not checked */
enum { CHECKED_LEAST = 4 };

/* Draws are rerun until half of the 95 % interval of the winner's probability is at most this. */
#define PRECISION 0.05

/* First-order estimates also count as inaccurate if the reruns change the winner's chance to be the
 * best by more than this. */
#define MOVED_MOST 0.02

/* A question whose draws are rerun. */
struct joint_trial {
	struct comparison *comparison;
	struct question *question;
	struct joint *joint;
	struct joint_model model;
	struct joint_reruns reruns;
	double *foreseen; /* values of the draws in `reruns`, to first order */
	struct arena scratch;
};

static struct joint *joint_new(const struct joint_model *model, struct arena *arena)
{
	struct joint *joint = arena_alloc(arena, sizeof(*joint));

	joint->options = arena_array(arena, model->options, sizeof(*joint->options));
	joint->option_count = model->options;
	for (uint32_t o = 0; o < model->options; o++)
		joint->options[o] = (struct joint_option){model->numbers[o], model->labels[o], 0};
	return joint;
}

/* Sets the chance of each option to the share of draws in `times` in which it is the best. */
static void joint_set_chances(
	struct joint *joint, const double *times, uint32_t draws, struct arena *scratch)
{
	double *chances = arena_array(scratch, joint->option_count, sizeof(*chances));

	joint_count(times, joint->option_count, draws, chances);
	for (uint32_t o = 0; o < joint->option_count; o++)
		joint->options[o].chance = chances[o];
}

void compare_joint(struct comparison *comparison, struct question *question)
{
	double factors[CONSTANT_GROUPS];
	struct joint_model model;
	struct joint_space space;
	struct joint *joint;
	struct arena scratch;

	arena_init(&scratch);
	if (joint_model_make(comparison, question, &model, &scratch) && model.charged) {
		joint = question->joint = joint_new(&model, &comparison->arena);
		joint->draws = JOINT_DRAWS;
		space = joint_space_make(&model, JOINT_DRAWS, &scratch);
		joint_times(&model, "first", &space);
		joint_variance(&model, &space, joint, &scratch);
		for (uint32_t o = 0; o < model.options; o++)
			joint_scatter(
				&model, o, JOINT_DRAWS, 1, &space.times[(size_t)o * JOINT_DRAWS]);
		joint_set_chances(joint, space.times, JOINT_DRAWS, &scratch);
		joint_quantiles(space.times, JOINT_DRAWS, space.growths, joint);
		joint_together(&model, joint, factors, &comparison->arena);
		for (uint32_t i = 0; i < joint->share_count; i++) {
			struct joint_cost_share *share = &joint->shares[i];
			share->path = arena_string(&comparison->arena, share->path);
			share->kind = arena_string(&comparison->arena, share->kind);
		}
	}
	arena_fini(&scratch);
}

/* Chooses the designs to run again: the best two options, and other options that may be the best.
 * If the charges are known, an option may be the best if it is the best in at least the share
 * CHANCE_LEAST of the draws. Otherwise draws cannot be evaluated, and an option may be the best if
 * it is less than FAR_BEHIND behind the best. */
static void joint_choose(struct joint_trial *trial)
{
	const struct joint_model *model = &trial->model;
	struct joint_reruns *reruns = &trial->reruns;
	enum figure figure = trial->question->points->figure;

	for (uint32_t o = 0; o < model->options && reruns->designs < JOINT_DESIGNS_MAX; o++) {
		bool near = model->charged ? trial->joint->options[o].chance >= CHANCE_LEAST
					   : model->values[o] / model->values[0] - 1 < FAR_BEHIND;
		if (o > 1 && !near)
			continue;
		reruns->nominal[reruns->designs] = model->points[o]->runs[0].figures[figure];
		reruns->of[reruns->designs++] = o;
	}
}

/* Reruns draws, and computes the values of the same draws to first order. */
static void joint_run(struct joint_trial *trial, const char *set, uint32_t draws)
{
	struct joint_reruns *reruns = &trial->reruns;
	uint32_t first = reruns->draws, designs = reruns->designs;
	struct joint_space space = joint_space_make(&trial->model, draws, &trial->scratch);

	trial->joint->runs += joint_rerun_set(
		trial->comparison, trial->question, &trial->model, set, draws, reruns);
	joint_times(&trial->model, set, &space);
	for (uint32_t i = 0; i < draws; i++)
		for (uint32_t d = 0; d < designs; d++)
			trial->foreseen[(size_t)(first + i) * designs + d] =
				space.times[(size_t)reruns->of[d] * draws + i];
}

/* Leaves out draws in which a design could not run. */
static void joint_drop_failed(struct joint_trial *trial)
{
	struct joint_reruns *reruns = &trial->reruns;
	uint32_t designs = reruns->designs, kept = 0;
	size_t bytes = designs * sizeof(double);

	for (uint32_t i = 0; i < reruns->draws; i++) {
		bool good = true;
		for (uint32_t d = 0; d < designs; d++)
			good &= reruns->values[(size_t)i * designs + d] > 0;
		if (!good)
			continue;
		memmove(&reruns->values[(size_t)kept * designs],
			&reruns->values[(size_t)i * designs], bytes);
		memmove(&trial->foreseen[(size_t)kept++ * designs],
			&trial->foreseen[(size_t)i * designs], bytes);
	}
	trial->joint->failed += reruns->draws - kept;
	trial->joint->failure = reruns->why;
	trial->joint->reruns = reruns->draws = kept;
}

/* Compares the margins of the reruns with their first-order estimates. Stores the error of the
 * margin at which error / margin is largest. Returns true if this quotient is at most ERROR_MOST.
 */
static bool joint_is_near(struct joint_trial *trial)
{
	const struct joint_reruns *reruns = &trial->reruns;
	const struct joint_model *model = &trial->model;
	uint32_t designs = reruns->designs;
	double worst = -1;

	for (uint32_t d = 1; d < designs && reruns->draws > 0; d++) {
		double margin = model->values[reruns->of[d]] / model->values[0];
		double nominal = reruns->nominal[d] / reruns->nominal[0], sum = 0, error;
		for (uint32_t i = 0; i < reruns->draws; i++) {
			const double *run = &reruns->values[(size_t)i * designs];
			const double *order = &trial->foreseen[(size_t)i * designs];
			double off = run[d] / run[0] / nominal - order[d] / order[0] / margin;
			sum += off * off;
		}
		error = sqrt(sum / reruns->draws);
		if (error / fmax(margin - 1, 1e-9) <= worst)
			continue;
		worst = error / fmax(margin - 1, 1e-9);
		trial->joint->error = error;
		trial->joint->error_rival = model->labels[reruns->of[d]];
	}
	return worst >= 0 && worst <= ERROR_MOST;
}

/* Returns how many of `wanted` draws may be rerun, and takes their work off the account. */
static uint32_t joint_afford(const struct joint_trial *trial, uint32_t wanted)
{
	const struct sweep_point *points[JOINT_DESIGNS_MAX];

	for (uint32_t d = 0; d < trial->reruns.designs; d++)
		points[d] = trial->model.points[trial->reruns.of[d]];
	return afford(trial->comparison, AFFORD_DRAWS, points, trial->reruns.designs,
		wanted < JOINT_RERUNS_MAX ? wanted : JOINT_RERUNS_MAX, 1);
}

/* Returns the design with the smallest value in a draw. */
static uint32_t joint_least(const double *values, uint32_t designs)
{
	uint32_t least = 0;

	for (uint32_t d = 1; d < designs; d++)
		if (values[d] < values[least])
			least = d;
	return least;
}

/* Sets the chance of each design to the share of reruns in which it was the best. The precision is
 * computed as if there were two more reruns, and the first design had won one of them. Otherwise,
 * if it had won all or none of a few reruns, its chance would seem to be exact. */
static void joint_count_reruns(struct joint_trial *trial)
{
	const struct joint_reruns *reruns = &trial->reruns;
	struct joint *joint = trial->joint;
	uint32_t won = 0;
	double share;

	for (uint32_t o = 0; o < joint->option_count; o++)
		joint->options[o].chance = 0;
	for (uint32_t d = 0; d < reruns->designs; d++)
		joint_scatter(&trial->model, reruns->of[d], reruns->draws, reruns->designs,
			&reruns->values[d]);
	for (uint32_t i = 0; i < reruns->draws; i++) {
		uint32_t least =
			joint_least(&reruns->values[(size_t)i * reruns->designs], reruns->designs);
		joint->options[reruns->of[least]].chance += 1.0 / reruns->draws;
		won += least == 0;
	}
	share = (won + 1.0) / (reruns->draws + 2.0);
	joint->precision = 1.96 * sqrt(share * (1 - share) / fmax(reruns->draws, 1));
}

/* Sets the chances of the designs that were rerun. All other options keep their chances. */
static void joint_take_corrected(struct joint_trial *trial, const struct joint_corrected *corrected)
{
	struct joint *joint = trial->joint;
	double rest = 1;

	for (uint32_t o = 0; o < joint->option_count; o++)
		rest -= joint->options[o].chance;
	for (uint32_t d = 0; d < trial->reruns.designs; d++)
		rest += joint->options[trial->reruns.of[d]].chance;
	for (uint32_t d = 0; d < trial->reruns.designs; d++)
		joint->options[trial->reruns.of[d]].chance = rest * corrected->chances[d];
	joint->precision = 1.96 * sqrt(corrected->variance / trial->reruns.draws);
}

/* Computes the quantiles of the margin from the reruns. */
static void joint_take_margins(struct joint_trial *trial)
{
	const struct joint_reruns *reruns = &trial->reruns;
	uint32_t draws = reruns->draws;
	double *times = arena_array(&trial->scratch, 2 * (size_t)draws, sizeof(*times));
	double *scratch = arena_array(&trial->scratch, draws, sizeof(*scratch));

	for (uint32_t i = 0; i < draws; i++)
		for (uint32_t d = 0; d < 2; d++)
			times[(size_t)d * draws + i] =
				reruns->values[(size_t)i * reruns->designs + d];
	joint_quantiles(times, draws, scratch, trial->joint);
}

/* Reruns the designs with the groups of costs that reverse the verdict to first order. */
static void joint_try_together(struct joint_trial *trial)
{
	struct joint_reruns once = trial->reruns;
	double factors[CONSTANT_GROUPS], values[JOINT_DESIGNS_MAX];
	struct joint_together *together = &trial->joint->together;

	joint_together(&trial->model, trial->joint, factors, &trial->comparison->arena);
	if (together->count == 0)
		return;
	once.values = values;
	once.draws = 0;
	trial->joint->runs += joint_rerun_groups(
		trial->comparison, trial->question, &trial->model, factors, &once);
	for (uint32_t d = 1; d < once.designs; d++) {
		if (values[0] <= 0 || values[d] <= 0 ||
			trial->model.labels[once.of[d]] != together->rival)
			continue;
		together->rerun = true;
		together->measured = values[d] / values[0] - 1;
	}
}

/* Reruns a first set of draws, and compares the chances in them with the first-order estimates. If
 * the estimates are inaccurate, or if these draws are too few to tell, reruns more draws and
 * corrects the chances. If the question is undecided, reruns RERUNS_LEAST draws in all, because
 * even more draws would not decide it. */
static void joint_check(struct joint_trial *trial)
{
	struct joint *joint = trial->joint;
	uint32_t wanted, affordable = joint_afford(trial, JOINT_CHECKED);
	bool decided = trial->question->outcome != OUTCOME_UNDECIDED;
	struct joint_space space = joint_space_make(&trial->model, JOINT_DRAWS, &trial->scratch);
	struct joint_corrected corrected;

	joint->few = affordable < CHECKED_LEAST;
	if (joint->few)
		return;
	joint_run(trial, "check", affordable);
	joint_drop_failed(trial);
	if (trial->reruns.draws == 0)
		return;
	joint_times(&trial->model, "first", &space);
	corrected = joint_correct(&trial->model, &trial->reruns, trial->foreseen, &space);
	wanted = (uint32_t)ceil(corrected.variance * pow(1.96 / PRECISION, 2));
	if (joint_is_near(trial) && wanted <= trial->reruns.draws &&
		fabs(corrected.chances[0] - joint->options[0].chance) <= MOVED_MOST) {
		joint->basis = JOINT_CONFIRMED;
		return;
	}
	wanted = wanted < RERUNS_LEAST ? RERUNS_LEAST : wanted;
	if (!decided)
		wanted = RERUNS_LEAST;
	wanted -= wanted > trial->reruns.draws ? trial->reruns.draws : wanted;
	affordable = joint_afford(trial, wanted);
	joint->few = wanted > affordable;
	if (affordable > 0) {
		joint_run(trial, "rerun", affordable);
		joint_drop_failed(trial);
		corrected = joint_correct(&trial->model, &trial->reruns, trial->foreseen, &space);
	}
	joint->basis = JOINT_CORRECTED;
	joint_take_corrected(trial, &corrected);
	joint_take_margins(trial);
}

/* Reruns `draws` draws. The chances are then computed from these reruns alone. */
static void joint_rerun_alone(struct joint_trial *trial, uint32_t draws)
{
	joint_run(trial, "check", draws);
	joint_drop_failed(trial);
	if (trial->model.charged)
		(void)joint_is_near(trial);
	if (trial->reruns.draws == 0)
		return;
	trial->joint->basis = JOINT_RERUN;
	joint_count_reruns(trial);
	joint_take_margins(trial);
}

static void joint_try(struct joint_trial *trial)
{
	uint32_t asked = trial->comparison->options->draws;
	uint32_t most = asked ? asked : JOINT_CHECKED + JOINT_RERUNS_MAX;

	joint_choose(trial);
	trial->reruns.values = arena_array(&trial->scratch, (size_t)most * trial->reruns.designs,
		sizeof(*trial->reruns.values));
	trial->foreseen = arena_array(
		&trial->scratch, (size_t)most * trial->reruns.designs, sizeof(*trial->foreseen));
	if (!asked && !trial->model.charged) {
		asked = joint_afford(trial, most);
		trial->joint->few = asked < RERUNS_LEAST;
	}
	if (asked)
		joint_rerun_alone(trial, asked);
	else if (trial->model.charged)
		joint_check(trial);
	if (trial->model.charged && trial->question->outcome != OUTCOME_UNDECIDED)
		joint_try_together(trial);
}

void compare_joint_rerun(struct comparison *comparison, struct question *question)
{
	struct joint_trial trial = {.comparison = comparison, .question = question};
	bool decided = question->outcome != OUTCOME_UNDECIDED;
	const struct sweep_point *pair[2];

	if (!question->joint && !compare_pair(question, pair))
		return;
	arena_init(&trial.scratch);
	if (joint_model_make(comparison, question, &trial.model, &trial.scratch)) {
		trial.joint = question->joint ? question->joint
					      : joint_new(&trial.model, &comparison->arena);
		joint_try(&trial);
		if (trial.joint->draws > 0 || trial.joint->reruns > 0)
			question->joint = trial.joint;
		if (decided && trial.joint->basis != JOINT_FIRST_ORDER &&
			trial.joint->options[0].chance < JOINT_HOLDS)
			question->outcome = OUTCOME_FRAGILE;
	}
	arena_fini(&trial.scratch);
}
