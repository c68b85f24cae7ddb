/* The sentence for a figure that contradicts a verdict, see comparison.h. */
#include "analysis/compare/comparison.h"

/* Returns a text that names the part of the host CPU (compare_host()) in which the two points
 * differ most, such as " (spinning +12 us an operation)". */
static const char *host_reason(struct comparison *comparison, const struct sweep_point *less,
	const struct sweep_point *more)
{
	double a[HOST_PARTS], b[HOST_PARTS], whole = 0;
	const char *others = "";
	enum host_part most;

	if (!compare_host(less, a) || !compare_host(more, b))
		return "";
	for (int i = 0; i < HOST_PARTS; i++)
		b[i] -= a[i];
	most = compare_host_most(b);
	for (int i = 0; i < HOST_PARTS; i++)
		whole += b[i];
	if (b[most] > 1.0005 * whole)
		others = arena_printf(&comparison->arena, ", less %s of the others,",
			compare_time_text(b[most] - whole, &comparison->arena));
	return arena_printf(&comparison->arena, " (%s +%s%s %s)", compare_host_words(most),
		compare_time_text(b[most], &comparison->arena), others,
		less->fair == 1 && more->fair == 1 ? "an operation" : "per MiB");
}

const char *compare_side(const struct question *question, const struct context *focus,
	const struct contradiction *found, struct comparison *comparison)
{
	struct arena *arena = &comparison->arena;
	const struct margin *margin = &found->margin;
	const struct sweep_point *less = focus->points[found->option];
	const struct sweep_point *more = focus->points[found->than];
	const char *reason = "", *scope = "", *sure = found->sure ? "" : ", if that is no noise";
	double part = margin->ratio;

	if (found->figure == FIGURE_HOST_CPU && !question->points->shares_run &&
		sweep_has_host_cpu(question->points))
		reason = host_reason(comparison, less, more);
	else if (found->figure == FIGURE_HOST_CPU && !sweep_has_host_cpu(question->points))
		scope = " over the whole run";
	if (found->figure == FIGURE_THROUGHPUT)
		part = 1 - 1 / (1 + part);
	if (part >= 1)
		return arena_printf(arena, "%s has %s the %s of %s%s%s%s",
			focus->labels[found->than], compare_times(part, arena),
			figure_words(found->figure), focus->labels[found->option], scope, reason,
			sure);
	return arena_printf(arena, "%s has %s %s %s than %s%s%s%s", focus->labels[found->than],
		compare_percent(part, arena), figure_more(found->figure),
		figure_words(found->figure), focus->labels[found->option], scope, reason, sure);
}
