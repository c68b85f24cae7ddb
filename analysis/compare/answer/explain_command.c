/* The command that explains a verdict (best.h): `meshsim explain` with two runs. The command names
 * the kind and the metric of the verdict, so that it prints the same times as the verdict. */
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/sweep_runs.h"

/* Returns the value of --metric for the figure that is compared. Returns NULL if `meshsim explain`
 * cannot split this figure into stages. These are four figures: a figure that the user chose
 * instead of the metric, such as host CPU; the time of a `repeat` step that has other steps around
 * it; the time of one round of a loop that is timed as a whole; and the makespan of a part of a
 * run. */
static const char *metric_text(const struct sweep_points *points, struct arena *arena)
{
	if (points->figure != FIGURE_METRIC || points->within || points->whole ||
		(points->run && points->run->count > 0))
		return NULL;
	if (points->mode == MEASURE_TRANSFER)
		return "bandwidth";
	if (points->mode == MEASURE_ASKED)
		return arena_printf(arena, "%s%s", metric_names[points->metric],
			statistic_names(points->which)->suffix);
	return measure_name(points->mode, points->metric);
}

const char *advice_word(const char *word, struct arena *arena)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_-./:,+@%=";
	const char *quoted = "'";

	if (word[0] && strspn(word, plain) == strlen(word))
		return word;
	for (; *word; word++)
		quoted = *word == '\'' ? arena_printf(arena, "%s'\\''", quoted)
				       : arena_printf(arena, "%s%c", quoted, *word);
	return arena_printf(arena, "%s'", quoted);
}

/* Returns the path of the file that has the point, as the user gave it. */
static const char *file_of(const struct comparison *comparison, const struct sweep_point *point)
{
	const struct file_pair *pair = comparison->pair;

	if (!pair)
		return comparison->file ? comparison->file : "FILE.h5";
	return pair->files[point->summary == &pair->summaries[1]];
}

const char *explain_command(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *const two[2])
{
	struct arena *arena = &comparison->arena;
	const char *metric = metric_text(points, arena), *files;

	if (!metric)
		return NULL;
	files = advice_word(file_of(comparison, two[0]), arena);
	if (comparison->pair)
		files = arena_printf(
			arena, "%s %s", files, advice_word(file_of(comparison, two[1]), arena));
	return arena_printf(arena, "meshsim explain %s %lld %lld%s%s --metric=%s", files,
		best_run(two[0]), best_run(two[1]),
		strcmp(points->kind, "enqueue_workload") == 0 ? "" : " --kind=",
		strcmp(points->kind, "enqueue_workload") == 0 ? ""
							      : advice_word(points->kind, arena),
		metric);
}
