/* Estimates how many seeds are needed for a given precision, from the differences between the seeds
 * of a file (analysis/compare.h). Considers only the best two options of each context. */
#include <math.h>

#include "analysis/compare/comparison.h"

/* An estimate from a few seeds is uncertain, so a tenth is added to it. With this addition, one
 * more round of runs is usually enough. */
#define MORE 1.1

static double seeds_needed(const struct question *question, double precision)
{
	double needed = 0;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		const struct margin *margin;
		double half, seeds;
		if (context->count < 2 || context->needed)
			continue;
		margin = &context->margins[context->order[1]];
		half = (margin->high - margin->low) / 2;
		seeds = question->points->seeds;
		if (seeds > 1 && half > precision)
			needed = fmax(
				needed, MORE * seeds * (half / precision) * (half / precision));
	}
	return needed;
}

uint32_t analysis_seeds(const char *file, double precision)
{
	struct compare_options options = {0};
	struct comparison comparison = {.options = &options};
	double needed = 0;
	struct text why;

	text_init(&why);
	arena_init(&comparison.arena);
	if (summary_open(&comparison.summary, file, &why)) {
		if (compare_read(&comparison, &why) && compare_answer(&comparison, &why))
			for (uint32_t s = 0; s < comparison.subject_count; s++)
				for (uint32_t i = 0; i < comparison.subjects[s].questions.count;
					i++)
					needed = fmax(needed,
						seeds_needed(
							&comparison.subjects[s].questions.at[i],
							precision));
		summary_close(&comparison.summary);
	}
	arena_fini(&comparison.arena);
	text_fini(&why);
	return needed < UINT32_MAX ? (uint32_t)ceil(needed) : UINT32_MAX;
}
