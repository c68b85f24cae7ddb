/* `meshsim compare`, see analysis/compare.h: reads a sweep, answers its questions, prints
 * them. */
#include "analysis/compare/comparison.h"
#include "analysis/read/probe.h"
#include "base/ensure.h"

struct work {
	const char *file;
	struct comparison *comparison;
};

bool compare_read(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;

	return sweep_points_read(&comparison->summary, options->kind, options->metric,
		&comparison->arena, &comparison->points, why);
}

static bool read_points(struct work *work, struct text *why)
{
	arena_init(&work->comparison->arena);
	return summary_open(&work->comparison->summary, work->file, why) &&
	       compare_read(work->comparison, why);
}

/* Whatever will be read, for the probe. */
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

	if (!questions_find(&comparison->summary, &comparison->points, options->by,
		    options->by_count, &comparison->arena, &comparison->questions, why))
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
	int code = probe_file(file, read_all, &work);
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
	summary_close(&comparison.summary);
	arena_fini(&comparison.arena);
	return code;
}
