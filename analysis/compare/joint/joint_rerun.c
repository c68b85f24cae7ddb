/* Runs the designs of a question again, with all costs changed at once (joint_private.h). Each run
 * needs its own settings, with one text for each changed cost. Runs are made in batches to limit
 * the memory for these texts. */
#include <math.h>
#include <string.h>

#include "joint_private.h"

enum { BATCH = 20 }; /* number of draws of a batch */

/* Reruns of the draws of a set. */
struct joint_batch {
	struct comparison *comparison;
	const struct question *question;
	const struct joint_model *model;
	struct joint_reruns *reruns;
	double *growths; /* [costs][draws] */
	uint32_t draws;
	struct constants own[JOINT_DESIGNS_MAX]; /* constants of each design */
};

static void joint_rerun_read(struct joint_batch *batch, struct arena *arena)
{
	for (uint32_t d = 0; d < batch->reruns->designs; d++) {
		const struct sweep_point *point = batch->model->points[batch->reruns->of[d]];
		batch->own[d] = constants_read(compare_platform(point, arena), arena);
	}
}

/* Makes the changes with which a design runs a draw. A time is multiplied by the random factor that
 * the draw has for this cost, and a rate is divided by it. */
static void joint_rerun_set_changes(const struct joint_batch *batch, uint32_t draw, uint32_t design,
	struct compare_rerun *rerun, struct arena *arena)
{
	const struct joint_model *model = batch->model;
	const struct constants *own = &batch->own[design];
	struct compare_change *changes = arena_array(arena, model->count + 1, sizeof(*changes));
	uint32_t count = 0;

	for (uint32_t c = 0; c < model->count; c++) {
		const char *path = model->costs[c].constant->path;
		double growth = batch->growths[(size_t)c * batch->draws + draw];
		/* designs on one platform have their costs in the same order */
		const struct constant *constant =
			c < own->count && strcmp(own->at[c].path, path) == 0
				? &own->at[c]
				: constant_at(own, path);
		if (constant && growth != 1)
			changes[count++] = constant_change(
				constant, strchr(constant->unit, '/') ? 1 / growth : growth, arena);
	}
	rerun->changes = changes;
	rerun->change_count = count;
}

/* Reruns `count` draws from draw `first` on, and appends their values. */
static void joint_rerun_some(const struct joint_batch *batch, uint32_t first, uint32_t count)
{
	const struct compare_rerun_ops *ops = batch->comparison->rerun_ops;
	struct joint_reruns *reruns = batch->reruns;
	uint32_t designs = reruns->designs;
	double *values = &reruns->values[(size_t)reruns->draws * designs];
	struct compare_rerun *runs;
	struct arena scratch;

	arena_init(&scratch);
	runs = arena_array(&scratch, (size_t)count * designs, sizeof(*runs));
	for (uint32_t i = 0; i < count * designs; i++) {
		const struct sweep_point *point = batch->model->points[reruns->of[i % designs]];
		runs[i] = (struct compare_rerun){.scenario = compare_scenario(point, &scratch),
			.platform = compare_platform(point, &scratch)};
		joint_rerun_set_changes(
			batch, first + i / designs, i % designs, &runs[i], &scratch);
	}
	ops->run(ops->context, runs, count * designs);
	for (uint32_t i = 0; i < count * designs; i++) {
		if (compare_measure(batch->question->points, &runs[i], &values[i]))
			continue;
		values[i] = 0;
		if (!reruns->why)
			reruns->why = arena_printf(&batch->comparison->arena, "%s: %s",
				batch->model->labels[reruns->of[i % designs]], runs[i].why);
	}
	reruns->draws += count;
	arena_fini(&scratch);
}

uint32_t joint_rerun_set(struct comparison *comparison, const struct question *question,
	const struct joint_model *model, const char *set, uint32_t draws,
	struct joint_reruns *reruns)
{
	struct joint_batch batch = {comparison, question, model, reruns, NULL, draws, {{0}}};
	struct arena scratch;
	uint32_t *order;

	arena_init(&scratch);
	joint_rerun_read(&batch, &scratch);
	order = arena_array(&scratch, draws + 1, sizeof(*order));
	batch.growths =
		arena_array(&scratch, (size_t)model->count * draws + 1, sizeof(*batch.growths));
	for (uint32_t c = 0; c < model->count; c++)
		joint_draw(set, &model->costs[c], draws, order, &batch.growths[(size_t)c * draws]);
	for (uint32_t first = 0; first < draws; first += BATCH)
		joint_rerun_some(&batch, first, draws - first < BATCH ? draws - first : BATCH);
	arena_fini(&scratch);
	return draws * reruns->designs;
}

uint32_t joint_rerun_groups(struct comparison *comparison, const struct question *question,
	const struct joint_model *model, const double factors[CONSTANT_GROUPS],
	struct joint_reruns *reruns)
{
	struct joint_batch batch = {comparison, question, model, reruns, NULL, 1, {{0}}};
	struct arena scratch;

	arena_init(&scratch);
	joint_rerun_read(&batch, &scratch);
	batch.growths = arena_array(&scratch, model->count + 1, sizeof(*batch.growths));
	for (uint32_t c = 0; c < model->count; c++)
		batch.growths[c] = 1 + charge_growth(model->costs[c].constant->unit,
					       factors[model->costs[c].constant->group]);
	joint_rerun_some(&batch, 0, 1);
	arena_fini(&scratch);
	return reruns->designs;
}
