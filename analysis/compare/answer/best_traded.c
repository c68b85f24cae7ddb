/* Finds a figure, such as host CPU, in which the best point of a context costs more than another
 * point of the same context (best.h). */
#include <string.h>

#include "analysis/compare/best.h"

/* The best point may cost more than another point in a figure such as host CPU. This counts only if
 * the difference in this figure is at least WEIGHS times the margin in the metric. Verdicts use the
 * same rule. */
#define WEIGHS 0.1

static bool is_together(
	const struct summary *summary, const struct sweep_point *a, const struct sweep_point *b)
{
	bool same = true;

	for (uint32_t i = 0; i < summary->swept_count; i++)
		same &= !best_is_context(summary, i) || strcmp(a->keys[i], b->keys[i]) == 0;
	return same;
}

/* Compares the best point with the point `other`. For each figure, computes the share by which the
 * best point costs more than `other`. Returns the figure with the largest share, and sets *ratio
 * to this share. Leaves out figures in which `other` does not certainly cost less, and figures
 * whose share is less than WEIGHS times `longer`. Returns FIGURE_COUNT if no figure is left. */
static enum figure cheapest(const struct sweep_points *points, const struct sweep_point *best,
	const struct sweep_point *other, double longer, double *ratio)
{
	enum figure found = FIGURE_COUNT;

	*ratio = 0;
	for (int f = FIGURE_P99; f < FIGURE_COUNT; f++) {
		struct margin cost;

		if (!points->witness[f])
			continue;
		cost = sweep_margin(points, other, best, (enum figure)f);
		if (!margin_decides(&cost) || cost.ratio < WEIGHS * longer || cost.ratio <= *ratio)
			continue;
		found = (enum figure)f;
		*ratio = cost.ratio;
	}
	return found;
}

struct best_traded best_traded(
	const struct summary *summary, const struct sweep_points *points, const struct best *best)
{
	struct best_traded traded = {.figure = FIGURE_COUNT};
	double nearest = 0;

	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *other = &points->at[i];
		struct margin longer;
		double ratio;
		enum figure figure;

		if (other == best->first || !other->good || other->saturated ||
			!is_together(summary, other, best->first))
			continue;
		longer = sweep_margin(points, best->first, other, FIGURE_METRIC);
		if (traded.than && longer.ratio >= nearest)
			continue;
		figure = cheapest(points, best->first, other, longer.ratio, &ratio);
		if (figure == FIGURE_COUNT)
			continue;
		nearest = longer.ratio;
		traded = (struct best_traded){other, figure, ratio, false};
		longer.level = best->margin.level;
		traded.decided =
			question_beats(points, (const struct sweep_point *[2]){best->first, other},
				&longer, &(struct model_doubt){0});
	}
	return traded;
}

const char *best_traded_text(
	const struct sweep_points *points, const struct best *best, struct arena *arena)
{
	const struct best_traded *traded = &best->traded;
	double part = traded->ratio;
	const char *what, *more;

	if (!traded->than)
		return "";
	what = traded->decided ? "trade-off:" : "but with";
	more = sweep_has_host_cpu(points) || traded->figure != FIGURE_HOST_CPU
		       ? ""
		       : " over the whole run";
	if (traded->figure == FIGURE_THROUGHPUT)
		part = 1 - 1 / (1 + part);
	if (part >= 1)
		return arena_printf(arena, "%s %s the %s of run %lld%s", what,
			compare_times(part, arena), figure_words(traded->figure),
			best_run(traded->than), more);
	return arena_printf(arena, "%s %s %s %s than run %lld%s", what,
		compare_percent(part, arena), figure_more(traded->figure),
		figure_words(traded->figure), best_run(traded->than), more);
}
