/* Prints the answer at the end of `meshsim run`, which is the best point of the sweep
 * (analysis/compare.h). */
#include "analysis/compare/best.h"
#include "analysis/print/wrap.h"
#include "analysis/read/result.h"

static bool run_answer(void *context, FILE *out, struct text *why)
{
	struct comparison *comparison = context;
	bool good;

	arena_init(&comparison->arena);
	good = summary_open(&comparison->summary, comparison->file, why);
	if (good && comparison->summary.swept_count > 0 && compare_read(comparison, why)) {
		best_print(comparison, out);
		also_print(comparison, out);
	}
	return good;
}

void analysis_best(const char *file, bool wide, FILE *out)
{
	struct compare_options options = {0};
	struct comparison comparison = {.options = &options,
		.file = file,
		.columns = answer_columns(out),
		.answer_columns = wide ? table_columns(true, out) : answer_columns(out),
		.only_best = true};

	probe_answer(file, run_answer, &comparison, out);
}
