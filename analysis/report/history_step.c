/* Compares a run with the same run in the next file, and finds the figures that changed by more
 * than chance explains. For each of these figures, finds the stage whose time changed most. If both
 * runs recorded causes, also finds the constant whose charged time changed most. */
#include <math.h>
#include <string.h>

#include "analysis/operations/charges.h"
#include "report_private.h"

/* Share of a figure's change. A stage or constant counts as a cause of the change only if its time
 * explains at least this share */
#define CAUSE_LEAST 0.05

/* One of the two runs. */
struct side {
	struct operations operations;
	struct samples samples;
	struct sorted values;
	struct split sum;
	int64_t total;
	bool split;
	struct charges charges;
};

static bool read_side(struct side *side, struct summary *summary, uint64_t row,
	const struct history_step *step, struct arena *arena, struct text *why)
{
	const char *group = summary_group(summary, row);
	enum metric metric = metric_named(step->metric);
	int64_t *values;

	if (metric == METRIC_COUNT ||
		!operations_read(summary, group, arena, &side->operations, why))
		return false;
	side->samples = samples_take(&side->operations, step->kind, metric, arena);
	values = arena_array(arena, side->samples.count + 1, sizeof(*values));
	for (uint32_t i = 0; i < side->samples.count; i++)
		values[i] = side->samples.at[i].value;
	side->values = (struct sorted){values, side->samples.count};
	side->split = side->samples.count > 0 && samples_sum(&side->operations, &side->samples,
							 metric, &side->sum, &side->total);
	side->charges = (struct charges){.known = true};
	return charges_add(&side->charges, summary, group, step->kind, step->metric, arena, why);
}

/* Mean time of a stage per operation, ps. */
static double stage_of(const struct side *side, int stage)
{
	return (double)side->sum.time[stage] / side->samples.count;
}

/* Mean time charged to a constant per operation, ps. */
static double charge_of(const struct side *side, const char *path)
{
	return side->charges.whole > 0 ? charges_of(&side->charges, path) / side->charges.whole *
						 (double)side->total / side->samples.count
				       : 0;
}

static void find_cause(struct history_step *step, const struct side sides[2], struct arena *arena)
{
	double way = step->new > step->old ? 1 : -1;
	double least = fabs(step->new - step->old) * CAUSE_LEAST, most = least;

	if (!sides[0].split || !sides[1].split)
		return;
	for (int s = 0; s < STAGE_COUNT; s++) {
		double moved = stage_of(&sides[1], s) - stage_of(&sides[0], s);
		if (way * moved <= most)
			continue;
		most = way * moved;
		step->stage = stage_label((enum stage)s);
		step->stage_moved = moved;
	}
	most = least;
	for (int i = 0; i < 2 && sides[0].charges.known && sides[1].charges.known; i++)
		for (uint32_t c = 0; c < sides[i].charges.count; c++) {
			const char *path = sides[i].charges.at[c].path;
			double moved = charge_of(&sides[1], path) - charge_of(&sides[0], path);
			if (way * moved <= most)
				continue;
			most = way * moved;
			step->constant = arena_string(arena, path);
			step->constant_moved = moved;
		}
}

bool history_step_add(struct history *history, struct summary *summaries[2], const uint64_t rows[2],
	const struct history_step *given, struct text *why)
{
	struct history_step step = *given;
	struct side sides[2];
	struct arena scratch;
	bool good = true;

	if (history->step_count == HISTORY_STEPS_MAX) {
		history->more_steps = true;
		return true;
	}
	arena_init(&scratch);
	for (int i = 0; good && i < 2; i++)
		good = read_side(&sides[i], summaries[i], rows[i], given, &scratch, why);
	if (good && sides[0].values.count > 0 && sides[1].values.count > 0) {
		uint32_t which = strcmp(step.statistic, "p99") == 0 ? 990 : 500;
		step.margin = margin_of(&sides[0].values, &sides[1].values, which);
		if (step.margin.low > 0 || step.margin.high < 0) {
			find_cause(&step, sides, &history->arena);
			history->steps[history->step_count++] = step;
		}
	}
	arena_fini(&scratch);
	return good;
}
